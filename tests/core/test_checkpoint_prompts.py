"""A state says before which prompt it was, and a late delta is laid over its own prompt's."""

from __future__ import annotations

import pytest

from tests.builders import CWD, transcript, uuid
from tests.core.checkpoint_words import by_prompt, conversation, words

TWICE = transcript("!u1(a.py@1) u1 a1 !u2(a.py@1,b.py@1-) u2 a2")


@pytest.mark.parametrize("prompt", ["u1", "u2"])
def test_it_says_before_which_prompt_it_was(prompt: str) -> None:
    """The same copy is the state before both."""
    found = conversation(TWICE)
    before = found.checkpoints().before(uuid(prompt) or "") or {}
    back = found.restore_points(CWD).at(uuid(prompt) or "") or {}
    told = [state[f"{CWD}/a.py"] for state in (before, back)]
    assert by_prompt(each for each in told if each) == f"{prompt}:1 {prompt}:1"


def test_a_late_delta_is_laid_over_its_own_prompts_state() -> None:
    data = transcript("!u1(a.py@2) u1 a1 !u2(a.py@3) u2 t1 +u1(b.py@1) r1")
    points = conversation(data).restore_points(CWD)
    assert words(points.at(uuid("u1") or "")) == "a.py@2 b.py@1"
    assert words(points.at(uuid("u2") or "")) == "a.py@3 b.py@1"
