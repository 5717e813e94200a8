"""Texts by number: each comes back as it was given, whatever it is, and is found by each way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forkpoint.ids import Ids

ODD = ("", "\0", "a", "aa", "aab", "\udcff", "\ud83d", "\ude00", "\U0001f600", "é", "msg_01", "sg_")
texts = st.sampled_from(ODD) | st.text(st.characters(), max_size=6)
steps = st.lists(st.tuples(st.sampled_from(("all", "one", "rest", "settle")), st.lists(texts)))


def taken_in(steps: list[tuple[str, list[str]]]) -> tuple[Ids, dict[str, int]]:
    """Texts that came in steps, and their numbers as a dictionary gives them."""
    ids, truth = Ids(), dict[str, int]()
    for way, some in steps:
        numbers = [truth.setdefault(text, len(truth)) for text in some]
        if way == "all":
            assert ids.add_all(some) == numbers
            continue
        assert [ids.add(text) for text in some] == numbers
        if way != "one":
            getattr(ids, way)()
    return ids, truth


@given(steps, texts)
def test_texts_have_the_numbers_in_which_they_came(
    steps: list[tuple[str, list[str]]], other: str
) -> None:
    ids, truth = taken_in(steps)
    assert (len(ids), [*ids]) == (len(truth), [*truth])
    assert [ids[number] for number in range(len(ids))] == [*truth]
    asked = [*truth, other]
    assert ids.find_all(asked) == [truth.get(text) for text in asked]


@given(st.lists(texts), texts)
def test_texts_are_found_without_a_map_and_with_one(some: list[str], other: str) -> None:
    ids, truth = taken_in([("rest", some)])
    for text in [*truth, other]:
        ids.rest()
        assert ids.find(text) == truth.get(text)
    assert [ids.find(text) for text in [*truth] * 20] == [*truth.values()] * 20


@given(steps, st.lists(texts), st.booleans())
def test_what_was_cut_off_was_never_there(
    steps: list[tuple[str, list[str]]], more: list[str], settled: bool
) -> None:
    ids, truth = taken_in(steps)
    ids.add_all(more)
    if settled:
        ids.settle()
    ids.cut(len(truth))
    assert [*ids] == [*truth]
    assert ids.add_all([*truth, "new"])[-1] == truth.get("new", len(truth))
