"""What a patch makes of a file, and what it was made of: by thought, by others, by going back."""

from __future__ import annotations

import difflib
import subprocess
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from forkpoint.patch_backward import undone
from forkpoint.patch_forward import LAST_LINE, LINE_ENDS, Done, Unfit, applied
from forkpoint.records.apply_patch import changes_in_event, patch_in_text
from forkpoint.records.file_changes import FileChange


def update(body: str) -> FileChange:
    """The change of a patch that updates one file."""
    [change] = patch_in_text(f"*** Begin Patch\n*** Update File: f\n{body}\n*** End Patch").changes
    return change


def event(diff: str) -> FileChange:
    """The change that an event tells of."""
    read = changes_in_event({"f": {"type": "update", "unified_diff": diff}})
    assert read.problem is None, read.problem
    return read.changes[0]


NOT_IN_FILE = Unfit("Lines that the patch changes are not in the file.")
NO_CONTEXT = Unfit("A line that the patch looks for is not in the file.")
CHANGED = Unfit("What the patch wrote is not in the file: it was changed since.")
AMBIGUOUS = Unfit("The patch can be undone in more than one way.", is_other=False)
NO_FILE = Unfit("There was no file to change.")


# --- forward, by thought -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        ("@@\n a\n-b\n+B\n c", "a\nb\nc\n", "a\nB\nc\n"),
        ("-b\n+B", "b\nb\n", "B\nb\n"),
        ("@@ two\n-x\n+y", "one\nx\ntwo\nx\n", "one\nx\ntwo\ny\n"),
        ("@@\n-x\n+1\n@@\n-x\n+2", "x\nx\nx\n", "1\n2\nx\n"),
        ("@@\n-x\n+y\n*** End of File", "x\nx\n", "x\ny\n"),
        ("@@\n-a\n+b", "a", "b\n"),
        ("@@\n+new", "a\n", "a\nnew\n"),
        ("@@\n+new", "a", "a\nnew\n"),
        ("@@\n+new", "", "new\n"),
        ("@@ a\n+new", "a\nb\n", "a\nb\nnew\n"),
        ("@@\n-a", "a\n", ""),
        ("@@\n-a\n+A\n+A2\n@@\n+tail", "a\nb\n", "A\nA2\nb\ntail\n"),
        ("@@\n-a\n+A\n ", "a\n", "A\n"),
        ("@@\n \ta\n-\tb\n+\t\tb", "\ta\n\tb\n", "\ta\n\t\tb\n"),
        ("@@\n-a\n+A", "\ufeffx\na\n", "\ufeffx\nA\n"),
        ("@@\n a\n-b\n+B", "a  \nb\t\n", "a\nB\n"),
        ("@@\n a\n-b\n+B", "  a\n  b\n", "a\nB\n"),
        ("@@\n-a - 'b'\n+c", "a \u2013 \u2018b\u2019\n", "c\n"),
        ("@@\n-b\n+B", " b\nb\n", " b\nB\n"),
    ],
)
def test_forward(body: str, before: str, after: str) -> None:
    assert applied(update(body), before) == Done(after)


@pytest.mark.parametrize(
    ("body", "before", "expected"),
    [
        ("@@\n-a\n+A", "a\r\nb\r\n", Done("A\r\nb\r\n", LINE_ENDS)),
        ("@@\n-a\n+A", "x\na\r\n", Done("x\nA\n", LINE_ENDS)),
        ("@@\n-a\n+A", "a\n\n", Done("A\n\n", LAST_LINE)),
        ("@@\n+new", "a\n\n", Done("a\nnew\n\n", LAST_LINE)),
        ("@@\n-a\n+A", "b\n", NOT_IN_FILE),
        ("@@\n-a\n-b\n+A", "a\n", NOT_IN_FILE),
        ("@@ gone\n-a\n+A", "a\n", NO_CONTEXT),
        ("@@ b\n-a\n+A", "a\nb\n", NOT_IN_FILE),
        ("@@\n-a\n+A\n*** End of File", "a\nb\n", NOT_IN_FILE),
        ("@@\n-a\n+A", None, NO_FILE),
    ],
)
def test_forward_where_it_is_not_sure_or_does_not_fit(
    body: str, before: str | None, expected: Done | Unfit
) -> None:
    assert applied(update(body), before) == expected


