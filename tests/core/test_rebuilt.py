"""Versions of files that Codex patched: by thought, and against the truth of made-up histories."""

from __future__ import annotations

import difflib
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.line_changes import Changes
from forkpoint.patch_forward import LINE_ENDS
from forkpoint.patched_files import file_at, patched_files
from forkpoint.rebuilt import ABSENT, UNREAD, OnDisk, PatchStep, Rebuilt, rebuilt
from forkpoint.records.apply_patch import changes_in_event, patch_in_text
from forkpoint.records.file_changes import FileChange
from forkpoint.shell_reads import END_UNTOLD, Seen


def add(content: str) -> PatchStep:
    return PatchStep(FileChange("add", "f", content=content))


def delete(content: str | None = None) -> PatchStep:
    return PatchStep(FileChange("delete", "f", content=content))


def update(*lines: str) -> PatchStep:
    """An update by a patch's text."""
    text = "\n".join(["*** Begin Patch", "*** Update File: f", "@@", *lines, "*** End Patch"])
    [change] = patch_in_text(text).changes
    return PatchStep(change)


def event(diff: str) -> PatchStep:
    """An update by an event."""
    [change] = changes_in_event({"f": {"type": "update", "unified_diff": diff}}).changes
    return PatchStep(change)


def seen(text: str) -> PatchStep:
    return PatchStep(None, seen=Seen(text))


def text(content: str) -> OnDisk:
    return OnDisk("text", content)


class Told(NamedTuple):
    """A version in short."""

    step: int | None
    obtained: str
    content: str | None
    changed: bool | None
    why: str


def told(result: Rebuilt) -> list[Told]:
    return [
        Told(
            version.step,
            ("found " if version.is_found else "") + version.obtained,
            result.content(number),
            version.was_changed,
            version.why,
        )
        for number, version in enumerate(result.versions)
    ]


NOT_BEFORE = "Nothing before the first patch is recorded."
WHOLE = "The patch wrote the whole file."
FIRST = "The patch wrote the whole file; what was there before is not recorded."
GONE = "The patch deleted the file."
FOUND = "The file as it was found when it was deleted."
NOT_KNOWN = "What the file held before is not known."
ON_DISK = "The file on disk, if nothing else changed it since."
NOT_THERE = "Lines that the patch changes are not in the file."
CHANGED = "What the patch wrote is not in the file: it was changed since."


def forward(patches: str) -> str:
    return f"From what was recorded, by {patches}, if nothing else changed it."


def backward(patches: str) -> str:
    return f"From the file on disk, by undoing {patches}, if nothing else changed it."


def backward_from_record(patches: str) -> str:
    return f"From what was recorded later, by undoing {patches}, if nothing else changed it."


# --- by thought --------------------------------------------------------------------------------


def test_forward_from_a_file_that_was_written() -> None:
    steps = [add("a\nb\n"), update(" a", "-b", "+B"), update("-a", "+A")]
    result = rebuilt(steps, text("A\nB\n"))
    assert told(result) == [
        Told(0, "recorded", "a\nb\n", False, FIRST),
        Told(1, "forward", "a\nB\n", False, forward("1 patch")),
        Told(2, "forward", "A\nB\n", False, forward("2 patches")),
    ]
    assert result.agrees is True
    assert [version.changes for version in result.versions] == [
        Changes(2, 0),
        Changes(1, 1),
        Changes(1, 1),
    ]
    assert [version.size for version in result.versions] == [4, 4, 4]


def test_a_hand_edit_after_the_last_patch() -> None:
    result = rebuilt([add("a\n")], text("a\nmine\n"))
    assert told(result) == [Told(0, "recorded", "a\n", True, FIRST)]
    assert result.agrees is False


def test_backward_from_disk() -> None:
    steps = [update("-a", "+b"), update("-b", "+c")]
    result = rebuilt(steps, text("x\nc\n"))
    assert told(result) == [
        Told(None, "backward", "x\na\n", None, backward("2 patches")),
        Told(0, "backward", "x\nb\n", None, backward("1 patch")),
        Told(1, "backward", "x\nc\n", None, ON_DISK),
    ]
    assert result.agrees is None


