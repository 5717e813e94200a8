"""README shows each view as it is: `tests/vscode/screenshots.py` takes the pictures anew."""

from __future__ import annotations

import json
import re
import struct

import pytest

from tests.fixture_paths import REPOSITORY
from tests.vscode.pictures import (
    FINGERPRINT,
    ICON,
    MOST_BYTES,
    OVERVIEW,
    PICTURES,
    fingerprint,
    views,
)

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"!\[([^\]]+)\]\(([\w./-]+)\)", README))


@pytest.mark.parametrize("view", [OVERVIEW, *views()])
def test_readme_shows_each_view(view: str) -> None:
    picture = PICTURES / f"{view}.png"
    assert picture.is_file()
    assert picture.relative_to(REPOSITORY).as_posix() in SHOWN.values()


def test_every_picture_is_shown_and_says_in_words_what_it_shows() -> None:
    pictures = {path.relative_to(REPOSITORY).as_posix() for path in PICTURES.glob("*.png")}
    assert sorted(SHOWN.values()) == sorted(pictures)
    assert all(len(words.split()) >= 4 for words in SHOWN)


@pytest.mark.parametrize("part", fingerprint())
def test_the_pictures_show_what_is_there_now(part: str) -> None:
    made_from = json.loads(FINGERPRINT.read_text(encoding="utf-8"))
    assert made_from[part] == fingerprint()[part], "take them anew"


@pytest.mark.parametrize("picture", sorted(PICTURES.glob("*.png")), ids=lambda path: path.stem)
def test_a_picture_is_small_and_sharp(picture: object) -> None:
    data = (PICTURES / str(picture)).read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    assert len(data) <= MOST_BYTES
    assert (width, height) == (1680, 1050)


def test_the_icon_is_what_a_gallery_takes() -> None:
    assert struct.unpack(">II", ICON.read_bytes()[16:24]) == (128, 128)
