"""Titles and archive marks: what the client keeps beside transcripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from forkpoint.sidecars import Sidecars, sidecars_of
from tests.fixture_paths import FIXTURES

NOTHING = Sidecars(title=None, title_by=None, archived=False)
RECORDED = FIXTURES / "demo" / "home" / "projects" / "-home-dev-shop"


@pytest.mark.parametrize(
    ("session_id", "title", "by"),
    [
        ("a394b60b-be10-4356-9f3e-97048baf1628", "Checkout totals", "user"),
        ("24784ec7-4bb4-4d16-b451-b70cb98228bb", "Round the total (Branch)", "auto"),
    ],
)
def test_recorded_titles(session_id: str, title: str, by: str) -> None:
    assert sidecars_of(str(RECORDED / session_id)) == Sidecars(title, by, archived=False)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("custom-title.json", '{"customTitle": "a\\n b", "by": "user"}', ("a b", "user", False)),
        ("custom-title.json", '{"customTitle": "  ", "by": "user"}', (None, "user", False)),
        ("custom-title.json", '{"by": "auto"}', (None, "auto", False)),
        ("custom-title.json", '{"customTitle": 5}', (None, None, False)),
        ("custom-title.json", "{", (None, None, False)),
        ("archived.json", '{"archived": true, "at": 1, "by": "user"}', (None, None, True)),
        ("archived.json", '{"archived": false}', (None, None, False)),
        ("archived.json", '{"archived": "yes"}', (None, None, False)),
        ("archived.json", "[]", (None, None, False)),
        ("other.json", '{"archived": true, "customTitle": "x"}', (None, None, False)),
    ],
)
def test_files_of_all_kinds(
    tmp_path: Path, name: str, text: str, expected: tuple[str | None, str | None, bool]
) -> None:
    (tmp_path / name).write_text(text)
    assert sidecars_of(str(tmp_path)) == Sidecars(*expected)


@pytest.mark.parametrize("folder", ["nowhere", "a\0b"])
def test_without_a_folder_there_is_nothing(tmp_path: Path, folder: str) -> None:
    assert sidecars_of(str(tmp_path / folder)) == NOTHING


def test_a_folder_in_a_file_s_place(tmp_path: Path) -> None:
    (tmp_path / "custom-title.json").mkdir()
    assert sidecars_of(str(tmp_path)) == NOTHING
