"""What going back to a prompt drops from the conversation, and what it leaves."""

from __future__ import annotations

import pytest

from forkpoint.going_back import GoingBack, going_back
from forkpoint.session import Conversation
from tests.builders import Fields, call_block, index_of, kept, result_block, transcript, uuid

SYNTHETIC: Fields = {"message": {"model": "<synthetic>"}}


def back(data: bytes, prompt: str) -> GoingBack:
    conversation = Conversation(index_of(data))
    row = conversation.index.nodes.find(uuid(prompt))
    assert row is not None
    return going_back(conversation, row, None)


def usage(tokens: int) -> Fields:
    """A response after which the context has so many tokens."""
    return {"message": {"usage": {"input_tokens": tokens - 5, "output_tokens": 5}}}


@pytest.mark.parametrize(
    ("text", "prompt", "dropped", "left"),
    [
        # (prompts, responses) on each side.
        ("u1 a1 u2 a2 u3 a3", "u3", (1, 1), (2, 2)),
        ("u1 a1 u2 a2 u3 a3", "u2", (2, 2), (1, 1)),
        ("u1 a1 u2 a2 u3 a3", "u1", (3, 3), (0, 0)),
        ("u1 a1 u2", "u2", (1, 0), (1, 1)),
        # Several rows of one response, calls and results.
        ("u1 t1+t2 r1 r2 a1 u2 t3 r3 a2", "u2", (1, 2), (1, 2)),
        # What is no prompt of a person, and no answer of a model.
        ("u1 a1 m1 s1 h1 u2 i1 a2", "u2", (1, 1), (1, 1)),
        # A prompt absorbed in mid-turn is one.
        ("u1 t1 r1 q1 a1 u2 a2", "u2", (1, 1), (2, 2)),
        ("u1 t1 r1 q1 a1 u2 a2", "q1", (2, 2), (1, 1)),
        # Rows of other branches are not counted.
        ("u1 a1 u2 a2 | a1 u3 a3 u4 a4", "u3", (2, 2), (1, 1)),
        ("u1 a1 u2 a2 | a1 u3 a3", "u1", (2, 2), (0, 0)),
        ("u1 a1 u2 a2 k1 u3 a3", "u3", (1, 1), (2, 2)),
    ],
)
def test_prompts_and_responses(
    text: str, prompt: str, dropped: tuple[int, int], left: tuple[int, int]
) -> None:
    found = back(transcript(text), prompt)
    assert found.fate == "sent"
    assert (found.prompts, found.responses) == dropped
    assert (found.prompts_kept, found.responses_kept) == left


def test_an_answer_that_the_client_wrote_itself_is_none() -> None:
    found = back(transcript("u1 a1 u2 a2", fields={"a2": SYNTHETIC}), "u2")
    assert (found.prompts, found.responses, found.responses_kept) == (1, 0, 1)


@pytest.mark.parametrize(
    ("text", "prompt", "fate"),
    [
        ("u1 a1 u2 a2 | a1 u3 a3", "u2", None),
        ("u1 a1 | - u2 a2", "u1", None),
        ("u1 a1 u2 a2 >>a1", "u2", None),
        ("u1 a1 b1 c1 u2 a2", "u1", "summarized"),
        ("u1 a1 b1 c1 u2 a2", "u2", "sent"),
    ],
)
def test_the_fate_of_a_prompt(text: str, prompt: str, fate: str | None) -> None:
    assert back(transcript(text), prompt).fate == fate


def test_from_an_abandoned_branch_all_but_the_common_rows_would_go() -> None:
    for prompt in ("u2", "u4"):
        found = back(transcript("u1 a1 u2 a2 u4 a4 | a1 u3 a3"), prompt)
        assert (found.prompts, found.responses) == (1, 1)
        assert (found.prompts_kept, found.responses_kept) == (1, 1)


SIZES = {"a1": usage(100), "a2": usage(200), "a3": usage(300), "t1": usage(150)}


@pytest.mark.parametrize(
    ("text", "prompt", "now", "after"),
    [
        ("u1 a1 u2 a2 u3 a3", "u3", 300, 200),
        ("u1 a1 u2 a2 u3 a3", "u2", 300, 100),
        ("u1 a1 u2 a2", "u1", 200, None),
        ("u1 u2 a2", "u2", 200, None),
        ("u1", "u1", None, None),
        ("u1 a1 u2", "u2", 100, 100),
        ("u1 t1 r1 q1 a2", "q1", 200, 150),
        ("u1 a1 u2 a2 | a1 u3 a3", "u3", 300, 100),
        # Behind a boundary no response stands before the prompt, and nothing tells.
        ("u1 a1 b1 c1 u2 a2", "u2", 200, None),
    ],
)
def test_tokens(text: str, prompt: str, now: int | None, after: int | None) -> None:
    found = back(transcript(text, fields=SIZES), prompt)
    assert (found.tokens_now, found.tokens_after) == (now, after)


def test_behind_a_compaction_the_boundary_tells() -> None:
    boundary = {"b1": {"compactMetadata": {"preTokens": 900, "postTokens": 40}}}
    data = transcript("u1 a1 b1 c1 u2 a2", fields=SIZES | boundary)
    assert back(data, "u2").tokens_after == 40


def test_rows_that_a_compaction_kept_stay() -> None:
    fields = {"b1": kept("c1", "u2", "a2")}
    found = back(transcript("u1 a1 u2 a2 b1 c1 u3 a3", fields=fields), "u3")
    assert (found.prompts, found.responses) == (1, 1)
    assert (found.prompts_kept, found.responses_kept) == (2, 2)


def test_parallel_calls_count_once() -> None:
    """Their results hang on different rows, of which a path by parents alone passes one."""
    fields = {
        "t2": {"message": {"id": "msg_x", "content": [call_block("2")]}},
        "t1": {"message": {"id": "msg_x"}},
        "r2": {"message": {"content": [result_block("2")]}},
    }
    found = back(transcript("u1 t1 t2 r1 | t2 r2 a1 u2 a2", fields=fields), "u2")
    assert (found.responses, found.responses_kept) == (1, 2)
