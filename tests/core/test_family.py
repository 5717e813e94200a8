"""Sessions as a tree, whatever they say of each other."""

from __future__ import annotations

import pytest

from forkpoint.family import family_ids, in_order


def picture(text: str) -> str:
    """Draw a family that is given as `child<parent` words, from its first session on."""
    pairs = [word.split("<") for word in text.split()]
    parents = {child: parent for child, parent in pairs}
    ids = family_ids(pairs[0][0], parents)
    nodes = in_order(ids, parents, lambda each: each)
    assert {node.session_id for node in nodes} == ids
    return " ".join(f"{'.' * node.depth}{node.session_id}" for node in nodes)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("b<a", "a .b"),
        ("c<a b<a", "a .b .c"),
        ("c<b b<a d<a", "a .b ..c .d"),
        ("d<a c<b b<a", "a .b ..c .d"),
        ("b<a z<y", "a .b"),
        ("a<b b<a", "a .b"),
        ("a<b b<c c<a d<b", "a .c ..b ...d"),
        ("a<a", "a"),
    ],
)
def test_a_family_is_drawn_from_its_root(text: str, drawn: str) -> None:
    assert picture(text) == drawn


def test_one_alone_is_its_own_family() -> None:
    ids = family_ids("a", {"c": "b"})
    assert [*in_order(ids, {"c": "b"}, str)] == [("a", None, 0)]


def test_a_long_chain_is_no_recursion() -> None:
    parents = {f"{each + 1:06}": f"{each:06}" for each in range(5000)}
    ids = family_ids("002500", parents)
    nodes = in_order(ids, parents, str)
    assert [node.depth for node in nodes] == [*range(5001)]
