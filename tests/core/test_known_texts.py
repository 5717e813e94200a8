"""Whether a file holds what a copy, or an edit of the agent, left there."""

from __future__ import annotations

import pytest

from forkpoint.known_texts import MOST_TEXTS, is_known
from forkpoint.records.edits import Edit, Replacement

WRITE = Edit("a", "new\n", ())


def replacing(old: str, new: str, *, everywhere: bool = False) -> Edit:
    return Edit("a", None, (Replacement(old, new, everywhere),))


X_TO_Y, Y_TO_Z = replacing("x", "y"), replacing("y", "z")


@pytest.mark.parametrize(
    ("content", "copies", "edits", "known"),
    [
        (b"x\n", [], [], False),
        (b"x\n", [b"a\n", b"x\n"], [], True),
        (b"x\n", [b"y\n"], [], False),
        # What an edit left, be its base told by its result, be it a copy.
        (b"new\n", [], [(WRITE, None)], True),
        (b"new", [], [(WRITE, None)], False),
        (b"y\n", [], [(X_TO_Y, "x\n")], True),
        (b"x\n", [], [(X_TO_Y, "x\n")], False),
        (b"y\n", [b"x\n"], [(X_TO_Y, None)], True),
        (b"y, too\n", [b"x\n"], [(X_TO_Y, None)], False),
        (b"y y\n", [b"x x\n"], [(replacing("x", "y", everywhere=True), None)], True),
        (b"y y\n", [b"x x\n"], [(X_TO_Y, None)], False),
        # One edit on top of another; a told base is the only one.
        (b"z\n", [b"x\n"], [(X_TO_Y, None), (Y_TO_Z, None)], True),
        (b"z\n", [], [(WRITE, None), (replacing("new", "z"), None)], True),
        (b"z\n", [b"y\n"], [(Y_TO_Z, "not y\n")], False),
        (b"not z\n", [b"y\n"], [(Y_TO_Z, "not y\n")], True),
        # A later edit does not stand below an earlier one.
        (b"z\n", [b"x\n"], [(Y_TO_Z, None), (X_TO_Y, None)], False),
        # A file that an edit of nothing made.
        (b"y\n", [], [(replacing("", "y\n"), None)], True),
        # The client works on texts: line ends and a byte order mark are the file's own.
        (b"y\r\nb\r\n", [b"x\r\nb\r\n"], [(X_TO_Y, None)], True),
        (b"y\r\nb\r\n", [], [(X_TO_Y, "x\nb\n")], True),
        (b"y\r\n", [], [(X_TO_Y, "x\r\n")], True),
        (b"a\r\nb\r\n", [], [(Edit("a", "a\r\nb\r\n", ()), None)], True),
        (b"a\nb\n", [], [(Edit("a", "a\r\nb\r\n", ()), None)], True),
        (b"\xef\xbb\xbfy\n", [b"\xef\xbb\xbfx\n"], [(X_TO_Y, None)], True),
        (b"\xff\xfey\0\n\0", [b"\xff\xfex\0\n\0"], [(X_TO_Y, None)], True),
        (b"\xff\xfey\0\n\0", [], [(X_TO_Y, "x\n")], True),
        (b"x\r\n", [b"x\n"], [], True),
        (b"x\n", [b"\xef\xbb\xbfx\r\n"], [], True),
        # Bytes that are no text are compared as bytes.
        (b"\xff\x00\x01", [b"\xff\x00\x01"], [], True),
        (b"\xff\x00\x01", [b"\xff\x00\x02"], [], False),
        (b"caf\xe9", [b"caf\xe8"], [], False),
        ("x\ufffd".encode(), [b"a\xe9"], [(replacing("a", "x"), None)], True),
        ("\ufeffy".encode(), [], [(X_TO_Y, "\ufeffx")], True),
        (b"", [b""], [], True),
        (b"", [], [(replacing("x", ""), "x")], True),
        (b"", [], [], False),
    ],
)
def test_a_content(
    content: bytes, copies: list[bytes], edits: list[tuple[Edit, str | None]], known: bool
) -> None:
    assert is_known(content, copies, edits) is known


def test_many_edits_without_bases_are_looked_through_in_bounds() -> None:
    """Each is tried on the newest texts only, so that a thousand of them cost no million."""
    edits = [(replacing(f"<{n}>", f"<{n + 1}>"), None) for n in range(1000)]
    assert is_known(b"<1000>", [b"<0>"], edits)
    forgotten = [(Edit("a", f"{n}", ()), None) for n in range(MOST_TEXTS + 1)]
    assert not is_known(b"y", [b"x"], [*forgotten, (X_TO_Y, None)])
    assert is_known(b"y", [b"x"], [*forgotten[1:-1], (X_TO_Y, None)])
