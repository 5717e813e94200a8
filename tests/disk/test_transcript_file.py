"""One followed transcript: read once, then only what is new, anew when it is another file."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from forkpoint import disk
from forkpoint.disk import Unreadable
from forkpoint.transcript_file import PEEK, TranscriptFile
from tests.builders import SESSION, line, transcript
from tests.fixture_paths import CASES


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / f"{SESSION}.jsonl"


def listed(path: Path, *, of_agent: bool = False) -> TranscriptFile:
    """The file as a listing gives it, not read yet."""
    return TranscriptFile(str(path), SESSION, disk.stat(path), of_agent=of_agent)


def count(file: TranscriptFile) -> int:
    return len(file.refresh().index.nodes)


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The positions from which a transcript was read."""
    positions: list[int] = []
    chunks = disk.Opened.chunks

    def counted(self: disk.Opened, offset: int, chunk: int = disk.CHUNK) -> object:
        positions.append(offset)
        return chunks(self, offset, chunk)

    monkeypatch.setattr(disk.Opened, "chunks", counted)
    return positions


def test_an_unchanged_file_is_read_once(path: Path, reads: list[int]) -> None:
    path.write_bytes(transcript("u1 a1"))
    file = listed(path)
    assert not file.is_indexed
    first = file.refresh()
    assert file.is_indexed
    assert file.refresh() is first
    assert reads == [0]


def test_what_is_appended_is_read_from_where_the_reading_ended(
    path: Path, reads: list[int]
) -> None:
    path.write_bytes(transcript("u1 a1"))
    file = listed(path)
    first = file.refresh()
    size = path.stat().st_size
    append(path, transcript("| a1 u2", start=60))
    assert file.refresh() is first
    assert (count(file), reads) == (3, [0, size])


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(transcript("u1"), id="cut short"),
        pytest.param(transcript("u1 a1 u3 a3"), id="as long, other bytes"),
        pytest.param(transcript("u5 a5 u6 a6 u7"), id="longer, other bytes"),
        pytest.param(b"", id="emptied"),
    ],
)
def test_another_file_in_its_place_is_read_anew(path: Path, other: bytes) -> None:
    path.write_bytes(transcript("u1 a1 u2 a2"))
    file = listed(path)
    first = file.refresh()
    path.unlink()
    path.write_bytes(other)
    assert file.refresh() is not first
    assert count(file) == other.count(b"\n")


FIRST = b'{"first":"' + b"a" * 5000 + b'"}\n'
SECOND = b'{"second":"' + b"b" * 5000 + b'"}\n'


@pytest.mark.parametrize(
    ("read", "now", "goes_on"),
    [
        (FIRST, FIRST, True),
        (b"", b"", True),
        (b"", FIRST, True),
        (b"torn", b"torn", True),
        (FIRST, FIRST + SECOND, True),
        (FIRST + b"torn", FIRST + b"torn", True),
        (FIRST + SECOND, FIRST, False),
        (FIRST, FIRST[:-1], False),
        (FIRST, b"", False),
        (FIRST, b"x" + FIRST[1:], False),
        (FIRST, FIRST[:-3] + b"x" + FIRST[-2:], False),
        (FIRST, SECOND + FIRST, False),
    ],
)
def test_only_what_begins_with_what_was_read_is_gone_on_with(
    path: Path, read: bytes, now: bytes, goes_on: bool
) -> None:
    path.write_bytes(read)
    file = listed(path)
    first, state = file.refresh(), file.state()
    path.write_bytes(now)
    os.utime(path, (1, 1))
    assert state is not None
    assert listed(path).go_on_from(state.index, state.bookmark) is goes_on
    assert (file.refresh() is first) is goes_on


def test_a_torn_tail_that_was_cut_is_read_anew_but_not_what_is_before_it(path: Path) -> None:
    path.write_bytes(FIRST + b"torn")
    file = listed(path)
    first, state = file.refresh(), file.state()
    path.write_bytes(FIRST)
    assert state is not None
    assert listed(path).go_on_from(state.index, state.bookmark)
    assert file.refresh() is not first


def test_it_is_not_indexed_once_a_listing_says_it_is_another(path: Path) -> None:
    path.write_bytes(transcript("u1 a1"))
    file = listed(path)
    file.refresh()
    append(path, transcript("| a1 u2", start=60))
    file.stat = disk.stat(path)
    assert not file.is_indexed
    file.refresh()
    assert file.is_indexed


def test_a_torn_tail(path: Path) -> None:
    whole = transcript("u1 a1")
    path.write_bytes(whole + b'{"type":"us')
    file = listed(path)
    assert file.torn_tail is None
    assert count(file) == 2
    assert file.torn_tail == (len(whole), 11)
    append(path, b'er"}')
    assert count(file) == 3
    assert file.torn_tail is None


