"""Which rows are copies, of which rows, and where do two transcripts part?"""

from __future__ import annotations

import json

import pytest

from forkpoint.copies import GrowingCopies, copies_of, parting_of
from forkpoint.index import TranscriptIndex
from forkpoint.transcript import TranscriptReader
from tests.builders import index_of, name_of, transcript
from tests.fixture_paths import REAL, REPOSITORY
from tests.forked import WAYS, Way, copied

ORIGINAL = transcript("u1 a1 >a1 t2 r2 s1 >s1 u2 a2 >a2")


def names(index: TranscriptIndex, rows: list[int]) -> str:
    return " ".join(name_of(index.nodes.uuid(row) or "") for row in rows)


def pairs(index: TranscriptIndex, original: TranscriptIndex | None) -> dict[str, str | None]:
    """By the name of each copied row, the name of what it is a copy of."""
    found = copies_of(index, original)
    originals = (found.original_of(row) for row in found.rows)
    return {
        names(index, [row]): None if there is None or original is None else names(original, [there])
        for row, there in zip(found.rows, originals, strict=True)
    }


def fork(way: Way, up_to: str | None = None, then: str = "") -> TranscriptIndex:
    rows = copied(ORIGINAL, way, origin="one", session="two", up_to=up_to, now=500)
    return index_of(rows + (transcript(then, start=600) if then else b""), None)


@pytest.mark.parametrize("way", ["branch", "forkSession"])
def test_rows_with_the_same_uuids_are_copies(way: Way) -> None:
    found = pairs(fork(way, then="| a2 u3 a3"), index_of(ORIGINAL, None))
    assert found == {name: name for name in ["u1", "a1", "t2", "r2", "s1", "u2", "a2"]}


def test_rows_of_an_sdk_s_fork_are_found_by_their_order() -> None:
    """Message ids tell answers, times the others; only the last row has the time of the fork."""
    found = pairs(fork("sdk", "s1", "| s1x u3 a3"), index_of(ORIGINAL, None))
    assert found == {f"{name}x": name for name in ["u1", "a1", "t2", "r2", "s1"]}


def test_rows_of_old_copies_are_found_up_to_the_last_answer_of_both() -> None:
    found = pairs(fork("old", then="| a2x u3 a3"), index_of(ORIGINAL, None))
    assert found == {f"{name}x": name for name in ["u1", "a1", "t2", "r2", "s1", "u2", "a2"]}


def test_of_an_original_that_is_gone_the_copy_s_word_is_left() -> None:
    assert pairs(fork("branch", "a1", "| a1 u3 a3"), None) == {"u1": None, "a1": None}
    assert pairs(fork("forkSession", "a1", "| a1 u3 a3"), None) == {}


def test_an_abandoned_branch_is_no_part_of_a_copy_that_left_it_out() -> None:
    """`/branch` copies the active path."""
    original = index_of(transcript("u1 a1 u2 a2 | a1 u3 a3"), None)
    branch = index_of(transcript("u1 a1") + transcript("| a1 u3 a3 u4 a4", start=40), None)
    found = pairs(branch, original)
    assert found == {name: name for name in ["u1", "a1", "u3", "a3"]}


def test_a_row_that_the_original_has_no_more_is_still_a_copy() -> None:
    cut = index_of(transcript("u1 a1"), None)
    found = pairs(fork("sdk", "s1"), cut)
    assert found == {"u1x": "u1", "a1x": "a1", "t2x": None, "r2x": None, "s1x": None}


SDK_FORKS = REPOSITORY / "fixtures" / "sdk-forks"


