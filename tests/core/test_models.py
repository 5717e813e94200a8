"""Which ids name one model: providers' prefixes, dates and aliases do not tell caches apart."""

from __future__ import annotations

import pytest

from forkpoint.cache.models import same_model

OPUS = "claude-opus-5-5"

PAIRS: list[tuple[str, str, bool]] = [
    (OPUS, OPUS, True),
    (OPUS, "claude-opus-5-5-20260901", True),
    (OPUS, "claude-opus-5-5@20260901", True),
    (OPUS, "claude-opus-5-5[1m]", True),
    (OPUS, "us.anthropic.claude-opus-5-5-v1:0", True),
    (OPUS, "anthropic.claude-opus-5-5-20260901-v1:0", True),
    (OPUS, "anthropic/claude-opus-5-5", True),
    (OPUS, "CLAUDE-OPUS-5-5", True),
    (OPUS, "claude-opus-5", False),
    (OPUS, "claude-opus-5-4", False),
    (OPUS, "claude-opus-4-5", False),
    (OPUS, "claude-sonnet-5-5", False),
    ("claude-opus-4-20250514", "claude-opus-4", True),
    ("claude-opus-4-20250514", "claude-opus-4-1-20250805", False),
    ("claude-haiku-4-5-20251001", "claude-haiku-4-5", True),
    ("claude-mythos-1", "claude-mythos-1-20270101", True),
    # Aliases; what they stand for depends on the client.
    ("opus", OPUS, True),
    ("opus", "claude-opus-4-8", True),
    ("Opus[1m]", OPUS, True),
    ("default", OPUS, True),
    ("opus", "claude-sonnet-5-5", False),
    ("sonnet", OPUS, False),
    ("opusplan", OPUS, False),
    # Names of other makers.
    ("glm-4.7", "glm-4.7", True),
    ("glm-4.7", "glm-4.6", False),
    ("glm-4.7", "GLM-4.7-20260101", True),
    ("opus", "glm-4.7", False),
    ("", OPUS, False),
]


@pytest.mark.parametrize(("one", "other", "same"), PAIRS)
def test_same_model(one: str, other: str, same: bool) -> None:
    assert same_model(one, other) is same
    assert same_model(other, one) is same
