"""One transcript as a conversation: where it stands, what it would send, which ways it went.

Answers are worked out once per client version. When the index grows, those that only go on are gone
on with; the others are worked out anew when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import TypeVar

import msgspec

from forkpoint.active_line import ActiveLine, ActivePath, Fate, path_to
from forkpoint.chain import Chain
from forkpoint.checkpoints import FileCheckpoints, RestorePoints
from forkpoint.client_rules import CODEX, ClientRules, rules_for
from forkpoint.forks import Fork, forks_of
from forkpoint.growing_tree import GrowingTree
from forkpoint.growth import is_calm, mark_of
from forkpoint.index import TranscriptIndex
from forkpoint.leaf import Leaf
from forkpoint.prices import Prices
from forkpoint.records.record import Role
from forkpoint.segment_facts import FactsOfTree, SegmentFacts
from forkpoint.segments import Segment, abandoned, last_talk_of
from forkpoint.spending import Spending
from forkpoint.totals import Totals

__all__ = ["ActivePath", "Conversation", "Fate"]

_T = TypeVar("_T")


class _View:
    """What is known of a transcript as a client of some version sees it.

    Attributes:
        rows: how many rows of the transcript are taken in.
    """

    def __init__(self, index: TranscriptIndex, rules: ClientRules) -> None:
        self._index, self._rules = index, rules
        self.rows = len(index.nodes)
        self._mark = mark_of(index)
        self.line: ActiveLine | None = None
        self.tree: GrowingTree | None = None
        self.facts: FactsOfTree | None = None

    @cached_property
    def chain(self) -> Chain:
        index = self._index
        return Chain(index.nodes, index.joins, index.compactions, self._rules)

    def goes_on(self) -> bool:
        """Take in that the transcript went on; False where all has to be worked out anew."""
        rules, index = self._rules, self._index
        if rules.newest_by_time or rules.recovers != "fileOrder":
            return False
        if not is_calm(index, self._mark):
            return False
        self._mark, self.rows = mark_of(index, self._mark), len(index.nodes)
        self.chain = self.chain.grown()
        return True


class Conversation:
    """Questions about one transcript's index."""

    def __init__(self, index: TranscriptIndex) -> None:
        self.index = index
        self._views: dict[object, _View] = {}
        self._all = Totals()
        self._checkpoints: tuple[object, FileCheckpoints] | None = None
        self._known: dict[object, object] = {}
        self._known_at = -1

    def chain(self, version: str | None = None) -> Chain:
        """Return the client's view; None stands for the newest known client."""
        return self._view(version).chain

    def _view(self, version: str | None) -> _View:
        rules = self._rules(version)
        view = self._views.get(rules.since)
        if view is None or (view.rows != len(self.index.nodes) and not view.goes_on()):
            view = self._views[rules.since] = _View(self.index, rules)
        return view

    def _rules(self, version: str | None) -> ClientRules:
        """What a version of Codex does is no border of Claude Code's."""
        return rules_for(version) if self.index.rollout is None else CODEX

    def path(self, version: str | None = None, to: int | None = None) -> ActivePath:
        """Return the active path, or the path to a given node."""
        if to is None:
            return self._line(version).path
        since = self._rules(version).since
        return self._once(("path", since, to), lambda: self._path_to(version, to))

    def _line(self, version: str | None) -> ActiveLine:
        view, pointers = self._view(version), self.index.pointers
        if view.line is None:
            view.line = ActiveLine(view.chain, pointers)
        elif view.line.rows != view.rows:
            view.line.grow(view.chain, pointers)
        return view.line

    def _path_to(self, version: str | None, to: int) -> ActivePath:
        chain = self.chain(version)
        leaf = Leaf(to, "requested", self.path(version).leaf.pointer, bare=True)
        # A row that a compaction pruned has its own past, which no client would send.
        line = path_to(chain if chain.has(to) else chain.unpruned, leaf)
        return msgspec.structs.replace(line, end=to)

    def segments(self, version: str | None = None) -> list[Segment]:
        """Return the branch tree's segments."""
        return self._tree(version).segments

    def forks(self, version: str | None = None) -> list[Fork]:
        """Return where the conversation goes on in more than one way."""
        tree = self._tree(version)
        return forks_of(tree.segments, tree.above)

    def _tree(self, version: str | None) -> GrowingTree:
        path, view = self.path(version), self._view(version)
        ends = tuple(row for row in (path.leaf.row, path.end) if row is not None)
        if view.tree is None:
            view.tree = GrowingTree(view.chain, ends, self.index.summary.same_words)
        elif view.tree.rows != view.rows:
            view.tree.grow(view.chain, ends)
        return view.tree

    def segment_facts(self, version: str | None = None) -> list[SegmentFacts]:
        """Return what is to be told of each of the segments."""
        tree, view = self._tree(version), self._view(version)
        if view.facts is None:
            view.facts = FactsOfTree(self.index, tree)
        elif view.facts.rows != tree.rows:
            view.facts.grow(tree)
        return view.facts.facts

    def before_gap(self, version: str | None = None) -> list[int]:
        """Return the rows of the active line that a gap cuts off, in file order; mostly none."""
        path = self.path(version)
        if not path.broken:
            return []
        on_path = set(path.entries.rows)
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
                if (talk := last_talk_of(chain, segments[number])) >= 0:
                    tips.append(talk)
                    break
                number = segments[number].parent
        return sorted(tips)

    def context(self, version: str | None = None, to: int | None = None) -> int | None:
        """Return the size of the context in tokens at the tip; None where nothing says it.

        Behind a compaction that no response followed, it is what the boundary says. With `to` it
        is that of the path to a given node.
        """
        index, entries = self.index, self.path(version, to).entries
        boundary = -1
        if index.compactions:
            rows = reversed(entries.rows)
            boundary = next((row for row in rows if row in index.compactions), -1)
        for row, fate in reversed(entries):
            if fate == "sent" and row > boundary:
                usage = index.usage.of(index.joins.response[row])
                if usage is not None:
                    return usage.context
        return index.compactions[boundary].tokens_after if boundary >= 0 else None

    def prompt_count(self) -> int:
        """Return how many prompts a person gave, absorbed ones included, on all branches."""
        role = self.index.nodes.role
        return bytes(map(role.__getitem__, self.index.summary.prompts)).count(Role.PROMPT)

    def response_count(self) -> int:
        """Return how many answers the model gave, on all branches and outside sidechains."""
        return self._totals().answers

    def sidechain_roots(self) -> list[int]:
        """Return where subagents begin whose rows stand in this file (clients of 1.x)."""
        return self._totals().sidechain_roots

    def _totals(self) -> Totals:
        if not self._all.goes_on(self.index):
            self._all = Totals()
            self._all.goes_on(self.index)
        return self._all

    def spending(self, copied: Collection[str], prices: Prices) -> Spending:
        """Return what the transcript spent; for the arguments see `spending_of`."""
        return self._totals().spending.of(self.index, copied, prices)

    def below(self, root: int) -> list[int]:
        """Return a node and all nodes below it, in file order."""
        return self.below_each([root])[root]

    def below_each(self, roots: Iterable[int]) -> dict[int, list[int]]:
        """Return the same of some nodes of which none is below another."""
        nodes = self.index.nodes
        found = {root: [root] for root in roots}
        root_of = {root: root for root in found}
        for row in range(min(found, default=len(nodes)), len(nodes)):
            root = root_of.get(nodes.parent[row])
            if root is not None and row not in root_of:
                root_of[row] = root
                found[root].append(row)
        return found

    def checkpoints(self) -> FileCheckpoints:
        """Return the recorded states of files."""
        lines, folders = self.index.checkpoints, list(self.index.summary.cwds)
        state = (lines.line_count, len(folders))
        if self._checkpoints is None or self._checkpoints[0] != state:
            self._checkpoints = (state, FileCheckpoints(lines, folders))
        return self._checkpoints[1]

    def restore_points(self, folder: str | None, version: str | None = None) -> RestorePoints:
        """Return the checkpoints that a client started in a folder can go back to."""
        nodes = self.index.nodes
        entries = self.path(version).entries
        rows = [nodes.uuid(row) or "" for row, fate in entries if fate != "summarized"]
        return RestorePoints(self.index.checkpoints, rows, folder)

    def rest(self) -> None:
        """Give back the memory of answers and maps; they are made anew when asked for."""
        self._known.clear()
        self._views.clear()
        self._checkpoints = None
        self.index.rest()

    def _once(self, question: object, answer: Callable[[], _T]) -> _T:
        if self._known_at != len(self.index.nodes):
            self._known.clear()
            self._known_at = len(self.index.nodes)
        if question not in self._known:
            self._known[question] = answer()
        return self._known[question]  # type: ignore[return-value]  # stored under this question