def test_backward_stops_where_a_patch_does_not_fit() -> None:
    """What the second patch found is not what the first one left."""
    result = rebuilt([update("-a", "+b"), update("-q", "+c")], text("x\nc\n"))
    assert told(result) == [
        Told(None, "unknown", None, None, CHANGED),
        Told(0, "unknown", None, True, CHANGED),
        Told(1, "found backward", "x\nq\n", None, backward("1 patch")),
        Told(1, "backward", "x\nc\n", None, ON_DISK),
    ]


def test_a_file_that_was_changed_since_is_not_gone_back_from() -> None:
    result = rebuilt([update("-a", "+b"), update("-b", "+c")], text("all new\n"))
    assert told(result) == [
        Told(None, "unknown", None, None, NOT_BEFORE),
        Told(0, "unknown", None, None, CHANGED),
        Told(1, "unknown", None, True, CHANGED),
    ]
    assert result.agrees is False


def test_a_hand_edit_between_two_patches() -> None:
    steps = [add("a\n"), event("@@ -1,2 +1,2 @@\n mine\n-a\n+b\n")]
    assert told(rebuilt(steps, text("mine\nb\n"))) == [
        Told(0, "recorded", "a\n", True, FIRST),
        Told(1, "found backward", "mine\na\n", None, backward("1 patch")),
        Told(1, "backward", "mine\nb\n", None, ON_DISK),
    ]


def test_a_hand_edit_between_two_patches_and_nothing_on_disk_to_go_back_from() -> None:
    steps = [add("a\n"), update("-mine", "+b"), update("-b", "+c")]
    assert told(rebuilt(steps, UNREAD)) == [
        Told(0, "recorded", "a\n", True, FIRST),
        Told(1, "unknown", None, None, NOT_THERE),
        Told(2, "unknown", None, None, NOT_KNOWN),
    ]


def test_a_deleted_file_tells_what_it_held() -> None:
    steps = [update("-a", "+b"), delete("x\nb\n")]
    result = rebuilt(steps, ABSENT)
    assert told(result) == [
        Told(None, "backward", "x\na\n", None, backward_from_record("1 patch")),
        Told(0, "recorded", "x\nb\n", False, FOUND),
        Told(1, "recorded", None, False, GONE),
    ]
    assert [version.exists for version in result.versions] == [True, True, False]
    assert result.agrees is True


def test_a_deleted_file_that_held_something_else() -> None:
    steps = [add("a\n"), delete("mine\n"), add("again\n")]
    assert told(rebuilt(steps, text("again\n"))) == [
        Told(0, "recorded", "a\n", True, FIRST),
        Told(1, "found recorded", "mine\n", False, FOUND),
        Told(1, "recorded", None, None, GONE),
        Told(2, "recorded", "again\n", False, WHOLE),
    ]


def test_what_is_told_at_a_deletion_need_not_be_what_the_patch_left() -> None:
    steps = [update("-a", "+b"), delete("mine\n")]
    assert told(rebuilt(steps, ABSENT)) == [
        Told(None, "unknown", None, None, CHANGED),
        Told(0, "unknown", None, True, CHANGED),
        Told(1, "found recorded", "mine\n", False, FOUND),
        Told(1, "recorded", None, False, GONE),
    ]


def test_a_deletion_that_tells_nothing() -> None:
    assert told(rebuilt([delete()], ABSENT)) == [
        Told(None, "unknown", None, None, "The patch does not say what the deleted file held."),
        Told(0, "recorded", None, False, GONE),
    ]


READ = "The file as it was read."
READ_OTHER = "The file as it was read, which is not as the step before left it."
OTHER_LINES = "Some lines were read that are not as the step before left them."
CONFIRMED = " A later read showed the same."


def test_a_read_of_the_whole_file() -> None:
    steps = [seen("a\n"), update("-a", "+b"), seen("b\n"), seen("mine\n")]
    assert told(rebuilt(steps, text("mine\n"))) == [
        Told(None, "recorded", "a\n", False, READ),
        Told(1, "forward", "b\n", True, forward("1 patch") + CONFIRMED),
        Told(3, "found recorded", "mine\n", False, READ_OTHER),
    ]


