"""Versions of a file: what became of it, over all sessions and forks, as the disk changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from forkpoint.catalog import Catalog
from forkpoint.contents import EMPTY, Replaced
from tests.builders import (
    CWD,
    Fields,
    assistant,
    backup,
    call_block,
    snapshot,
    transcript,
)
from tests.disk.checkpoint_home import A, B, C, CheckpointHome
from tests.disk.history_pictures import CART, TAX, forked, lines, of_file, picture


@pytest.fixture
def home(tmp_path: Path) -> CheckpointHome:
    return CheckpointHome(tmp_path / "config")


# --- one session -------------------------------------------------------------------------------

ALL_KINDS = """
    !u1() u1 t1 +u1(cart.py@1) r1 !u2(cart.py@2) u2 a2 !u3(cart.py@3-) u3 a3 !u4(cart.py@4-) u4 a4
    !u5(cart.py@5) u5 a5 !u6(cart.py@6) u6 a6 !u7(cart.py@7) u7 a7 !u8(cart.py@8) u8 a8
"""


def test_what_became_of_a_file(home: CheckpointHome) -> None:
    home.session(A, ALL_KINDS)
    for version, text in ((1, "a\nb\n"), (2, "a\nB\nc\n"), (5, "x\n"), (6, "x\n"), (8, "y\n")):
        home.copy(A, "cart.py", version, text)
    assert of_file(home) == lines(
        """
        A u1 1 first
        A u2 2 edited +2 -1
        A u3 3- deleted +0 -3
        A u4 4- unchanged +0 -0
        A u5 5 created +1 -0
        A u6 6 unchanged +0 -0
        A u7 7 pruned
        A u8 8 edited
        """
    )


def test_each_version_has_a_content_and_one_to_compare_it_with(home: CheckpointHome) -> None:
    """Over a gap it is the nearest older one that has content; no file is an empty one."""
    home.session(A, ALL_KINDS)
    copies = {version: home.copy(A, "cart.py", version, f"{version}\n") for version in (1, 5, 8)}
    versions = home.catalog().histories.of_file(CART).versions
    one, five, eight = (copies[version] for version in (1, 5, 8))
    assert [each.source for each in versions] == [
        *(one, None, EMPTY, EMPTY, five, None, None, eight)
    ]
    before = [None if each.previous is None else versions[each.previous] for each in versions]
    assert [each and each.source for each in before] == [
        *(None, one, one, EMPTY, EMPTY, five, five, five)
    ]
    assert [each.state for each in versions] == [
        *("present", "pruned", "absent", "absent", "present", "pruned", "pruned", "present")
    ]


def test_a_file_that_did_not_exist_at_first(home: CheckpointHome) -> None:
    home.session(A, "!u1() u1 t1 +u1(cart.py@1-) r1 !u2(cart.py@2) u2")
    home.copy(A, "cart.py", 2, "a\n")
    assert of_file(home) == "A u1 1- first\nA u2 2 created +1 -0"


def test_an_empty_copy_is_content(home: CheckpointHome) -> None:
    home.session(A, "!u1() u1 t1 +u1(cart.py@1-) r1 !u2(cart.py@2) u2 a2 !u3(cart.py@3) u3")
    home.copy(A, "cart.py", 2, "")
    home.copy(A, "cart.py", 3, "a\n")
    assert of_file(home) == lines(
        """
        A u1 1- first
        A u2 2 created +0 -0
        A u3 3 edited +1 -0
        """
    )


def test_lines_of_binary_copies_are_not_counted(home: CheckpointHome) -> None:
    home.session(A, "!u1(cart.py@1) u1 a1 !u2(cart.py@2) u2")
    home.copy(A, "cart.py", 1, b"a\0")
    home.copy(A, "cart.py", 2, b"b\0")
    assert of_file(home) == "A u1 1 first\nA u2 2 edited"


def test_versions_of_all_branches_stand_in_one_list(home: CheckpointHome) -> None:
    home.session(A, "!u1(cart.py@1) u1 a1 !u2(cart.py@2) u2 a2 | a1 !u3(cart.py@3) u3 a3")
    for version in (1, 2, 3):
        home.copy(A, "cart.py", version, f"{version}\n")
    versions = home.catalog().histories.of_file(CART).versions
    assert [each.recorded.version.number for each in versions] == [1, 2, 3]
    assert [each.recorded.on_active_path for each in versions] == [True, False, True]
    assert [each.recorded.preview for each in versions] == ["u1", "u2", "u3"]


def test_copies_that_no_line_names_are_tied_by_their_name(home: CheckpointHome) -> None:
    """A client may end before it writes the line; copies of other files are others."""
    home.session(A, "!u1(cart.py@1) u1 a1 !u3(cart.py@3) u3")
    for version in (1, 2, 3, 4):
        home.copy(A, "cart.py", version, "x\n" * version)
    home.copy(A, "other.py", 5, "other\n")
    assert of_file(home) == lines(
        """
        A u1 1 first
        A nobody 2 edited +1 -0
        A u3 3 edited +1 -0
        A nobody 4 edited +1 -0
        """
    )


def test_copies_of_a_session_without_transcript_are_nobody_s(home: CheckpointHome) -> None:
    home.session(A, "!u1(cart.py@1) u1")
    home.copy(A, "cart.py", 1, "a\n")
    home.copy(B, "cart.py", 1, "b\n")
    assert of_file(home) == "A u1 1 first"


def test_a_late_first_copy_gives_way_to_the_result(home: CheckpointHome) -> None:
    fields: dict[str, Fields] = {
        "t1": assistant("t1", call_block("1", "Edit", file_path=CART)),
        "r1": {"toolUseResult": {"originalFile": "old\n"}},
    }
    text = "!u1() u1 t1 ~u1(cart.py@1) r1 a1 !u2(cart.py@1) u2"
    home.session(A, transcript(text, version="2.0.76", fields=fields))
    home.copy(A, "cart.py", 1, "new\n")
    known = home.catalog()
    [version] = known.histories.of_file(CART).versions
    assert isinstance(version.source, Replaced)
    assert known.contents.data(version.source) == b"old\n"
    assert (version.owner, version.state, version.kind) == (A, "present", "first")


# --- several sessions --------------------------------------------------------------------------


def test_sessions_are_joined_in_the_order_of_time(home: CheckpointHome) -> None:
    home.session(A, "!u1(cart.py@1) u1 a1 !u2(cart.py@2) u2")
    home.session(B, transcript("!u5(cart.py@1) u5 a5 !u6(cart.py@2-) u6", start=1000))
    home.session(C, transcript("!u8(tax.py@1) u8", start=500))
    for session, version, text in ((A, 1, "a\n"), (A, 2, "a\nb\n"), (B, 1, "a\nb\nc\n")):
        home.copy(session, "cart.py", version, text)
    home.copy(C, "tax.py", 1, "x\n")
    assert of_file(home) == lines(
        """
        A u1 1 first
        A u2 2 edited +1 -0
        B u5 1 first +1 -0
        B u6 2- deleted +0 -3
        """
    )
    assert of_file(home, TAX) == "C u8 1 first"
    assert of_file(home, f"{CWD}/none.py") == ""


def test_two_sessions_at_once_are_woven_together(home: CheckpointHome) -> None:
    """The numbers of one session stay in order, whatever its clock said."""
    home.session(
        A,
        transcript("!u1(cart.py@1) u1")
        + transcript("| u1 !u2(cart.py@2) u2", start=200)
        + transcript("| u2 !u3(cart.py@3) u3", start=50),
    )
    home.session(
        B,
        transcript("!u5(cart.py@1) u5", start=100)
        + transcript("| u5 !u6(cart.py@2) u6", start=300),
    )
    assert of_file(home) == lines(
        """
        A u1 1 pruned
        B u5 1 pruned
        A u2 2 pruned
        A u3 3 pruned
        B u6 2 pruned
        """
    )


def test_versions_without_a_time_stay_with_their_session(home: CheckpointHome) -> None:
    untimed = backup("cart.py", 2) | {"backupTime": None}
    data = transcript("!u1(cart.py@1) u1 a1 u2", start=100) + snapshot("u2", {"cart.py": untimed})
    home.session(A, data)
    home.session(B, transcript("!u5(cart.py@1) u5", start=1000))
    assert of_file(home) == "A u1 1 pruned\nA u2 2 pruned\nB u5 1 pruned"


# --- forks -------------------------------------------------------------------------------------

ORIGIN = "!u1(cart.py@1) u1 a1 !u2(cart.py@2) u2 a2"


def test_what_a_fork_copied_stands_once(home: CheckpointHome) -> None:
    home.session(A, ORIGIN)
    home.session(B, forked(ORIGIN, A, start=500, own="| a2 !u5(cart.py@3) u5 a5"))
    home.copy(A, "cart.py", 1, "a\n")
    home.copy(A, "cart.py", 2, "b\n")
    home.copy(B, "cart.py", 3, "c\n")
    expected = """
        A u1 1 first
        A u2 2 edited +1 -1
        B u5 3 edited +1 -1
        """
    assert of_file(home) == lines(expected)
    # Linked copies in the fork's own folder change nothing.
    for version in (1, 2):
        home.place(B, "cart.py", version).hardlink_to(home.place(A, "cart.py", version))
    assert of_file(home) == lines(expected)


def test_a_fork_alone_names_what_it_copied(home: CheckpointHome) -> None:
    home.session(A, ORIGIN)
    home.session(B, forked(ORIGIN, A, start=500, own="| a2 !u5(cart.py@3) u5 a5"))
    home.copy(A, "cart.py", 1, "a\n")
    home.copy(B, "cart.py", 2, "b\n")
    home.copy(B, "cart.py", 3, "c\n")
    known = home.catalog()
    [history] = known.histories.of_session(known.entry(B))
    assert picture(history) == lines(
        """
        B<A u1 1 first
        B u2 2 edited +1 -1
        B u5 3 edited +1 -1
        """
    )


def test_a_copy_of_the_original_is_no_later_version_of_the_fork(home: CheckpointHome) -> None:
    """Both went on with the same numbers: what the fork lost, the original does not have."""
    home.session(A, ORIGIN + " !u3(cart.py@3) u3")
    home.session(B, forked(ORIGIN, A, start=500, own="| a2 !u5(cart.py@3) u5 a5"))
    for version in (1, 2, 3):
        home.copy(A, "cart.py", version, f"{version}\n")
    assert of_file(home) == lines(
        """
        A u1 1 first
        A u2 2 edited +1 -1
        A u3 3 edited +1 -1
        B u5 3 pruned
        """
    )


def test_a_fork_of_a_fork_finds_the_first_copy(home: CheckpointHome) -> None:
    home.session(A, ORIGIN)
    home.session(B, forked(ORIGIN, A, start=500, own="| a2 u5 a5"))
    home.session(C, forked(ORIGIN, B, start=900, own="| a2 u6 a6"))
    home.copy(A, "cart.py", 1, "a\n")
    known = home.catalog()
    [history] = known.histories.of_session(known.entry(C))
    assert picture(history) == "C<A u1 1 first\nC u2 2 pruned"
    assert of_file(home) == "A u1 1 first\nA u2 2 pruned"


def test_what_only_the_fork_kept_is_there(home: CheckpointHome) -> None:
    """The original's copies were pruned; those of the fork are files of their own."""
    home.session(A, ORIGIN)
    home.session(B, forked(ORIGIN, A, start=500, own="| a2 u5 a5"))
    home.copy(B, "cart.py", 1, "a\n")
    home.copy(B, "cart.py", 2, "b\n")
    assert of_file(home) == "A<B u1 1 first\nA<B u2 2 edited +1 -1"


