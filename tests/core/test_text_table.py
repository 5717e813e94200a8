"""Rows of cells as columns and as CSV."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.text_table import columns, csv_text, shown


def test_columns() -> None:
    rows = [["shop", "7", "$1.20"], ["a long name", "1,234", "-"]]
    assert columns(["Project", "n", "Cost"], rows, [1, 2]).split("\n") == [
        "Project          n   Cost",
        "-----------  -----  -----",
        "shop             7  $1.20",
        "a long name  1,234      -",
    ]


def test_columns_without_rows() -> None:
    assert columns(["Day", "Cost"], [], [1]) == "Day  Cost\n---  ----"


def test_csv() -> None:
    rows = [["a,b", 'say "x"', 1, 0.5, None]]
    text = csv_text(["one", "two", "three", "four", "five"], rows)
    assert text == 'one,two,three,four,five\r\n"a,b","say ""x""",1,0.5,\r\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("=1+2", "'=1+2", id="a formula"),
        pytest.param("+49", "'+49", id="plus"),
        pytest.param("-x", "'-x", id="minus"),
        pytest.param("@SUM(A1)", "'@SUM(A1)", id="at"),
        pytest.param("  =1", "'  =1", id="behind blanks"),
        pytest.param("\t=1", "' =1", id="behind a tabulator"),
        pytest.param("\x00\r\n=1", "'   =1", id="behind control characters"),
        pytest.param("\uff1d1", "'\uff1d1", id="a full-width formula"),
        pytest.param("a=1", "a=1", id="no formula"),
        pytest.param("two\nlines", "two lines", id="one line"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_a_spreadsheet_finds_no_formula(text: str, expected: str) -> None:
    [row] = csv.reader(io.StringIO(csv_text(["name"], [[text, 1]])[len("name\r\n") :]))
    assert row == [expected, "1"]


def test_numbers_are_no_formulas() -> None:
    assert csv_text(["n"], [[-1]]) == "n\r\n-1\r\n"


@given(st.lists(st.lists(st.text(), min_size=2, max_size=2), max_size=5))
def test_csv_comes_back_with_as_many_rows_and_nothing_that_acts(rows: list[list[str]]) -> None:
    found = [*csv.reader(io.StringIO(csv_text(["a", "b"], rows), newline=""))]
    assert [len(row) for row in found] == [2] * (len(rows) + 1)
    for row in found[1:]:
        assert not any(cell.lstrip()[:1] in "=+-@" for cell in row if cell.strip())


def test_what_a_terminal_would_obey_is_a_sign() -> None:
    assert shown("a\x1b[31mb\nc\u202ed é") == "a�[31mb�c�d é"
