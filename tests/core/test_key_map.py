"""A dictionary and the table of the scanner in C give the same rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.key_map import NO_KEY, WIDTH, DictMap, KeyMap, ParentMarks, SlotMap
from forkpoint.native import Native, loaded

MARKS = ParentMarks(-3, -1, -2)
# Few different bytes, so that keys meet, and begin like others.
_keys = st.lists(st.sampled_from(b"\0\1"), min_size=WIDTH, max_size=WIDTH).map(bytes)
_columns = st.lists(
    st.just(NO_KEY) | _keys | st.binary(min_size=WIDTH, max_size=WIDTH), max_size=80
)


@pytest.fixture(scope="module")
def native() -> Native:
    found = loaded()
    if found is None:
        pytest.skip("there is no scanner in C here")
    return found


def answers(
    new: KeyMap, portions: list[list[bytes]], others: list[bytes]
) -> list[tuple[bool, list[int | None], list[int]]]:
    """What a map says after each portion of rows; it ends with the first that is refused."""
    column, told = bytearray(), list[tuple[bool, list[int | None], list[int]]]()
    for portion in portions:
        begin = len(column) // WIDTH
        column += b"".join(portion)
        if not new.add(column, begin):
            return [*told, (False, [], [])]
        asked = [*others, *[column[at : at + WIDTH] for at in range(0, len(column), WIDTH)]]
        found = [new.find(column, bytes(key)) for key in asked]
        above = b"".join((others + portion)[: len(portion)])
        told.append((True, found, [*new.parents(column, begin, above, MARKS)]))
    return told


@given(st.lists(_columns, max_size=4), _columns)
def test_both_maps_agree(native: Native, portions: list[list[bytes]], others: list[bytes]) -> None:
    assert answers(SlotMap(native), portions, others) == answers(DictMap(), portions, others)


def test_rows_by_key() -> None:
    one, two, three = (bytes([number]) * WIDTH for number in (1, 2, 3))
    column = one + NO_KEY + two
    for new in [DictMap(), *[SlotMap(found) for found in [loaded()] if found is not None]]:
        assert new.add(column, 0)
        assert [new.find(column, key) for key in (one, two, three, NO_KEY)] == [0, 2, None, None]
        above = NO_KEY + one + three
        assert [*new.parents(column, 0, above, MARKS)] == [MARKS.root, MARKS.outside, MARKS.missing]
        assert [*new.parents(column, 2, one, MARKS)] == [0]
        assert not new.add(column + one, 3)


@pytest.mark.parametrize("slots", [0, 4, 12, 30], ids=lambda slots: f"{slots} bytes")
def test_what_is_no_table_is_refused(native: Native, slots: int) -> None:
    column = bytes([1]) * WIDTH + bytes([2]) * WIDTH
    with pytest.raises(ValueError, match="no table"):
        native.put_keys(column, bytearray(slots), 0)
    with pytest.raises(ValueError, match="no table"):
        native.parents(column, bytearray(slots), 0, column, *MARKS)
    assert native.find_key(column, bytearray(slots), column[:WIDTH]) == -1


@given(st.binary(min_size=32, max_size=32), _columns.filter(lambda keys: len(keys) < 8))
def test_a_table_of_another_column_harms_nothing(
    native: Native, slots: bytes, keys: list[bytes]
) -> None:
    column = b"".join(keys)
    for key in keys:
        assert -1 <= native.find_key(column, bytearray(slots), key) < len(keys)
    native.put_keys(column, bytearray(slots), 0)
