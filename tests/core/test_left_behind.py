"""What becomes of records, and the prompts that were left behind, on transcripts in one line."""

from __future__ import annotations

import pytest

from forkpoint.fates import ABANDONED, Fates, fates_of
from forkpoint.index import TranscriptIndex
from forkpoint.left_behind import left_behind
from forkpoint.session import Conversation
from forkpoint.transcript import TranscriptReader
from tests.builders import name_of, transcript


def conversation(text: str) -> Conversation:
    index = TranscriptIndex()
    index.apply(TranscriptReader().feed(transcript(text)))
    return Conversation(index)


def letters(text: str) -> str:
    """The fate of each row: sent, Summarized, not sent, or abandoned."""
    return "".join("nsSa"[fate] for fate in fates_of(conversation(text), None, of_agent=False))


FATES = [
    ("", ""),
    ("u1 a1 u2 a2", "ssss"),
    ("u1 a1 u2 a2 | a1 u3 a3", "ssaass"),
    ("u1 a1 | - u2 a2", "aass"),
    ("u1 a1 b1 c1 u2 a2", "SSnsss"),
    # Subagents of clients 1.x are beside the line, not left behind.
    ("u1 k1 a1", "snns"),
    # The first line keeps the place of a uuid that is repeated.
    ("u1 a1 u2 a2 | a1 u2 | a1 u3 a3", "ssaaass"),
]


@pytest.mark.parametrize(("text", "fates"), FATES)
def test_fates_of_all_rows(text: str, fates: str) -> None:
    assert letters(text) == fates


def test_fates_follow_a_transcript_that_grows() -> None:
    reader, index, known = TranscriptReader(), TranscriptIndex(), Fates()
    index.apply(reader.feed(transcript("u1 a1 u2 a2")))
    grows = Conversation(index)
    assert ABANDONED not in known.of(grows, None, of_agent=False)
    index.apply(reader.feed(transcript("| a1 u3 a3", start=100)))
    assert known.of(grows, None, of_agent=False) == fates_of(grows, None, of_agent=False)
    assert ABANDONED in known.of(grows, None, of_agent=False)


LEFT = [
    ("u1 a1 u2 a2", []),
    ("u1 a1 u2 a2 | a1 u3 a3", [("u2", ["a2"], "a2", 1)]),
    ("u1 | - u2", [("u1", [], "u1", 0)]),
    (
        "u1 a1 t1 r1 a2 u2 a3 | - u3",
        [("u1", ["a1", "t1", "a2"], "a3", 4), ("u2", ["a3"], "a3", 1)],
    ),
    # Two ways from one prompt; what a hook or the client said is no prompt.
    ("u1 a1 | u1 a2 m1 h1 | - u2", [("u1", ["a1", "a2"], "h1", 4)]),
]


@pytest.mark.parametrize(("text", "wanted"), LEFT)
def test_prompts_that_were_left_behind(
    text: str, wanted: list[tuple[str, list[str], str, int]]
) -> None:
    talk = conversation(text)
    nodes = talk.index.nodes

    def name(row: int) -> str:
        return name_of(nodes.uuid(row) or "")

    found = left_behind(nodes, fates_of(talk, None, of_agent=False))
    assert [
        (name(left.prompt), [*map(name, left.answers)], name(left.newest), left.rows_below)
        for left in found
    ] == wanted
