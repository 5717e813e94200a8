"""What will the next request be sent with: who wins, and what has changed since the last one?"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from forkpoint.cache.next_request import Change, NextRequest
from forkpoint.cache.standing import Standing
from forkpoint.configured import Fact
from tests.builders import Fields
from tests.core.cache_questions import NOTHING, OPUS, SENT, SONNET, answer, was
from tests.disk.machine_facts import HERE, NOW, fact, found

PLAIN = NextRequest(action="resume", now=NOW, model=OPUS)

BEFORE, AFTER = SENT - 1, SENT + 1


def changed(since: str = "changed after the last request", *, sure: bool = True) -> Change:
    return Change("changed", since, sure=sure)


ASKED = Change("changed", "as asked")

# What is known besides worked example 1 -> what is special about the next request.
SPECIAL: dict[str, tuple[dict[str, Any], Fields]] = {
    "nothing": ({}, {}),
    "version of the installed client": ({"version": fact("2.1.340")}, {"version": "2.1.340"}),
    "version of the open client": (
        {"version": fact("2.1.340"), "around": {"live_version": "2.1.341", "is_live": True}},
        {"version": "2.1.341", "live": True},
    ),
    "version given": (
        {
            "version": fact("2.1.340"),
            "around": {"live_version": "2.1.341"},
            "given": {"version": "2.1.339"},
        },
        {"version": "2.1.339"},
    ),
    "the extension's version does not count": ({"extension_version": fact("2.1.340")}, {}),
    # A resume brings back the session's model.
    "the model of new sessions does not count": ({"model": fact(SONNET)}, {}),
    "model given": ({"given": {"model": SONNET}}, {"model": SONNET}),
    "model given by alias": ({"given": {"model": "opus"}}, {}),
    "model given by another alias": ({"given": {"model": "sonnet"}}, {"model": "sonnet"}),
    "effort": ({"effort": fact("low")}, {"effort": "low"}),
    "effort given": ({"effort": fact("low"), "given": {"effort": "max"}}, {"effort": "max"}),
    "provider": ({"provider": fact("bedrock")}, {"provider": "bedrock"}),
    "provider given": (
        {"provider": fact("bedrock"), "given": {"provider": "vertex"}},
        {"provider": "vertex"},
    ),
    "a gateway": (
        {"provider": fact("gateway")},
        {"provider": "gateway", "gateway": f"a gateway ({HERE})"},
    ),
    "a gateway given": (
        {"provider": fact("anthropic"), "given": {"provider": "gateway"}},
        {"provider": "gateway", "gateway": "a gateway"},
    ),
    "account": ({"around": {"account": "subscription"}}, {"account": "subscription"}),
    "account given": (
        {"around": {"account": "subscription"}, "given": {"account": "apiKey"}},
        {"account": "apiKey"},
    ),
    "caching off": ({"caching_off": fact("off")}, {"caching_off": HERE}),
    "caching off, given": ({"given": {"caching": "off"}}, {"caching_off": "as asked"}),
    "caching on, given": (
        {"caching_off": fact("off"), "given": {"caching": "on"}},
        {"caching_on": True},
    ),
    "lifetime": ({"ttl": fact("5m")}, {"lifetime": "5m"}),
    "prompts are built anew": ({"snapshot_off": fact("off")}, {"replays": False}),
    "prompts are built anew, given": ({"given": {"snapshot": "off"}}, {"replays": False}),
    "prompts are replayed, given": (
        {"snapshot_off": fact("off"), "given": {"snapshot": "on"}},
        {},
    ),
    "another program": (
        {"given": {"entrypoint": "cli"}},
        {"entrypoint": Change("changed", "sdk-cli before, cli next"), "in_terminal": True},
    ),
    "the same program": ({"given": {"entrypoint": "sdk-cli"}}, {}),
    "another directory": (
        {"given": {"cwd": "/home/dev/other"}},
        {"cwd": Change("changed", "/home/dev/shop before")},
    ),
    "the same directory": ({"given": {"cwd": "/home/dev/shop"}}, {"cwd": Change("same")}),
    "another branch": (
        {"branch": fact("totals")},
        {"git": changed("branch main before, totals now")},
    ),
    "the same branch": ({"branch": fact("main")}, {}),
    "a commit since": (
        {"branch": fact("main"), "head_moved_at": AFTER},
        {"git": changed("HEAD moved after the last request")},
    ),
    "a commit before": ({"branch": fact("main"), "head_moved_at": BEFORE}, {}),
    "a commit at the same time": ({"branch": fact("main"), "head_moved_at": SENT}, {}),
    "a commit while it was answered": (
        {"standing": was(took=1), "branch": fact("main"), "head_moved_at": BEFORE},
        {},
    ),
    "git given": (
        {"branch": fact("totals"), "head_moved_at": AFTER, "given": {"git": "same"}},
        {"git": Change("same", "as asked")},
    ),
    "CLAUDE.md is newer": (
        {"project_files_changed_at": AFTER},
        {"project_files": changed(sure=False)},
    ),
    "CLAUDE.md is older": (
        {"project_files_changed_at": SENT},
        {"project_files": Change("same", sure=False)},
    ),
    "CLAUDE.md, given": (
        {"project_files_changed_at": BEFORE, "given": {"project_files": "changed"}},
        {"project_files": ASKED},
    ),
    ".mcp.json is newer": ({"servers_changed_at": AFTER}, {"mcp": changed(sure=False)}),
    ".mcp.json is older": (
        {"servers_changed_at": BEFORE},
        {"mcp": Change("same", sure=False)},
    ),
    "servers given": (
        {"servers_changed_at": AFTER, "given": {"mcp": "unknown"}},
        {"mcp": Change("unknown", "as asked")},
    ),
    **{
        f"{name} given": ({"given": {name: "changed"}}, {name: ASKED})
        for name in (
            "append_system_prompt", "added_directories", "tools", "permission_mode", "thinking",
        )
    },
    "tools denied": (
        {"denied_tools": (fact("Edit"), fact("WebFetch"))},
        {"denied": ("Edit", "WebFetch")},
    ),
    "tool search off": ({"tool_search_off": fact("off")}, {"tool_search_off": True}),
    "a style in newer settings": (
        {"output_style": fact("brief"), "settings_changed_at": AFTER},
        {"output_style": changed("brief, in settings changed since", sure=False)},
    ),
    "a style in older settings": (
        {"output_style": fact("brief"), "settings_changed_at": BEFORE},
        {},
    ),
    "no style in newer settings": ({"settings_changed_at": AFTER}, {}),
    "moved": ({"around": {"relocated": "/srv/shop"}}, {"moved": changed("/srv/shop")}),
    "the agent is gone": ({"around": {"agent_gone": "reviewer"}}, {"agent_gone": "reviewer"}),
    "fast mode on": (
        {"fast_mode": fact("on")},
        {"fast_mode": changed(HERE, sure=False), "fast": True},
    ),
    "fast mode off": ({"fast_mode": fact("off")}, {}),
    "fast mode given": ({"given": {"fast_mode": "changed"}}, {"fast_mode": ASKED, "fast": True}),
    "fast mode as it was": (
        {"fast_mode": fact("on"), "given": {"fast_mode": "same"}},
        {"fast_mode": Change("same", "as asked")},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("known", "special"), SPECIAL.values(), ids=SPECIAL)
def test_next_request(known: dict[str, Any], special: Fields) -> None:
    request, _ = found(**known)
    assert request == msgspec.structs.replace(PLAIN, **special)


def fast_before() -> Standing:
    return was(answer=answer(fast=True))


@pytest.mark.parametrize(
    ("mode", "is_fast"), [(None, True), (fact("on"), True), (fact("off"), False)]
)
def test_fast_mode_goes_on(mode: Fact | None, is_fast: bool) -> None:
    """Only turning it on is a change."""
    request, _ = found(fast_before(), fast_mode=mode)
    assert (request.fast, bool(request.fast_mode)) == (is_fast, False)


def test_the_model_is_that_of_the_end_not_of_the_point() -> None:
    request, _ = found(was(model=SONNET), leaf=was())
    assert request.model == OPUS


@pytest.mark.parametrize(
    ("given", "forced", "model"),
    [
        ({}, None, OPUS),
        ({}, SONNET, SONNET),
        ({}, "opus", OPUS),
        ({"model": OPUS}, SONNET, OPUS),
    ],
    ids=["the session's", "the variable's", "an alias of the session's", "as asked"],
)
def test_the_model_that_a_resume_goes_on_with(
    given: dict[str, str], forced: str | None, model: str
) -> None:
    """A setting for new sessions changes nothing."""
    variable = None if forced is None else fact(forced)
    request, _ = found(was(model=OPUS), given=given, model=fact("haiku"), forced_model=variable)
    assert request.model == model


def test_before_the_first_answer_nothing_can_have_changed() -> None:
    times = {"head_moved_at": AFTER, "project_files_changed_at": AFTER, "servers_changed_at": AFTER}
    style = {"output_style": fact("brief"), "settings_changed_at": AFTER}
    request, _ = found(
        NOTHING, branch=fact("totals"), given={"entrypoint": "cli"}, **times, **style
    )
    assert request == msgspec.structs.replace(PLAIN, model=None, in_terminal=True)


# --- what it rests on --------------------------------------------------------------------------

BASIS: dict[str, tuple[dict[str, Any], Fields]] = {
    "given": (
        {"given": {"version": "2.1.300", "model": SONNET, "effort": "low", "provider": "vertex"}},
        {
            "version": ("2.1.300", "as asked"), "model": (SONNET, "as asked"),
            "effort": ("low", "as asked"), "provider": ("vertex", "as asked"),
        },
    ),
    "found": (
        {
            "version": fact("2.1.340"), "effort": fact("low"), "provider": fact("bedrock"),
            "extension_version": fact("2.1.331"), "ttl": fact("5m"), "caching_off": fact("off"),
            "snapshot_off": fact("off"), "fast_mode": fact("on"),
        },
        {
            "version": ("2.1.340", HERE), "effort": ("low", HERE), "provider": ("bedrock", HERE),
            "extensionVersion": ("2.1.331", HERE), "ttlOfNextWrite": ("5m", HERE),
            "caching": ("off", HERE), "snapshot": ("off", HERE), "fastMode": ("on", HERE),
        },
    ),
    "by the open client": (
        {"around": {"live_version": "2.1.331"}},
        {"version": ("2.1.331", "the client that has the session open")},
    ),
    "changed since": (
        {"branch": fact("totals"), "project_files_changed_at": AFTER, "servers_changed_at": AFTER},
        {
            "git": ("branch totals", HERE),
            "projectFiles": ("changed after the last request", "the time of CLAUDE.md files"),
            "mcp": ("changed after the last request", "the time of .mcp.json"),
        },
    ),
    "older files are no news": (
        {"project_files_changed_at": BEFORE, "servers_changed_at": BEFORE, "head_moved_at": BEFORE},
        {},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("known", "expected"), BASIS.values(), ids=BASIS)
def test_each_fact_comes_with_its_source(known: dict[str, Any], expected: Fields) -> None:
    _, basis = found(**known)
    plain = {
        "version": ("2.1.332", "assumed to be the last one: no client was found"),
        "model": (OPUS, "the session's last answer, which a resume goes on with"),
    }
    assert basis == {**plain, **expected}
