"""The fast ways through usual lines give the same index as the general way, record by record.

There are two: in Python, and with the scanner in C, where there is one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint import index as index_module
from forkpoint.index import TranscriptIndex
from forkpoint.native import loaded
from forkpoint.transcript import TranscriptReader
from tests.builders import SESSION, Fields, call_block, result_block, row, snapshot, text_block
from tests.fixture_paths import FIXTURES
from tests.properties.test_folding import state
from tests.strategies import files

RECORDINGS = sorted(
    path for path in FIXTURES.rglob("*.jsonl") if "codex" not in path.relative_to(FIXTURES).parts
)


Way = Literal["scanned", "batches", "general"]


def everything(data: bytes, way: Way, *, of_agent: bool = False) -> dict[str, Any]:
    """All that an index knows of a file, columns that others do not ask for included."""
    reader, index = TranscriptReader(), TranscriptIndex(SESSION, of_agent=of_agent)
    lines = reader.feed(data)
    scan = index_module.scan_lines if way == "scanned" else lambda _: None
    with patch.multiple(index_module, FEW=1, scan_lines=scan):
        index.apply(list(lines) if way == "general" else lines)
    usage, checkpoints = vars(index.usage), vars(index.checkpoints)
    return {
        **state(index),
        "states": (index.states.last, index.states.notes),
        "requests": (list(index.sent_requests.requests), list(index.sent_requests.shapes)),
        "numbers of responses": {name: list(column) for name, column in usage.items()},
        "numbers of calls": {
            name: value if isinstance(value, dict | set | int) else list(value)
            for name, value in vars(index.tools).items()
        },
        "numbers of backups": checkpoints["_known"],
        "waiting": {key: rows for key, rows in vars(index.nodes)["_waiting"].items() if rows},
        "rows by uuid": [
            index.nodes.find(index.nodes.uuid(row)) for row in range(len(index.nodes))
        ],
    }


def agree(data: bytes, *, of_agent: bool = False) -> None:
    general = everything(data, "general", of_agent=of_agent)
    assert everything(data, "batches", of_agent=of_agent) == general
    if loaded() is not None:
        assert everything(data, "scanned", of_agent=of_agent) == general


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_recordings(path: Path) -> None:
    agree(path.read_bytes())


@given(files, st.booleans())
def test_transcripts(data: bytes, of_agent: bool) -> None:
    agree(data, of_agent=of_agent)


# --- rows that look usual ------------------------------------------------------------------------

UUID = "0aa00000-0000-4000-8000-00000000000a"
DECOYS: Fields = {
    "uuid": UUID,
    "parentUuid": UUID,
    "timestamp": "2020-01-01T00:00:00.000Z",
    "type": "user",
    "isSidechain": True,
    "usage": {"input_tokens": 1},
    "message": {"id": "msg_decoy", "usage": {"output_tokens": 7}},
    "cwd": "/decoy",
    "file_path": "decoy.py",
}
TEXTS = st.sampled_from(
    [
        "",
        " ",
        "\n",
        '"quoted" \\ {"uuid":"x"}',
        "über 🙂",
        "</x>",
        "<x>",
        "[Request interrupted by user",
    ]
) | st.text(max_size=6)
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, 1.5, -3, 2**70, "", "text", [], {}, [None], DECOYS]
)
IDS = st.sampled_from([None, "msg_1", "msg_2", "call_1", "call_2", "", 5])
TOKENS: st.SearchStrategy[Any] = st.sampled_from([0, 3, -1, 2**64, 1.0, None])
USAGES: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {},
    optional={
        "input_tokens": TOKENS,
        "output_tokens": TOKENS,
        "cache_creation_input_tokens": TOKENS,
        "cache_creation": st.sampled_from(
            [None, {"ephemeral_1h_input_tokens": 2}, {"ephemeral_5m_input_tokens": 1}, DECOYS]
        ),
        "iterations": st.sampled_from([None, [], [{"output_tokens": 9}], [DECOYS], 4]),
        "speed": st.sampled_from([None, "standard", "fast", "faster", 7, DECOYS]),
    },
)
INPUTS: st.SearchStrategy[Any] = ODD | st.fixed_dictionaries(
    {}, optional={"file_path": TEXTS | ODD, "notebook_path": TEXTS, "nested": st.just(DECOYS)}
)


def _call(call_id: Any, call_input: Any) -> Fields:
    return {**call_block("1"), "id": call_id, "input": call_input}


def _result(call_id: Any, is_error: Any) -> Fields:
    return result_block("1", tool_use_id=call_id, is_error=is_error, content=[DECOYS])


BLOCKS: st.SearchStrategy[Any] = st.one_of(
    st.builds(text_block, TEXTS),
    st.builds(_call, IDS, INPUTS),
    st.builds(_result, IDS, ODD),
    st.just({"type": "thinking", "thinking": "…"}),
    ODD,
)
CONTENTS: st.SearchStrategy[Any] = TEXTS | st.lists(BLOCKS, max_size=3) | ODD
MESSAGES: st.SearchStrategy[Any] = ODD | st.fixed_dictionaries(
    {},
    optional={
        "id": IDS,
        "model": st.sampled_from([None, "a", "b", "<synthetic>", 5]),
        "content": CONTENTS,
        "usage": USAGES | ODD,
    },
)
RESULTS: st.SearchStrategy[Any] = (
    ODD
    | TEXTS
    | st.fixed_dictionaries(
        {"nested": st.just({**DECOYS, "agentId": "a0"})},
        optional={
            "agentId": st.sampled_from(["a1", None, 3]),
            "isAsync": st.booleans() | st.none(),
            "backgroundTaskId": st.sampled_from(["b1", None]),
        },
    )
)
ENTRIES: st.SearchStrategy[Any] = st.sampled_from(
    [{"backupFileName": "x@v1", "version": 1}, {"backupFileName": None}, {"inner": {}}]
)
BACKUPS: st.SearchStrategy[Fields] = st.dictionaries(
    st.sampled_from(["a.py", 'b},"', "ü"]), ENTRIES | ODD
)
EXTRAS: dict[str, st.SearchStrategy[Any]] = {
    "message": MESSAGES,
    "toolUseResult": RESULTS,
    "type": st.sampled_from(["user", "assistant", "system", "mode", "last-prompt", "tag", 5, None]),
    "uuid": st.sampled_from([None, UUID, UUID.upper(), "odd", 7]),
    "parentUuid": st.sampled_from([None, UUID, "odd", ""]),
    "timestamp": st.sampled_from(
        [
            *(None, "", "x" * 24, "2026-05-28T09:30:00.123Z", "2026-05-28T09:30:60.123Z"),
            *("2026-13-28T09:30:00.123Z", "2026-05-28T09:30:00Z", "2026-05-28T09:30:00.123+02:00"),
        ]
    ),
    "isSidechain": ODD,
    "isMeta": ODD,
    "isCompactSummary": ODD,
    "isApiErrorMessage": ODD,
    "promptSource": st.sampled_from(["system", "typed", None, 4]),
    "origin": st.sampled_from([None, {"kind": "human"}, {"kind": "task"}, {}, "x"]),
    "forkedFrom": st.sampled_from([None, {"sessionId": "other"}, {}, "x"]),
    "toolDenialKind": ODD,
    "promptCacheRequested": st.sampled_from([None, "5m", "1h", "off", "odd", 5]),
    "requestId": IDS,
    "subtype": st.sampled_from([None, "compact_boundary", "local_command", "api_error", "other"]),
    "attachment": ODD
    | st.fixed_dictionaries(
        {"type": st.sampled_from(["queued_command", "hook_success", "environment", "x", None])},
        optional={"prompt": CONTENTS},
    ),
    "rendered": ODD,
    "leafUuid": st.sampled_from([None, UUID, 4]),
    "lastPrompt": TEXTS | ODD,
    "aiTitle": TEXTS | ODD,
    "snapshot": ODD | st.fixed_dictionaries({}, optional={"trackedFileBackups": BACKUPS | ODD}),
    "trackingPath": st.sampled_from([None, "a.py", 5]),
    "backup": ODD,
    "isSnapshotUpdate": ODD,
    "version": st.sampled_from([None, "2.1.332", "2.1.100", "x", 5]),
    "cwd": st.sampled_from([None, "/a", "/b", 5]),
    "sessionId": st.sampled_from([None, SESSION, "other"]),
    "gitBranch": st.sampled_from([None, "", "main"]),
}


@st.composite
def clients(draw: st.DrawFn) -> list[tuple[str, Any]]:
    """What recent clients write at the end of each row; some of it may be missing."""
    pairs = {
        "userType": "external",
        "entrypoint": draw(st.sampled_from(["cli", "sdk"])),
        "cwd": draw(st.sampled_from(["/a", "/b"])),
        "sessionId": draw(st.sampled_from([SESSION, "other"])),
        "version": draw(st.sampled_from(["2.1.332", "2.1.100"])),
        "gitBranch": "main",
    }
    missing = draw(st.sampled_from([None] * 4 + [*pairs]))
    return [(name, value) for name, value in pairs.items() if name != missing]


@st.composite
def usual_looking(draw: st.DrawFn, place: int) -> bytes:
    """A row or state line with some fields that are odd, in another order, or there twice."""
    letter = draw(st.sampled_from("aaatttrrruusphmbq!"))
    if letter == "!":
        return snapshot(f"u{place}", draw(BACKUPS))
    parent = draw(st.sampled_from([None, f"a{place - 1}", f"r{place - 2}", "gone"]))
    pairs = [*row(f"{letter}{place}", parent, place).items()]
    extras = draw(st.lists(st.sampled_from([*EXTRAS]), max_size=2))
    clients_first = draw(st.booleans())
    pairs += [] if clients_first else [(name, draw(EXTRAS[name])) for name in extras]
    pairs += draw(clients())
    pairs += [(name, draw(EXTRAS[name])) for name in extras] if clients_first else []
    if draw(st.integers(0, 4)) == 0:
        pairs = draw(st.permutations(pairs))
    escaped = draw(st.booleans())
    fields = (f"{json.dumps(k)}:{json.dumps(v, ensure_ascii=escaped)}" for k, v in pairs)
    end = draw(st.sampled_from(["\n"] * 12 + ["\r\n", " \n", "\n\n", "{}\n", "\0\n"]))
    return ("{" + ",".join(fields) + "}" + end).encode("utf-8", "surrogatepass")


@st.composite
def usual_looking_files(draw: st.DrawFn) -> bytes:
    return b"".join(draw(usual_looking(place)) for place in range(draw(st.integers(1, 8))))


@given(usual_looking_files(), st.booleans())
def test_lines_that_look_usual(data: bytes, of_agent: bool) -> None:
    agree(data, of_agent=of_agent)
