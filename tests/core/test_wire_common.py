"""What several answers write: roles, times, and the URIs of paths that the agent wrote."""

from __future__ import annotations

from typing import get_args

import pytest

from forkpoint.protocol import types
from forkpoint.protocol.wire.common import ROLES, iso_time, resolved_uri
from forkpoint.records.record import Role


def test_every_role_has_its_word_and_every_word_its_role() -> None:
    assert set(ROLES) == set(Role)
    assert {word for word in ROLES.values() if word is not None} == set(get_args(types.Role))
    assert [role for role, word in ROLES.items() if word is None] == [Role.STATE]


@pytest.mark.parametrize(
    ("path", "start", "uri"),
    [
        ("/home/dev/shop/cart.py", "/elsewhere", "file:///home/dev/shop/cart.py"),
        ("cart.py", "/home/dev/shop", "file:///home/dev/shop/cart.py"),
        ("./a/../cart.py", "/home/dev/shop/", "file:///home/dev/shop/cart.py"),
        ("src\\cart.py", "C:\\Users\\dev\\shop", "file:///C%3A/Users/dev/shop/src/cart.py"),
        ("c:/Users/dev/a b.py", None, "file:///c%3A/Users/dev/a%20b.py"),
        ("\\\\srv\\share\\x.py", None, "file://srv/share/x.py"),
    ],
)
def test_a_path_is_resolved_where_the_session_started(
    path: str, start: str | None, uri: str
) -> None:
    assert resolved_uri(path, start) == uri


@pytest.mark.parametrize(
    ("milliseconds", "time"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (3e14, "9999-12-31T23:59:59.999Z"),
        (-3e14, "0001-01-01T00:00:00.000Z"),
        (1_780_000_000_123, "2026-05-28T20:26:40.123Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
    ],
)
def test_times_are_written_as_the_agent_does(milliseconds: int, time: str) -> None:
    assert iso_time(milliseconds) == time
