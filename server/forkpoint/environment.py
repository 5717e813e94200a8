"""What would the next request be sent with, as far as this machine tells, and what says so?

Looked at: settings, the environment of this server, installed programs, git, and when files were
changed. A terminal may have another environment, and flags are not known before they are typed.
How the client reads its variables and keys: its documentation (env-vars, settings-reference,
prompt-caching), as of 2.1.260 and later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from forkpoint import at_path
from forkpoint.cache.models import same_model
from forkpoint.configured import VARIABLES, Configured, Fact, short_path
from forkpoint.git_facts import GitFacts, git_facts
from forkpoint.installed import Installed, command, extensions
from forkpoint.layout import INSTRUCTIONS, PROJECT_SERVERS
from forkpoint.provider import provider_of, service_of
from forkpoint.settings_files import MANAGED, settings_files
from forkpoint.worded import say

MOST_DENIED = 100
"""Rules against tools that are told."""
_MOST_FOLDERS = 32
_BUCKETS = {
    False: ("CLAUDE_CODE_PROMPT_CACHE_TTL", "promptCacheTtl"),
    True: ("CLAUDE_CODE_SUBAGENT_PROMPT_CACHE_TTL", "subagentPromptCacheTtl"),
}
_FAMILIES = ("HAIKU", "SONNET", "OPUS", "FABLE", "MYTHOS")
_EFFORTS = ("low", "medium", "high", "xhigh", "max")


class Environment(msgspec.Struct, frozen=True, kw_only=True):
    """What was found; None where nothing says.

    Attributes:
        version: of the client that `claude` starts.
        extension_version: of the newest official extension.
        provider: anthropic, bedrock, vertex, foundry or gateway (an address of one's own).
        caching_off: that the prompt cache is switched off for the model.
        ttl: `5m` or `1h`, where one is configured for.
        model: that new sessions start with, an id or an alias.
        forced_model: that resumed ones go on with, too (`ANTHROPIC_MODEL`; 2.1.332).
        effort: level, for the model.
        thinking, fast_mode: `on` or `off`.
        denied_tools: names of tools that are denied as a whole; at most `MOST_DENIED`.
        tool_search_off: that all tools are sent in full.
        snapshot_off: that prompts are built anew, not replayed (bare mode).
        output_style: its name.
        branch: as git names it; `HEAD` when none is checked out.
        head_moved_at: when another commit or branch was checked out or made.
        project_files_changed_at: when the newest of the files with instructions changed.
        servers_changed_at: when the project's `.mcp.json` changed.
        settings_changed_at: when the newest of the settings files changed.

    Times are ms since 1970.
    """

    version: Fact | None
    extension_version: Fact | None
    provider: Fact | None
    caching_off: Fact | None
    ttl: Fact | None
    model: Fact | None
    forced_model: Fact | None
    effort: Fact | None
    thinking: Fact | None
    fast_mode: Fact | None
    denied_tools: tuple[Fact, ...]
    tool_search_off: Fact | None
    snapshot_off: Fact | None
    output_style: Fact | None
    branch: Fact | None
    head_moved_at: int | None
    project_files_changed_at: int | None
    servers_changed_at: int | None
    settings_changed_at: int | None


def environment_of(
    root: Path,
    cwd: str | None,
    model: str | None,
    of_agent: bool,
    environ: Mapping[str, str],
    home: Path,
    *,
    managed: str = MANAGED,
) -> Environment:
    """Look at what a request of a session would be sent with, were its client started now.

    Args:
        root: the config folder.
        cwd: the directory that the client is started in; None if it is not known.
        model: id of the model that the request goes to; None if it is not known.
        of_agent: it is sent by a subagent, not by the main conversation.
        environ: the environment variables of this process.
        home: the user's home folder.
        managed: the folder of an organisation's settings.
    """
    start = Path(cwd) if cwd is not None and Path(cwd).is_absolute() else None
    start_name = None if start is None else str(start)
    files = settings_files(root, start_name, home, VARIABLES, managed)
    return _environment(root, start, model, of_agent, Configured(files, environ, home))


def _environment(
    root: Path, start: Path | None, model: str | None, of_agent: bool, configured: Configured
) -> Environment:
    environ, home = configured.environ, configured.home
    git = GitFacts(None, None) if start is None else git_facts(start)
    return Environment(
        version=_version(command(environ, home), home),
        extension_version=_extension_version(extensions(environ, home), home),
        provider=provider_of(configured),
        caching_off=_caching_off(configured, model),
        ttl=_ttl(configured, of_agent),
        model=configured.variable("ANTHROPIC_MODEL")
        or configured.setting("model")
        or configured.variable("ANTHROPIC_DEFAULT_MODEL"),
        forced_model=configured.variable("ANTHROPIC_MODEL"),
        effort=_effort(configured, model),
        thinking=_thinking(configured),
        fast_mode=_fast_mode(configured),
        denied_tools=_denied_tools(configured),
        tool_search_off=configured.off("ENABLE_TOOL_SEARCH"),
        snapshot_off=_off(configured.on("CLAUDE_CODE_SIMPLE")),
        output_style=configured.setting("outputStyle"),
        branch=_branch(git, start, home),
        head_moved_at=git.moved_at_ms,
        project_files_changed_at=_newest(_instructions(root, start)),
        servers_changed_at=_newest([] if start is None else [start / PROJECT_SERVERS]),
        settings_changed_at=max((file.changed_at for file in configured.files), default=None),
    )


def _version(client: Installed | None, home: Path) -> Fact | None:
    if client is None:
        return None
    path = short_path(client.path, home)
    return Fact(
        client.version,
        say("{path} on PATH", path=path)
        if client.on_path
        else say("{path}, not on PATH", path=path),
    )


def _extension_version(found: list[Installed], home: Path) -> Fact | None:
    return Fact(found[0].version, short_path(found[0].path, home)) if found else None


def _caching_off(configured: Configured, model: str | None) -> Fact | None:
    """The switch for all models, or for the family of this one.

    Within a family the program asks for its current default model only; which that is, is not
    known here, and the documentation names the family.
    """
    families = [family for family in _FAMILIES if model and family.lower() in model.lower()]
    switches = [
        "DISABLE_PROMPT_CACHING",
        *(f"DISABLE_PROMPT_CACHING_{name}" for name in families),
    ]
    return _off(next(filter(None, map(configured.on, switches)), None))


def _ttl(configured: Configured, of_agent: bool) -> Fact | None:
    """The first that asks; an agent's own file may ask too, after the setting (not looked at)."""
    forced = configured.on("FORCE_PROMPT_CACHING_5M")
    if forced is not None:
        return Fact("5m", forced.source)
    variable, key = _BUCKETS[of_agent]
    named = configured.variable(variable)
    if named is None or named.value not in ("5m", "1h"):
        named = configured.setting(key)
    if named is not None:
        return named
    is_bedrock = service_of(configured).name == "bedrock"
    longer = configured.on("ENABLE_PROMPT_CACHING_1H") or (
        configured.on("ENABLE_PROMPT_CACHING_1H_BEDROCK") if is_bedrock else None
    )
    return Fact("1h", longer.source) if longer is not None else None


def _effort(configured: Configured, model: str | None) -> Fact | None:
    """The variable, then the first file with a level for this model.

    A level for all models (`effortLevel`) changed nothing at a resume (2.1.332, Opus 5.5).
    A variable that says `auto` asks for the model's own level, whatever is set.
    """
    named = configured.variable("CLAUDE_CODE_EFFORT_LEVEL")
    if named is not None and named.value.lower() in (*_EFFORTS, "auto"):
        level = named.value.lower()
        return None if level == "auto" else Fact(level, named.source)
    most = configured.setting("ultracode")
    if most is not None and most.value == "on":
        return Fact("xhigh", most.source)
    for file in configured.files:
        levels = [
            level for name, level in file.efforts.items() if model and same_model(name, model)
        ]
        if levels:
            return Fact(levels[0], configured.place("modelSettings", file))
    return None


def _thinking(configured: Configured) -> Fact | None:
    budget = configured.variable("MAX_THINKING_TOKENS")
    none = budget if budget is not None and budget.value == "0" else None
    switched_off = _off(configured.on("CLAUDE_CODE_DISABLE_THINKING") or none)
    return switched_off or configured.setting("alwaysThinkingEnabled")


def _fast_mode(configured: Configured) -> Fact | None:
    """Off in spite of the setting where each session has to turn it on by itself."""
    disabled = _off(configured.on("CLAUDE_CODE_DISABLE_FAST_MODE"))
    each_time = configured.setting("fastModePerSessionOptIn")
    if disabled is None and each_time is not None and each_time.value == "on":
        return _off(each_time)
    return disabled or configured.setting("fastMode")


def _denied_tools(configured: Configured) -> tuple[Fact, ...]:
    """Rules add up over all files. One with parentheses leaves the tool in place."""
    tools: dict[str, Fact] = {}
    for file in configured.files:
        for rule in file.denied:
            if "(" not in rule and len(tools) < MOST_DENIED:
                tools.setdefault(rule, Fact(rule, configured.place("permissions.deny", file)))
    return tuple(tools.values())


def _off(switch: Fact | None) -> Fact | None:
    return Fact("off", switch.source) if switch is not None else None


def _branch(git: GitFacts, start: Path | None, home: Path) -> Fact | None:
    if git.branch is None:
        return None
    return Fact(
        git.branch, say("git's HEAD in {short_path}", short_path=short_path(str(start), home))
    )


def _instructions(root: Path, start: Path | None) -> Iterator[Path]:
    """Files with instructions: the user's, and those of the directory and all above it."""
    yield root / INSTRUCTIONS[0]
    if start is not None:
        for folder in [start, *start.parents[:-1]][:_MOST_FOLDERS]:
            yield from (folder / name for name in INSTRUCTIONS)


def _newest(paths: Iterable[Path]) -> int | None:
    times = (at_path.changed_at(at_path.real_path(path)) for path in paths)
    return max((time for time in times if time is not None), default=None)
