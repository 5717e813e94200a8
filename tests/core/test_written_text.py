"""Bytes as text: encodings, line ends, and what is no text at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.written_text import HEAD, WrittenText, is_binary, line_end, read_text

WORDS = "größe \u2013 5 €\n"


@pytest.mark.parametrize(
    ("data", "text", "encoding", "eol"),
    [
        (b"", "", "utf-8", "none"),
        (b"plain\n", "plain\n", "utf-8", "lf"),
        (WORDS.encode(), WORDS, "utf-8", "lf"),
        ("\U0001f6d2".encode(), "\U0001f6d2", "utf-8", "none"),
        # A byte order mark tells, and is no part of the text.
        (b"\xef\xbb\xbf" + WORDS.encode(), WORDS, "utf-8-bom", "lf"),
        (b"\xef\xbb\xbf", "", "utf-8-bom", "none"),
        (b"\xff\xfe" + WORDS.encode("utf-16-le"), WORDS, "utf-16le", "lf"),
        (b"\xfe\xff" + WORDS.encode("utf-16-be"), WORDS, "utf-16be", "lf"),
        (b"\xff\xfea\0\r\0\n\0", "a\r\n", "utf-16le", "crlf"),
        # Half a letter at the end, bytes that are no UTF-8 behind its mark.
        (b"\xff\xfea\0b", "a\ufffd", "utf-16le", "none"),
        (b"\xef\xbb\xbfa\xe9", "a\ufffd", "utf-8-bom", "none"),
        # What is no UTF-8 is read letter by letter.
        (b"gr\xf6\xdfe \x96 5 \x80\n", WORDS, "windows-1252", "lf"),
        (b"\x81", "\ufffd", "windows-1252", "none"),
        # A NUL, or a control between bytes that are no UTF-8: no text.
        (b"a\0b", None, None, None),
        (b"\0", None, None, None),
        (b"a\x01\xe9", None, None, None),
        (b"\x7fELF\x02\x01\x01\0", None, None, None),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", None, None, None),
        # Controls alone do not, nor do form feeds and colours in another encoding.
        (b"a\x01\x08b", "a\x01\x08b", "utf-8", "none"),
        (b"\x0c\x1b[1m\xe9\t\r\n", "\x0c\x1b[1mé\t\r\n", "windows-1252", "crlf"),
    ],
)
def test_a_content(data: bytes, text: str | None, encoding: str | None, eol: str | None) -> None:
    found = read_text(data)
    assert found == (None if text is None else (text, encoding, eol))
    assert is_binary(data) is (text is None)


@pytest.mark.parametrize(
    ("text", "eol"),
    [
        ("", "none"),
        ("a", "none"),
        ("a\nb", "lf"),
        ("a\r\nb\r\n", "crlf"),
        ("a\rb\r", "cr"),
        ("a\nb\r\n", "mixed"),
        ("a\n\rb", "mixed"),
        ("a\r\r\n", "mixed"),
        ("a\x0b\x85\u2028b", "none"),
    ],
)
def test_line_ends(text: str, eol: str) -> None:
    assert line_end(text) == eol


def test_only_the_beginning_decides() -> None:
    """As git has it; and a letter that the beginning cuts in two is none that is broken."""
    long = b"\x01" + b"a" * (HEAD - 2)
    assert not is_binary(long + b"a\0")
    assert is_binary(long + b"\0")
    assert not is_binary(long + "é".encode())
    assert is_binary(b"\xe9" + long)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_all_that_is_text_comes_back(text: str) -> None:
    marked = {
        "utf-8-bom": b"\xef\xbb\xbf" + text.encode(),
        "utf-16le": b"\xff\xfe" + text.encode("utf-16-le"),
        "utf-16be": b"\xfe\xff" + text.encode("utf-16-be"),
    }
    for encoding, data in marked.items():
        assert read_text(data) == WrittenText(text, encoding, line_end(text))
    if not text.startswith("\ufeff"):
        assert read_text(text.encode()) == WrittenText(text, "utf-8", line_end(text))


@given(st.binary())
def test_any_bytes_have_an_answer(data: bytes) -> None:
    assert (read_text(data) is None) is is_binary(data)
