"""Which rule chose the leaf, how the path ends, and what a resume does about it."""

from __future__ import annotations

import pytest

from tests.builders import Fields, index_of, name_of, resume, timestamp, transcript

RENDERED = {"attachment": {"type": "date"}, "rendered": [{"content": "today"}]}
ERROR = {"isApiErrorMessage": True, "message": {"model": "<synthetic>"}}


@pytest.mark.parametrize(
    ("text", "leaf", "rule"),
    [
        ("u1 a1 u2 a2 >a2", "a2", "pointer"),
        ("u1 a1 u2 a2 >a1", "a2", "pointerDescendant"),
        ("u1 a1 u2 a2 >>a1", "a1", "explicitPointer"),
        ("u1 a1 u2 a2 >>a1 >a1", "a1", "explicitPointer"),
        ("u1 a1 >>a1 u2 a2", "a2", "pointerDescendant"),
        ("u1 a1 u2 a2", "a2", "lastRecord"),
        ("u1 a1 u2 a2 >a2 >gone", "a2", "lastRecord"),
        ("u1 a1 u2 a2 >a1 | a1 u3 >nil", "u3", "lastRecord"),
        ("u1 a1 u2 a2 >a1 b1", "a2", "lastRecord"),
        ("u1 a1 u2 a2 s1 >s1", "a2", "pointer"),
        ("u1 a1 >>null", None, "cleared"),
        ("u1 a1 >>null u2", "u2", "lastRecord"),
        ("u1 a1 >>null >a1", "a1", "pointer"),
        ("u1 a1 >null", "a1", "lastRecord"),
        ("u1 a1 k1 >>k1", None, "explicitPointer"),
        ("", None, "lastRecord"),
        ("k1", None, "lastRecord"),
        ("h1 s1", None, "lastRecord"),
    ],
)
def test_leaf_and_rule(text: str, leaf: str | None, rule: str) -> None:
    resumed = resume(index_of(transcript(text)))
    row = resumed.leaf.row
    found = None if row is None else resumed.names([row])
    assert (found, resumed.leaf.rule) == (leaf, rule)


SPLIT = {"a2": {"message": {"id": "msg_a1"}}}


@pytest.mark.parametrize(
    ("text", "fields", "leaf"),
    [
        # A plain pointer into a parallel batch gives way to what a sibling leads to ...
        ("u1 t1+t2 r1 r2 a1 >r1", {}, "a1"),
        ("u1 t1+t2 r1 r2 a1 >t1", {}, "a1"),
        ("u1 t1+t2 r2 a1 r1 >a1", {}, "a1"),
        ("u1 t1+t2 r1 | t2 r2 >r1", {}, "r2"),
        # ... not to another branch, and not if it was ever set on purpose.
        ("u1 t1+t2 r1 r2 | u1 u2 a2 >r1", {}, "r1"),
        ("u1 t1+t2 r1 >>r1 r2 a1 >r1", {}, "r1"),
        ("u1 t1+t2 r1 r2 a1 >>r1", {}, "r1"),
        # A pointer to the end of a split answer gives way to talk that hangs between its rows ...
        ("u1 a1 s1 | a1 a2 | s1 u2 >a2", SPLIT, "u2"),
        ("u1 a1 s1 | a1 a2 | s1 u2 a3 >a2", SPLIT, "a3"),
        # ... not to talk elsewhere, nor if something hangs on it, nor from its first row.
        ("u1 a1 s1 | a1 a2 | u1 u2 >a2", SPLIT, "a2"),
        ("u1 a1 s1 | a1 a2 h1 | s1 u2 >a2", SPLIT, "a2"),
        ("u1 a1 s1 | a1 a2 | s1 u2 >a2", {}, "a2"),
        ("u1 a1 s1 | a1 t2 | s1 u2 >t2", {"t2": {"message": {"id": "msg_a1"}}}, "t2"),
        ("u1 a1 s1 | a1 a2 | s1 u2 >>a2", SPLIT, "a2"),
    ],
)
def test_pointers_into_one_response(text: str, fields: dict[str, Fields], leaf: str) -> None:
    resumed = resume(index_of(transcript(text, fields=fields)))
    assert resumed.leaf.row is not None
    assert resumed.names([resumed.leaf.row]) == leaf


@pytest.mark.parametrize(
    ("text", "fields", "tip"),
    [
        ("", {}, "empty"),
        ("u1 a1 >>null", {}, "empty"),
        ("u1 a1", {}, "complete"),
        ("u1 a1 s1", {}, "complete"),
        ("u1 a1 u2", {}, "awaitingAnswer"),
        ("u1 a1 m1", {}, "awaitingAnswer"),
        ("u1 t1", {}, "toolRunningOrLost"),
        ("u1 t1+t2 r2", {}, "toolRunningOrLost"),
        ("u1 t1 r1", {}, "stoppedAfterTool"),
        ("u1 t1+t2 r2 r1", {}, "stoppedAfterTool"),
        ("u1 a1 i1", {}, "interrupted"),
        ("u1 a1", {"a1": ERROR}, "apiError"),
        ("u1 a1 b1 c1", {}, "complete"),
    ],
)
def test_tip(text: str, fields: dict[str, Fields], tip: str) -> None:
    assert resume(index_of(transcript(text, fields=fields))).request.tip == tip


