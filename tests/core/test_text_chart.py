"""A small chart of columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.text_chart import chart


@pytest.mark.parametrize(
    ("values", "marks", "options", "expected"),
    [
        pytest.param([8, 4, 1, 0], [], (8, 8, 1), ["█▄▁ ", "    "], id="one line"),
        pytest.param([16, 12, 8, 4], [], (16, 8, 2), ["█▄  ", "███▄", "    "], id="two lines"),
        pytest.param([1], [], (1000, 8, 1), ["▁", " "], id="what is not nothing is seen"),
        pytest.param([9], [], (8, 8, 1), ["█", " "], id="beyond the edge"),
        pytest.param([1, 8, 2, 4], [], (8, 2, 1), ["█▄", "  "], id="the greatest of some"),
        pytest.param([8, 8, 1, 1], [2], (8, 4, 1), ["██▁▁", "  ▲ "], id="a mark before a value"),
        pytest.param([8, 8], [2], (8, 4, 1), ["██", " ▲"], id="a mark behind all"),
        pytest.param([0], [], (0, 4, 1), [" ", " "], id="nothing at all"),
        pytest.param([], [0], (8, 4, 1), [], id="no values"),
    ],
)
def test_charts(
    values: list[int], marks: list[int], options: tuple[int, int, int], expected: list[str]
) -> None:
    top, width, height = options
    assert chart(values, marks, top, width=width, height=height) == expected


@given(st.lists(st.integers(0, 2**60), min_size=1), st.integers(0, 2**60), st.integers(1, 90))
def test_all_lines_are_as_long_and_never_too_long(values: list[int], top: int, width: int) -> None:
    lines = chart(values, [0, len(values)], top, width=width, height=3)
    assert {len(line) for line in lines} == {min(width, len(values))}
    assert len(lines) == 4
