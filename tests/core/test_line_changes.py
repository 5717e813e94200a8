"""Changed lines between two contents, against what a plain table of common lines gives."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.line_changes import MOST_CELLS, Changes, line_changes


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("", "", (0, 0)),
        ("", "a\n", (1, 0)),
        ("a\nb\n", "", (0, 2)),
        ("a\n", "b\n", (1, 1)),
        ("a\nb\nc\n", "a\nB\nc\n", (1, 1)),
        ("a\nb\nc\n", "a\nc\n", (0, 1)),
        ("a\nb\nc\n", "x\na\nb\nc\ny\n", (2, 0)),
        # The longest common sequence, not the first line that fits.
        ("a\nb\nc\nd\n", "d\na\nb\nc\n", (1, 1)),
        ("a\na\na\n", "a\na\n", (0, 1)),
        ("a\nb\na\nb\n", "b\na\nb\na\n", (1, 1)),
        # A blank line is a line, and so is one without its end.
        ("a\n", "a\n\n", (1, 0)),
        ("a", "a\n", (1, 1)),
        ("a\nb", "a\nb\n", (1, 1)),
        ("a", "a\nb", (2, 1)),
        ("a\nb", "b\na", (2, 2)),
        # Other line ends are other lines.
        ("a\r\nb\r\n", "a\nb\n", (2, 2)),
        ("a\rb\r", "a\rc\r", (1, 1)),
        # Blanks and case count.
        ("  a\n", "\ta\n", (1, 1)),
        ("a\n", "A\n", (1, 1)),
        # What else ends a line for some does not here.
        ("a\x0bb\x0cc\u2028d\n", "a\x0bb\x0cc\u2028e\n", (1, 1)),
        ("x\0\n", "x", (1, 1)),
    ],
)
def test_changes(before: str, after: str, changes: tuple[int, int]) -> None:
    added, removed = changes
    assert line_changes(before.encode(), after.encode()) == Changes(added, removed)
    assert line_changes(after.encode(), before.encode()) == Changes(removed, added)


def test_long_contents_with_few_changes_are_counted() -> None:
    lines = [b"%d\n" % number for number in range(200_000)]
    changed = [*lines[:100], b"new\n", *lines[100:150_000], *lines[150_001:]]
    assert line_changes(b"".join(lines), b"".join(changed)) == Changes(1, 1)


def test_contents_that_differ_in_too_many_lines_are_not() -> None:
    side = int(MOST_CELLS**0.5)
    one, other, longer = (
        b"".join(b"%s%d\n" % (mark, n) for n in range(lines))
        for mark, lines in ((b"a", side), (b"b", side), (b"c", side + 1))
    )
    assert line_changes(one, other) == Changes(side, side)
    assert line_changes(one, longer) is None
    assert line_changes(one, b"") == Changes(0, side)
    assert line_changes(one, one) == Changes(0, 0)


# --- against others ----------------------------------------------------------------------------

contents = st.lists(st.sampled_from([b"a", b"b", b"c", b"\r", b"\0", b"\n"]), max_size=14).map(
    b"".join
)


def lines_of(content: bytes) -> list[bytes]:
    """Lines with their ends."""
    return [line for line in content.replace(b"\n", b"\n\xff").split(b"\xff") if line]


def common(one: list[bytes], other: list[bytes]) -> int:
    """The length of the longest common subsequence, by the table of the textbooks."""
    row = [0] * (len(other) + 1)
    for line in one:
        above, row = row, [0]
        for number, candidate in enumerate(other):
            is_same = line == candidate
            row.append(above[number] + 1 if is_same else max(row[-1], above[number + 1]))
    return row[-1]


@given(contents, contents)
def test_as_the_textbooks_have_it(before: bytes, after: bytes) -> None:
    old, new = lines_of(before), lines_of(after)
    same = common(old, new)
    assert line_changes(before, after) == Changes(len(new) - same, len(old) - same)


@given(contents, contents)
def test_never_more_than_difflib(before: bytes, after: bytes) -> None:
    """It keeps blocks together rather than most lines, so that it may count more changes."""
    old, new = lines_of(before), lines_of(after)
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    kept = sum(block.size for block in blocks)
    changes = line_changes(before, after)
    assert changes is not None
    assert changes.added <= len(new) - kept
    assert changes.added - changes.removed == len(new) - len(old)


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_nothing_changes_only_between_equal_contents(before: bytes, after: bytes) -> None:
    changes = line_changes(before, after)
    assert (changes == Changes(0, 0)) is (before == after)
    assert changes is not None
    assert line_changes(after, before) == Changes(changes.removed, changes.added)
