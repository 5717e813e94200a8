"""Parameters of requests: what they become, and the sentence when they do not fit."""

from __future__ import annotations

import pytest

from forkpoint.protocol import types
from forkpoint.protocol.errors import InvalidParams
from forkpoint.protocol.methods import REQUESTS
from forkpoint.protocol.params import decode_params

ID = "11111111-1111-4111-8111-111111111111"

FITTING = [
    ("sessions", None, types.SessionsParams()),
    ("sessions", {}, types.SessionsParams()),
    (
        "sessions",
        {
            "folder": "file:///home/me/p%20q",
            "scope": "repository",
            "query": "",
            "includeProgrammatic": True,
            "includeArchived": False,
            "agent": "codex",
            "offset": 0,
            "limit": 1,
        },
        types.SessionsParams(
            folder="file:///home/me/p%20q",
            scope="repository",
            query="",
            include_programmatic=True,
            include_archived=False,
            agent="codex",
            offset=0,
            limit=1,
        ),
    ),
    ("sessions", {"scope": None, "offset": None, "limit": None}, types.SessionsParams()),
    ("sessions", {"include_archived": True, "future": {"x": 1}, "": 0}, types.SessionsParams()),
    ("sessions", {"folder": "FILE:///C:/x"}, types.SessionsParams(folder="FILE:///C:/x")),
    ("sessions", {"limit": 2**70}, types.SessionsParams(limit=2**70)),
    ("activePath", {"sessionId": ID}, types.ActivePathParams(session_id=ID)),
    (
        "activePath",
        {"sessionId": ID, "agentId": "a1", "forVersion": "2.1.100", "order": "backward"},
        types.ActivePathParams(
            session_id=ID, agent_id="a1", for_version="2.1.100", order="backward"
        ),
    ),
    ("search", {"query": ""}, types.SearchParams(query="")),
    (
        "search",
        {
            "query": "a b",
            "folder": "file:///home/me",
            "scope": "folder",
            "agent": "codex",
            "sessionId": ID,
            "offset": 20,
            "limit": 20,
        },
        types.SearchParams(
            query="a b",
            folder="file:///home/me",
            scope="folder",
            agent="codex",
            session_id=ID,
            offset=20,
            limit=20,
        ),
    ),
    ("family", {"sessionId": ID}, types.FamilyParams(session_id=ID)),
    ("abandoned", None, types.AbandonedParams()),
    ("abandoned", {"sessionId": ID, "limit": 5}, types.AbandonedParams(session_id=ID, limit=5)),
    ("branchTree", {"sessionId": "\ud800"}, types.BranchTreeParams(session_id="\ud800")),
    (
        "records",
        {"sessionId": ID, "offset": 5, "limit": 10},
        types.RecordsParams(session_id=ID, offset=5, limit=10),
    ),
    (
        "records",
        {"sessionId": ID, "uuids": ["u1", "u2"]},
        types.RecordsParams(session_id=ID, uuids=["u1", "u2"]),
    ),
    ("records", {"sessionId": ID, "uuids": []}, types.RecordsParams(session_id=ID, uuids=[])),
    ("records", {"sessionId": ID}, types.RecordsParams(session_id=ID)),
    ("records", {"sessionId": ID, "offset": 0}, types.RecordsParams(session_id=ID, offset=0)),
    ("records", {"sessionId": ID, "limit": 1}, types.RecordsParams(session_id=ID, limit=1)),
    (
        "export",
        {"sessionId": ID, "format": "html", "redact": ["secrets"], "subagents": True},
        types.ExportParams(session_id=ID, format="html", redact=["secrets"], subagents=True),
    ),
    ("checkpoints", None, types.CheckpointsParams()),
    (
        "checkpoints",
        {"sessionId": ID, "file": "file:///C:/shop/cart.py"},
        types.CheckpointsParams(session_id=ID, file="file:///C:/shop/cart.py"),
    ),
    (
        "checkpointContent",
        {"document": "forkpoint-version:///a?empty"},
        types.CheckpointContentParams(document="forkpoint-version:///a?empty"),
    ),
    ("checkpointFiles", {}, types.CheckpointFilesParams()),
    (
        "checkpointFiles",
        {"folder": "file:///home/me", "offset": 2, "limit": 3},
        types.CheckpointFilesParams(folder="file:///home/me", offset=2, limit=3),
    ),
    ("checkpointChanges", {"sessionId": ID}, types.CheckpointChangesParams(session_id=ID)),
    (
        "checkpointChanges",
        {"sessionId": ID, "prompt": "u1"},
        types.CheckpointChangesParams(session_id=ID, prompt="u1"),
    ),
    (
        "rewindPreview",
        {"sessionId": ID, "prompt": "u1"},
        types.RewindPreviewParams(session_id=ID, prompt="u1"),
    ),
    ("toolCalls", {"sessionId": ID}, types.ToolCallsParams(session_id=ID)),
    (
        "locate",
        {"sessionId": ID, "agentId": "a1", "toolUseId": "toolu_1"},
        types.LocateParams(session_id=ID, agent_id="a1", tool_use_id="toolu_1"),
    ),
    (
        "lineHistory",
        {"file": "file:///home/me/a.py"},
        types.LineHistoryParams(file="file:///home/me/a.py"),
    ),
    ("usage", {}, types.UsageParams()),
    (
        "usage",
        {
            "by": ["day", "model"],
            "folder": "file:///home/me/shop",
            "scope": "repository",
            "since": "2026-11-01",
            "until": "2026-11-30",
            "agent": "codex",
            "sessionId": ID,
            "timeZone": "Europe/Berlin",
            "withText": True,
        },
        types.UsageParams(
            by=["day", "model"],
            folder="file:///home/me/shop",
            scope="repository",
            since="2026-11-01",
            until="2026-11-30",
            agent="codex",
            session_id=ID,
            time_zone="Europe/Berlin",
            with_text=True,
        ),
    ),
    (
        "contextCurve",
        {"sessionId": ID, "agentId": "a1", "leaf": "u1", "withText": True},
        types.ContextCurveParams(session_id=ID, agent_id="a1", leaf="u1", with_text=True),
    ),
    ("cacheHistory", {"sessionId": ID}, types.CacheHistoryParams(session_id=ID)),
    ("cacheImpact", {"sessionId": ID}, types.CacheImpactParams(session_id=ID)),
    (
        "cacheImpact",
        {
            "sessionId": ID,
            "agentId": "a1",
            "action": "rewind",
            "prompt": "u1",
            "environment": {"now": "2026-05-28T00:00:00Z", "git": "changed", "tomorrow": 1},
        },
        types.CacheImpactParams(
            session_id=ID,
            agent_id="a1",
            action="rewind",
            prompt="u1",
            environment=types.CacheEnvironment(now="2026-05-28T00:00:00Z", git="changed"),
        ),
    ),
    ("transcript", {"sessionId": ID}, types.TranscriptParams(session_id=ID)),
    (
        "transcript",
        {"sessionId": ID, "agentId": "a1", "leaf": "u1", "before": 0},
        types.TranscriptParams(session_id=ID, agent_id="a1", leaf="u1", before=0),
    ),
    (
        "transcriptPlace",
        {"sessionId": ID, "ordinal": 5},
        types.TranscriptPlaceParams(session_id=ID, ordinal=5),
    ),
    ("transcriptImage", {"document": "x:y"}, types.TranscriptImageParams(document="x:y")),
    ("subagents", {"sessionId": ID}, types.SubagentsParams(session_id=ID)),
    ("workState", {"sessionId": ID}, types.WorkStateParams(session_id=ID)),
    ("watch", {"sessionId": ID}, types.WatchParams(session_id=ID)),
    ("unwatch", {"sessionId": ID}, types.WatchParams(session_id=ID)),
    ("health", None, types.HealthParams()),
    ("health", {"withinDays": 0}, types.HealthParams(within_days=0)),
    ("sessions", {"expiring": 7}, types.SessionsParams(expiring=7)),
]

