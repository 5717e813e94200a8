"""What a machine tells of a session's next request, put together for tests."""

from __future__ import annotations

from typing import Any

import msgspec

from forkpoint.cache.next_request import Given, NextRequest
from forkpoint.cache.standing import Standing
from forkpoint.configured import Fact
from forkpoint.environment import Environment
from forkpoint.surroundings import Surroundings, next_request_of
from tests.builders import Fields
from tests.core.cache_questions import SENT, was

NOW = SENT + 720_000
BARE = Environment(
    version=None, extension_version=None, provider=None, caching_off=None, ttl=None, model=None,
    forced_model=None,
    effort=None, thinking=None, fast_mode=None, denied_tools=(), tool_search_off=None,
    snapshot_off=None, output_style=None, branch=None, head_moved_at=None,
    project_files_changed_at=None, servers_changed_at=None, settings_changed_at=None,
)  # fmt: skip
AROUND = Surroundings(
    environment=BARE, entries=(), account="unknown", live_version=None, is_live=False,
    cwd="/home/dev/shop", relocated=None, agent_gone=None,
)  # fmt: skip
HERE = "where it stood"


def fact(value: str) -> Fact:
    return Fact(value, HERE)


def found(
    standing: Standing | None = None,
    *,
    leaf: Standing | None = None,
    given: Fields | None = None,
    around: Fields | None = None,
    **environment: Any,
) -> tuple[NextRequest, dict[str, tuple[str, str]]]:
    """The next request, and its basis by what it is about: value and source."""
    standing = standing or was()
    machine = msgspec.structs.replace(
        AROUND, environment=msgspec.structs.replace(BARE, **environment), **(around or {})
    )
    asked = Given(now=NOW, **(given or {}))
    request, basis = next_request_of("resume", asked, standing, leaf or standing, machine)
    return request, {each.what: (each.value, each.source) for each in basis}
