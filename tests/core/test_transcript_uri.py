"""The address of a readable transcript."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.protocol.transcript_uri import Named, named_by, transcript_uri

URIS: list[tuple[Named, str, str]] = [
    (Named("s-1"), "Fix it", "/Fix%20it.md?session%3Ds-1"),
    (
        Named("s-1", None, "0123456789"),
        "",
        "/transcript%20%28branch%2001234567%29.md?session%3Ds-1%26leaf%3D0123456789",
    ),
    (
        Named("s-1", "a"),
        "../a\\b\n\x1b[x](y)?#",
        "/..%20a%20b%20%5Bx%5D%28y%29%3F%23%20%28subagent%20a%29.md?session%3Ds-1%26agent%3Da",
    ),
    (Named("s-1"), "é" * 70, f"/{'%C3%A9' * 60}.md?session%3Ds-1"),
]


@pytest.mark.parametrize(("named", "title", "uri"), URIS)
def test_addresses(named: Named, title: str, uri: str) -> None:
    assert transcript_uri(named, title) == f"forkpoint-transcript:{uri}"


ids = st.from_regex(r"[0-9a-zA-Z_-]{1,40}", fullmatch=True)


ordinals = st.none() | st.integers(0, 10**9)
images = st.none() | st.from_regex(r"[0-9]{1,5}\.[0-9]{1,3}", fullmatch=True)


@given(st.builds(Named, ids, st.none() | ids, st.none() | ids, ordinals, images), st.text())
def test_they_lead_back(named: Named, title: str) -> None:
    assert named_by(transcript_uri(named, title)) == named
