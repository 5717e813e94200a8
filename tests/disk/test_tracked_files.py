"""Which files sessions track: one file under several names, files that sessions share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import (
    Fields,
    backup,
    snapshot,
    transcript,
)
from tests.disk.checkpoint_home import A, B, C, CheckpointHome
from tests.disk.history_pictures import CART, LETTERS, TAX, of_file, picture
from tests.disk.trees import needs_posix


@pytest.fixture
def home(tmp_path: Path) -> CheckpointHome:
    return CheckpointHome(tmp_path / "config")


# --- one file under several names --------------------------------------------------------------


def entry(version: int, parent: str) -> Fields:
    return backup("cart.py", version) | {"realParentDir": parent}


def test_a_file_is_found_by_where_it_really_lay(home: CheckpointHome) -> None:
    data = transcript("u1") + snapshot("u1", {"cart.py": entry(1, "/srv/real")})
    home.session(A, data)
    real = backup("/srv/real/cart.py", 1, 500) | {"realParentDir": "/srv/real"}
    home.session(B, transcript("u5", start=500) + snapshot("u5", {"/srv/real/cart.py": real}))
    for path in ("/srv/real/cart.py", "/srv/./real/x/../cart.py"):
        assert of_file(home, path) == "A u1 1 pruned\nB u5 1 pruned"


@needs_posix
def test_a_file_is_found_by_a_link_to_it(home: CheckpointHome, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real" / "name.py").symlink_to("cart.py")
    path = f"{tmp_path}/real/cart.py"
    home.session(A, transcript("u1") + snapshot("u1", {path: backup(path, 1)}))
    home.copy(A, path, 1, "x\n")
    for other in (path, f"{tmp_path}/link/cart.py", f"{tmp_path}/real/name.py"):
        history = home.catalog().histories.of_file(other)
        assert (history.path, picture(history)) == (other, "A u1 1 first")


def test_windows_minds_neither_case_nor_slashes(home: CheckpointHome) -> None:
    files = {"C:\\Shop\\Cart.py": backup("C:\\Shop\\Cart.py", 1)}
    home.session(A, transcript("u1") + snapshot("u1", files))
    other = {"c:/shop/cart.py": backup("c:/shop/cart.py", 1, 500)}
    home.session(B, transcript("u5", start=500) + snapshot("u5", other))
    for path in ("C:\\Shop\\Cart.py", "c:\\shop\\cart.py", "C:/SHOP/CART.PY"):
        assert of_file(home, path) == "A u1 1 pruned\nB u5 1 pruned"


@pytest.mark.parametrize("folder", ["/a/link", "/z/link"])
def test_who_tracks_a_file_under_whichever_name(home: CheckpointHome, folder: str) -> None:
    linked, real = f"{folder}/cart.py", "/m/real/cart.py"
    for number, (session, path) in enumerate(((A, linked), (B, real))):
        one = backup(path, 1, number * 100) | {"realParentDir": "/m/real"}
        name = f"u{number}"
        home.session(session, transcript(name, start=number * 100) + snapshot(name, {path: one}))
    home.session(C, transcript("!u8(tax.py@1) u8", start=900))
    found = [
        sorted((LETTERS[entry.session_id], file.path) for entry, file in tracking)
        for tracking in home.catalog().histories.tracked()
    ]
    assert sorted(found) == [[("A", linked), ("B", real)], [("C", TAX)]]


def test_sessions_that_share_files(home: CheckpointHome) -> None:
    home.session(A, "!u1(cart.py@1,tax.py@1,a.py@1) u1")
    home.session(B, transcript(f"!u5({CART}@1,b.py@1) u5", start=500))
    home.session(C, transcript("!u8(tax.py@1,cart.py@1) u8", start=900))
    known = home.catalog()
    a, b, c = map(known.entry, (A, B, C))
    assert list(known.histories.shared(a, [a, b, c])) == [(CART, [B, C]), (TAX, [C])]
    assert list(known.histories.shared(b, [a, c])) == [(CART, [A, C])]
    assert list(known.histories.shared(b, [b])) == []


# --- questions about one session ---------------------------------------------------------------


def test_the_files_of_a_session(home: CheckpointHome) -> None:
    home.session(A, "!u1(cart.py@1) u1 t1 +u1(tax.py@1-) r1 !u2(cart.py@1,tax.py@2) u2")
    home.session(B, transcript("!u5(cart.py@1) u5", start=500))
    known = home.catalog()
    found = known.histories.of_session(known.entry(A))
    assert {history.path: picture(history) for history in found} == {
        CART: "A u1 1 pruned",
        TAX: "A u1 1- first\nA u2 2 pruned",
    }
    [tax] = known.histories.of_session(known.entry(A), TAX)
    assert picture(tax) == "A u1 1- first\nA u2 2 pruned"
    assert known.histories.of_session(known.entry(B), TAX) == []
