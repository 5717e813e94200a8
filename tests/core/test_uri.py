"""File URIs of any system, from path to URI and back."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from forkpoint.protocol.uri import file_uri, is_uri, path_of

PAIRS = [
    ("/home/dev/shop/cart.py", "file:///home/dev/shop/cart.py"),
    ("/", "file:///"),
    ("/a b/ü/店/🙂", "file:///a%20b/%C3%BC/%E5%BA%97/%F0%9F%99%82"),
    ("/100%/a#b?c", "file:///100%25/a%23b%3Fc"),
    ("/back\\slash", "file:///back%5Cslash"),
    ("/a:b/c;d/(e)", "file:///a%3Ab/c;d/(e)"),
    ("/line\nbreak", "file:///line%0Abreak"),
    ("C:\\Users\\dev\\my app", "file:///C%3A/Users/dev/my%20app"),
    ("\\\\wsl.localhost\\Ubuntu\\home", "file://wsl.localhost/Ubuntu/home"),
]


@pytest.mark.parametrize(("path", "uri"), PAIRS)
def test_there_and_back(path: str, uri: str) -> None:
    assert file_uri(path) == uri
    assert path_of(uri) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///C:/Users/dev", "C:\\Users\\dev"),
        ("file:///c%3a/Users", "c:\\Users"),
        ("file://localhost/home", "/home"),
        ("file:/home", "/home"),
        ("FILE:///home", "/home"),
        ("file:///h%6Fme", "/home"),
        ("file:///%FF", "/\ufffd"),
        ("file:///a%00b", "/a\0b"),
        ("file:///a?query#fragment", "/a"),
    ],
)
def test_other_spellings(uri: str, path: str) -> None:
    assert path_of(uri) == path


def test_a_drive_in_slashes_is_the_same_place() -> None:
    assert file_uri("c:/Users/dev") == file_uri("c:\\Users\\dev")


def test_bytes_that_are_no_text_become_marks() -> None:
    assert file_uri("/caf\udce9") == "file:///caf%3F"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_absolute_path_comes_back(text: str) -> None:
    path = f"/{text}"
    assume(not re.match(r"/(/|[A-Za-z]:[\\/])", path))  # a share's name, a drive
    assert path_of(file_uri(path)) == path


@given(st.text())
def test_any_text_is_a_uri_or_none(text: str) -> None:
    if is_uri(text):
        path_of(text)


@pytest.mark.parametrize("text", ["file://[", "file://[x]/a", "file://a]b/"])
def test_an_authority_in_brackets_has_to_be_an_address(text: str) -> None:
    assert not is_uri(text)
    assert is_uri("file://[::1]/share")