@pytest.mark.parametrize(
    ("text", "times", "rows", "hangs_on"),
    [
        ("u1 a1 s1 s2", {}, "u1 a1 s1 s2", "s2"),
        # Siblings by time, each followed by its own.
        ("u1 a1 s1 s2 | a1 s3", {"s3": 15}, "u1 a1 s3 s1 s2", "s2"),
        ("u1 a1 s1 s2 | a1 s3", {}, "u1 a1 s1 s2 s3", "s3"),
        # What talk hangs on the leaf does not matter.
        ("u1 a1 u2 a2 | a1 s1 >>a1", {}, "u1 a1 s1", "s1"),
        # Nothing hangs on the note of a hook, only behind it.
        ("u1 a1 h1", {}, "u1 a1 h1", "a1"),
        ("u1 a1 h1 s1", {}, "u1 a1 h1 s1", "s1"),
        ("u1 t1+t2 r1 r2 s1", {}, "u1 t1 t2 r1 r2 s1", "s1"),
        ("u1 t1+t2 r1 s1 | t2 r2", {}, "u1 t1 t2 r1 r2 s1", "r2"),
        ("", {}, "", None),
    ],
)
def test_what_trails_the_leaf(
    text: str, times: dict[str, float], rows: str, hangs_on: str | None
) -> None:
    resumed = resume(index_of(transcript(text, times=times)))
    end = resumed.request.hangs_on
    assert resumed.names(resumed.request.rows) == rows
    assert (None if end is None else resumed.names([end])) == hangs_on


# The table of format.md section 8. A repair is written kind:row, kinds by their first letter.
REPAIRS: dict[str, tuple[str, dict[str, Fields], dict[str, str]]] = {
    "complete": ("u1 a1 s1", {}, {"2.0.76": "", "2.1.263": "", "2.1.332": ""}),
    "prompt without answer": (
        "u1 a1 u2",
        {},
        {"2.0.76": "n:u2", "2.1.263": "n:u2", "2.1.332": "n:u2"},
    ),
    "system row behind the prompt": ("u1 a1 u2 s1", {}, {"2.1.263": "n:u2", "2.1.332": "n:u2"}),
    "meta row": ("u1 a1 m1", {}, {"2.1.100": "n:m1", "2.1.332": "n:m1"}),
    "interrupt": ("u1 a1 i1", {}, {"2.1.100": "n:i1", "2.1.332": "n:i1"}),
    "attachment behind the prompt": (
        "u1 a1 u2 h1",
        {"h1": RENDERED},
        {"2.1.100": "n:h1", "2.1.216": "n:h1"},
    ),
    "attachment behind the answer": (
        "u1 a1 h1",
        {"h1": RENDERED},
        {"2.0.76": "", "2.1.100": "n:h1", "2.1.216": "", "2.1.332": ""},
    ),
    "note of a hook behind the answer": (
        "u1 a1 h1",
        {},
        {"2.0.76": "", "2.1.100": "n:a1", "2.1.216": "", "2.1.332": ""},
    ),
    "call without result": (
        "u1 a1 u2 t1",
        {},
        {"2.0.76": "d:t1 n:u2", "2.1.280": "d:t1 n:u2", "2.1.281": "s:t1 n:t1"},
    ),
    "call without result, behind text": (
        "u1 a1+t1",
        {},
        {"2.1.263": "d:t1", "2.1.332": "s:t1 n:t1"},
    ),
    "some results missing": (
        "u1 t1+t2+t3 r2",
        {},
        {"2.1.263": "d:t1 d:t3 n:r2", "2.1.332": "s:t1 s:t3 n:t3"},
    ),
    "result without answer": (
        "u1 t1 r1",
        {},
        {"2.0.76": "n:r1", "2.1.263": "n:r1", "2.1.332": "n:r1"},
    ),
    "call without result in mid-chain": ("u1 t1 u2 a2", {}, {"2.1.263": "", "2.1.332": ""}),
    "a gap": ("u1 a1 | gone u2 a2", {}, {"2.0.76": "c:u2", "2.1.332": "c:u2"}),
    "a gap of five seconds": (
        "u1 a1 | gone u2 a2",
        {"a1": {"timestamp": timestamp(15)}},
        {"2.0.76": "c:u2", "2.1.332": "b:u2"},
    ),
    "a gap of a millisecond more": (
        "u1 a1 | gone u2 a2",
        {"a1": {"timestamp": timestamp(14.999)}},
        {"2.1.332": "c:u2"},
    ),
}


@pytest.mark.parametrize(("text", "fields", "by_version"), REPAIRS.values(), ids=REPAIRS)
def test_repairs(text: str, fields: dict[str, Fields], by_version: dict[str, str]) -> None:
    index = index_of(transcript(text, fields=fields))
    mine = {}
    for version in by_version:
        repairs = resume(index, version).request.repairs
        named = [f"{r.kind[0]}:{name_of(index.nodes.uuid(r.row) or '')}" for r in repairs]
        mine[version] = " ".join(named)
    assert mine == by_version
