"""A text as lines."""

from __future__ import annotations

import codecs

import pytest

from forkpoint.text_lines import KnownLines, agent_text, lines_of


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ()),
        ("\n", ("",)),
        ("a", ("a",)),
        ("a\n", ("a",)),
        ("a\n\n", ("a", "")),
        ("a\r\nb\rc\n", ("a", "b", "c")),
        ("\ufeffa\tb\n", ("a\tb",)),
        ("a\u2028b\x0cc\x85d\n", ("a\u2028b\x0cc\x85d",)),
    ],
)
def test_lines(text: str, lines: tuple[str, ...]) -> None:
    assert lines_of(text) == lines


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("é\r\n".encode(), "é\r\n"),
        (codecs.BOM_UTF8 + b"a", "a"),
        (codecs.BOM_UTF16_LE + "é".encode("utf-16-le"), "é"),
        (b"caf\xe9\n", "caf\ufffd\n"),
    ],
)
def test_as_the_agent_reads_it(content: bytes, text: str) -> None:
    assert agent_text(content) == text


def test_equal_texts_are_one_object() -> None:
    known = KnownLines()
    one, other = known.of("a\nb\n"), known.of("a\r\nb")
    assert one is other
    assert known.of("b\nc")[0] is one[1]
