"""Which prompt led to a row, and its number."""

from __future__ import annotations

import pytest

from forkpoint.prompt_numbers import PromptNumbers
from forkpoint.session import Conversation
from tests.builders import index_of, name_of, transcript, uuid


def asked_by(text: str, name: str) -> str:
    """The prompt, its number, and a star where the row lies on the active path."""
    index = index_of(transcript(text))
    row = index.nodes.find(uuid(name))
    assert row is not None
    found = PromptNumbers(Conversation(index), None).of(row)
    prompt = None if found.row is None else name_of(index.nodes.uuid(found.row) or "")
    return f"{prompt} {found.number}{'*' * found.on_active_path}"


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("u1 t1 r1 a1 u2 t2 r2 a2", "t1", "u1 1*"),
        ("u1 t1 r1 a1 u2 t2 r2 a2", "r2", "u2 2*"),
        ("u1 t1 r1 a1 u2 t2 r2 a2", "u2", "u2 2*"),
        # Counted from the branch's own past; the number of the other branch is the same.
        ("u1 a1 u2 t2 r2 a2 u3 t3 r3 | a1 u4 t4 r4 a4", "t3", "u3 3"),
        ("u1 a1 u2 t2 r2 a2 u3 t3 r3 | a1 u4 t4 r4 a4", "t4", "u4 2*"),
        # A prompt typed in mid-turn is one.
        ("u1 t1 r1 q2 t2 r2 a2", "t2", "q2 2*"),
        # What a compaction replaced still counts.
        ("u1 a1 u2 a2 b1 c1 u3 t3 r3 a3", "t3", "u3 3*"),
        ("u1 a1 u2 t2 r2 a2 b1 c1 u3 a3", "t2", "u2 2*"),
        # Two beginnings, of which one was left.
        ("u1 t1 r1 a1 | - u2 a2", "t1", "u1 1"),
        ("a1 t1 r1", "t1", "None 0*"),
    ],
)
def test_prompts(text: str, name: str, expected: str) -> None:
    assert asked_by(text, name) == expected
