"""Where what a call wrote stands now, situation by situation.

A text is words, each of which is a line; a picture is where and how a place was found, with the
lines from the first up to, not including, the last.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from forkpoint.edited_place import Place, Search, search, search_block
from forkpoint.line_map import LineMaps
from forkpoint.line_origins import Step
from forkpoint.protocol.wire.places import confidence_of, edit_sentence, read_sentence
from forkpoint.records.edits import Edit, Replacement
from forkpoint.records.outcomes import Hunk, Outcome
from forkpoint.text_lines import KnownLines, Lines

CALL = "call"
KNOWN = KnownLines()


def text(words: str) -> Lines:
    return KNOWN.of("\n".join([*words.split(), ""]))


def step(before: str, after: str, key: str | None = CALL, time: int = 0) -> Step:
    return Step(key, time, text(before), text(after))


def found(now: str, *steps: Step) -> Search:
    """`steps` are oldest first here, as they happened."""
    return search(text(now), steps[::-1], CALL, LineMaps())


def picture(places: Sequence[Place]) -> str:
    spans = (f"{place.how} {place.now.start}-{place.now.end}" if place.now else "none"
             for place in places)  # fmt: skip
    return ", ".join([confidence_of(places), *spans])


EDIT = step("one two three", "one TWO.A TWO.B three")
BRACES = step("if { } else { }", "if { new { } } else { }")


@pytest.mark.parametrize(
    ("steps", "now", "expected", "sentence"),
    [
        pytest.param(
            [EDIT], "one TWO.A TWO.B three",
            "exact, same 1-3", "What this call wrote stands where it was.",
            id="as it was left",
        ),
        pytest.param(
            [EDIT], "zero zero one TWO.A TWO.B three",
            "exact, shifted 3-5",
            "What this call wrote stands unchanged, 2 lines further down.",
            id="lines above",
        ),
        pytest.param(
            [step("a one two three", "a one TWO.A TWO.B three")], "one TWO.A TWO.B three",
            "exact, shifted 1-3", "What this call wrote stands unchanged, 1 line further up.",
            id="a line less above",
        ),
        pytest.param(
            [EDIT], "one TWO.A three",
            "moved, carried 1-2", "1 of the 2 lines that this call wrote is still there.",
            id="a line of it is gone",
        ),
        pytest.param(
            [EDIT], "one TWO.A between TWO.B three",
            "moved, carried 1-4", "2 of the 2 lines that this call wrote are still there.",
            id="a line in between",
        ),
        pytest.param(
            [EDIT, step("one TWO.A TWO.B three", "one TWO.A 2b three", "later")],
            "one TWO.A 2b three",
            "moved, carried 1-2",
            "1 of the 2 lines that this call wrote is still there after 1 later edit by the agent.",
            id="a later edit replaced a line",
        ),
        pytest.param(
            [EDIT], "one two three",
            "fileOnly, none", "This edit was undone: the file was put back to what it held before.",
            id="undone",
        ),
        pytest.param(
            [EDIT], "one 2 three",
            "fileOnly, none", "What this call wrote is no longer in the file.",
            id="overwritten by hand",
        ),
        pytest.param(
            [EDIT, step("one TWO.A TWO.B three", "one three", "later")], "one three",
            "fileOnly, none",
            "What this call wrote is no longer in the file after 1 later edit by the agent.",
            id="taken out by a later edit",
        ),
        pytest.param(
            [step("a b c d e f", "A1 A2 b c d e f")], "b c d e f A1 A2",
            "exact, elsewhere 5-7",
            "What this call wrote stands unchanged at another place, the only one in the file.",
            id="moved block",
        ),
        pytest.param(
            [step("a b c d e f", "A1.x A2.x b c d e f")], "b c d e A1.x A2.x f A1.x A2.x",
            "fileOnly, none",
            "What this call wrote stands 2 times in the file: which is not known.",
            id="two copies of a moved block",
        ),
        pytest.param(
            [step("a b c d e f", "AA1 AA2 AA3 b c d e f")], "b c d e f AA1 edited AA3",
            "moved, mostly 5-8",
            "2 of the 3 lines that this call wrote stand close together here.",
            id="moved block that was edited",
        ),
        pytest.param(
            [BRACES], "if { new { } } else { }",
            "exact, same 2-5", "What this call wrote stands where it was.",
            id="braces stand everywhere",
        ),
        pytest.param(
            [step("x a y", "x a log y")], "log x a log y log",
            "moved, several 3-4",
            "What this call wrote stands 3 times in the file: this is where the changes since "
            "lead to.",
            id="its text is not the only one",
        ),
        pytest.param(
            [step("a b c d", "a d")], "a d",
            "exact, same 1-1", "This call took text out here.",
            id="text taken out",
        ),
        pytest.param(
            [step("a b c d", "a d")], "0 a d",
            "exact, shifted 2-2", "This call took text out here; lines above have changed since.",
            id="text taken out, lines above",
        ),
        pytest.param(
            [step("a b c d", "a d")], "a new d",
            "moved, carried 1-1", "Text was taken out here.",
            id="text taken out, something put in since",
        ),
        pytest.param(
            [step("a b c d", "a d")], "quite another text",
            "fileOnly, none", "What this call wrote is no longer in the file.",
            id="text taken out, nothing of it left",
        ),
        pytest.param(
            [step("a b c d e f g h i", "A b c d e f g h I")], "0 A b c d e f g h I",
            "exact, shifted 1-2, shifted 9-10",
            "2 places were changed; this is the first. "
            "What this call wrote stands unchanged, 1 line further down.",
            id="two places",
        ),
        pytest.param(
            [step("aa b c d e f g h ii", "AA b c d e f g h II")], "other b c d e f g h II",
            "exact, none, same 8-9",
            "2 places were changed; this is the first that is left. "
            "What this call wrote stands where it was.",
            id="the first of two places is gone",
        ),
        pytest.param(
            [step("aa b c d e f g h ii", "AA b c d e f g h II")], "AA b c d e f g h other",
            "exact, same 0-1, none",
            "2 places were changed; this is the first, 1 of them is no longer there. "
            "What this call wrote stands where it was.",
            id="the second of two places is gone",
        ),
        pytest.param(
            [step("a b c", "A b C")], "A b C",
            "exact, same 0-3", "What this call wrote stands where it was.",
            id="close places are one",
        ),
        pytest.param(
            [step("a b c", "A b C")], "x b y",
            "fileOnly, none", "What this call wrote is no longer in the file.",
            id="what lies between close places is not the call's",
        ),
        pytest.param(
            [step("", "a b c")], "a b c",
            "exact, same 0-3", "What this call wrote stands where it was.",
            id="a new file",
        ),
        pytest.param(
            [step("a b", "a b")], "a b",
            "fileOnly", "This call changed no line.",
            id="nothing changed",
        ),
        pytest.param(
            [EDIT, step("one two three", "one two three", None), EDIT._replace(key="again")],
            "one TWO.A TWO.B three",
            "exact, same 1-3",
            "What this call wrote stands where it was. "
            "The file was put back to what it held before the call, and changed again.",
            id="undone, then done again",
        ),
        pytest.param(
            [
                EDIT,
                step("one TWO.A TWO.B three", "zero one TWO.A TWO.B three", "later"),
                step("zero zero one TWO.A TWO.B three", "zero zero one TWO.A TWO.B three", None),
            ],
            "one TWO.A TWO.B three",
            "exact, same 1-3", "What this call wrote stands where it was.",
            id="put back to what it held behind the call",
        ),
    ],
)  # fmt: skip
def test_situations(steps: list[Step], now: str, expected: str, sentence: str) -> None:
    search = found(now, *steps)
    assert picture(search.places) == expected
    assert edit_sentence(search) == sentence


def outcome(*replacements: tuple[str, str], hunks: Sequence[Hunk] = ()) -> Outcome:
    """What a result tells that has no whole text."""
    made = tuple(Replacement(old, new, everywhere=False) for old, new in replacements)
    return Outcome(None, None, Edit("f", None, made), tuple(hunks))


def told(made: Outcome) -> Step:
    return Step(CALL, 0, None, None, made)


@pytest.mark.parametrize(
    ("made", "now", "expected"),
    [
        pytest.param(outcome(("b", "BB")), "a BB c", "exact, same 1-2", id="by its text"),
        pytest.param(outcome(("b", "B")), "a B c B", "fileOnly, none", id="two of it"),
        pytest.param(outcome(("b", "BBB")), "a c", "fileOnly, none", id="none of it"),
        pytest.param(
            outcome(hunks=[Hunk(0, text("a b c"), text("a BBB c"))]), "0 a BBB c",
            "exact, same 2-3", id="by its patch",
        ),
        pytest.param(
            outcome(hunks=[Hunk(0, text("a b c"), text("a BBB c"))]), "x y BBB z",
            "exact, elsewhere 2-3", id="other lines around it",
        ),
        pytest.param(
            outcome(hunks=[Hunk(1, text("a b c"), text("a B c"))]), "a B c a B c a B c",
            "fileOnly, none", id="a patch that fits nowhere, and its text in several places",
        ),
        pytest.param(
            outcome(hunks=[Hunk(3, text("a b c"), text("a BBB c"))]), "a BBB c a BBB c a BBB c",
            "exact, same 4-5", id="a patch that fits its place",
        ),
    ],
)  # fmt: skip
def test_where_no_whole_text_is_recorded(made: Outcome, now: str, expected: str) -> None:
    assert picture(found(now, told(made)).places) == expected


@pytest.mark.parametrize(
    ("now", "expected", "sentence"),
    [
        ("a b c d", "exact, same 1-3", "What this call read stands where it was."),
        ("0 a b c d", "exact, shifted 2-4",
         "What this call read stands unchanged, 1 line further down."),
        ("a b new c d", "moved, carried 1-4",
         "2 of the 2 lines that this call read are still there."),
        ("a d", "fileOnly, none", "What this call read is no longer in the file."),
        ("b c b c", "moved, several 0-2",
         "What this call read stands 2 times in the file: this is where the changes since lead "
         "to."),
    ],
)  # fmt: skip
def test_what_was_read(now: str, expected: str, sentence: str) -> None:
    place = search_block(text(now), [], text("b c"), 1, LineMaps())
    assert picture([place]) == expected
    assert read_sentence(place) == sentence