@pytest.mark.parametrize(
    ("diff", "before", "after"),
    [
        ("@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "a\nb\nc\n", "a\nB\nc\n"),
        ("@@ -3 +3 @@\n-b\n+B\n", "b\nb\nb\n", "b\nb\nB\n"),
        ("@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n", "a", "a\nb\n"),
        ("@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "a\n", "b"),
        ("@@ -1 +0,0 @@\n-a\n", "a\n", ""),
        ("@@ -0,0 +1 @@\n+a\n", "", "a\n"),
        ("@@ -1,0 +2 @@\n+b\n", "a\nc\n", "a\nb\nc\n"),
        ("@@ -1 +1 @@\n-a\r\n+A\r\n", "a\r\nb\r\n", "A\r\nb\r\n"),
        ("@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-a\n+c\n", "a\na\na\n", "b\na\nc\n"),
    ],
)
def test_what_an_event_tells_fits_exactly_both_ways(diff: str, before: str, after: str) -> None:
    assert applied(event(diff), before) == Done(after)
    assert undone(event(diff), after) == Done(before)


@pytest.mark.parametrize(
    ("diff", "before"),
    [
        ("@@ -1 +1 @@\n-a\n+b\n", "x\na\n"),
        ("@@ -1 +1 @@\n-a\n+b\n", "a"),
        ("@@ -1 +1 @@\n-a\n+b\n", "a \n"),
        ("@@ -9 +9 @@\n-a\n+b\n", "a\n"),
    ],
)
def test_an_event_that_does_not_fit(diff: str, before: str) -> None:
    told = "The lines that were changed do not stand where they were."
    assert applied(event(diff), before) == Unfit(told)


def test_parts_of_an_event_that_do_not_follow_one_another() -> None:
    told = Unfit("The parts of the change do not follow one another.")
    twice = event("@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+c\n")
    assert applied(twice, "a\n") == told
    ends_within = event("@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n")
    assert applied(ends_within, "a\nc\n") == told


def test_a_diff_without_numbers_is_sought() -> None:
    assert applied(event("@@\n-b\n+B\n"), "a\nb\n") == Done("a\nB\n")


def test_added_deleted_and_moved_files() -> None:
    add, empty = FileChange("add", "f", content="x"), FileChange("add", "f", content="")
    assert applied(add, None) == applied(add, "old\n") == Done("x")
    assert applied(empty, None) == Done("")
    assert applied(FileChange("delete", "f"), "x") == Done(None)
    assert applied(FileChange("delete", "f", content="x"), "x") == Done(None)
    assert applied(FileChange("delete", "f", content="x"), "y") == Unfit(
        "The file that was deleted held something else."
    )
    assert applied(FileChange("delete", "f"), None) == NO_FILE
    assert applied(FileChange("update", "f", "g"), "x") == Done("x")


# --- backward, by thought ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "after", "expected"),
    [
        ("@@\n a\n-b\n+B\n c", "a\nB\nc\n", Done("a\nb\nc\n")),
        ("@@ two\n-x\n+y", "y\ntwo\ny\n", Done("y\ntwo\nx\n")),
        ("@@\n-x\n+y\n*** End of File", "y\ny\n", Done("y\nx\n")),
        ("@@\n-x\n+1\n@@\n-x\n+2", "1\n2\nx\n", Done("x\nx\nx\n")),
        ("@@\n+new", "a\nnew\n", Done("a\n")),
        ("@@\n-a\n+A\n@@\n+tail", "A\nb\ntail\n", Done("a\nb\n")),
        ("@@\n-a\n+A\n ", "A\n", Done("a\n")),
        ("@@\n-a\n+A", "x\r\nA\r\n", Done("x\r\na\r\n", LINE_ENDS)),
        ("@@\n-x\n+y", "y\ny\n", AMBIGUOUS),
        ("@@\n-x\n+y", "x\ny\ny\n", CHANGED),
        ("@@\n-gone", "a\nb\n", AMBIGUOUS),
        ("@@\n a\n-gone", "a\nb\n", Done("a\ngone\nb\n")),
        ("@@\n-gone\n*** End of File", "a\nb\n", Done("a\nb\ngone\n")),
        ("@@\n-a\n+A", "a\n", CHANGED),
        ("@@\n-a\n+A", "A", CHANGED),
        ("@@\n-a\n+A", None, Unfit("There is no file any more.")),
    ],
)
def test_backward(body: str, after: str | None, expected: Done | Unfit) -> None:
    assert undone(update(body), after) == expected


def test_backward_of_added_deleted_and_moved_files() -> None:
    add = FileChange("add", "f", content="x\n")
    assert undone(add, "x\n") == Unfit(
        "A patch that writes a file does not say whether there was one before.", is_other=False
    )
    assert undone(add, "y\n") == CHANGED
    assert undone(FileChange("delete", "f", content="x"), None) == Done("x")
    assert undone(FileChange("delete", "f"), None) == Unfit(
        "The patch does not say what the deleted file held.", is_other=False
    )
    assert undone(FileChange("delete", "f", content="x"), "") == Unfit(
        "The file that was deleted is there again."
    )
    assert undone(FileChange("update", "f", "g"), "x") == Done("x")


def test_a_patch_of_many_hunks_is_undone() -> None:
    before = "".join(f"line {number}\n" for number in range(1000))
    after = before.replace("7\n", "seven\n")
    body = "\n".join(
        f"@@\n-line {number}\n+line {str(number)[:-1]}seven" for number in range(7, 1000, 10)
    )
    assert applied(update(body), before) == Done(after)
    assert undone(update(body), after) == Done(before)


def test_a_hunk_that_could_stand_anywhere_of_a_large_file_has_an_end() -> None:
    same = "x\n" * 50_000
    assert undone(update("@@\n-x"), same) == Done(same + "x\n")
    assert undone(update("\n".join(["@@\n-a\n+x"] * 12)), same) == AMBIGUOUS
    different = "".join(f"{number}\n" for number in range(50_000))
    assert undone(update("@@\n-gone"), different) == AMBIGUOUS
    assert undone(update("@@\n-0"), different) == Done("0\n" + different)


# --- any edits ---------------------------------------------------------------------------------

lines = st.sampled_from(["a", "b", "  a", "", "\tc", "d\r", "*** End Patch", "@@", "é", "+", "-x"])


@st.composite
def contents(draw: st.DrawFn) -> str:
    """A file of any lines, with or without an end of the last."""
    return "\n".join(draw(st.lists(lines, max_size=12))) + draw(st.sampled_from(["\n", ""]))


def unified(before: str, after: str, around: int) -> str:
    """A unified diff by the standard library, with the notes of missing line ends that diff has."""
    old, new = (
        [line + "\n" for line in text.split("\n")[:-1]]
        + [text.rpartition("\n")[2]] * (not text.endswith("\n") and bool(text))
        for text in (before, after)
    )
    found = list(difflib.unified_diff(old, new, n=around))[2:]
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in found
    )


