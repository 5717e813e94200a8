"""The line around what was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.search_query import Phrase, Query, parse
from forkpoint.snippet import LENGTH, snippet_of
from forkpoint.tokens import tokens


def phrases(text: str) -> tuple[Phrase, ...]:
    query = parse(text)
    assert isinstance(query, Query)
    return query.phrases


def marked(text: str, query: str) -> str | None:
    """The line with brackets around what was looked for."""
    snippet = snippet_of(text, phrases(query))
    if snippet is None:
        return None
    line = snippet.text
    for start, end in reversed(snippet.ranges):
        line = f"{line[:start]}[{line[start:end]}]{line[end:]}"
    return line


LINES = [
    ("Fix the login", "login", "Fix the [login]"),
    ("Fix the login", "logi", None),
    ("Fix the login", "logi*", "Fix the [login]"),
    ("a b a c", "a c", "[a] b [a] [c]"),
    ("foo_bar foo bar", '"foo bar"', "[foo_bar] [foo bar]"),
    ("foo\n\n\tbar", '"foo bar"', "[foo bar]"),
    ("修复登录错误", "登录", "修复[登录]错误"),
    ("caf\u00e9 Cafe\u0301", "cafe", "[café] [Café]"),
    ("one \x1b]8;;x\x07two\x00 \u202ethree", "three", "one ]8;;xtwo [three]"),
    ("x" * 300, "x*", f"[{'x' * 199}]…"),
    (f"{'x ' * 100}needle {'y ' * 200}", "needle", f"…{'x ' * 29}[needle] {'y ' * 66}y…"),
    (f"needle {'y ' * 200}needle", "needle", f"[needle] {'y ' * 96}…"),
]


@pytest.mark.parametrize(("text", "query", "line"), LINES)
def test_the_line_around_a_match(text: str, query: str, line: str | None) -> None:
    assert marked(text, query) == line


def test_without_words_it_is_the_beginning() -> None:
    assert snippet_of("  one\n two ", ()) == ("one two", [])


texts = st.text(st.characters() | st.sampled_from("ab \n漢字é\u0301→\x1b"))
some = st.lists(
    st.sampled_from(["a", "b", '"a b"', "a*", "漢", "漢字", "e"]), min_size=1, max_size=3
)


@given(texts, some.map(" ".join))
def test_what_is_marked_is_what_was_looked_for(text: str, query: str) -> None:
    wanted = phrases(query)
    snippet = snippet_of(text, wanted)
    assert (snippet is not None) == all(phrase.stands_in(tokens(text)) for phrase in wanted)
    if snippet is None:
        return
    assert len(snippet.text) <= LENGTH
    assert all(character.isprintable() for character in snippet.text)
    ends = [0, *(end for _, end in snippet.ranges)]
    assert all(end <= start for end, (start, _) in zip(ends, snippet.ranges, strict=False))
    shown = [snippet.text[start:end] for start, end in snippet.ranges]
    assert shown
    first = tokens(shown[0])
    assert any(phrase.words[0] == first[0] or phrase.is_prefix for phrase in wanted)