def test_what_was_read_leads_to_what_patches_that_name_no_lines_before_left() -> None:
    """Neither the disk nor a patch tells what the file held; a read between them does."""
    steps = [update("-a", "+b"), seen("x\nb\n"), update("-b", "+c")]
    assert told(rebuilt(steps, ABSENT)) == [
        Told(None, "backward", "x\na\n", None, backward_from_record("1 patch")),
        Told(0, "recorded", "x\nb\n", False, READ),
        Told(2, "forward", "x\nc\n", True, forward("1 patch")),
    ]


def test_a_read_that_is_not_what_the_patch_before_left() -> None:
    steps = [update("-a", "+b"), seen("mine\n"), update("-mine", "+c")]
    assert told(rebuilt(steps, text("c\n"))) == [
        Told(None, "unknown", None, None, CHANGED),
        Told(0, "unknown", None, True, CHANGED),
        Told(1, "found recorded", "mine\n", False, READ),
        Told(2, "forward", "c\n", False, forward("1 patch")),
    ]


def test_a_read_of_a_file_that_was_deleted() -> None:
    steps = [delete("a\n"), seen("b\n")]
    assert told(rebuilt(steps, text("b\n"))) == [
        Told(None, "recorded", "a\n", False, FOUND),
        Told(0, "recorded", None, True, GONE),
        Told(1, "found recorded", "b\n", False, READ_OTHER),
    ]


def test_a_read_that_does_not_tell_the_end() -> None:
    open_end = PatchStep(None, seen=Seen("a\nb\n", END_UNTOLD))
    unsure = f"{READ} {END_UNTOLD}"
    assert told(rebuilt([open_end, update("-a", "+c")], text("c\nb"))) == [
        Told(None, "recorded", "a\nb\n", False, unsure),
        Told(1, "forward", "c\nb\n", None, f"{forward('1 patch')} {END_UNTOLD}"),
    ]
    # Where it is known otherwise, it is not doubted.
    assert told(rebuilt([add("a\nb"), open_end], text("a\nb"))) == [
        Told(0, "recorded", "a\nb", False, FIRST)
    ]
    assert told(rebuilt([open_end, seen("a\nb"), update("-a", "+c", " b")], text("c\nb\n"))) == [
        Told(None, "recorded", "a\nb", False, READ),
        Told(2, "forward", "c\nb\n", False, forward("1 patch")),
    ]


def part(first: int, *lines: str, ends: bool = False) -> PatchStep:
    return PatchStep(None, seen=Seen(None, None, first, lines, ends))


def test_lines_that_were_read_agree() -> None:
    steps = [add("a\nb\nc\n"), update("-b", "+B"), part(2, "B", "c", ends=True)]
    assert told(rebuilt(steps, UNREAD)) == [
        Told(0, "recorded", "a\nb\nc\n", False, FIRST),
        Told(1, "forward", "a\nB\nc\n", False, forward("1 patch") + CONFIRMED),
    ]


def test_lines_that_were_read_are_others() -> None:
    """The next patch would fit what the first one left; but that was not there any more."""
    steps = [add("a\nb\n"), part(1, "a", "mine"), update("-a", "+c")]
    assert told(rebuilt(steps, UNREAD)) == [
        Told(0, "recorded", "a\nb\n", True, FIRST),
        Told(1, "found unknown", None, None, OTHER_LINES),
        Told(2, "unknown", None, None, NOT_KNOWN),
    ]
    assert told(rebuilt(steps, text("c\nmine\n")))[1:] == [
        Told(1, "found backward", "a\nmine\n", None, backward("1 patch")),
        Told(2, "backward", "c\nmine\n", None, ON_DISK),
    ]
    # What is on disk would lead to other lines than those that were read.
    assert told(rebuilt(steps, text("c\nyours\n")))[1:] == [
        Told(1, "found unknown", None, True, OTHER_LINES),
        Told(2, "backward", "c\nyours\n", None, ON_DISK),
    ]


def test_lines_that_were_read_last_are_others_than_those_on_disk() -> None:
    steps = [add("a\n"), part(1, "mine")]
    first = Told(0, "recorded", "a\n", True, FIRST)
    assert told(rebuilt(steps, text("yours\n"))) == [
        first,
        Told(1, "found unknown", None, None, OTHER_LINES),
    ]
    assert told(rebuilt(steps, text("mine\nmore\n"))) == [
        first,
        Told(1, "found backward", "mine\nmore\n", None, ON_DISK),
    ]