@given(contents(), contents(), st.integers(0, 3))
def test_an_event_goes_forward_and_back(before: str, after: str, around: int) -> None:
    assume(before != after)
    change = event(unified(before, after, around))
    assert applied(change, before) == Done(after)
    assert undone(change, after) == Done(before)


@st.composite
def patched(draw: st.DrawFn) -> tuple[str, str, str]:
    """A file, the body of a patch with lines around its changes, and the file after it."""
    plain = st.sampled_from(["a", "b", "c", "  a", "\tc", "é"])
    old = draw(st.lists(plain, min_size=1, max_size=10))
    new = draw(st.lists(plain, min_size=1, max_size=10))
    assume(old != new)
    body: list[str] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for group in matcher.get_grouped_opcodes(draw(st.integers(0, 2))):
        body.append("@@")
        for tag, a, b, c, d in group:
            if tag == "equal":
                body += [" " + line for line in old[a:b]]
            else:
                body += ["-" + line for line in old[a:b]] + ["+" + line for line in new[c:d]]
    return "\n".join(old) + "\n", "\n".join(body), "\n".join(new) + "\n"


def by_hand(body: str, before: str) -> str | None:
    """The patch applied in the plainest way: the first place of each hunk, exactly; else None."""
    lines, start = before.split("\n")[:-1], 0
    done: list[str] = []
    tail: list[str] = []
    for part in body.split("@@\n")[1:]:
        signed = part.removesuffix("\n").split("\n")
        old = [line[1:] for line in signed if line[0] in " -"]
        new = [line[1:] for line in signed if line[0] in " +"]
        if not old:
            tail += new
            continue
        places = range(start, len(lines) - len(old) + 1)
        place = next((n for n in places if lines[n : n + len(old)] == old), None)
        if place is None:
            return None
        done += lines[start:place] + new
        start = place + len(old)
    return "".join(line + "\n" for line in done + lines[start:] + tail)


