"""Where a conversation goes on in more than one way."""

from __future__ import annotations

import pytest

from forkpoint.index import TranscriptIndex
from forkpoint.session import Conversation
from forkpoint.transcript import TranscriptReader
from tests.builders import SESSION, index_of, name_of, transcript

TREES: dict[str, str] = {
    "": "",
    "u1 a1 u2 a2": "",
    "u1 a1 u2 a2 | a1 u3 a3": "a1: u2 u3",
    "u1 a1 u2 a2 | a1 u3 a3 | a1 u4": "a1: u2 u3 u4",
    "u1 a1 u2 a2 | a1 u3 a3 | a2 u4 | a2 u5": "a1: u2 u3, a2: u4 u5",
    "u1 a1 | - u2 a2": "-: u1 u2",
    # Parallel calls, hooks and progress make none.
    "u1 t1 | u1 t2 | t1 r1 | t2 r2 a1": "",
    "u1 a1 h1 | a1 s1 | a1 u2 a2": "",
    # A compaction is no other way by itself.
    "u1 a1 b1 c1 u2 a2": "",
}


@pytest.mark.parametrize(("text", "expected"), TREES.items())
def test_forks(text: str, expected: str) -> None:
    assert picture(Conversation(index_of(transcript(text)))) == expected


def test_a_tree_that_grows() -> None:
    data = transcript("u1 a1 u2 a2 | a1 u3 a3 u4 a4 | a3 u5")
    reader, index = TranscriptReader(), TranscriptIndex(SESSION)
    growing = Conversation(index)
    for row in data.splitlines(keepends=True):
        index.apply(reader.feed(row))
        assert picture(growing) == picture(Conversation(index))
    assert picture(growing) == "a1: u2 u3, a3: u4 u5"


def picture(conversation: Conversation) -> str:
    nodes = conversation.index.nodes

    def name(row: int | None) -> str:
        return "-" if row is None else name_of(nodes.uuid(row) or "")

    return ", ".join(
        f"{name(fork.row)}: {' '.join(map(name, fork.ways))}" for fork in conversation.forks()
    )
