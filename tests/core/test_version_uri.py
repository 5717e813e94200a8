"""Addresses of versions and of readable transcripts, in the ways in which editors write them."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.protocol.transcript_uri import Named, named_by
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.version_uri import Shown, file_of_version, shown_by, version_uri

ID = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
COPY = "20fa6108ee283ee3@v12"
PATCH = Shown(ID, patch="923e6091751be416-2", is_before=True)
SHOWN = [Shown(ID, COPY), Shown(ID, result=0), Shown(ID, result=123_456), Shown(), PATCH]
FILES = [
    "/home/dev/app/a.py",
    "/home/dev/a b/läden/?x=1&y#z%41.py",
    "C:\\Users\\dev\\app\\a.py",
    "\\\\srv\\share\\a.py",
]


@pytest.mark.parametrize(
    ("shown", "uri"),
    [
        (
            Shown(ID, COPY),
            f"forkpoint-version:///home/dev/app/a.py?session={ID}&backup=20fa6108ee283ee3%40v12",
        ),
        (Shown(ID, result=7), f"forkpoint-version:///home/dev/app/a.py?session={ID}&result=7"),
        (
            Shown(ID, patch="92"),
            f"forkpoint-version:///home/dev/app/a.py?session={ID}&patch=92&side=after",
        ),
        (Shown(), "forkpoint-version:///home/dev/app/a.py?empty"),
    ],
)
def test_the_path_is_the_file_s_own(shown: Shown, uri: str) -> None:
    assert version_uri(file_uri("/home/dev/app/a.py"), shown) == uri


def as_vs_code_writes(uri: str) -> str:
    """`Uri.toString()` escapes all of a query but letters, digits and a few marks."""
    path, _, query = uri.partition("?")
    return f"{path.replace(':', '%3A').replace('%3A', ':', 1)}?{quote(query, safe='-._~/')}"


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("shown", SHOWN)
def test_there_and_back(file: str, shown: Shown) -> None:
    uri = version_uri(file_uri(file), shown)
    decoded_once = uri.replace("%40", "@")
    for written in (uri, decoded_once, as_vs_code_writes(decoded_once), as_vs_code_writes(uri)):
        assert shown_by(written) == shown
    assert file_of_version(uri) == file_uri(file)


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        (f"session%3D{ID}%26backup%3D20fa6108ee283ee3%40v12", Shown(ID, COPY)),
        (f"session%3D{ID}%26result%3D7", Shown(ID, result=7)),
        (f"backup={COPY}&session={ID}", Shown(ID, COPY)),
        (f"session={ID}&backup={COPY}&more=1", Shown(ID, COPY)),
        ("empty=", Shown()),
        # The names are taken as they are: whoever opens a file checks them.
        ("session=..%2F..&backup=%2Fetc%2Fpasswd", Shown("../..", "/etc/passwd")),
        (f"session={ID}&patch=92&side=before", Shown(ID, patch="92", is_before=True)),
        (f"session={ID}&patch=92", None),
        (f"session={ID}&patch=92&side=left", None),
        (f"session={ID}&patch=..%2F&side=after", None),
        ("patch=92&side=after", None),
        ("", None),
        ("session=", None),
        (f"session={ID}", None),
        (f"session={ID}&backup=", None),
        (f"backup={COPY}", None),
        (f"session={ID}&result=", None),
        (f"session={ID}&result=-1", None),
        (f"session={ID}&result=1.5", None),
        (f"session={ID}&result=%C2%B2", None),
        (f"session={ID}&result=\u0663", None),
        (f"session={ID}&result=" + "9" * 5000, None),
        (f"session={ID}&result=x&backup={COPY}", None),
    ],
)
def test_a_query(query: str, shown: Shown | None) -> None:
    assert shown_by(f"forkpoint-version:///home/dev/a.py?{query}") == shown


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "forkpoint-version",
        "forkpoint-version:",
        f"file:///home/dev/a.py?session={ID}&backup={COPY}",
        f"forkpoint-transcript:T?session={ID}&backup={COPY}",
        f"forkpoint-version://[/a.py?session={ID}&backup={COPY}",
    ],
)
def test_other_addresses_show_nothing(uri: str) -> None:
    assert shown_by(uri) is None


@pytest.mark.parametrize(
    ("uri", "named"),
    [
        (f"forkpoint-transcript:A%20title?session={ID}", Named(ID, None, None)),
        (
            f"forkpoint-transcript:T?session={ID}&agent=a1b2&leaf=u1",
            Named(ID, "a1b2", "u1"),
        ),
        (
            f"forkpoint-transcript:T?session%3D{ID}%26agent%3Da1b2%26leaf%3Du1",
            Named(ID, "a1b2", "u1"),
        ),
        (f"forkpoint-transcript:T?session={ID}&agent=&leaf=", Named(ID, None, None)),
        ("forkpoint-transcript:T?session=", None),
        ("forkpoint-transcript:T?agent=a1", None),
        ("forkpoint-transcript:T", None),
        (f"forkpoint-version:T?session={ID}", None),
        (f"forkpoint-transcript://[?session={ID}", None),
    ],
)
def test_addresses_of_transcripts(uri: str, named: Named | None) -> None:
    assert named_by(uri) == named


@given(st.text(max_size=30))
def test_any_text_has_an_answer(text: str) -> None:
    for scheme in ("", "forkpoint-version:", "forkpoint-transcript:"):
        shown_by(scheme + text)
        named_by(scheme + text)