def test_lines_of_a_file_of_which_nothing_else_is_known_tell_nothing() -> None:
    steps = [part(1, "a"), update("-a", "+b")]
    assert told(rebuilt(steps, text("b\n"))) == [
        Told(None, "backward", "a\n", None, backward("1 patch")),
        Told(1, "backward", "b\n", None, ON_DISK),
    ]


def test_a_file_that_was_only_read_has_no_versions() -> None:
    failed = PatchStep(FileChange("delete", "f"), succeeded=False)
    assert rebuilt([seen("a\n"), failed], text("a\n")).versions == []


def test_a_call_that_failed_changed_nothing() -> None:
    steps = [add("a\n"), PatchStep(FileChange("delete", "f"), succeeded=False)]
    assert told(rebuilt(steps, text("a\n"))) == [Told(0, "recorded", "a\n", False, FIRST)]
    assert rebuilt(steps[1:], text("a\n")).versions == []
    assert rebuilt([], ABSENT).versions == []


def test_a_call_of_which_nothing_tells_whether_it_was_applied() -> None:
    open_step = PatchStep(update("-a", "+b").change, succeeded=None)
    steps = [add("a\n"), open_step, update("-x", "+c")]
    assert told(rebuilt(steps, text("c\n"))) == [
        Told(0, "recorded", "a\n", None, FIRST),
        Told(1, "backward", "x\n", None, backward("1 patch")),
        Told(2, "backward", "c\n", None, ON_DISK),
    ]
    untold = "Nothing tells whether this patch was applied."
    assert told(rebuilt(steps, UNREAD))[1] == Told(1, "unknown", None, None, untold)
    assert told(rebuilt(steps[:2], text("b\n")))[1] == Told(1, "unknown", None, None, untold)


def test_a_patch_that_can_be_undone_in_two_ways_is_not_undone() -> None:
    result = rebuilt([update("-x", "+y")], text("y\ny\n"))
    assert told(result) == [
        Told(None, "unknown", None, None, "The patch can be undone in more than one way."),
        Told(0, "backward", "y\ny\n", None, ON_DISK),
    ]


def test_line_ends_that_depend_on_the_release() -> None:
    steps = [add("a\r\nb\r\n"), update("-a", "+A")]
    by_an_older = rebuilt(steps, text("A\nb\r\n"))
    assert told(by_an_older)[1] == Told(
        1, "forward", "A\r\nb\r\n", None, f"{forward('1 patch')} {LINE_ENDS}"
    )
    assert by_an_older.agrees is None
    assert rebuilt(steps, text("A\r\nb\r\n")).agrees is True
    assert rebuilt(steps, text("other\r\n")).agrees is False


def test_a_byte_order_mark_tabs_and_no_end_of_the_last_line() -> None:
    steps = [
        event("@@ -1 +1,2 @@\n-\ufeff\ta\n\\ No newline at end of file\n+\ufeff\ta\n+b\n"),
        update("-b", "+c"),
    ]
    assert [each.content for each in told(rebuilt(steps, text("\ufeff\ta\nc\n")))] == [
        "\ufeff\ta",
        "\ufeff\ta\nb\n",
        "\ufeff\ta\nc\n",
    ]


def test_an_empty_file() -> None:
    steps = [add(""), update("+a"), update("-a")]
    result = rebuilt(steps, text(""))
    assert [each.content for each in told(result)] == ["", "a\n", ""]
    assert [version.size for version in result.versions] == [0, 2, 0]
    assert result.agrees is True


def test_a_file_that_is_no_text_is_not_gone_back_from() -> None:
    steps = [add("a\n"), update("-a", "+b")]
    result = rebuilt(steps, UNREAD)
    assert [each.obtained for each in told(result)] == ["recorded", "forward"]
    assert result.agrees is None


# --- names -------------------------------------------------------------------------------------


