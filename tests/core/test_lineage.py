"""From which session another was copied: signs in their order, and who was first."""

from __future__ import annotations

from pathlib import Path

import pytest

from forkpoint.index import TranscriptIndex
from forkpoint.lineage import Lineage
from tests.builders import SESSION, Fields, index_of, transcript, uuid
from tests.fixture_paths import CASES, REAL


class Known:
    """Some indexed sessions and their lineage."""

    def __init__(self, **sessions: bytes) -> None:
        self.indexes = {name: index_of(data, None) for name, data in sessions.items()}
        self.lineage = Lineage(self.indexes.get)
        for name, index in self.indexes.items():
            self.lineage.add(name, index)

    def origins(self) -> dict[str, tuple[str, str]]:
        """Of each session that was copied: from which, and what shows it."""
        found = {name: self.lineage.origin(name, index) for name, index in self.indexes.items()}
        return {name: (o.session_id, o.evidence) for name, o in found.items() if o is not None}


def renamed(text: str, **names: str) -> bytes:
    """Rows with other uuids: `names` says of which answer each has the message id."""
    fields: dict[str, Fields] = {
        name: {"message": {"id": f"msg_{original}"}} for name, original in names.items()
    }
    return transcript(text, fields=fields)


@pytest.mark.parametrize(
    ("sessions", "expected"),
    [
        pytest.param({"one": transcript("u1 a1"), "two": transcript("u2 a2")}, {}, id="strangers"),
        pytest.param(
            {
                "one": transcript("u1 a1 u2 a2"),
                "two": transcript("u1 a1") + transcript("| a1 u3 a3", start=600),
            },
            {"two": ("one", "sameFirstUuid")},
            id="rows copied with their uuids",
        ),
        pytest.param(
            {
                "one": transcript("u1 a1 u2 a2"),
                "two": renamed("u8 a8", a8="a1") + transcript("| a8 u9 a9", start=600),
            },
            {"two": ("one", "sameMessageIds")},
            id="rows copied under new uuids",
        ),
        pytest.param(
            {"old": transcript("u1 a1"), "new": transcript("| a1 u2 a2", start=600)},
            {"new": ("old", "parentInOtherFile")},
            id="a chain over two files (1.x)",
        ),
        pytest.param(
            {
                "one": transcript("u1 a1 u2 a2"),
                "two": transcript("u1 a1") + transcript("| a1 u3 a3", start=600),
                "three": transcript("u1 a1") + transcript("| a1 u4 a4", start=900),
            },
            {"two": ("one", "sameFirstUuid"), "three": ("one", "sameFirstUuid")},
            id="two copies of one",
        ),
        pytest.param(
            {
                "old": transcript("u1 !u1() a1"),
                "copy": transcript("u1 a1") + transcript("| a1 u3 a3", start=600),
                "new": transcript("| a1 u2 a2", start=900),
            },
            {"copy": ("old", "sameFirstUuid"), "new": ("old", "parentInOtherFile")},
            id="a chain goes on from the original, not from a copy of it",
        ),
        pytest.param(
            {
                "one": transcript("u1 a1"),
                "two": transcript("u1 a1") + transcript("| a1 u2 a2", start=600),
                "three": transcript("u1 a1 | a1 u2 a2", times={"u2": 600, "a2": 610})
                + transcript("| a2 u3 a3", start=900),
            },
            {"two": ("one", "sameFirstUuid"), "three": ("two", "sameFirstUuid")},
            id="a copy of a copy",
        ),
        pytest.param(
            {
                "whole": transcript("u1 a1 b1 c1 a2 u3 a3"),
                "tail": transcript("b1 c1 a2", start=20) + transcript("| a2 u4 a4", start=600),
            },
            {"tail": ("whole", "sameFirstUuid")},
            id="a copy of what follows a compaction",
        ),
        pytest.param({"lonely": transcript("| gone u2 a2")}, {}, id="a parent that is in no file"),
        pytest.param({"empty": b"", "other": transcript("u1 a1")}, {}, id="an empty one"),
    ],
)
def test_signs(sessions: dict[str, bytes], expected: dict[str, tuple[str, str]]) -> None:
    assert Known(**sessions).origins() == expected
    backwards = dict(reversed(sessions.items()))
    assert Known(**backwards).origins() == expected


