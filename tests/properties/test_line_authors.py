"""Who wrote a line, against a file whose lines remember it; and where a call's lines are now."""

from __future__ import annotations

from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from forkpoint.edited_place import search
from forkpoint.line_authors import authors_of
from forkpoint.line_map import LineMaps
from forkpoint.line_origins import Step
from forkpoint.records.outcomes import Hunk, Outcome
from tests.core.file_pasts import Past

SPAN = st.tuples(st.floats(0, 1), st.integers(0, 4), st.integers(0, 4))
"""Where an edit begins, as a part of the file, how many lines it takes out, and puts in."""

HAPPENINGS = st.lists(
    st.one_of(
        st.tuples(st.just("agent"), SPAN),
        st.tuples(st.just("hand"), SPAN),
        st.tuples(st.just("copy"), SPAN),
        st.tuples(st.just("putBack"), SPAN),
    ),
    max_size=14,
)


Happenings = list[tuple[str, tuple[float, int, int]]]


def replayed(first: int, happenings: Happenings, *, words: int = 0) -> Past:
    """Let happen what is told. Lines are all different, or of so many words."""
    made = iter(range(10_000))
    name = (lambda: f"line {next(made)}") if not words else (lambda: f"w{next(made) % words}")
    past = Past.of([name() for _ in range(first)])
    for what, (place, out, put_in) in happenings:
        start = round(place * len(past.lines))
        end = min(start + out, len(past.lines))
        if what == "copy":
            past.copy()
        elif what == "putBack" and past.steps:
            past.put_back(round(place * (len(past.steps) - 1)))
            past.copy()  # the client looks at the file before the next prompt
        elif what in ("agent", "hand"):
            edit = past.agent if what == "agent" else past.hand
            edit(start, end, [name() for _ in range(put_in)])
    return past


@given(st.integers(0, 8), HAPPENINGS)
def test_every_line_is_its_author_s(first: int, happenings: Happenings) -> None:
    past = replayed(first, happenings)
    found = authors_of(past.now, past.newest_first, LineMaps())
    assert found.lines == past.authors
    assert found.unknown == 0


@given(st.integers(0, 8), HAPPENINGS, st.integers(1, 5))
def test_what_is_the_agent_s_it_wrote(first: int, happenings: Happenings, words: int) -> None:
    """Where lines are alike nobody can tell them apart; but none is given to who never wrote it."""
    past = replayed(first, happenings, words=words)
    steps = {step.key: step for step in past.steps}
    found = authors_of(past.now, past.newest_first, LineMaps())
    for line, author in zip(past.now, found.lines, strict=True):
        if author.by == "agent":
            step = steps[author.key]
            assert line in (step.after or ())
            assert step.before != step.after


@given(st.integers(0, 8), HAPPENINGS, HAPPENINGS)
def test_a_call_s_lines_are_found_as_long_as_there_are_any(
    first: int,
    before: Happenings,
    later: Happenings,
) -> None:
    edit = ("agent", (0.5, 1, 3))
    past = replayed(first, [*before, edit, *later])
    key = replayed(first, [*before, edit]).steps[-1].key
    surviving = [line for line, author in enumerate(past.authors) if author.key == key]
    found = search(past.now, past.newest_first, key, LineMaps())
    shown = {line for place in found.places if place.now for line in range(*place.now)}
    assert set(surviving) <= shown
    if not surviving:
        assert shown == set()
    for place in found.places:
        if place.now is not None and place.how in ("same", "shifted", "elsewhere"):
            assert past.now[slice(*place.now)] == place.change.block


@given(st.integers(0, 8), HAPPENINGS, st.lists(st.booleans(), min_size=14, max_size=14))
def test_a_patch_tells_as_much_as_whole_texts(
    first: int, happenings: Happenings, told: list[bool]
) -> None:
    """As long as nobody else edits the file: results of large files have nothing but a patch."""
    past = replayed(first, [each for each in happenings if each[0] in ("agent", "copy")])
    steps = [
        step if is_told or step.key is None else patch_of(step)
        for step, is_told in zip(past.newest_first, told, strict=False)
    ]
    assert authors_of(past.now, steps, LineMaps()).lines == past.authors


def patch_of(step: Step) -> Step:
    """The step as a patch alone tells it, with the three lines around each change."""
    before, after = step.before or (), step.after or ()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    hunks = [
        Hunk(group[0][3], before[group[0][1] : group[-1][2]], after[group[0][3] : group[-1][4]])
        for group in matcher.get_grouped_opcodes()
    ]
    outcome = Outcome(None, None, None, tuple(hunks))
    return step._replace(before=None, after=None, outcome=outcome)


@given(st.integers(0, 8), HAPPENINGS)
def test_nothing_known_of_the_past_makes_no_author(first: int, happenings: Happenings) -> None:
    past = replayed(first, happenings)
    copies = [step for step in past.newest_first if step.key is None]
    found = authors_of(past.now, copies, LineMaps())
    assert {author.by for author in found.lines} <= {"outside", "older"}
