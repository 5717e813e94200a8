"""Which files a shell command renames."""

from __future__ import annotations

import pytest

from forkpoint.renames import renames_in


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("mv a.py b.py", [("a.py", "b.py")]),
        ("git mv -f a.py src/b.py && ls", [("a.py", "src/b.py")]),
        ("mv 'my file' /tmp/x; mv b c", [("my file", "/tmp/x"), ("b", "c")]),
        ("mv a b folder/", [("a", "folder/"), ("b", "folder/")]),
        ("cp a b", []),
        ("git status", []),
        ("mv a", []),
        ("echo 'mv a b'", []),
        ("mv 'a", []),
        ("mv a b # " + "x" * 30_000, []),
    ],
)
def test_renames(command: str, expected: list[tuple[str, str]]) -> None:
    assert list(renames_in(command)) == expected
