"""Which tools were called, with what outcome and on which file."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import msgspec

from forkpoint.ids import Ids
from forkpoint.joins import NONE, Joins
from forkpoint.records.collab_calls import SPAWNING, TALKING, plain_name
from forkpoint.records.record import Record, Role

CallState = Literal["ok", "error", "denied", "pending", "interrupted"]

EDITING_TOOLS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
"""The tools whose files the client's own file history tracks."""
SHELL_TOOLS = frozenset({"Bash", "PowerShell"})
"""The tools that run a command line."""
READING_TOOL = "Read"
"""The tool that reads a file."""
STOPPING_TOOLS = frozenset({"TaskStop", "KillShell", "KillBash"})
"""The tool that ends a background task, by the names it had."""
SPAWNING_TOOLS = frozenset({"Agent", "Task", SPAWNING})
"""The tools that start a subagent; `Task` before about 2.1.6x, the last one is of Codex."""


class ToolCall(msgspec.Struct, frozen=True):
    """One call.

    Attributes:
        number: the call's number in `Joins`.
        row: ordinal of the assistant row that makes the call.
        result: ordinal of its first result, None while it has none.
        file: the path in its input, as the agent wrote it.
        agent_id: the subagent that the result names; of a call of Codex the thread it deals with.
        in_background: the result says that the subagent was launched, not that it ended.
        task_id: the task as which the result says that a shell command runs on.
    """

    number: int
    row: int
    result: int | None
    name: str
    file: str | None
    agent_id: str | None
    in_background: bool
    state: CallState
    task_id: str | None = None

    @property
    def starts_agent(self) -> bool:
        """Say whether it is one that starts a subagent."""
        return plain_name(self.name) in SPAWNING_TOOLS

    @property
    def talks_to_agent(self) -> bool:
        """Say whether it deals with a subagent that another call started."""
        return plain_name(self.name) in TALKING


class ToolCalls:
    """Names, files and outcomes by call number (see `Joins`).

    Attributes:
        ended_agents: status of each background subagent or shell task whose end was notified, by
            its id.
    """

    def __init__(self) -> None:
        self._name = array("i")
        self._file = array("i")
        self._names = Ids()
        self._files = Ids()
        self._errors: set[int] = set()
        self._denied: set[int] = set()
        self._agents: dict[int, str] = {}
        self._background: set[int] = set()
        self._tasks: dict[int, str] = {}
        self.ended_agents: dict[str, str] = {}
        self._last_interrupt = NONE

    def settle(self) -> None:
        """Have the texts in the columns that are kept."""
        self._names.settle()
        self._files.settle()

    def rest(self) -> None:
        """Give back the memory of what only makes reading on faster."""
        self._names.rest()
        self._files.rest()

    def apply(self, record: Record, joins: Joins, node: int) -> None:
        """Take in a row that calls, answers calls, or interrupts."""
        if record.agent_ended is not None:
            self.ended_agents[record.agent_ended[0]] = record.agent_ended[1]
        if record.role is Role.INTERRUPT:
            self._last_interrupt = max(self._last_interrupt, node)
        for block in record.blocks:
            number = None if block.call_id is None else joins.number(block.call_id)
            if number is None:
                continue
            if block.kind == "tool_use":
                self.called(number, block.name or "", block.file)
            elif block.kind == "tool_result":
                self.answered(
                    number,
                    is_error=block.is_error,
                    denied=record.denied,
                    agent=record.spawned_agent,
                    in_background=record.spawned_in_background,
                    task=record.background_task,
                )

    def called(self, number: int, name: str, file: str | None) -> None:
        """Take in a call of a tool."""
        if number >= len(self._name):
            self._grow(number)
        self._name[number] = self._names.add(name)
        if file is not None:
            self._file[number] = self._files.add(file)

    def found_on(self, number: int, file: str) -> None:
        """Take in the file of a call that did not say it; one that did keeps its own."""
        self._grow(number)
        if self._file[number] == NONE:
            self._file[number] = self._files.add(file)

    def leads_to(self, number: int, agent: str) -> None:
        """Take in the subagent that a call deals with."""
        self._agents.setdefault(number, agent)

    def called_all(self, first: int, names: Sequence[str], files: Sequence[str | None]) -> None:
        """Take in calls whose numbers follow each other, and are new."""
        self._grow(first - 1)
        self._name.fromlist(self._names.add_all(names))
        given = iter(self._files.add_all([file for file in files if file is not None]))
        self._file.fromlist([NONE if file is None else next(given) for file in files])

    def failed_all(self, numbers: Iterable[int]) -> None:
        """Take in calls whose results are errors."""
        self._errors.update(numbers)

    def answered(
        self,
        number: int,
        *,
        is_error: bool,
        denied: bool = False,
        agent: str | None = None,
        in_background: bool = False,
        task: str | None = None,
    ) -> None:
        """Take in a result of a call, and what the client says of it."""
        if is_error:
            self._errors.add(number)
        if denied:
            self._denied.add(number)
        if agent is not None:
            self._agents[number] = agent
        if in_background:
            self._background.add(number)
        if task is not None:
            self._tasks[number] = task

    def _grow(self, number: int) -> None:
        missing = number + 1 - len(self._name)
        if missing > 0:
            self._name.extend([NONE] * missing)
            self._file.extend([NONE] * missing)

    def all(self, joins: Joins) -> list[ToolCall]:
        """Return all calls whose call row is in the file, in the order of those rows."""
        numbers = [n for n in range(len(joins.call_ids)) if joins.call_row[n] != NONE]
        calls = [self.of(number, joins) for number in numbers]
        return sorted(calls, key=lambda call: (call.row, call.number))

    def files(self) -> set[str]:
        """Return the paths that calls name, as the agent wrote them."""
        return set(self._files)

    def on(self, files: Collection[str], joins: Joins) -> list[ToolCall]:
        """Return the calls on files, by their paths as written, in the order of their rows."""
        wanted = {number for file in files if (number := self._files.find(file)) is not None}
        found = [n for n, file in enumerate(self._file) if file in wanted]
        calls = [self.of(number, joins) for number in found if joins.call_row[number] != NONE]
        return sorted(calls, key=lambda call: (call.row, call.number))

    def in_background(self, joins: Joins) -> list[ToolCall]:
        """Return the calls whose subagent was launched and whose end was not told."""
        calls = [self.of(number, joins) for number in sorted(self._background)]
        ended = self.ended_agents
        return [each for each in calls if each.row != NONE and each.agent_id not in ended]

    def of(self, number: int, joins: Joins) -> ToolCall:
        """Return one call by its number."""
        self._grow(number)
        results = joins.results(number)
        name, file = self._name[number], self._file[number]
        return ToolCall(
            number=number,
            row=joins.call_row[number],
            result=results[0] if results else None,
            name="" if name == NONE else self._names[name],
            file=None if file == NONE else self._files[file],
            agent_id=self._agents.get(number),
            in_background=number in self._background,
            state=self._state(number, joins.call_row[number], bool(results)),
            task_id=self._tasks.get(number),
        )

    def _state(self, number: int, row: int, answered: bool) -> CallState:
        if number in self._denied:
            return "denied"
        if number in self._errors:
            return "error"
        if answered:
            return "ok"
        return "interrupted" if self._last_interrupt > row else "pending"


def is_edit(call: ToolCall) -> bool:
    """Say whether a call changed its file: only if its result exists and is no error."""
    return call.name in EDITING_TOOLS and call.state == "ok"
