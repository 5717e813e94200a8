"""What a restore of the code would put back, along the path that the client goes.

The rules were watched with 2.1.332; fixtures/rewinds holds what it did.
"""

from __future__ import annotations

import pytest

from tests.builders import CWD, transcript, uuid
from tests.core.checkpoint_words import conversation, words


def restored(data: bytes, prompt: str, folder: str | None = CWD) -> str | None:
    return words(conversation(data).restore_points(folder).at(uuid(prompt) or ""))


@pytest.mark.parametrize(
    ("text", "prompt", "state"),
    [
        ("u1 a1", "u1", None),
        ("!u1() u1 a1", "u1", ""),
        ("!u1(a.py@2) u1 a1", "u1", "a.py@2"),
        ("u1 a1 !u1(a.py@2)", "u1", "a.py@2"),
        # The last of two base snapshots, the last of two keys.
        ("!u1(a.py@2) u1 !u1(a.py@3) a1", "u1", "a.py@3"),
        (f"!u1({CWD}/a.py@1,a.py@2) u1", "u1", "a.py@2"),
        (f"!u1(a.py@1,{CWD}/a.py@2) u1", "u1", "a.py@2"),
        # An update takes the place of its prompt's snapshot, a delta is laid over it.
        ("!u1(a.py@2) u1 t1 ~u1(a.py@2,b.py@1) r1", "u1", "a.py@2 b.py@1"),
        ("!u1(a.py@2) u1 t1 ~u1(b.py@1) r1", "u1", "b.py@1"),
        ("!u1(a.py@2) u1 t1 +u1(b.py@1-) r1", "u1", "a.py@2 b.py@1-"),
        ("!u1(a.py@2) u1 t1 +u1(a.py@1) r1", "u1", "a.py@1"),
        ("!u1(a.py@2) u1 t1 +u1(b.py@1,c.py@1) r1", "u1", "a.py@2 b.py@1 c.py@1"),
        # A delta without a snapshot of its prompt begins with the newest one.
        ("!u1(a.py@2) u1 a1 u2 t1 +u2(b.py@1) r1", "u2", "a.py@2 b.py@1"),
        ("u1 t1 +u1(b.py@1) r1", "u1", "b.py@1"),
        # First entries count wherever they stand, if their number is 1.
        ("!u1() u1 a1 !u2() u2 t1 +u2(a.py@1)", "u1", "a.py@1"),
        ("!u1() u1 a1 !u2() u2 t1 +u2(a.py@1-) !u3(a.py@2) u3", "u1", "a.py@1-"),
        ("!u1() u1 a1 !u2(a.py@2) u2", "u1", "a.py@?"),
        ("!u1() u1 a1 !u2(a.py@2) u2 a2 !u3(a.py@1) u3", "u1", "a.py@1"),
        ("!u1(a.py@1) u1 a1 !u2() u2", "u2", "a.py@1"),
        # What stands beside rows off the path is not used.
        ("!u1(a.py@1) u1 a1 !u2(a.py@2) u2 a2 | a1 !u3(a.py@3) u3", "u2", None),
        ("!u1(a.py@1) u1 a1 !u2(a.py@2,b.py@1) u2 a2 | a1 !u3(a.py@3) u3", "u1", "a.py@1"),
        ("!u1() u1 a1 u2 t1 ~u1(a.py@1) r1 | a1 !u3() u3", "u1", ""),
        ("!u1(a.py@1) u1 a1 | - !u2(a.py@2) u2", "u1", None),
        # Behind a compaction what lies before it is gone.
        ("!u1(a.py@1) u1 a1 b1 c1 !u2(a.py@2) u2 a2", "u1", None),
        ("!u1(a.py@1) u1 a1 b1 c1 !u2(a.py@2) u2 a2", "u2", "a.py@2"),
    ],
)
def test_a_restore_uses(text: str, prompt: str, state: str | None) -> None:
    assert restored(transcript(text), prompt) == state


def test_relative_keys_count_from_where_the_client_is_started() -> None:
    data = transcript("!u1(a.py@1,../b.py@1,/etc/hosts@1) u1 a1")
    assert restored(data, "u1", "/srv/app") == "/srv/app/a.py@1 /srv/b.py@1 /etc/hosts@1"
    assert restored(data, "u1", None) == "a.py@1 ../b.py@1 /etc/hosts@1"


def test_the_newest_hundred_can_be_gone_back_to() -> None:
    """As case 67 has it: of 105 prompts the sixth is the first that the client takes."""
    data = transcript(" ".join(f"!u{n}(a.py@{n}) u{n} a{n}" for n in range(1, 106)))
    points = conversation(data).restore_points(CWD)
    taken = [n for n in range(1, 106) if points.at(uuid(f"u{n}") or "") is not None]
    assert taken == list(range(6, 106))
    assert points.has(uuid("u5") or "")
    assert not points.has(uuid("u106") or "")