def test_a_moved_file_keeps_its_past() -> None:
    made, moved, other = add("a\n"), update("-a", "+b"), add("other\n")
    files = patched_files([("/w/a", None, made), ("/w/a", "/w/b", moved), ("/w/a", None, other)])
    assert [(file.path, file.paths, file.steps) for file in files] == [
        ("/w/b", ["/w/a", "/w/b"], [made, moved]),
        ("/w/a", ["/w/a"], [other]),
    ]
    assert file_at(files, "/w/b") is files[0]
    assert file_at(files, "/w/a") is files[1]
    assert file_at(files[:1], "/w/a") is files[0]
    assert file_at(files, "/w/c") is None


def test_a_file_that_another_was_moved_onto_ends() -> None:
    steps = [("/w/a", None, add("a\n")), ("/w/b", None, add("b\n"))]
    files = patched_files([*steps, ("/w/a", "/w/b", update("-a", "+c"))])
    assert [(file.path, file.is_replaced) for file in files] == [("/w/b", False), ("/w/b", True)]
    assert file_at(files, "/w/b") is files[0]


@pytest.mark.parametrize("succeeded", [False, None])
def test_a_move_that_may_not_have_been_made(succeeded: bool | None) -> None:
    step = PatchStep(FileChange("update", "a", "b"), succeeded=succeeded)
    [file] = patched_files([("/w/a", "/w/b", step)])
    assert (file.path, file.paths) == ("/w/a", ["/w/a"])


# --- made-up histories -------------------------------------------------------------------------

contents = st.lists(st.sampled_from(["a", "b", "  c", "", "d\r", "é"]), max_size=8).map(
    lambda lines: "".join(line + "\n" for line in lines)
)
plain = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True).map(
    lambda lines: "".join(line + "\n" for line in lines)
)


def diff_of(before: str, after: str) -> PatchStep:
    """The event of a patch that makes one text of another."""
    old, new = ([line + "\n" for line in text.split("\n")[:-1]] for text in (before, after))
    return event("".join(list(difflib.unified_diff(old, new, n=1))[2:]))


def text_of(before: str, after: str) -> PatchStep:
    """The text of such a patch: one hunk of all lines."""
    old, new = (text.split("\n")[:-1] for text in (before, after))
    return update(*("-" + line for line in old), *("+" + line for line in new))


@given(st.lists(contents, min_size=1, max_size=8), st.booleans())
def test_without_other_changes_every_version_is_the_truth(
    truth: list[str], starts_unknown: bool
) -> None:
    steps = [] if starts_unknown else [add(truth[0])]
    versions = [truth[0]]
    for after in truth[1:]:
        if after != versions[-1]:
            steps.append(diff_of(versions[-1], after))
            versions.append(after)
    result = rebuilt(steps, text(versions[-1]))
    if steps:
        assert [each.content for each in told(result)] == versions
        assert {version.obtained for version in result.versions} <= {
            "backward" if starts_unknown else "forward",
            "recorded",
        }
        assert result.agrees is (None if starts_unknown else True)


@given(st.lists(plain, min_size=2, max_size=6), st.booleans())
def test_patch_texts_lead_to_the_truth_or_to_nothing(
    truth: list[str], starts_unknown: bool
) -> None:
    steps = [] if starts_unknown else [add(truth[0])]
    versions = [truth[0]]
    for after in truth[1:]:
        if after != versions[-1]:
            steps.append(text_of(versions[-1], after))
            versions.append(after)
    result = rebuilt(steps, text(versions[-1]))
    known = [each.content for each in told(result) if each.obtained != "unknown"]
    if steps:
        assert known == versions[len(versions) - len(known) :]
        assert starts_unknown or known == versions


@given(
    st.lists(st.tuples(contents, st.none() | contents), min_size=1, max_size=6),
    st.none() | contents,
)
def test_hand_edits_in_between_are_never_taken_for_a_patch(
    history: list[tuple[str, str | None]], at_last: str | None
) -> None:
    """A file is written by hand, then patched whole: what is told of each patch is what it left."""
    steps, left, now = [add("start\n")], ["start\n"], "start\n"
    for after, by_hand in history:
        now = now if by_hand is None else by_hand + "by hand\n"
        whole = "patched\n" + after
        old = "".join(f"-{line}\n" for line in now.split("\n")[:-1])
        new = "".join(f"+{line}\n" for line in whole.split("\n")[:-1])
        counts = f"@@ -1,{now.count(chr(10))} +1,{whole.count(chr(10))} @@\n"
        steps.append(event(counts + old + new))
        left.append(whole)
        now = whole
    now = now if at_last is None else at_last + "by hand\n"
    result = rebuilt(steps, text(now))
    for number, version in enumerate(result.versions):
        if version.obtained != "unknown" and not version.is_found:
            assert result.content(number) == left[version.step or 0]
    assert result.agrees in (None, now == left[-1])


