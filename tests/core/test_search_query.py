"""The language of queries: what each text asks for, or what is wrong with it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.records.searchable import Part
from forkpoint.search_query import MOST_CHARACTERS, Misfit, Phrase, Query, parse

DAY = 86_400_000
MAY_28 = 1_779_926_400_000
"""2026-05-28T00:00Z."""


def words(*phrases: str) -> tuple[Phrase, ...]:
    """Phrases written down as `some words` or `begin*`."""
    return tuple(Phrase(tuple(p.rstrip("*").split()), p.endswith("*")) for p in phrases)


QUERIES: list[tuple[str, dict[str, Any]]] = [
    ("login", {"phrases": words("login")}),
    ("Login  FIX", {"phrases": words("login", "fix")}),
    ('"login fix" now', {"phrases": words("login fix", "now")}),
    ("log*", {"phrases": words("log*")}),
    ('"the log"* x', {"phrases": words("the log*", "x")}),
    ("src/auth.py", {"phrases": words("src auth py")}),
    ("src/au*", {"phrases": words("src au*")}),
    ("foo_bar", {"phrases": words("foo bar")}),
    ("错误", {"phrases": words("错 误")}),
    ("错误*", {"phrases": words("错 误")}),
    ("déjà", {"phrases": words("deja")}),
    ("http://x.y", {"phrases": words("http x y")}),
    ("nobody:x", {"phrases": words("nobody x")}),
    ("xfile:a", {"phrases": words("xfile a")}),
    ("a - b", {"phrases": words("a", "b")}),
    ('"" a', {"phrases": words("a")}),
    ('a"b c"d', {"phrases": words("a", "b c", "d")}),
    ("a*b", {"phrases": words("a b")}),
    ("-a", {"phrases": words("a")}),
    ("file:auth.py", {"files": words("auth py")}),
    ('FILE:"my file.py" x', {"files": words("my file py"), "phrases": words("x")}),
    ("file:a file:b", {"files": words("a", "b")}),
    ("tool:Bash tool:mcp__git*", {"tools": words("bash", "mcp git*")}),
    ("branch:feature/login", {"branches": words("feature login")}),
    ("model:opus", {"models": words("opus")}),
    ("agent:codex Agent:CLAUDE", {"agents": frozenset({"codex", "claude-code"})}),
    ("in:prompts in:answer", {"parts": frozenset({Part.PROMPT, Part.ANSWER})}),
    ("in:calls in:outputs", {"parts": frozenset({Part.TOOL_INPUT, Part.TOOL_OUTPUT})}),
    ("in:thinking in:CONTEXT", {"parts": frozenset({Part.THINKING, Part.CONTEXT})}),
    ("in:subagents a", {"in_subagents": True, "phrases": words("a")}),
    ("is:error is:abandoned", {"is_error": True, "is_abandoned": True}),
    ("after:2026-05-28", {"after": MAY_28}),
    ("before:2026-05-28T06:00", {"before": MAY_28 + DAY // 4}),
    ("before:2026-05-28T06:00:00+06:00", {"before": MAY_28}),
    ("after:2026-05", {"after": MAY_28 - 27 * DAY}),
    ("after:2026-05-27 after:2026-05-28", {"after": MAY_28}),
    ('after:"2026-05-28 06:00Z"', {"after": MAY_28 + DAY // 4}),
]


@pytest.mark.parametrize(("text", "wanted"), QUERIES)
def test_what_a_text_asks_for(text: str, wanted: dict[str, Any]) -> None:
    assert parse(text) == Query(**wanted)


MISFITS = [
    ("", "empty", ""),
    (" \t", "empty", " \t"),
    ('""', "empty", '""'),
    ("-> &&", "noWords", "-> &&"),
    ("***", "noWords", "***"),
    ('a "b c', "openQuote", '"b c'),
    ('a file:"b', "openQuote", '"b'),
    ("x file:", "badValue", "file:"),
    ('tool:" "', "badValue", 'tool:" "'),
    ("branch:--", "noWords", "branch:--"),
    ("is:nice", "badValue", "is:nice"),
    ("cart agent:gpt", "badValue", "agent:gpt"),
    ("agent:", "badValue", "agent:"),
    ("in:shop", "badValue", "in:shop"),
    ("after:yesterday", "badDate", "after:yesterday"),
    ("before:2026-13", "badDate", "before:2026-13"),
    ("after:2026-02-30", "badDate", "after:2026-02-30"),
    ("after:0000-01-01", "badDate", "after:0000-01-01"),
    ("after:٢٠٢٦", "badDate", "after:٢٠٢٦"),
    ("a " * 33, "tooLong", "a"),
    ("a" * (MOST_CHARACTERS + 3), "tooLong", "aaa"),
]


@pytest.mark.parametrize(("text", "code", "part"), MISFITS)
def test_what_is_wrong_with_a_text(text: str, code: str, part: str) -> None:
    misfit = parse(text)
    assert isinstance(misfit, Misfit)
    assert (misfit.code, text[misfit.start : misfit.end]) == (code, part)
    assert misfit.sentence.endswith(".")


pieces = st.sampled_from(
    [
        '"',
        "*",
        ":",
        " ",
        "a",
        "file:",
        "is:",
        "in:",
        "after:",
        "AND",
        "NEAR(",
        ")",
        "^",
        "{",
        "'",
        "\0",
        "-",
    ]
)


@given(st.lists(pieces | st.text(max_size=3)).map("".join))
def test_any_text_is_a_query_or_a_misfit(text: str) -> None:
    query = parse(text)
    if isinstance(query, Query):
        for phrase in (*query.phrases, *query.files, *query.tools):
            assert phrase.words
            assert all(word.isalnum() or not word.isascii() for word in phrase.words)
    else:
        assert 0 <= query.start <= query.end <= len(text)
