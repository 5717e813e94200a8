"""The branch tree, as pictures: `*` is active, the number counts rows, the word is the reason."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from forkpoint.client_rules import TABLE
from forkpoint.segments import abandoned
from forkpoint.session import Conversation
from tests.builders import (
    Fields,
    index_of,
    kept,
    name_of,
    picture,
    segments,
    transcript,
    user,
    uuid,
)

VERSIONS = [".".join(map(str, rules.since)) for rules in TABLE]
FOREIGN = {"sessionId": "0f0e1610-0000-4000-8000-000000000000"}

TREES: dict[str, tuple[str, dict[str, Fields], str]] = {
    "nothing": ("", {}, ""),
    "one line": ("u1 a1 u2 a2", {}, "* u1..a2 (4) start"),
    "rewind": (
        "u1 a1 u2 a2 | a1 u3 a3",
        {},
        """
        * u1..a1 (2) start
          - u2..a2 (2) continuation
          * u3..a3 (2) rewind
        """,
    ),
    "rewind twice, once to the branch": (
        "u1 a1 u2 a2 | a1 u3 a3 u4 a4 | a3 u5 a5",
        {},
        """
        * u1..a1 (2) start
          - u2..a2 (2) continuation
          * u3..a3 (2) rewind
            - u4..a4 (2) continuation
            * u5..a5 (2) rewind
        """,
    ),
    "the pointer names the older branch": (
        "u1 a1 u2 a2 | a1 u3 a3 >a2",
        {},
        """
        * u1..a1 (2) start
          * u2..a2 (2) continuation
          - u3..a3 (2) rewind
        """,
    ),
    "resend": (
        "u1 a1 u2 a2 | a1 u3 a3 | a1 u4 a4",
        {"u3": user("u2")},
        """
        * u1..a1 (2) start
          - u2..a2 (2) continuation
          - u3..a3 (2) resend
          * u4..a4 (2) rewind
        """,
    ),
    "rewind to start": (
        "u1 a1 u2 a2 >a2 | - u3 >>nil a3",
        {},
        """
        - u1..a2 (4) start
        * u3..a3 (2) rewind
        """,
    ),
    "rewind to start below a hook": (
        "h1 u1 a1 | h1 u2 a2",
        {},
        """
        * h1 (1) start
          - u1..a1 (2) continuation
          * u2..a2 (2) rewind
        """,
    ),
    "a slash command is a person's words too": (
        "u1 a1 u2 a2 | a1 u3",
        {"u3": user("<command-name>/cost</command-name>")},
        """
        * u1..a1 (2) start
          - u2..a2 (2) continuation
          * u3 (1) rewind
        """,
    ),
    "rewound to nothing": ("u1 a1 u2 a2 >>null", {}, "- u1..a2 (4) start"),
    # Compactions.
    "compaction": (
        "u1 a1 u2 a2 b1 c1 u3 a3",
        {},
        """
        * u1..a2 (4) start
          * b1..a3 (4) compaction
        """,
    ),
    "compaction without a known end before it": (
        "u1 a1 b1 c1 u2 a2",
        {"b1": {"logicalParentUuid": None}},
        """
        * u1..a1 (2) start
          * b1..a2 (4) compaction
        """,
    ),
    "rewind behind a compaction": (
        "u1 a1 u2 a2 b1 c1 u3 a3 | a1 u4 a4",
        {},
        """
        * u1..a1 (2) start
          - u2..a2 (2) continuation
            - b1..a3 (4) compaction
          * u4..a4 (2) rewind
        """,
    ),
    "rewind in front of a second compaction": (
        "u1 a1 b1 c1 u2 a2 b2 c2 u3 a3 | a2 u4 a4",
        {},
        """
        * u1..a1 (2) start
          * b1..a2 (4) compaction
            - b2..a3 (4) compaction
            * u4..a4 (2) rewind
        """,
    ),
    "a kept tail goes on behind the summary": (
        "u1 a1 u2 a2 b1 c1 | a2 u3 a3",
        {"b1": kept("c1", "a2")},
        """
        * u1..a2 (4) start
          * b1..a3 (4) compaction
        """,
    ),
    # What is no branch.
    "parallel calls": ("u1 t1+t2+t3 r2 r1 r3 a1 u2 a2", {}, "* u1..a2 (10) start"),
    "a late result of a parallel call": ("u1 t1+t2 r2 a1 u2 a2 >a2 r1", {}, "* u1..r1 (8) start"),
    "hooks and turn ends": ("u1 a1 h1 | a1 s1 | a1 u2 a2 | a2 s2", {}, "* u1..s2 (7) start"),
    "progress": ("u1 t1 p1 p2 | t1 r1 a1", {}, "* u1..a1 (6) start"),
    "a prompt typed in mid-turn": ("u1 t1 r1 q1 a1 u2 a2", {}, "* u1..a2 (7) start"),
    "an interrupt": ("u1 a1 i1 | a1 u2 a2", {}, "* u1..a2 (5) start"),
    "a meta row without answer": ("u1 a1 m1 | a1 u2 a2", {}, "* u1..a2 (5) start"),
    "a meta row with an answer": (
        "u1 a1 m1 a2 | a1 u2 a3",
        {},
        """
        * u1..a1 (2) start
          - m1..a2 (2) continuation
          * u2..a3 (2) rewind
        """,
    ),
    "roots before the first prompt": ("h1 | - m1 | - u1 a1", {}, "* h1..a1 (4) start"),
    "an unknown type": ("u1 x1 a1", {}, "* u1..a1 (3) start"),
    "rows of another session": (
        "u1 a1 u2 a2 | a1 u3 a3",
        {"u3": FOREIGN, "a3": FOREIGN},
        "* u1..a3 (6) start",
    ),
    "sidechain rows have no place": ("u1 a1 k1 k2 u2 a2", {}, "* u1..a2 (4) start"),
    "a row that hangs on a sidechain row": (
        "u1 a1 k1 | k1.a u2 a2",
        {"k1": {"parentUuid": uuid("a1")}},
        "* u1..a2 (4) start",
    ),
    # Two writers, pointers in mid-line, gaps, loops.
    "two writers": (
        "u1 a1 u2 a2 | a1 u3 a3 | a2 u4 a4 | a3 u5 a5",
        {},
        """
        * u1..a1 (2) start
          - u2..a4 (4) continuation
          * u3..a5 (4) twoWriters
        """,
    ),
    "an explicit pointer in mid-line": (
        "u1 a1 u2 a2 >>a1",
        {},
        """
        * u1..a1 (2) start
          - u2..a2 (2) continuation
        """,
    ),
    "a plain pointer in mid-line": ("u1 a1 u2 a2 >a1", {}, "* u1..a2 (4) start"),
    "a gap of more than five seconds": (
        "u1 a1 | gone u2 a2",
        {},
        """
        * u1..a1 (2) start
          * u2..a2 (2) restart
        """,
    ),
    "a parent that comes later": ("u1 | a1 u2 a2 | u1 a1 >a2", {}, "* u1..a1 (4) start"),
    "a row that is its own parent": ("| u1 u1 a1", {}, "* u1..a1 (2) start"),
    "a loop": ("| a1 u1 a1 u2 a2", {}, "* u1..a2 (4) start"),
}


@pytest.mark.parametrize(("text", "fields", "tree"), TREES.values(), ids=TREES)
def test_tree(text: str, fields: dict[str, Fields], tree: str) -> None:
    index = index_of(transcript(text, fields=fields))
    assert picture(index, reasons=True) == dedent(tree).strip()


def test_a_gap_of_five_seconds_is_none() -> None:
    index = index_of(transcript("u1 a1 | gone u2 a2", times={"a1": 15}))
    assert picture(index) == "* u1..a2 (4)"


def test_the_tree_is_that_of_the_asked_client() -> None:
    index = index_of(transcript("u1 a1 u2 a2 >a2 | a1 u3 a3"))
    assert (
        picture(index, "2.1.119")
        == dedent("""
        * u1..a1 (2)
          - u2..a2 (2)
          * u3..a3 (2)
    """).strip()
    )
    assert (
        picture(index, "2.1.120")
        == dedent("""
        * u1..a1 (2)
          * u2..a2 (2)
          - u3..a3 (2)
    """).strip()
    )


@pytest.mark.parametrize(
    ("text", "fields", "prompts"),
    [
        ("u1 t1 r1 q1 m1 a1", {}, ["u1 q1"]),
        ("u1 a1 b1 c1 u2", {}, ["u1", "u2"]),
        ("u1 i1 u2", {"u2": user("<bash-input>ls</bash-input>")}, ["u1 u2"]),
        ("u1 u2", {"u2": user("<local-command-stdout>3</local-command-stdout>")}, ["u1"]),
    ],
)
def test_prompts_are_a_persons_words(text: str, fields: Any, prompts: list[str]) -> None:
    index = index_of(transcript(text, fields=fields))
    names = [[name_of(index.nodes.uuid(row) or "") for row in s.prompts] for s in segments(index)]
    assert [" ".join(row) for row in names] == prompts


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("u1 a1 u2 a2", []),
        ("u1 a1 u2 a2 | a1 u3 a3", ["u2"]),
        ("u1 a1 u2 a2 | a1 u3 a3 u4 a4 | a3 u5 a5", ["u2", "u4"]),
        ("u1 a1 u2 a2 b1 c1 u3 a3", []),
        ("u1 a1 u2 a2 b1 c1 u3 a3 | a1 u4 a4", ["b1"]),
        ("u1 a1 | gone u2 a2", []),
        ("u1 a1 u2 a2 >>a1", ["u2"]),
        ("u1 a1 b1 >>a1", []),
    ],
)
def test_abandoned_lines(text: str, ends: list[str]) -> None:
    index = index_of(transcript(text))
    found = segments(index)
    firsts = [index.nodes.uuid(found[number].rows[0]) for number in abandoned(found)]
    assert [name_of(uuid or "") for uuid in firsts] == ends


def test_a_resent_prompt_names_the_older_one() -> None:
    fields = {"u3": user("u2"), "u5": user("u4")}
    text = "u1 a1 u2 a2 | a1 u3 a3 | a1 u4 a4 | a1 u5 a5"
    found = segments(index_of(transcript(text, fields=fields)))
    assert [segment.resend_of for segment in found] == [None, None, 1, None, 3]


def test_a_repeat_may_be_what_makes_a_row_a_boundary() -> None:
    """Its content counts, and the first line's place."""
    prompt = {"b1": {"type": "user", "message": {"content": "b1"}}}
    data = transcript("b1 a2 u3 a4", fields=prompt) + transcript("b1")
    conversation = Conversation(index_of(data))
    for version in VERSIONS:
        for name in ("a2", "u3", "a4"):
            row = conversation.index.nodes.find(uuid(name))
            rows = [at for at, _ in conversation.path(version, row).entries]
            assert rows[-1] == row
        assert picture(conversation.index, version) == "* b1..a4 (4)"