SCOPES = 'scope must be one of "folder", "repository", "all"'
FILE_URI = "must be a file URI, such as file:///home/me/project"
PAGE_OR_UUIDS = "give either offset and limit, or uuids"

MISFITS = [
    ("sessions", [], "params must be an object"),
    ("sessions", "all", "params must be an object"),
    ("sessions", 0, "params must be an object"),
    ("sessions", False, "params must be an object"),
    ("sessions", {"offset": -1}, "offset must be an integer of at least 0"),
    ("sessions", {"offset": True}, "offset must be an integer of at least 0"),
    ("sessions", {"offset": "1"}, "offset must be an integer of at least 0"),
    ("sessions", {"offset": 1.0}, "offset must be an integer of at least 0"),
    ("sessions", {"limit": 0}, "limit must be an integer of at least 1"),
    ("sessions", {"limit": []}, "limit must be an integer of at least 1"),
    ("sessions", {"scope": "galaxy"}, SCOPES),
    ("sessions", {"scope": ["all"]}, SCOPES),
    ("sessions", {"scope": {}}, SCOPES),
    ("sessions", {"agent": "claude"}, 'agent must be one of "claude-code", "codex"'),
    ("sessions", {"query": 3}, "query must be a string"),
    ("sessions", {"includeArchived": 1}, "includeArchived must be true or false"),
    ("sessions", {"includeProgrammatic": "no"}, "includeProgrammatic must be true or false"),
    ("sessions", {"folder": "/home/me"}, f"folder {FILE_URI}"),
    ("sessions", {"folder": 1}, f"folder {FILE_URI}"),
    (
        "sessions",
        {"scope": "x", "offset": -1},
        f"{SCOPES}; offset must be an integer of at least 0",
    ),
    ("activePath", {"sessionId": ID, "leaf": 5}, "leaf must be a string"),
    ("activePath", {"sessionId": ID, "order": "up"}, 'order must be one of "forward", "backward"'),
    ("activePath", {"sessionId": ID, "agentId": {}}, "agentId must be a string"),
    ("branchTree", {"sessionId": ID, "forVersion": 2.1}, "forVersion must be a string"),
    ("records", {"sessionId": ID, "offset": 0, "limit": 1, "uuids": []}, PAGE_OR_UUIDS),
    ("records", {"sessionId": ID, "limit": 1, "uuids": ["u"]}, PAGE_OR_UUIDS),
    ("records", {"sessionId": ID, "uuids": "u1"}, "uuids must be a list"),
    ("records", {"sessionId": ID, "uuids": {"0": "u1"}}, "uuids must be a list"),
    (
        "records",
        {"sessionId": ID, "uuids": ["u1", 2, None]},
        "uuids[1] must be a string; uuids[2] must be a string",
    ),
    ("toolCalls", {"sessionId": ID, "file": "untitled:1"}, f"file {FILE_URI}"),
    ("checkpoints", {"file": "/home/me/a.py"}, f"file {FILE_URI}"),
    ("checkpointContent", {}, "document is required"),
    ("checkpointContent", {"document": ["a"]}, "document must be a string"),
    ("checkpointFiles", {"folder": "/home/me"}, f"folder {FILE_URI}"),
    ("checkpointFiles", {"limit": 0}, "limit must be an integer of at least 1"),
    ("checkpointChanges", {"sessionId": ID, "prompt": 1}, "prompt must be a string"),
    ("rewindPreview", {"sessionId": ID}, "prompt is required"),
    ("rewindPreview", {"sessionId": ID, "prompt": {}}, "prompt must be a string"),
    ("health", {"sessionId": 1}, "sessionId must be a string"),
    ("health", {"withinDays": -1}, "withinDays must be an integer of at least 0"),
    ("sessions", {"expiring": -1}, "expiring must be an integer of at least 0"),
    ("locate", {"sessionId": ID}, "toolUseId is required"),
    ("locate", {"sessionId": ID, "toolUseId": 5}, "toolUseId must be a string"),
    ("lineHistory", {}, "file is required"),
    ("lineHistory", {"file": "/home/me/a.py"}, f"file {FILE_URI}"),
]


@pytest.mark.parametrize(("method", "raw", "params"), FITTING)
def test_what_fits(method: str, raw: object, params: object):
    assert decode_params(f"forkpoint/{method}", raw) == params


@pytest.mark.parametrize(("method", "raw", "sentence"), MISFITS)
def test_what_does_not_fit(method: str, raw: object, sentence: str):
    with pytest.raises(InvalidParams) as refused:
        decode_params(f"forkpoint/{method}", raw)
    assert refused.value.sentence == sentence


@pytest.mark.parametrize(
    "method",
    ["activePath", "branchTree", "records", "toolCalls", "subagents", "checkpointChanges"],
)
@pytest.mark.parametrize("raw", [None, {}, {"sessionId": None}, {"session_id": ID}])
def test_questions_about_a_session_name_it(method: str, raw: object):
    with pytest.raises(InvalidParams) as refused:
        decode_params(f"forkpoint/{method}", raw)
    assert refused.value.sentence == "sessionId is required"


def test_the_tables_hold_every_method():
    assert {f"forkpoint/{method}" for method, *_ in FITTING} == set(REQUESTS)