def test_sessions_that_were_copied_from_each_other_end(home: CheckpointHome) -> None:
    home.session(A, forked(ORIGIN, B))
    home.session(B, forked(ORIGIN, A))
    home.copy(B, "cart.py", 1, "a\n")
    known = home.catalog()
    [history] = known.histories.of_session(known.entry(A))
    assert picture(history) == "A<B u1 1 first\nA u2 2 pruned"


def test_a_fork_of_nobody_has_its_own(home: CheckpointHome) -> None:
    home.session(B, forked(ORIGIN, A))
    assert of_file(home) == "B u1 1 pruned\nB u2 2 pruned"


# --- changes on disk ---------------------------------------------------------------------------


def test_a_copy_that_disappears_is_pruned(home: CheckpointHome) -> None:
    path = home.session(A, "!u1(cart.py@1) u1 a1 !u2(cart.py@2) u2 a2")
    home.copy(A, "cart.py", 1, "a\n")
    home.copy(A, "cart.py", 2, "b\n")
    known = home.catalog()
    assert picture(known.histories.of_file(CART)) == "A u1 1 first\nA u2 2 edited +1 -1"
    home.place(A, "cart.py", 1).unlink()
    assert picture(known.histories.of_file(CART)) == "A u1 1 pruned\nA u2 2 edited"
    home.place(A, "cart.py", 2).unlink()
    home.folder(A).rmdir()
    assert picture(known.histories.of_file(CART)) == "A u1 1 pruned\nA u2 2 pruned"
    with path.open("ab") as file:
        file.write(transcript("| a2 !u3(cart.py@3) u3", start=100))
    home.copy(A, "cart.py", 3, "c\n")
    known.conversation(A)
    assert picture(known.histories.of_file(CART)) == lines(
        """
        A u1 1 pruned
        A u2 2 pruned
        A u3 3 edited
        """
    )


def test_lines_are_counted_ahead(home: CheckpointHome) -> None:
    home.session(A, "!u1(cart.py@1,tax.py@1) u1 a1 !u2(cart.py@2,tax.py@2) u2")
    home.session(B, transcript("!u5(cart.py@1) u5", start=500))
    for name in ("cart.py", "tax.py"):
        for version in (1, 2):
            home.copy(A, name, version, f"{version}\n")
    known = Catalog([home.root])
    steps = 0
    while known.index_next():
        steps += 1
    assert steps == 4  # Two transcripts, two files.
    assert not known.histories.measure_next()
