"""Answers about a transcript that grew are those about the same transcript read at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forkpoint.client_rules import TABLE
from forkpoint.counts import Copied, counts_of
from forkpoint.index import TranscriptIndex
from forkpoint.prices import Prices
from forkpoint.protocol.wire.path import leaf_of
from forkpoint.protocol.wire.segments import branch_tree_of
from forkpoint.recorded import recorded_files
from forkpoint.session import Conversation
from forkpoint.transcript import TranscriptReader
from tests.builders import SESSION, Fields, call_block, kept, result_block, transcript, uuid
from tests.fixture_paths import CASES, FIXTURES, ORACLE, REAL
from tests.strategies import files, rarely, transcripts

VERSIONS = [".".join(map(str, rules.since)) for rules in TABLE]
FOLLOWED = VERSIONS[:4]
"""Those whose answers are gone on with."""


def answers(conversation: Conversation, version: str) -> dict[str, Any]:
    path = conversation.path(version)
    return {
        "path": path,
        "segments": conversation.segments(version),
        "other tips": conversation.other_tips(version),
        "before gap": conversation.before_gap(version),
        "context": conversation.context(version),
        "counts": counts_of(conversation, [], Copied((), ()), version, Prices()),
        "recorded": recorded_files(conversation, version, {}),
        "leaf": leaf_of(conversation, path, version),
        "tree": branch_tree_of(conversation, version),
    }


def grown(data: bytes, *, torn: bool) -> Iterator[TranscriptIndex]:
    """The state behind each line, and behind each line whose end is not there yet."""
    reader, index = TranscriptReader(), TranscriptIndex(SESSION)
    for line in data.splitlines(keepends=True):
        if torn and line.endswith(b"\n"):
            index.apply(reader.feed(line[:-1]))
            index.apply_tail(reader.offset, reader.tail)
            yield index
            line = b"\n"
        index.apply(reader.feed(line))
        index.apply_tail(reader.offset, reader.tail)
        yield index


def check(data: bytes, versions: list[str], *, torn: bool = False, every: int = 1) -> None:
    growing: Conversation | None = None
    for number, index in enumerate(grown(data, torn=torn)):
        growing = growing or Conversation(index)
        if number % every:
            continue
        for version in versions:
            assert answers(growing, version) == answers(Conversation(index), version)


# --- conversations as clients write them, long enough for something to stay behind ---------------


@st.composite
def conversations(draw: st.DrawFn) -> bytes:
    """Prompts, parallel calls with late results, hooks, rewinds, compactions, pointers."""
    said = _Said()
    for _ in range(draw(st.integers(4, 30))):
        said.step(draw)
    return transcript(" ".join(said.words), times=said.times, fields=said.fields)


class _Said:
    def __init__(self) -> None:
        self.words: list[str] = []
        self.fields: dict[str, Fields] = {}
        self.times: dict[str, float] = {}
        self.open: list[str] = []
        self.names: list[str] = []
        self.prompts: list[str | None] = [None]
        self.end: str | None = None

    def step(self, draw: st.DrawFn) -> None:
        kinds = "prompt prompt answer answer call calls result result result note late rewind"
        rare = "compact pointer pointer snapshot gap injection sidechain error"
        kind = draw(st.sampled_from([*kinds.split() * 2, *rare.split()]))
        getattr(self, f"_{kind}")(draw)

    def _row(self, letter: str, *, on: str | bool | None = True, **fields: Any) -> str:
        name = f"{letter}{len(self.names)}"
        above = self.end if on is True else on
        self.words += ["|", str(above or "-"), name]
        self.fields[name] = fields
        self.names.append(name)
        self.end = name
        return name

    def _prompt(self, draw: st.DrawFn) -> None:
        self.prompts.append(self.end)
        # Few different words, so that some prompts are sent again.
        self._row("u", message={"content": draw(st.sampled_from("abcdefgh"))})

    def _answer(self, _: st.DrawFn) -> None:
        self._row("a")

    def _call(self, draw: st.DrawFn) -> None:
        tool = draw(st.sampled_from(["Read", "Edit"]))
        name = f"t{len(self.names)}"
        block = call_block(name[1:], tool, file_path=draw(st.sampled_from(["x.py", "y.py"])))
        self.open.append(self._row("t", message={"content": [block]}))

    def _calls(self, draw: st.DrawFn) -> None:
        response = f"msg_{len(self.names)}"
        for _ in range(draw(st.integers(2, 3))):
            self._call(draw)
            self.fields[self.open[-1]]["message"]["id"] = response

    def _result(self, draw: st.DrawFn) -> None:
        if self.open:
            call = self.open.pop(draw(st.integers(0, len(self.open) - 1)))
            self._answered(draw, call)

    def _late(self, draw: st.DrawFn) -> None:
        """A result behind which nothing goes on."""
        end = self.end
        self._result(draw)
        self.end = end

    def _error(self, draw: st.DrawFn) -> None:
        """A second result, of any call."""
        calls = [name for name in self.names if name[0] == "t"]
        if calls:
            self._answered(draw, draw(st.sampled_from(calls)))

    def _answered(self, draw: st.DrawFn, call: str) -> None:
        block = result_block(call[1:], is_error=draw(rarely))
        self._row("r", on=call, message={"content": [block]})

    def _note(self, draw: st.DrawFn) -> None:
        end = self.end
        self._row(draw(st.sampled_from("shqm")))
        if draw(st.booleans()):
            self.end = end

    def _rewind(self, draw: st.DrawFn) -> None:
        self.end = draw(st.sampled_from(self.prompts))

    def _compact(self, draw: st.DrawFn) -> None:
        old, count = self.names[-12:], len(self.names)
        boundary = self._row("b", on=None, logicalParentUuid=uuid(self.end))
        summary = f"c{count + 1}"
        if old and draw(st.booleans()):
            first = draw(st.integers(0, len(old) - 1))
            anchor = draw(st.sampled_from([summary, summary, boundary]))
            self.fields[boundary] |= kept(anchor, *old[first:])
        self._row("c")

    def _pointer(self, draw: st.DrawFn) -> None:
        if self.names:
            mark = draw(st.sampled_from([">", ">", ">", ">>"]))
            names = st.sampled_from([*[self.names[-1]] * len(self.names), *self.names, "nil"])
            self.words.append(mark + draw(names))

    def _snapshot(self, _: st.DrawFn) -> None:
        if self.names:
            self.words.append(f"!{self.names[-1]}(x.py@{len(self.names)})")

    def _gap(self, draw: st.DrawFn) -> None:
        name = self._row("u", on="gone")
        if draw(st.booleans()):
            self.times[name] = len(self.names) * 10 - 8

    def _injection(self, _: st.DrawFn) -> None:
        self._row("m")
        self._row("a")

    def _sidechain(self, draw: st.DrawFn) -> None:
        end = self.end
        self._row("a", on=draw(st.sampled_from([end, *self.prompts])), isSidechain=True)
        self.end = end


# --- properties --------------------------------------------------------------------------------


@settings(max_examples=300)
@given(conversations(), st.booleans(), st.sampled_from([1, 1, 1, 2, 5]))
def test_any_conversation(data: bytes, torn: bool, every: int) -> None:
    check(data, FOLLOWED, torn=torn, every=every)


@given(transcripts(), st.booleans(), st.sampled_from([1, 1, 1, 2, 3]))
def test_any_transcript(data: bytes, torn: bool, every: int) -> None:
    check(data, FOLLOWED, torn=torn, every=every)


@given(files, st.sampled_from(VERSIONS))
def test_damaged_recordings(data: bytes, version: str) -> None:
    check(data, [version])


RECORDINGS = [
    path
    for folder in (ORACLE, CASES, REAL)
    for path in sorted(folder.rglob("*.jsonl"))
    if path.stat().st_size < 400_000 and "codex" not in path.relative_to(FIXTURES).parts
]


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: "/".join(path.parts[-3:]))
def test_recordings(path: Any) -> None:
    data = path.read_bytes()
    # Each answer is worked out anew for comparison, so long ones are looked at less often.
    check(data, [FOLLOWED[0]], every=1 + data.count(b"\n") // 200)


LINE = (
    "u1 a1 t1 r1 a2 u2 t2+t3 | t2 r2 | t3 r3 a3 s1 >s1 u3 a4 | a1 u4 a5 >a5 u5 t5 r5 a6 "
    "q1 a7 b1 | b1 c1 u6 a8 t8 r8 a9 >a9 u7 a10 i1 u8 a11"
)


@pytest.mark.parametrize("version", VERSIONS)
def test_each_release(version: str) -> None:
    check(transcript(LINE), [version])


@pytest.mark.parametrize("version", VERSIONS)
def test_kept_rows_in_each_release(version: str) -> None:
    fields = {"b1": kept("c1", "a6", "q1", "a7")}
    check(transcript(LINE, fields=fields), [version])
