"""Wrong questions over the wire: each gets its error, names no path, and the server goes on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fixtures.demo.prepare import Demo
from forkpoint.protocol.methods import REQUESTS
from tests.e2e.forkpoint_server import ForkpointServer, Json

SESSION = "3ee8f041-aad2-49f1-a9be-9676af30b1e7"
NOBODY = "00000000-0000-4000-8000-000000000000"
METHODS = [name.removeprefix("forkpoint/") for name in REQUESTS]
WITHOUT_SESSION = (
    "sessions",
    "health",
    "checkpoints",
    "checkpointContent",
    "checkpointFiles",
    "transcriptImage",
    "lineHistory",
    "search",
    "abandoned",
    "usage",
)
ABOUT_A_SESSION = [method for method in METHODS if method not in WITHOUT_SESSION]
WITH_AGENT = (
    "activePath",
    "branchTree",
    "records",
    "transcript",
    "transcriptPlace",
    "export",
    "toolCalls",
    "cacheHistory",
    "cacheImpact",
    "locate",
    "contextCurve",
)
WHERE_NEEDED: dict[str, Json] = {
    "rewindPreview": {"prompt": NOBODY},
    "transcriptPlace": {"uuid": NOBODY},
    "locate": {"toolUseId": "toolu_1"},
    "search": {"query": "a"},
    "export": {"format": "markdown"},
}
"""What some methods ask for besides."""

INVALID_PARAMS = -32602
NOT_THERE = -32001

AT_LEAST_0 = "an integer of at least 0"
AT_LEAST_1 = "an integer of at least 1"
A_FILE_URI = "a file URI, such as file:///home/me/project"
A_DAY = "a day, such as 2026-11-30"
A_DIMENSION = 'one of "session", "day", "month", "project", "model", "agent", "subagent"'
A_ZONE = "timeZone must be a zone that is known here, as UTC"
A_PICTURE = "document must be the address of a picture in a transcript"

MISFITS: list[tuple[str, Json, str]] = [
    ("sessions", {"scope": "galaxy"}, 'scope must be one of "folder", "repository", "all"'),
    ("sessions", {"scope": 1}, 'scope must be one of "folder", "repository", "all"'),
    ("sessions", {"folder": 5}, f"folder must be {A_FILE_URI}"),
    ("sessions", {"folder": "/home/me"}, f"folder must be {A_FILE_URI}"),
    ("sessions", {"folder": "http://x/y"}, f"folder must be {A_FILE_URI}"),
    ("sessions", {"folder": "file://[x"}, f"folder must be {A_FILE_URI}"),
    ("sessions", {"query": ["a"]}, "query must be a string"),
    ("sessions", {"includeProgrammatic": "yes"}, "includeProgrammatic must be true or false"),
    ("sessions", {"includeArchived": 1}, "includeArchived must be true or false"),
    ("sessions", {"agent": "claude"}, 'agent must be one of "claude-code", "codex"'),
    ("sessions", {"offset": -1}, f"offset must be {AT_LEAST_0}"),
    ("sessions", {"offset": 1.5}, f"offset must be {AT_LEAST_0}"),
    ("sessions", {"limit": 0}, f"limit must be {AT_LEAST_1}"),
    ("sessions", {"limit": True}, f"limit must be {AT_LEAST_1}"),
    (
        "sessions",
        {"limit": "3", "query": 3},
        f"query must be a string; limit must be {AT_LEAST_1}",
    ),
    ("activePath", {"leaf": 7}, "leaf must be a string"),
    ("activePath", {"forVersion": 2}, "forVersion must be a string"),
    ("activePath", {"order": "up"}, 'order must be one of "forward", "backward"'),
    ("activePath", {"offset": -2}, f"offset must be {AT_LEAST_0}"),
    ("activePath", {"limit": 0}, f"limit must be {AT_LEAST_1}"),
    ("branchTree", {"forVersion": []}, "forVersion must be a string"),
    ("records", {"offset": -1}, f"offset must be {AT_LEAST_0}"),
    ("records", {"limit": 0}, f"limit must be {AT_LEAST_1}"),
    ("records", {"uuids": "abc"}, "uuids must be a list"),
    ("records", {"uuids": [1]}, "uuids[0] must be a string"),
    ("toolCalls", {"file": "cart.py"}, f"file must be {A_FILE_URI}"),
    ("toolCalls", {"offset": "0"}, f"offset must be {AT_LEAST_0}"),
    ("toolCalls", {"limit": -1}, f"limit must be {AT_LEAST_1}"),
    ("export", {}, "format is required"),
    ("export", {"format": "pdf"}, 'format must be one of "markdown", "html", "json"'),
    (
        "export",
        {"format": "html", "redact": ["keys"]},
        'redact[0] must be one of "secrets", "paths", "names"',
    ),
    ("export", {"format": "html", "redact": True}, "redact must be a list"),
    ("transcript", {"forVersion": {}}, "forVersion must be a string"),
    ("transcript", {"before": -1}, f"before must be {AT_LEAST_0}"),
    ("transcriptPlace", {}, "one of uuid and ordinal must name the record"),
    (
        "transcriptPlace",
        {"uuid": "a", "ordinal": 0},
        "one of uuid and ordinal must name the record",
    ),
    ("transcriptPlace", {"uuid": 5}, "uuid must be a string"),
    ("transcriptPlace", {"ordinal": "5"}, f"ordinal must be {AT_LEAST_0}"),
    ("transcriptImage", {}, "document is required"),
    ("transcriptImage", {"document": "a:b"}, A_PICTURE),
    ("transcriptImage", {"document": "forkpoint-transcript:/a.md?session=a"}, A_PICTURE),
    ("health", {"sessionId": 5}, "sessionId must be a string"),
    ("health", {"withinDays": "7"}, f"withinDays must be {AT_LEAST_0}"),
    ("sessions", {"expiring": -1}, f"expiring must be {AT_LEAST_0}"),
    ("checkpoints", {"sessionId": 5}, "sessionId must be a string"),
    ("checkpoints", {"file": "cart.py"}, f"file must be {A_FILE_URI}"),
    ("checkpoints", {}, "sessionId or file is required"),
    ("checkpoints", {"sessionId": None, "file": None}, "sessionId or file is required"),
    ("checkpointContent", {}, "document is required"),
    ("checkpointContent", {"document": 5}, "document must be a string"),
    ("checkpointContent", {"document": ""}, "document must be the document of a version"),
    ("checkpointFiles", {"folder": "/home/me"}, f"folder must be {A_FILE_URI}"),
    ("checkpointFiles", {"offset": -1}, f"offset must be {AT_LEAST_0}"),
    ("checkpointFiles", {"limit": 0}, f"limit must be {AT_LEAST_1}"),
    ("checkpointChanges", {"prompt": 5}, "prompt must be a string"),
    ("rewindPreview", {}, "prompt is required"),
    ("rewindPreview", {"prompt": ["a"]}, "prompt must be a string"),
    ("locate", {}, "toolUseId is required"),
    ("locate", {"toolUseId": ["a"]}, "toolUseId must be a string"),
    ("lineHistory", {}, "file is required"),
    ("lineHistory", {"file": "cart.py"}, f"file must be {A_FILE_URI}"),
    ("search", {}, "query is required"),
    ("search", {"query": None}, "query is required"),
    ("search", {"query": ["a"]}, "query must be a string"),
    ("search", {"query": "a", "scope": "x"}, 'scope must be one of "folder", "repository", "all"'),
    ("search", {"query": "a", "folder": "/home"}, f"folder must be {A_FILE_URI}"),
    ("search", {"query": "a", "offset": -1}, f"offset must be {AT_LEAST_0}"),
    ("search", {"query": "a", "limit": 0}, f"limit must be {AT_LEAST_1}"),
    ("abandoned", {"sessionId": 5}, "sessionId must be a string"),
    ("usage", {"by": "day"}, "by must be a list"),
    ("usage", {"by": ["day", "hour"]}, f"by[1] must be {A_DIMENSION}"),
    ("usage", {"since": 20261130}, f"since must be {A_DAY}"),
    ("usage", {"since": "2026-13-01"}, f"since must be {A_DAY}"),
    ("usage", {"since": "20261130"}, f"since must be {A_DAY}"),
    ("usage", {"until": "2026-11-30T00:00"}, f"until must be {A_DAY}"),
    ("usage", {"folder": "/home/me"}, f"folder must be {A_FILE_URI}"),
    ("usage", {"agent": "x"}, 'agent must be one of "claude-code", "codex"'),
    ("usage", {"timeZone": 2}, "timeZone must be a string"),
    ("usage", {"timeZone": "Nowhere/Land"}, A_ZONE),
    ("usage", {"timeZone": "../../etc/passwd"}, A_ZONE),
    ("usage", {"withText": "yes"}, "withText must be true or false"),
    ("contextCurve", {"leaf": 5}, "leaf must be a string"),
    ("abandoned", {"folder": "x"}, f"folder must be {A_FILE_URI}"),
    ("abandoned", {"limit": 0}, f"limit must be {AT_LEAST_1}"),
]


def misfits() -> Iterator[Any]:
    for method, params, sentence in MISFITS:
        own = {} if method in WITHOUT_SESSION else {"sessionId": SESSION}
        yield pytest.param(method, {**own, **params}, sentence, id=f"{method}-{params}")
    for method in METHODS:
        for params in ([], ["a"], [{}], "text", 5, True):
            sentence = "params must be an object"
            yield pytest.param(method, params, sentence, id=f"{method}-{params}")
    for method in ABOUT_A_SESSION:
        needed = WHERE_NEEDED.get(method, {})
        for params in ({}, {"sessionId": None}, {"session_id": SESSION}):
            sentence = "sessionId is required"
            yield pytest.param(method, {**needed, **params}, sentence, id=f"{method}-{params}")
        sentence = "sessionId must be a string"
        yield pytest.param(method, {**needed, "sessionId": 5}, sentence, id=f"{method}-number")
        if not needed:
            yield pytest.param(method, None, "sessionId is required", id=f"{method}-None")
    for method in WITH_AGENT:
        params = {**WHERE_NEEDED.get(method, {}), "sessionId": SESSION, "agentId": ["a"]}
        yield pytest.param(method, params, "agentId must be a string", id=f"{method}-agent")


def lives(server: ForkpointServer) -> bool:
    return server.result("sessions", limit=1)["total"] > 0


@pytest.mark.parametrize(("method", "params", "sentence"), list(misfits()))
def test_what_does_not_fit_is_told(
    server: ForkpointServer, demo: Demo, method: str, params: object, sentence: str
) -> None:
    server.open(demo.config_dir)
    error = server.refusal(method, params)
    assert error == {"code": INVALID_PARAMS, "message": sentence}
    assert lives(server)


def test_a_page_and_uuids_at_once(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    for page in ({"offset": 0}, {"limit": 5}):
        error = server.refusal("records", {"sessionId": SESSION, "uuids": [], **page})
        assert error["code"] == INVALID_PARAMS
        assert {"offset", "limit", "uuids"} <= set(error["message"].replace(",", "").split())


# --- what is not there -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "session_id",
    ["", NOBODY, "..", "../../etc/passwd", "a\0b", "x" * 100_000, "\ud800", SESSION[:8]],
    ids=lambda text: repr(text[:20]),
)
@pytest.mark.parametrize(
    "method", [*ABOUT_A_SESSION, "health", "checkpoints", "search", "abandoned"]
)
def test_an_unknown_session(
    server: ForkpointServer, demo: Demo, method: str, session_id: str
) -> None:
    server.open(demo.config_dir)
    error = server.refusal(method, {**WHERE_NEEDED.get(method, {}), "sessionId": session_id})
    assert (error["code"], error["data"]) == (NOT_THERE, {"kind": "unknownSession"})
    assert error["message"].startswith("There is no session ")
    assert lives(server)


@pytest.mark.parametrize("agent_id", ["", "a1", "../a1", "\0", NOBODY], ids=repr)
@pytest.mark.parametrize("method", WITH_AGENT)
def test_an_unknown_subagent(
    server: ForkpointServer, demo: Demo, method: str, agent_id: str
) -> None:
    server.open(demo.config_dir)
    needed = WHERE_NEEDED.get(method, {})
    error = server.refusal(method, {**needed, "sessionId": SESSION, "agentId": agent_id})
    assert error == {
        "code": NOT_THERE,
        "message": f"There is no subagent {agent_id}.",
        "data": {"kind": "unknownSession"},
    }


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("activePath", {"leaf": NOBODY}),
        ("records", {"uuids": [NOBODY]}),
        ("checkpointChanges", {"prompt": NOBODY}),
        ("rewindPreview", {"prompt": NOBODY}),
        ("export", {"format": "json", "leaf": NOBODY}),
    ],
)
def test_an_unknown_record(server: ForkpointServer, demo: Demo, method: str, params: Json) -> None:
    server.open(demo.config_dir)
    error = server.refusal(method, {"sessionId": SESSION, **params})
    assert error == {
        "code": NOT_THERE,
        "message": f"There is no record {NOBODY} in this transcript.",
        "data": {"kind": "unknownRecord"},
    }


@pytest.mark.parametrize("call_id", ["", "toolu_1", "\0", NOBODY])
def test_an_unknown_call(server: ForkpointServer, demo: Demo, call_id: str) -> None:
    server.open(demo.config_dir)
    error = server.refusal("locate", {"sessionId": SESSION, "toolUseId": call_id})
    assert error == {
        "code": NOT_THERE,
        "message": f"There is no call {call_id} in this transcript.",
        "data": {"kind": "unknownRecord"},
    }


@pytest.mark.parametrize("file", ["file:///nowhere/a.py", "file:///", "file:///a%00b"])
def test_lines_of_what_is_no_file(server: ForkpointServer, demo: Demo, file: str) -> None:
    server.open(demo.config_dir)
    error = server.refusal("lineHistory", {"file": file})
    assert (error["code"], error["data"]) == (NOT_THERE, {"kind": "unknownFile"})
    assert lives(server)


# --- what is odd and has an answer all the same ------------------------------------------------


def test_an_id_in_another_case_is_the_same_session(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    lower = server.result("branchTree", sessionId=SESSION)
    assert server.result("branchTree", sessionId=SESSION.upper()) == lower


@pytest.mark.parametrize("version", ["", "latest", "9.9.9", "-1", "2.1", "\0"])
def test_a_version_that_nobody_knows_means_the_newest_rules(
    server: ForkpointServer, demo: Demo, version: str
) -> None:
    server.open(demo.config_dir)
    newest = server.result("activePath", sessionId=SESSION)
    assert server.result("activePath", sessionId=SESSION, forVersion=version) == newest


@pytest.mark.parametrize("method", ["activePath", "records", "toolCalls"])
def test_a_page_beyond_the_end_is_empty(server: ForkpointServer, demo: Demo, method: str) -> None:
    server.open(demo.config_dir)
    whole = server.result(method, sessionId=SESSION)
    for offset in (whole["total"], 2**31, 2**63, 10**30):
        page = server.result(method, sessionId=SESSION, offset=offset, limit=10**30)
        lists = [value for value in page.values() if isinstance(value, list)]
        assert (lists[0], page["total"]) == ([], whole["total"])


def test_no_uuids_are_no_records(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    answer = server.result("records", sessionId=SESSION, uuids=[])
    assert answer["records"] == []
    assert answer["total"] > 0


@pytest.mark.parametrize("method", [name for name in METHODS if name != "transcriptImage"])
def test_keys_that_nobody_knows_are_ignored(
    server: ForkpointServer, demo: Demo, method: str
) -> None:
    server.open(demo.config_dir)
    server.listed()
    [file, *_] = server.result("checkpoints", sessionId=SESSION)["files"]
    [version, *_] = file["versions"]
    [call, *_] = server.result("toolCalls", sessionId=SESSION)["calls"]
    asked: Json = {
        "sessions": {},
        "checkpointFiles": {},
        "lineHistory": {"file": file["file"]},
        "locate": {"sessionId": SESSION, "toolUseId": call["toolUseId"]},
        "search": {"query": "the"},
        "checkpointContent": {"document": version["document"]},
        "rewindPreview": {"sessionId": SESSION, "prompt": version["prompt"]["uuid"]},
        "transcriptPlace": {"sessionId": SESSION, "uuid": version["prompt"]["uuid"]},
        "export": {"sessionId": SESSION, "format": "html"},
    }.get(method, {"sessionId": SESSION})
    plain = server.result(method, **asked)
    assert server.result(method, **asked, futureKey={"a": [1]}, **{"0": 1}) == plain


@pytest.mark.parametrize(
    "folder", ["file:///", "file:///a%00b", "file:///%FF", "file://host/share/x", "FILE:/x"]
)
@pytest.mark.parametrize("scope", ["folder", "repository"])
def test_a_folder_that_no_session_is_of(
    server: ForkpointServer, demo: Demo, scope: str, folder: str
) -> None:
    server.open(demo.config_dir)
    assert server.result("sessions", scope=scope, folder=folder)["sessions"] == []


def test_no_answer_of_the_whole_table_names_a_path_or_a_defect(
    server: ForkpointServer, demo: Demo
) -> None:
    """Said once more for all that was refused so far in this run."""
    server.open(demo.config_dir)
    for method in ABOUT_A_SESSION:
        server.refusal(method, {**WHERE_NEEDED.get(method, {}), "sessionId": NOBODY})
    errors = [message["error"] for message in server.heard if "error" in message]
    ours = [str(demo.config_dir), str(Path.cwd()), "Traceback", 'File "', os.sep + "site-packages"]
    assert errors
    assert [e for e in errors if any(piece in e["message"] for piece in ours)] == []
    assert {error["code"] for error in errors} <= {INVALID_PARAMS, NOT_THERE}