def test_a_tail_of_blanks_is_not_torn(path: Path) -> None:
    path.write_bytes(transcript("u1") + b"  \t")
    file = listed(path)
    file.refresh()
    assert file.torn_tail is None


def test_reading_in_steps_comes_to_the_same(path: Path) -> None:
    padding = "x" * (3 * disk.BUFFER)
    fields = {"u1": {"message": {"content": padding}}}
    path.write_bytes(transcript("u1 a1 u2 a2", fields=fields))
    stepped, at_once = listed(path), listed(path)
    steps = 1
    while stepped.advance(1) is None:
        assert (stepped.conversation, stepped.is_indexed) == (None, False)
        steps += 1
    assert steps > 3
    assert stepped.is_indexed
    assert count(stepped) == count(at_once) == 4


def test_while_a_changed_file_is_read_in_steps_the_old_answers_stay(path: Path) -> None:
    path.write_bytes(transcript("u1 a1"))
    file = listed(path)
    before = file.refresh()
    padding = "x" * (2 * disk.CHUNK)
    fields = {"u5": {"message": {"content": padding}}}
    path.write_bytes(transcript("u5 a5 u6", fields=fields))
    assert file.advance(1) is None
    assert file.conversation is before
    assert len(before.index.nodes) == 2
    assert count(file) == 3


def test_bytes_of_records(path: Path) -> None:
    data = transcript("u1 a1 u2")
    path.write_bytes(data)
    file = listed(path)
    lines = data.splitlines()
    assert file.lines([2, 0]) == [lines[2], lines[0]]
    assert file.bodies([0, 2]) == [lines[0], lines[2]]


def test_the_body_of_a_repeated_record_is_the_later_line() -> None:
    [path] = (CASES / "14-same-line-twice").glob("projects/*/*.jsonl")
    file = TranscriptFile(str(path), path.stem, disk.stat(path))
    nodes = file.refresh().index.nodes
    lines = path.read_bytes().splitlines()
    repeated = {row: body for row, body in nodes.body_of.items() if row != body}
    assert repeated
    assert file.bodies(list(repeated)) == [lines[body] for body in repeated.values()]


def test_ordinals_stay_those_of_the_caller_when_the_file_is_replaced(path: Path) -> None:
    """Between question and body another file may take the place; the answer is short, no crash."""
    path.write_bytes(transcript("u1 a1 u2 a2"))
    file = listed(path)
    assert count(file) == 4
    path.write_bytes(b"")
    assert file.bodies([0, 3]) == [b"", b""]


def test_a_subagent_s_rows_are_its_own_conversation(tmp_path: Path) -> None:
    shutil.copytree(CASES / "20-subagent-files" / "projects", tmp_path / "p")
    [path] = tmp_path.rglob("agent-a1b2c3d.jsonl")
    seen_from_the_session = listed(path).refresh()
    own = listed(path, of_agent=True).refresh()
    assert len(seen_from_the_session.path().entries) == 0
    assert len(own.path().entries) == len(own.index.nodes) == 2


# --- a look at both ends -----------------------------------------------------------------------


def long_transcript(path: Path, ending: bytes = b"") -> TranscriptFile:
    talk = " ".join(f"u{n} a{n}" for n in range(200))
    middle = line(type="custom-title", customTitle="In the middle")
    start = transcript(talk)
    path.write_bytes(start + middle + transcript(talk, start=9000) + ending)
    assert len(start) > PEEK
    return listed(path)


def test_a_peek_reads_both_ends_and_not_what_lies_between(path: Path, reads: list[int]) -> None:
    file = long_transcript(path, line(type="tag", tag="late"))
    assert not file.is_short
    summary = file.peek()
    assert (summary.first_prompt, summary.first_cwd) == ("u0", "/home/dev/shop")
    assert (summary.tag, summary.talk, summary.custom_title) == ("late", True, None)
    assert reads == []
    assert file.known_summary is summary
    assert not file.is_indexed
    file.refresh()
    assert file.peek().custom_title == "In the middle"


def test_a_peek_is_kept_until_the_file_changes(path: Path) -> None:
    file = long_transcript(path)
    first = file.peek()
    assert file.peek() is first
    append(path, line(type="tag", tag="late"))
    file.stat = disk.stat(path)
    assert file.peek().tag == "late"


def test_a_short_file_says_so(path: Path) -> None:
    path.write_bytes(b"\n" * (2 * PEEK))
    assert listed(path).is_short
    append(path, b"\n")
    assert not listed(path).is_short


def test_what_cannot_be_read(path: Path) -> None:
    path.write_bytes(transcript("u1"))
    file = listed(path)
    file.refresh()
    path.unlink()
    for question in (file.refresh, lambda: file.lines([0])):
        with pytest.raises(Unreadable) as failure:
            question()
        assert failure.value.reason == "gone"
    path.mkdir()
    with pytest.raises(Unreadable) as failure:
        file.refresh()
    assert failure.value.reason == "notRegular"
