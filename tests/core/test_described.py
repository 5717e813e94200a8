"""A record in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.described import Described, described
from forkpoint.inert import code, visible
from forkpoint.lsp.features.hover import as_markdown
from forkpoint.records.words import one_line
from forkpoint.row_names import row_name
from tests.acting import acting
from tests.builders import (
    assistant,
    call_block,
    index_of,
    result_block,
    text_block,
    transcript,
    uuid,
)

USAGE = {
    "input_tokens": 1200,
    "output_tokens": 34,
    "cache_read_input_tokens": 50000,
    "cache_creation": {"ephemeral_5m_input_tokens": 7, "ephemeral_1h_input_tokens": 8},
    "cache_creation_input_tokens": 15,
}
DATA = transcript(
    "u1 t1 r1 t2 r2 i1 t3 k1 h1 s1 b1 c1 u1 x1",
    fields={
        "t1": assistant("t1", text_block("Look:"), call_block("1", "Edit", file_path="a/b.py")),
        "r1": {"message": {"content": [result_block("1", is_error=True)]}},
        "t2": {"message": {**assistant("t2", call_block("2", "Bash"))["message"], "usage": USAGE}},
    },
)
AT = "2026-05-28T00:0{}0.000Z"


def facts(row: int, name: str) -> list[tuple[str, str]]:
    return [("Record", f"{row}"), ("uuid", uuid(name) or "")]


WORDS: dict[int, Described] = {
    0: Described(
        "Prompt", [("Time", AT.format("0:0")), ("Fate", SENT := "sent with the next request"),
                   *facts(0, "u1")], "u1"
    ),
    1: Described(
        "Answer",
        [
            ("Time", AT.format("0:1")),
            ("Fate", SENT),
            ("Model", "claude-test"),
            ("Tokens", "10 in, 0 from the cache, 0 into the cache, 5 out"),
            ("Calls", "Edit a/b.py: failed"),
            *facts(1, "t1"),
        ],
        "Look:",
    ),
    2: Described(
        "Result",
        [
            ("Time", AT.format("0:2")),
            ("Fate", SENT),
            ("Answers", "Edit a/b.py: failed"),
            *facts(2, "r1"),
        ],
        "ok",
    ),
    3: Described(
        "Call",
        [
            ("Time", AT.format("0:3")),
            ("Fate", SENT),
            ("Model", "claude-test"),
            ("Tokens", "1,200 in, 50,000 from the cache, 15 into the cache, 34 out"),
            ("Calls", "Bash: ok"),
            *facts(3, "t2"),
        ],
        "Bash",
    ),
    7: Described(
        "Prompt",
        [
            ("Time", AT.format("1:1")),
            ("Fate", "not on the active path"),
            ("Sidechain", "a subagent's"),
            *facts(7, "k1"),
        ],
        "k1",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("row", "expected"), WORDS.items())
def test_words(row: int, expected: Described) -> None:
    assert described_row(row, None if row == 7 else "sent") == expected


def test_a_repeated_uuid_says_so() -> None:
    assert ("Repeats", "record 0, whose place it takes") in described_row(13, None).facts


def test_fates() -> None:
    told = [dict(described_row(0, fate).facts)["Fate"] for fate in ("summarized", "notSent", None)]
    assert told == [
        "readable, not sent again: a compaction replaced it",
        "on the active path, never sent",
        "not on the active path",
    ]


NAMES = (
    "u1|Edit b.py|Result of Edit b.py failed|Bash|Result of Bash|Interrupted|Read|Prompt|Answer|"
    "Attachment|System|Compaction|Summary of what came before|Prompt|A record of no known kind"
)


def test_names() -> None:
    index = index_of(DATA)
    assert "|".join(row_name(index, row) for row in range(len(index.nodes))) == NAMES


def described_row(row: int, fate: str | None) -> Described:
    index = index_of(DATA)
    start = index.nodes.offset[row]
    line = DATA[start : start + index.nodes.length[row]]
    return described(index, row, line, fate)


SPANS: list[tuple[str, str]] = [
    ("a", "`a`"),
    ("", "`  `"),
    (" ", "`   `"),
    ("`", "`` ` ``"),
    ("a``b`c", "```a``b`c```"),
    ("`a", "`` `a ``"),
    ("a\nb", "`a b`"),
    ("\x1b[x](y)", "`␛[x](y)`"),
]


@pytest.mark.parametrize(("text", "expected"), SPANS)
def test_a_code_span(text: str, expected: str) -> None:
    assert code(text) == expected


@given(st.text(st.sampled_from("`[]()<>!\\ \n:/a\u202e")) | st.text(), st.text())
def test_nothing_of_a_transcript_acts_in_a_hover(value: str, words: str) -> None:
    """All of it stands in code: what is left are our own words."""
    shown = [("Calls", visible(one_line(value)))]
    markdown = as_markdown(Described("Call", shown, visible(one_line(words))))
    assert acting(markdown) == ""
    assert markdown.startswith("**Call**\n\n- Calls: `")
