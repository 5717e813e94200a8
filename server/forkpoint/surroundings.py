"""What will the next request be sent with: by what is given, by settings, by the disk?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from forkpoint.cache.models import same_model
from forkpoint.cache.next_request import (
    Account,
    Action,
    Change,
    Given,
    NextRequest,
    Provider,
    Sameness,
    ToolSet,
)
from forkpoint.cache.requests import CacheRequest, Lifetime
from forkpoint.cache.standing import Standing
from forkpoint.environment import Environment
from forkpoint.layout import path_key
from forkpoint.session_entry import SessionEntry
from forkpoint.tool_sets import Client, shared_start, tool_set_of
from forkpoint.worded import say

GIVEN = say("as asked")


class Found(msgspec.Struct, frozen=True):
    """A fact with what says it."""

    what: str
    value: str
    source: str


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine says.

    Attributes:
        environment: settings, variables, programs, git.
        entries: sessions, newest first.
        account: as the user's settings of ours name it.
        live_version: of the client that has the session open; None = none has.
        is_live: a client has it open.
        cwd: the session's directory.
        relocated: the directory that it was moved to; None = it was not.
        agent_gone: the agent that it runs as, if that is no longer defined.
    """

    environment: Environment
    entries: Sequence[SessionEntry]
    account: Account
    live_version: str | None
    is_live: bool
    cwd: str | None
    relocated: str | None
    agent_gone: str | None


def next_request_of(
    action: Action, given: Given, standing: Standing, leaf: Standing, around: Surroundings
) -> tuple[NextRequest, list[Found]]:
    """Put together what is given and what is found.

    Args:
        action: what is done next.
        given: what the asker knows; it wins.
        standing: where the conversation goes on from.
        leaf: where it stands now.
        around: what the machine says.
    """
    return _Looking(action, given, standing, leaf, around).request()