@given(
    st.lists(st.tuples(plain, st.sampled_from(["patch", "hand"]), st.booleans()), min_size=1),
    st.booleans(),
)
def test_versions_with_reads_in_between_are_the_truth_or_unknown(
    history: list[tuple[str, str, bool]], is_whole: bool
) -> None:
    """What is told of each step is what was there, if what something else did was read."""
    steps, now = [add("start\n")], "start\n"
    found, left = [now], [now]
    for after, by, is_read in history:
        if by == "patch" and after != now:
            steps.append(diff_of(now, after))
            found.append(now)
            left.append(after)
        now = after
        if is_read or by == "hand":
            lines = tuple(now.split("\n")[:-1])
            steps.append(seen(now) if is_whole else part(1, *lines, ends=True))
            found.append(now)
            left.append(now)
    result = rebuilt(steps, text(now))
    for number, version in enumerate(result.versions):
        if version.obtained != "unknown":
            truth = found if version.is_found else left
            assert result.content(number) == truth[version.step or 0]
    if is_whole:
        assert result.agrees in (None, now == left[-1])


@given(st.lists(contents, min_size=2, max_size=9), st.integers(0, 40), st.booleans())
def test_what_is_not_kept_is_made_again(truth: list[str], kept: int, unknown: bool) -> None:
    steps = [] if unknown else [add(truth[0])]
    for before, after in pairwise(truth):
        if before != after:
            steps.append(diff_of(before, after))
    whole = rebuilt(steps, text(truth[-1]))
    assert told(rebuilt(steps, text(truth[-1]), kept)) == told(whole)


@given(
    st.lists(
        st.sampled_from(
            [
                add("a\n"),
                add(""),
                delete(),
                delete("b\n"),
                update("-a", "+b"),
                update("-b", "+a"),
                update("+c"),
                event("@@ -1 +1 @@\n-a\n+b\n"),
                event("@@ -1 +0,0 @@\n-b\n"),
                seen("b\n"),
                PatchStep(None, seen=Seen("b\n", END_UNTOLD)),
                part(1, "a"),
                part(2, "c", ends=True),
                PatchStep(FileChange("update", "f", "g")),
                PatchStep(FileChange("add", "f", content="z"), succeeded=None),
                PatchStep(FileChange("delete", "f"), succeeded=False),
            ]
        ),
        max_size=8,
    ),
    st.sampled_from([ABSENT, UNREAD, text("a\n"), text("b\n"), text("b\nc\n"), text("")]),
)
def test_nothing_raises_and_every_state_has_a_sentence(steps: list[PatchStep], now: OnDisk) -> None:
    result = rebuilt(steps, now)
    for number, version in enumerate(result.versions):
        assert version.why.endswith(".")
        content = result.content(number)
        assert (content is not None) == (version.exists is True)
        assert version.size == (None if content is None else len(content.encode()))
    numbers = [version.step for version in result.versions if version.step is not None]
    assert numbers == sorted(numbers)


def test_ten_thousand_patches_of_one_file_keep_few_texts() -> None:
    lines = [f"line {number} of a file\n" for number in range(100)]
    steps = [add("".join(lines))]
    for number in range(10_000):
        at = number % 100
        was, lines[at] = lines[at], f"line {at} after {number}\n"
        steps.append(event(f"@@ -{at + 1} +{at + 1} @@\n-{was}+{lines[at]}"))
    result = rebuilt(steps, text("".join(lines)), kept_at_most=100_000)
    assert result.agrees is True
    assert len(result.versions) == 10_001
    # Any one is made by few patches from a text that was kept.
    assert (result.content(5000) or "").splitlines()[99] == "line 99 after 4999"
    backward = rebuilt(steps[1:], text("".join(lines)), kept_at_most=100_000)
    assert backward.content(0) == result.content(0)
    assert backward.content(5000) == result.content(5000)