def test_what_the_records_say_goes_first() -> None:
    said = {"forkedFrom": {"sessionId": "elsewhere", "messageUuid": uuid("u1")}}
    fork = transcript("u1 a1", fields={"u1": said, "a1": said})
    origins = Known(one=transcript("u1 a1 u2"), fork=fork).origins()
    assert origins["fork"] == ("elsewhere", "forkedFrom")


def test_an_original_that_ended_where_its_copy_went_on() -> None:
    """The usual fork: all that the original has was copied."""
    fork = transcript("u1 a1") + transcript("| a1 u3 a3", start=600)
    assert Known(one=transcript("u1 a1"), fork=fork).origins() == {"fork": ("one", "sameFirstUuid")}


def test_a_file_that_comes_back_is_found_again() -> None:
    known = Known(old=transcript("u1 a1"), new=transcript("| a1 u2 a2", start=600))
    index = known.indexes.pop("old")
    known.lineage.forget("old")
    assert known.origins() == {}
    known.indexes["other"] = index
    known.lineage.add("other", index)
    assert known.origins() == {"new": ("other", "parentInOtherFile")}


def test_when_an_original_is_gone_its_copy_is_gone_on_from() -> None:
    copy = transcript("u1 a1") + transcript("| a1 u3 a3", start=600)
    known = Known(old=transcript("u1 !u1() a1"), copy=copy, new=transcript("| a1 u2 a2", start=900))
    del known.indexes["old"]
    known.lineage.forget("old")
    assert known.origins() == {"new": ("copy", "parentInOtherFile")}


def test_a_name_that_is_not_here_does_not_hide_what_is() -> None:
    """A copy of a fork by `--fork-session` keeps what the fork's rows say of themselves."""
    said = {"forkedFrom": {"sessionId": "gone", "messageUuid": uuid("u1")}}
    fields: dict[str, Fields] = {"u1": said, "a1": said}
    fork = transcript("u1 a1 u2 a2", fields=fields)
    copy = fork + transcript("| a2 u3 a3", start=600)
    assert Known(fork=fork, copy=copy).origins() == {
        "fork": ("gone", "forkedFrom"),
        "copy": ("fork", "sameFirstUuid"),
    }


def test_a_file_under_another_name_is_the_copy() -> None:
    """Its rows name the session of the other one, whose id comes later."""
    rows = transcript("u1 a1").replace(SESSION.encode(), b"z")
    known = Known()
    known.indexes.update(a=index_of(rows, "a"), z=index_of(rows, "z"))
    for name, index in known.indexes.items():
        known.lineage.add(name, index)
    assert known.origins() == {"a": ("z", "sameFirstUuid")}


# --- what was copied ---------------------------------------------------------------------------


def test_the_message_ids_of_both_are_copied() -> None:
    fork = transcript("u1 a1") + transcript("| a1 u3 a3", start=600)
    known = Known(one=transcript("u1 a1 u2 a2"), fork=fork)
    assert known.lineage.copied("fork", known.indexes["fork"]) == {"msg_a1"}


def test_nothing_is_copied_from_nowhere() -> None:
    known = Known(one=transcript("u1 a1"))
    index = known.indexes["one"]
    assert known.lineage.copied("one", index) == frozenset()


# --- recorded forks ----------------------------------------------------------------------------


def indexes(home: Path) -> dict[str, TranscriptIndex]:
    paths = home.glob("projects/*/*-*-*.jsonl")
    return {path.stem: index_of(path.read_bytes(), path.stem) for path in paths}


@pytest.mark.parametrize("home", [REAL / "f1_branch", CASES / "71-usage-fork-copies"])
def test_recorded_forks(home: Path) -> None:
    """`/branch` marks each row it copies; the fork says so, whichever is read first."""
    found = indexes(home)
    lineage = Lineage(found.get)
    for name, index in found.items():
        lineage.add(name, index)
    origins = {name: lineage.origin(name, index) for name, index in found.items()}
    forks = {name: origin for name, origin in origins.items() if origin is not None}
    assert [origin.evidence for origin in forks.values()] == ["forkedFrom"]
    [(fork, origin)] = forks.items()
    assert {fork, origin.session_id} == set(found)
    shared = set(found[fork].joins.message_ids) & set(found[origin.session_id].joins.message_ids)
    assert lineage.copied(fork, found[fork]) == shared != set()