@given(patched())
def test_a_patch_goes_forward_as_by_hand_and_back_or_not_at_all(
    case: tuple[str, str, str],
) -> None:
    before, body, _ = case
    expected = by_hand(body, before)
    assume(expected is not None)
    change = update(body)
    assert applied(change, before) == Done(expected)
    back = undone(change, expected)
    assert back in (Done(before), AMBIGUOUS)
    # What is told is told for sure: nothing else leads here.
    if isinstance(back, Done):
        assert applied(change, back.text) == Done(expected)


few = st.lists(st.sampled_from(["a", "b"]), max_size=2)
ALL_SMALL = [
    "".join(line + "\n" for line in file) for n in range(8) for file in product("ab", repeat=n)
]


@given(
    st.lists(st.tuples(few, few, few, st.sampled_from(["@@", "@@ a"])), min_size=1, max_size=2),
    st.lists(st.sampled_from(["a", "b"]), max_size=3),
    st.booleans(),
)
def test_back_is_the_only_content_that_leads_here(
    hunks: list[tuple[list[str], list[str], list[str], str]], file: list[str], at_end: bool
) -> None:
    """Compared with all small files; with two letters there are no blanks to overlook."""
    parts: list[str] = []
    for kept, old, new, head in hunks:
        assume(kept or old or new)
        signed = [(" ", kept), ("-", old), ("+", new)]
        parts += [head, *(sign + line for sign, group in signed for line in group)]
    change = update("\n".join(parts + ["*** End of File"] * at_end))
    after = "".join(line + "\n" for line in file)
    leads_here = [each for each in ALL_SMALL if applied(change, each) == Done(after)]
    back = undone(change, after)
    if not leads_here:
        assert back == CHANGED
    elif len(leads_here) == 1:
        assert back in (Done(leads_here[0]), AMBIGUOUS)
    else:
        assert back == AMBIGUOUS


@given(patched())
def test_a_patch_whose_lines_are_all_different_goes_back_for_sure(
    case: tuple[str, str, str],
) -> None:
    """With enough around a change and no line twice, there is one way back."""
    before, _, _ = case
    old = [f"{number} {line}" for number, line in enumerate(before.split("\n")[:-1])]
    new = [f"new {line}" if number % 3 == 0 else line for number, line in enumerate(old)]
    body = "@@\n" + "\n".join(
        f"-{a}\n+{b}" if a != b else f" {a}" for a, b in zip(old, new, strict=True)
    )
    first, last = ("".join(line + "\n" for line in text) for text in (old, new))
    assert applied(update(body), first) == Done(last)
    assert undone(update(body), last) == Done(first)


# --- another's work ----------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(contents(), contents(), st.integers(0, 3))
def test_git_applies_the_same(before: str, after: str, around: int) -> None:
    diff = unified(before, after, around)
    assume(before and after and diff)
    with TemporaryDirectory() as folder:
        file = Path(folder, "f")
        file.write_bytes(before.encode())
        Path(folder, "p").write_bytes(f"--- a/f\n+++ b/f\n{diff}".encode())
        arguments = ["git", "apply", "--unidiff-zero", "--whitespace=nowarn", "p"]
        run = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=60)
        assert run.returncode == 0, run.stderr
        assert applied(event(diff), before) == Done(file.read_bytes().decode())
