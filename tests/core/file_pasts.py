"""A file's past as a test tells it: steps, and what an independent look says of its lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from forkpoint.line_authors import Author
from forkpoint.line_origins import Step
from forkpoint.text_lines import KnownLines, Lines


@dataclass
class Told:
    """A line, and who is known to have written it."""

    text: str
    author: Author


@dataclass
class Past:
    """A file that is edited, by the agent or by hand; each line remembers who wrote it.

    Attributes:
        lines: the file now.
        steps: what was recorded, oldest first.
    """

    lines: list[Told]
    steps: list[Step] = field(default_factory=list[Step])
    known: KnownLines = field(default_factory=KnownLines)
    states: list[list[Told]] = field(default_factory=list[list[Told]])

    @classmethod
    def of(cls, lines: Sequence[str]) -> Past:
        return cls([Told(line, Author("older")) for line in lines])

    @property
    def now(self) -> Lines:
        return self.known.of("\n".join([*(line.text for line in self.lines), ""]))

    @property
    def newest_first(self) -> list[Step]:
        return self.steps[::-1]

    @property
    def authors(self) -> list[Author]:
        return [line.author for line in self.lines]

    def agent(self, start: int, end: int, new: Sequence[str]) -> int:
        """The agent puts lines in the place of others; gives the call's key."""
        key, time = len(self.steps), self._seen()
        before = self.now
        self._replace(start, end, new, Author("agent", key))
        self.steps.append(Step(key, time, before, self.now))
        self.states.append(list(self.lines))
        return key

    def hand(self, start: int, end: int, new: Sequence[str]) -> None:
        """Somebody else does; nothing is recorded."""
        since = self.steps[-1].time if self.steps else None
        author = Author("older") if since is None else Author("outside", since=since)
        self._replace(start, end, new, author)

    def copy(self) -> None:
        """The client keeps a copy."""
        time = self._seen()
        self.steps.append(Step(None, time, self.now, self.now))
        self.states.append(list(self.lines))

    def put_back(self, state: int) -> None:
        """The file is put back to a recorded state; nothing is recorded."""
        self.lines = list(self.states[state])

    def _replace(self, start: int, end: int, new: Sequence[str], author: Author) -> None:
        self.lines[start:end] = [Told(line, author) for line in new]

    def _seen(self) -> int:
        """Lines from outside are seen for the first time now."""
        time = 1000 * (len(self.steps) + 1)
        for line in self.lines:
            if line.author.by == "outside" and line.author.until is None:
                line.author = line.author._replace(until=time)
        return time