def test_of_real_sdk_forks_each_row_is_the_copy_that_it_says_it_is() -> None:
    """The SDK writes the uuid of the record beside each copy, which is not looked at here."""
    paths = [*SDK_FORKS.glob("*.jsonl"), *(REAL / "c6_resend").glob("projects/*/*.jsonl")]
    data = {path.stem: path.read_bytes() for path in paths}
    indexes = {name: index_of(each, name) for name, each in data.items()}
    checked: dict[str, int] = {}
    for name, index in indexes.items():
        rows = [json.loads(each) for each in data[name].splitlines()]
        said = {row: each["forkedFrom"] for row, each in enumerate(rows) if "forkedFrom" in each}
        if not said:
            continue
        original = indexes[index.summary.forked_from or ""]
        found = copies_of(index, original)
        assert [*found.rows] == [*said]
        for row, pointer in said.items():
            there = found.original_of(row)
            assert there is not None
            assert original.nodes.uuid(there) == pointer["messageUuid"]
            checked[name[:8]] = checked.get(name[:8], 0) + 1
    # All lines but the last, which is the title.
    lines = {name: each.count(b"\n") for name, each in data.items() if name in SDK_NAMES}
    assert checked == {name[:8]: count - 1 for name, count in lines.items()}


SDK_NAMES = {path.stem for path in SDK_FORKS.glob("*.jsonl")}


# --- where they part ---------------------------------------------------------------------------


def parting(index: TranscriptIndex, original: TranscriptIndex | None) -> str:
    """`last shared here = there; prompts here / there`."""
    found = parting_of(index, original, copies_of(index, original))
    if found is None:
        return "nowhere"

    def name(of: TranscriptIndex | None, row: int | None) -> str:
        return "-" if of is None or row is None else names(of, [row])

    shared = f"{name(index, found.row)} = {name(original, found.original)}"
    return f"{shared}; {name(index, found.prompt)} / {name(original, found.original_prompt)}"


@pytest.mark.parametrize("way", WAYS)
def test_they_part_at_the_last_record_of_both(way: Way) -> None:
    mark = "x" if way in ("sdk", "old") else ""
    there = index_of(ORIGINAL, None)
    early = fork(way, "a1", f"| a1{mark} u3 a3")
    assert parting(early, there) == f"a1{mark} = a1; u3 / u2"
    late = fork(way, None, f"| a2{mark} u3 a3")
    assert parting(late, there) == f"a2{mark} = a2; u3 / -"


def test_a_copy_that_did_not_go_on_parts_at_its_end() -> None:
    assert parting(fork("branch", "a1"), index_of(ORIGINAL, None)) == "a1 = a1; - / u2"


def test_a_file_that_goes_on_from_another_shares_the_row_there() -> None:
    """A resume by 1.x: the first row hangs on a row of the old file."""
    old = index_of(transcript("u1 a1 u2 a2"), None)
    assert parting(index_of(transcript("| a1 u3 a3"), None), old) == "- = a1; u3 / u2"
    assert parting(index_of(transcript("| a2 u3 a3"), None), old) == "- = a2; u3 / -"


def test_where_the_original_is_gone_the_copy_s_end_is_known() -> None:
    assert parting(fork("sdk", "a1", "| a1x u3 a3"), None) == "a1x = -; u3 / -"
    assert parting(fork("forkSession", "a1", "| a1 u3 a3"), None) == "nowhere"


# --- copies that grow --------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_what_is_gone_on_with_is_what_is_worked_out_anew(way: Way) -> None:
    growing, there = GrowingCopies(), index_of(ORIGINAL, None)
    end = "a2x" if way in ("sdk", "old") else "a2"
    data = copied(ORIGINAL, way, origin="one", session="two", now=500)
    data += transcript(f"| {end} u3 a3 u4 a4", start=600)
    reader, index = TranscriptReader(), TranscriptIndex(None)
    for each in data.splitlines(keepends=True):
        index.apply(reader.feed(each))
        assert growing.of(index, there) == copies_of(index, there)
    known = growing.of(index, there)
    assert growing.of(index, there) is known
    assert len(known.rows) == 7


def test_another_file_in_its_place_is_looked_at_anew() -> None:
    growing, index = GrowingCopies(), fork("sdk", "a1")
    assert len(growing.of(index, None).rows) == 2
    assert growing.of(index, index_of(ORIGINAL, None)) == copies_of(index, index_of(ORIGINAL, None))
    assert len(growing.of(fork("sdk", "s1"), None).rows) == 5
