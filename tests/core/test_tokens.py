"""Words of a text: what parts them, what they are folded to, and that SQLite finds the same."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.tokens import composed, folded, tokens, words_in

WORDS = [
    ("", []),
    (" \t\n-> && ()", []),
    ("Login Fix", ["login", "fix"]),
    ("foo_bar fooBar __init__", ["foo", "bar", "foobar", "init"]),
    ("src/auth.py:12", ["src", "auth", "py", "12"]),
    ("C:\\shop\\Auth.py", ["c", "shop", "auth", "py"]),
    ("don't", ["don", "t"]),
    ("é É e\u0301 E\u0301", ["e", "e", "e", "e"]),
    ("Straße STRASSE", ["strasse", "strasse"]),
    ("İstanbul ΣΟΦΟΣ σοφός", ["istanbul", "σοφοσ", "σοφοσ"]),
    ("Ёлка елка", ["елка", "елка"]),
    ("漢字かな", ["漢", "字", "か", "な"]),
    ("が か\u3099", ["が", "が"]),
    ("한국어", ["한", "국", "어"]),
    ("\u1112\u1161\u11ab", ["한"]),
    ("修复login错误", ["修", "复", "login", "错", "误"]),
    ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
    ("שָׁלוֹם שלום", ["שלום", "שלום"]),
    ("✓ → “x” — y…z", ["x", "y", "z"]),
    ("ok\ufe0f 👩\u200d💻", ["ok"]),
    ("a\0b", ["a", "b"]),
    ("a\ud800b \udfff", ["a", "b"]),
    ("a≠b =\u0338", ["a", "b"]),
]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert tokens(text) == words


texts = st.text(
    st.characters()
    | st.sampled_from("aZ09_-. \téÉ\u0301\u0338ßİ漢か\u3099ｶ\uff9e한\u1112\u1161→\0\ud800")
)


@given(texts)
def test_words_are_folded_already(text: str) -> None:
    words = tokens(text)
    assert tokens(" ".join(words)) == words


@given(texts, texts)
def test_what_parts_words_parts_texts(one: str, other: str) -> None:
    assert tokens(f"{one} {other}") == tokens(one) + tokens(other)


@given(texts)
def test_a_table_of_sqlite_has_the_same_words(text: str) -> None:
    assert in_table(folded(text).replace("\0", " "), "ascii") == tokens(text)


@given(st.text(st.characters(max_codepoint=127, exclude_characters="\0")))
def test_of_ascii_they_are_those_of_unicode61(text: str) -> None:
    assert in_table(text, "unicode61") == tokens(text)


def in_table(text: str, tokenizer: str) -> list[str]:
    """The words that a full-text table finds in a text, in their order."""
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE VIRTUAL TABLE t USING fts5(text, tokenize='{tokenizer}')")
    database.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
    database.execute("INSERT INTO t VALUES (?)", (text,))
    found = database.execute('SELECT term FROM v ORDER BY "offset"').fetchall()
    database.close()
    return [term for (term,) in found]


@given(texts)
def test_places_are_those_of_the_words(text: str) -> None:
    text = composed(text)
    found = words_in(text)
    assert found.words == tokens(text)
    before = 0
    for number, word in enumerate(found.words):
        start, end = found.place(number, number)
        # A character may be folded to several words.
        assert before <= start < end <= len(text) or start == before - 1
        assert word in tokens(text[start:end])
        before = end


def test_a_place_is_that_of_the_characters_shown() -> None:
    text = composed("→ Déja\u0300, 漢字 foo_BAR")
    words = words_in(text)
    places = [words.place(number, number) for number in range(5)]
    assert [text[start:end] for start, end in places] == ["Déjà", "漢", "字", "foo", "BAR"]
