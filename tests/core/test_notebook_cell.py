"""Where a cell's text stands in a notebook's file."""

from __future__ import annotations

import json

import pytest

from forkpoint.notebook_cell import cell_places
from forkpoint.text_lines import lines_of

SOURCE = 'x = "é"\nprint(x)'


def notebook(*sources: object, ascii_only: bool = False) -> str:
    cells = [{"cell_type": "code", "source": source} for source in sources]
    return json.dumps({"cells": cells}, indent=1, ensure_ascii=ascii_only)


@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_string_for_each_line(ascii_only: bool) -> None:
    text = notebook(["import os\n"], ['x = "é"\n', "print(x)"], ascii_only=ascii_only)
    [(start, end)] = cell_places(SOURCE, lines_of(text))
    assert [json.loads(line.strip().rstrip(",")) for line in text.split("\n")[start:end]] == [
        'x = "é"\n',
        "print(x)",
    ]


def test_one_string() -> None:
    text = notebook("import os", SOURCE)
    [(start, end)] = cell_places(SOURCE, lines_of(text))
    assert end == start + 1
    assert json.loads("{" + text.split("\n")[start] + "}") == {"source": SOURCE}


@pytest.mark.parametrize(("sources", "places"), [((SOURCE, SOURCE), 2), (("y",), 0), ((), 0)])
def test_other_numbers_of_places(sources: tuple[str, ...], places: int) -> None:
    assert len(cell_places(SOURCE, lines_of(notebook(*sources)))) == places


def test_no_text() -> None:
    assert cell_places("", lines_of(notebook("", [""]))) == []
