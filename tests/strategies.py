"""Random material: lines, transcripts, damaged recordings, and ways to cut bytes."""

from __future__ import annotations

import json

import msgspec
from hypothesis import strategies as st

from forkpoint.records.shapes import AttachmentShape, BlockShape, LineShape, MessageShape
from tests.builders import (
    CWD,
    Fields,
    backup,
    delta,
    kept,
    line,
    pointer,
    result_block,
    row,
    snapshot,
    transcript,
)
from tests.fixture_paths import CASES, FIXTURES, ORACLE

rarely = st.sampled_from([False] * 7 + [True])

# --- lines -------------------------------------------------------------------------------------

_names = sorted(
    {
        field.encode_name
        for shape in (LineShape, MessageShape, AttachmentShape, BlockShape)
        for field in msgspec.structs.fields(shape)
    }
)
_words = st.sampled_from(
    [
        *("user", "assistant", "system", "attachment", "last-prompt", "summary", "text"),
        *("tool_use", "tool_result", "compact_boundary", "queued_command", "<synthetic>", ""),
    ]
)
_leaves = st.none() | st.booleans() | st.integers() | st.floats() | _words | st.text(max_size=4)
_values = st.recursive(
    _leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_names), inner, max_size=4)
    ),
    max_leaves=8,
)
objects = st.dictionaries(st.sampled_from(_names), _values, max_size=8)
"""Objects with the field names of the agent and any values."""

_rows = st.sampled_from(transcript("u1 a1 t1 r1 s1 b1 q1").splitlines())
_texts = st.sampled_from([b"\0", b"\0\0", b" ", b"\t", b"\r", b"text", b"null", b"[]", b"{", b"}"])
_cut_rows = st.builds(lambda data, end: data[:end], _rows, st.integers(1, 300))
_dumped = objects.map(lambda value: json.dumps(value).encode())
_parts = _rows | _texts | _cut_rows | _dumped | st.binary(max_size=6)
lines = (
    st.lists(_parts, min_size=1, max_size=5)
    .map(lambda parts: b"".join(parts).replace(b"\n", b" "))
    .filter(lambda line: line.strip(b" \t\r"))
)
"""Lines without their end, none blank: records, parts of records and anything, in any order."""

# --- transcripts -------------------------------------------------------------------------------

_seconds = st.integers(0, 16).map(lambda n: n * 2.5) | st.sampled_from([5.001, 10.001])
_extras: st.SearchStrategy[Fields] = st.sampled_from(
    [{}] * 8
    + [
        {"isSidechain": True},
        {"isMeta": True},
        {"timestamp": None},
        {"sessionId": "another"},
        {"rendered": [{"content": "x"}]},
        {"isApiErrorMessage": True, "message": {"model": "<synthetic>"}},
    ]
)
_SHARED: Fields = {"message": {"id": "msg_shared"}}


@st.composite
def transcripts(draw: st.DrawFn, letters: str = "uuuaaattrrshmbcpqixk") -> bytes:
    """Rows on any parents (earlier, later, missing, themselves), with odd lines between them.

    Without the letters t and r each row is a response of its own, so that paths are plain.
    """
    names: list[str] = []
    out: list[bytes] = []
    for position in range(draw(st.integers(0, 12))):
        if draw(rarely):
            out.append(draw(_other_lines(names)))
        is_repeat = names and draw(rarely)
        name = draw(st.sampled_from(names if is_repeat else [*letters])) + str(position)
        name = draw(st.sampled_from(names)) if is_repeat else name
        extra = draw(_extra(name, names, joins="t" in letters))
        out.append(line(**row(name, draw(_parent(names, name)), draw(_seconds), extra)))
        names.append(name)
    if draw(rarely):
        out.append(draw(_other_lines(names)))
    data = b"".join(out)
    return data[:-1] if draw(rarely) else data


def _parent(names: list[str], name: str) -> st.SearchStrategy[str | None]:
    odd: list[str | None] = [None, name, "gone", "u11", *names]
    return st.sampled_from([*names[-1:] * len(odd) * 2, *odd])


@st.composite
def _extra(draw: st.DrawFn, name: str, names: list[str], *, joins: bool) -> Fields:
    if name[0] == "b" and names:
        some = draw(st.lists(st.sampled_from([*names, "gone", "c1"]), min_size=1, max_size=4))
        return draw(st.sampled_from([{}, kept(*some, name), kept(some[-1], *some)]))
    if name[0] == "r":
        calls = [other[1:] for other in names if other[0] == "t"] or ["9"]
        return {"message": {"content": [result_block(draw(st.sampled_from(calls)))]}}
    if joins and name[0] in "at" and draw(rarely):
        return _SHARED
    return draw(_extras)


def _other_lines(names: list[str]) -> st.SearchStrategy[bytes]:
    targets = st.sampled_from(["null", "nil", "gone", *names])
    pointers = st.builds(
        pointer, targets, explicit=st.booleans(), rewound=st.sampled_from([False, False, True])
    )
    odd = [b"\n", b" \r\n", b"null\n", b"[]\n", b"{\n", b"\0\0\n", b"\0", b'{"cut":']
    return pointers | pointers | st.sampled_from(odd) | file_histories(names)


_keys = st.sampled_from(
    ["a.py", "./a.py", f"{CWD}/a.py", "src/b.py", "../c.py", "/etc/hosts", "C:\\x\\d.py", ""]
)
_odd_backups = st.sampled_from(
    [{}, [], None, {"backupFileName": "../x", "version": 1}, {"version": -1}, {"version": 1}]
)
_backups = st.one_of(
    *[st.builds(backup, _keys, st.integers(1, 3), exists=st.booleans())] * 3, _odd_backups
)


def file_histories(names: list[str]) -> st.SearchStrategy[bytes]:
    """Snapshots, updates and deltas of any prompts, beside any rows."""
    rows = st.sampled_from(["gone", *names])
    files = st.dictionaries(_keys, _backups, max_size=3)
    snapshots = st.builds(snapshot, rows, files, by=st.none() | rows)
    return snapshots | snapshots | st.builds(delta, rows, _keys, _backups, by=rows)


# --- damaged recordings ------------------------------------------------------------------------

_RECORDINGS = [
    path.read_bytes()
    for folder in (ORACLE / "probes", CASES)
    for path in sorted(folder.rglob("*.jsonl"))
    if path.stat().st_size < 12_000 and "codex" not in path.relative_to(FIXTURES).parts
]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A recording in which lines were lost, doubled, moved, cut, glued or changed in a byte."""
    rows = draw(st.sampled_from(_RECORDINGS)).splitlines(keepends=True)
    for _ in range(draw(st.integers(0, 3))):
        rows = rows or [b"\n"]
        at, other = (draw(st.integers(0, len(rows) - 1)) for _ in range(2))
        one = rows[at]
        place = draw(st.integers(0, len(one)))
        byte = bytes([draw(st.integers(0, 255))])
        rows[at : at + 1] = draw(
            st.sampled_from(
                [
                    [],
                    [one, one],
                    [rows[other]],
                    [one[:place]],
                    [one[:-1]],
                    [one[:place] + byte + one[place + 1 :]],
                ]
            )
        )
    return b"".join(rows)


files = transcripts() | damaged()

# --- cutting -----------------------------------------------------------------------------------


@st.composite
def chunks(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """Bytes in pieces, cut anywhere and with some weight at the ends of lines."""
    ends = [at + step for at, byte in enumerate(data) if byte == 0x0A for step in (0, 1)]
    near = st.sampled_from(ends) if ends else st.nothing()
    cuts = sorted(draw(st.lists(near | st.integers(0, len(data)), max_size=6)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
