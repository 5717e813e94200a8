"""One transcript as a conversation: where it stands, what it would send, which ways it went.

Answers are computed once per state of the index and client version, and kept until it grows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

import msgspec

from forkpoint.chain import Chain
from forkpoint.checkpoints import FileCheckpoints, RestorePoints
from forkpoint.client_rules import ClientRules, rules_for
from forkpoint.history import before_compaction
from forkpoint.index import TranscriptIndex
from forkpoint.leaf import Leaf, find_leaf
from forkpoint.nodes import ROOT
from forkpoint.records.record import Flag, Role
from forkpoint.request import Request, next_request
from forkpoint.segments import Segment, abandoned, segments_of
from forkpoint.tip import Repair, Tip

Fate = Literal["sent", "summarized", "notSent"]

_T = TypeVar("_T")


class ActivePath(msgspec.Struct, frozen=True):
    """The path to a leaf.

    Attributes:
        leaf: what was decided, and by which rule.
        end: the row on which the client's next row would hang; None for a new root.
        entries: ordinals with their fates: summarized ones first, then in the order of the request.
        tip: how it ends.
        repairs: what a resume would add, drop or bridge.
        broken: whether a gap cuts older rows off.
    """

    leaf: Leaf
    end: int | None
    entries: list[tuple[int, Fate]]
    tip: Tip
    repairs: list[Repair]
    broken: bool


class Conversation:
    """Questions about one transcript's index."""

    def __init__(self, index: TranscriptIndex) -> None:
        self.index = index
        self._known: dict[object, object] = {}
        self._known_at = -1

    def chain(self, version: str | None = None) -> Chain:
        """Return the client's view; None stands for the newest known client."""
        rules = rules_for(version)
        return self._once(("chain", rules.since), lambda: self._chain(rules))

    def _chain(self, rules: ClientRules) -> Chain:
        index = self.index
        return Chain(index.nodes, index.joins, index.compactions, rules)

    def path(self, version: str | None = None, to: int | None = None) -> ActivePath:
        """Return the active path, or the path to a given node."""
        since = rules_for(version).since
        return self._once(("path", since, to), lambda: self._path(version, to))

    def _path(self, version: str | None, to: int | None) -> ActivePath:
        chain = self.chain(version)
        leaf = find_leaf(chain, self.index.pointers)
        if to is None:
            request = next_request(chain, leaf)
        else:
            # A row that a compaction pruned has its own past, which no client would send.
            chain = chain if chain.has(to) else chain.unpruned
            leaf = Leaf(to, "requested", leaf.pointer, bare=True)
            request = next_request(chain, leaf)
        history = before_compaction(chain, request.rows)
        return ActivePath(
            leaf=leaf,
            end=request.hangs_on if to is None else to,
            entries=_entries(history, request),
            tip=request.tip,
            repairs=request.repairs,
            broken=any(repair.kind == "cutAtGap" for repair in request.repairs),
        )

    def segments(self, version: str | None = None) -> list[Segment]:
        """Return the branch tree's segments."""
        since = rules_for(version).since
        return self._once(("segments", since), lambda: self._segments(version))

    def _segments(self, version: str | None) -> list[Segment]:
        path = self.path(version)
        ends = [row for row in (path.leaf.row, path.end) if row is not None]
        words = self.index.summary.same_words
        return segments_of(self.chain(version), tuple(ends), words)

    def before_gap(self, version: str | None = None) -> list[int]:
        """Return the rows of the active line that a gap cuts off, in file order; mostly none."""
        path = self.path(version)
        if not path.broken:
            return []
        on_path = {row for row, _ in path.entries}
        first = path.entries[0][0]
        chain = self.chain(version)
        active = [segment.rows for segment in self.segments(version) if segment.active]
        rows = sorted(row for rows in active for row in rows if row < first)
        return [row for row in rows if row not in on_path and chain.in_file(row)]

    def other_tips(self, version: str | None = None) -> list[int]:
        """Return the last talk row of each abandoned branch, in file order."""
        segments, chain = self.segments(version), self.chain(version)
        tips: list[int] = []
        for end in abandoned(segments):
            number: int | None = end
            while number is not None:
                talk = [row for row in segments[number].rows if chain.is_talk(row)]
                if talk:
                    tips.append(talk[-1])
                    break
                number = segments[number].parent
        return sorted(tips)

    def context(self, version: str | None = None, to: int | None = None) -> int | None:
        """Return the size of the context in tokens at the tip; None where nothing says it.

        Behind a compaction that no response followed, it is what the boundary says. With `to` it
        is that of the path to a given node.
        """
        index = self.index
        path = self.path(version, to)
        boundary = next((row for row, _ in path.entries[::-1] if row in index.compactions), -1)
        for row, fate in path.entries[::-1]:
            usage = index.usage.of(index.joins.response[row]) if fate == "sent" else None
            if usage is not None and row > boundary:
                return usage.context
        return index.compactions[boundary].tokens_after if boundary >= 0 else None

    def prompt_count(self) -> int:
        """Return how many prompts a person gave, absorbed ones included, on all branches."""
        nodes = self.index.nodes
        return sum(nodes.role[row] == Role.PROMPT for row in self.index.summary.prompts)

    def response_count(self) -> int:
        """Return how many answers the model gave, on all branches and outside sidechains."""
        nodes, unwanted = self.index.nodes, Flag.SIDECHAIN | Flag.SYNTHETIC
        return sum(not nodes.has(rows[0], unwanted) for rows in self.index.joins.rows_of)

    def sidechain_roots(self) -> list[int]:
        """Return where subagents begin whose rows stand in this file (clients of 1.x)."""
        nodes = self.index.nodes
        return [
            row
            for row in range(len(nodes))
            if nodes.parent[row] == ROOT and nodes.has(row, Flag.SIDECHAIN)
        ]

    def below(self, root: int) -> list[int]:
        """Return a node and all nodes below it, in file order."""
        nodes = self.index.nodes
        found = {root}
        for row in range(root + 1, len(nodes)):
            if nodes.parent[row] in found:
                found.add(row)
        return sorted(found)

    def checkpoints(self) -> FileCheckpoints:
        """Return the recorded states of files."""
        index = self.index
        folders = list(index.summary.cwds)
        return self._once("checkpoints", lambda: FileCheckpoints(index.checkpoints, folders))

    def restore_points(self, folder: str | None, version: str | None = None) -> RestorePoints:
        """Return the checkpoints that a client started in a folder can go back to."""
        nodes = self.index.nodes
        entries = self.path(version).entries
        rows = [nodes.uuid(row) or "" for row, fate in entries if fate != "summarized"]
        return RestorePoints(self.index.checkpoints, rows, folder)

    def rest(self) -> None:
        """Give back the memory of answers and maps; they are made anew when asked for."""
        self._known.clear()
        self.index.nodes.rest()

    def _once(self, question: object, answer: Callable[[], _T]) -> _T:
        if self._known_at != len(self.index.nodes):
            self._known.clear()
            self._known_at = len(self.index.nodes)
        if question not in self._known:
            self._known[question] = answer()
        return self._known[question]  # type: ignore[return-value]  # stored under this question


def _entries(history: list[int], request: Request) -> list[tuple[int, Fate]]:
    fates: list[tuple[int, Fate]] = [(row, "summarized") for row in history]
    for row in request.rows:
        fates.append((row, "sent" if row in request.sent else "notSent"))
    return fates
