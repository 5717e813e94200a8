"""The address of a readable transcript."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.protocol.transcript_uri import Named, named_by, uri_of

URIS: list[tuple[Named, str, str]] = [
    (Named("s-1", None, None), "Fix it", "forkpoint-transcript:/Fix%20it.md?session=s-1"),
    (Named("s-1", None, "u"), "", "forkpoint-transcript:/transcript.md?session=s-1&leaf=u"),
    (
        Named("s-1", "a", None),
        "../a\\b\n\x1b[x](y)?#",
        "forkpoint-transcript:/..%20a%20b%20%5Bx%5D%28y%29%3F%23.md?session=s-1&agent=a",
    ),
    (
        Named("s-1", None, None),
        "é" * 70,
        f"forkpoint-transcript:/{'%C3%A9' * 60}.md?session=s-1",
    ),
]


@pytest.mark.parametrize(("named", "title", "uri"), URIS)
def test_addresses(named: Named, title: str, uri: str) -> None:
    assert uri_of(named, title) == uri


ids = st.from_regex(r"[0-9a-zA-Z_-]{1,40}", fullmatch=True)


@given(st.builds(Named, ids, st.none() | ids, st.none() | ids), st.text())
def test_they_lead_back(named: Named, title: str) -> None:
    assert named_by(uri_of(named, title)) == named