class _Looking:
    def __init__(
        self,
        action: Action,
        given: Given,
        standing: Standing,
        leaf: Standing,
        around: Surroundings,
    ) -> None:
        self._action: Action = action
        self._given, self._around = given, around
        self._standing, self._leaf = standing, leaf
        self._environment = around.environment
        self._answer = standing.answer
        self._before = standing.answer.version if standing.answer else None
        self._since = standing.used.latest if standing.used else None
        self._found: list[Found] = []

    def request(self) -> tuple[NextRequest, list[Found]]:
        version, model = self._version(), self._model()
        given, provider, fast = self._given, self._provider(), self._fast()
        entrypoint = given.entrypoint or (self._answer.entrypoint if self._answer else None)
        request = NextRequest(
            action=self._action,
            now=given.now,
            version=version,
            model=model,
            effort=self._effort(),
            provider=provider,
            account=self._account(),
            gateway=self._gateway(provider),
            caching_off=self._caching_off(),
            caching_on=given.caching == "on",
            replays=self._replays(),
            lifetime=self._lifetime(),
            live=self._around.is_live,
            entrypoint=self._entrypoint(),
            in_terminal=entrypoint == "cli",
            cwd=self._cwd(),
            git=self._git(),
            project_files=self._project_files(),
            append_system_prompt=_as_given(given.append_system_prompt),
            added_directories=_as_given(given.added_directories),
            tools=_as_given(given.tools),
            mcp=self._servers(),
            permission_mode=_as_given(given.permission_mode),
            thinking=_as_given(given.thinking),
            fast_mode=fast,
            fast=bool(fast) or self._is_fast(),
            output_style=self._output_style(),
            moved=self._moved(),
            denied=tuple(tool.value for tool in self._environment.denied_tools),
            tool_search_off=self._environment.tool_search_off is not None,
            tool_set=self._tool_set(version, model, entrypoint),
            agent_gone=self._around.agent_gone,
            floor=self._floor(version, model),
        )
        return request, self._found

    def _say(self, what: str, value: object, source: str) -> None:
        self._found.append(Found(what, value if isinstance(value, str) else str(value), source))

    # --- client and model ---

    def _version(self) -> str | None:
        given, around, environment = self._given, self._around, self._environment
        if environment.extension_version is not None:
            extension = environment.extension_version
            self._say("extensionVersion", extension.value, extension.source)
        if given.version is not None:
            self._say("version", given.version, GIVEN)
            return given.version
        if around.live_version is not None:
            self._say("version", around.live_version, say("the client that has the session open"))
            return around.live_version
        if environment.version is not None:
            self._say("version", environment.version.value, environment.version.source)
            return environment.version.value
        if self._before is not None:
            told = say("assumed to be the last one: no client was found")
            self._say("version", self._before, told)
        return None

    def _model(self) -> str | None:
        """A resume brings back the session's model, whatever new sessions start with.

        Seen of 2.1.332: the setting `model` changes nothing, the variable does.
        """
        request = self._leaf.request
        given = self._given.model
        if given is not None:
            self._say("model", given, GIVEN)
            return _id_of(given, request)
        forced = self._environment.forced_model
        if forced is not None:
            self._say("model", forced.value, forced.source)
            return _id_of(forced.value, request)
        if request is None or request.model is None:
            return None
        self._say(
            "model", request.model, say("the session's last answer, which a resume goes on with")
        )
        return request.model

    def _effort(self) -> str | None:
        if self._given.effort is not None:
            self._say("effort", self._given.effort, GIVEN)
            return self._given.effort
        effort = self._environment.effort
        if effort is not None:
            self._say("effort", effort.value, effort.source)
        return effort.value if effort else None

    def _provider(self) -> Provider:
        if self._given.provider is not None:
            self._say("provider", self._given.provider, GIVEN)
            return self._given.provider
        provider = self._environment.provider
        if provider is None:
            return "unknown"
        self._say("provider", provider.value, provider.source)
        return cast("Provider", provider.value)

    def _gateway(self, provider: Provider) -> str | None:
        if provider != "gateway":
            return None
        found = self._environment.provider
        return (
            say("a gateway")
            if found is None or self._given.provider
            else say("a gateway ({source})", source=found.source)
        )

    def _account(self) -> Account:
        if self._given.account is not None:
            return self._given.account
        if self._around.account != "unknown":
            self._say("account", self._around.account, "Forkpoint's settings")
        return self._around.account

    def _entrypoint(self) -> Change:
        before = self._answer.entrypoint if self._answer else None
        after = self._given.entrypoint
        if after is None or before is None or after == before:
            return Change()
        return Change("changed", say("{before} before, {after} next", before=before, after=after))

    # --- the cache's own settings ---

    def _caching_off(self) -> str | None:
        if self._given.caching is not None:
            self._say("caching", self._given.caching, GIVEN)
            return GIVEN if self._given.caching == "off" else None
        off = self._environment.caching_off
        if off is None:
            return None
        self._say("caching", "off", off.source)
        return off.source

    def _lifetime(self) -> Lifetime | None:
        asked = self._environment.ttl
        if asked is None:
            return None
        self._say("ttlOfNextWrite", asked.value, asked.source)
        return cast("Lifetime", asked.value)

    def _replays(self) -> bool:
        if self._given.snapshot is not None:
            self._say("snapshot", self._given.snapshot, GIVEN)
            return self._given.snapshot == "on"
        off = self._environment.snapshot_off
        if off is not None:
            self._say("snapshot", "off", off.source)
        return off is None

    # --- what the prompt is built from ---

    def _cwd(self) -> Change:
        before, after = self._around.cwd, self._given.cwd
        if before is None or after is None:
            return Change()
        if path_key(before) == path_key(after):
            return Change("same")
        self._say("cwd", after, GIVEN)
        return Change("changed", say("{before} before", before=before))

    def _git(self) -> Change:
        if self._given.git is not None:
            return _as_given(self._given.git)
        environment, since = self._environment, self._since
        before = self._answer.git_branch if self._answer else None
        branch = environment.branch
        if branch is not None and before and branch.value != before:
            self._say("git", say("branch {value}", value=branch.value), branch.source)
            return Change(
                "changed",
                say("branch {before} before, {value} now", before=before, value=branch.value),
            )
        moved = environment.head_moved_at
        if since is not None and moved is not None and moved > since:
            self._say("git", say("HEAD moved after the last request"), say("git's log of HEAD"))
            return Change("changed", say("HEAD moved after the last request"))
        return Change()

    def _project_files(self) -> Change:
        if self._given.project_files is not None:
            return _as_given(self._given.project_files)
        changed_at = self._environment.project_files_changed_at
        return self._by_time("projectFiles", changed_at, say("the time of CLAUDE.md files"))

    def _servers(self) -> Change:
        if self._given.mcp is not None:
            return _as_given(self._given.mcp)
        return self._by_time(
            "mcp", self._environment.servers_changed_at, say("the time of .mcp.json")
        )

    def _by_time(self, what: str, changed_at: int | None, source: str) -> Change:
        if changed_at is None or self._since is None:
            return Change()
        if changed_at <= self._since:
            return Change("same", sure=False)
        self._say(what, say("changed after the last request"), source)
        return Change("changed", say("changed after the last request"), sure=False)

    def _output_style(self) -> Change:
        style, at = self._environment.output_style, self._environment.settings_changed_at
        if style is None or at is None or self._since is None or at <= self._since:
            return Change()
        return Change(
            "changed", say("{value}, in settings changed since", value=style.value), sure=False
        )

    def _moved(self) -> Change:
        relocated = self._around.relocated
        return Change("changed", relocated) if relocated is not None else Change()

    # --- fast mode ---

    def _is_fast(self) -> bool:
        was = self._answer is not None and self._answer.fast
        mode = self._environment.fast_mode
        return was and (mode is None or mode.value == "on")

    def _fast(self) -> Change:
        """Only turning it on matters."""
        if self._given.fast_mode is not None:
            return _as_given(self._given.fast_mode)
        mode = self._environment.fast_mode
        was = self._answer is not None and self._answer.fast
        if mode is None or mode.value != "on" or was:
            return Change()
        self._say("fastMode", "on", mode.source)
        return Change("changed", mode.source, sure=False)

    # --- what other sessions teach ---

    def _tool_set(self, version: str | None, model: str | None, entrypoint: str | None) -> ToolSet:
        prompt, before = self._standing.prompt, self._before
        is_open = version is not None and before is not None and version != before
        if not is_open or prompt is None:
            return ToolSet("unknown")
        after = Client(version or "", model or "", entrypoint)
        return tool_set_of(self._around.entries, prompt.tools, before or "", after)

    def _floor(self, version: str | None, model: str | None) -> int:
        floor = shared_start(self._around.entries, version or self._before, model)
        if floor:
            source = say("the least that a first request of this release and model read")
            self._say("sharedStart", say("{floor} tokens", floor=floor), source)
        return floor


def _as_given(how: Sameness | None) -> Change:
    return Change() if how is None else Change(how, GIVEN)


def _id_of(asked: str, request: CacheRequest | None) -> str:
    """An alias has no price; the id that it stands for has."""
    before = request.model if request else None
    return before if before is not None and same_model(asked, before) else asked
