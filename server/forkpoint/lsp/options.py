"""What a client can set: where the agents' folders are, what tokens cost and who pays.

The same keys come as `initializationOptions` and as the settings section `forkpoint`; the section
wins. Both come from people, so what does not fit is a sentence for them, never a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args

import msgspec
from attrs import evolve, field, frozen

from forkpoint.prices import Price, Prices

SECTION = "forkpoint"
"""Name of the settings section."""

Account = Literal["unknown", "subscription", "apiKey"]

Watching = Literal["auto", "poll", "off"]
"""How to learn of changes: from the system where it can tell, by looking, or not at all."""

LeaveOut = Callable[[str, object], None]
"""Says which part of a setting is left out, and what it must be."""


@frozen(kw_only=True)
class Options:
    """Where to look, and what only the user knows."""

    claude_config_dirs: tuple[Path, ...] | None = None
    """Config folders of Claude Code; None = `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""

    codex_homes: tuple[Path, ...] | None = None
    """Folders of Codex CLI; None = `$CODEX_HOME`, else `~/.codex`."""

    prices: Prices = field(factory=Prices)
    """The list prices, with the user's own laid over them."""

    account: Account = "unknown"
    """How Claude Code is paid for."""

    status_line_cache: bool = False
    """Whether what a status line wrote of the prompt cache may be read."""

    watch: Watching = "auto"
    """How to learn of changes below the config folders."""

    search_tool_outputs: bool = True
    """Whether what tools put out can be searched."""

    cache_dir: Path | None = None
    """Where to keep what was indexed; None = the user's folder for caches."""


def options_with(base: Options, given: object) -> tuple[Options, list[str]]:
    """Lay the given settings over others.

    Args:
        base: What holds where nothing is given.
        given: Settings as decoded from JSON. What is null, empty or missing leaves `base` as it is
            (editors send an empty list for a setting nobody touched); other keys are ignored.

    Returns:
        The outcome, and a sentence for each setting that does not fit and was left out.
    """
    if given is None:
        return base, []
    if not isinstance(given, dict):
        return base, [f"The settings of {SECTION} must be an object."]
    changes: dict[str, Any] = {}
    sentences: list[str] = []

    def leave_out(name: str, wanted: object) -> None:
        sentences.append(f"{SECTION}.{name} must be {wanted}; it is ignored.")

    for key, value in cast("dict[str, object]", given).items():
        if value in (None, "", [], {}) or key not in _READERS:
            continue
        name, read = _READERS[key]
        try:
            changes[name] = read(value, leave_out)
        except ValueError as misfit:
            leave_out(key, misfit)
    return evolve(base, **changes), sentences


def _folders(value: object, leave_out: LeaveOut) -> tuple[Path, ...]:
    if not isinstance(value, list):
        raise ValueError("a list of folders")
    return tuple(_folder(each) for each in cast("list[object]", value))


def _folder(value: object) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("the absolute path of a folder")
    try:
        folder = Path(value).expanduser()
    except RuntimeError as error:
        raise ValueError("the path of a folder whose home folder is known") from error
    if not folder.is_absolute():
        raise ValueError("the absolute path of a folder")
    return folder


def _prices(value: object, leave_out: LeaveOut) -> Prices:
    if not isinstance(value, dict):
        raise ValueError("an object of models and their prices")
    own: dict[str, Price] = {}
    for model, given in cast("dict[str, object]", value).items():
        try:
            price = msgspec.convert(given, _OwnPrice)
        except msgspec.ValidationError:
            leave_out(f"prices.{model}", _FIVE_NUMBERS)
        else:
            own[model.lower()] = Price(**msgspec.structs.asdict(price), source="settings")
    return Prices(own)


_Dollars = Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]
"""The end keeps infinity out."""


class _OwnPrice(msgspec.Struct):
    input: _Dollars
    output: _Dollars
    cache_read: _Dollars = msgspec.field(name="cacheRead")
    cache_write_5m: _Dollars = msgspec.field(name="cacheWrite5m")
    cache_write_1h: _Dollars = msgspec.field(name="cacheWrite1h")


_FIVE_NUMBERS = (
    "an object with input, output, cacheRead, cacheWrite5m and cacheWrite1h, "
    "each in US dollars per million tokens from 0 to 1000000"
)


def _account(value: object, leave_out: LeaveOut) -> Account:
    if value not in get_args(Account):
        raise ValueError("unknown, subscription or apiKey")
    return cast("Account", value)


def _yes_or_no(value: object, leave_out: LeaveOut) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _search(value: object, leave_out: LeaveOut) -> bool:
    given = cast("dict[str, object]", value) if isinstance(value, dict) else None
    if given is None:
        raise ValueError("an object such as {toolOutputs: false}")
    wanted = given.get("toolOutputs")
    if wanted is None or isinstance(wanted, bool):
        return wanted is not False
    leave_out("search.toolOutputs", "true or false")
    return True


def _watching(value: object, leave_out: LeaveOut) -> Watching:
    if isinstance(value, bool):
        return "auto" if value else "off"
    if value not in get_args(Watching):
        raise ValueError("true, false, auto, poll or off")
    return cast("Watching", value)


def _cache_dir(value: object, leave_out: LeaveOut) -> Path:
    return _folder(value)


_READERS: Mapping[str, tuple[str, Callable[[object, LeaveOut], Any]]] = {
    "claudeConfigDirs": ("claude_config_dirs", _folders),
    "codexHomes": ("codex_homes", _folders),
    "prices": ("prices", _prices),
    "account": ("account", _account),
    "statusLineCache": ("status_line_cache", _yes_or_no),
    "watch": ("watch", _watching),
    "cacheDir": ("cache_dir", _cache_dir),
    "search": ("search_tool_outputs", _search),
}
