"""The table of everything that goes over the wire under Forkpoint's own names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from forkpoint.protocol import types


class Request(NamedTuple):
    """What a method takes and answers; `about` is the question it answers, in a sentence."""

    params: type[Any]
    result: type[Any]
    about: str


class Notification(NamedTuple):
    """What a notification carries; `about` says when it is sent, in a sentence."""

    params: type[Any]
    about: str


REQUESTS: Mapping[str, Request] = {
    "forkpoint/sessions": Request(
        types.SessionsParams,
        types.SessionsResult,
        "Lists sessions, newest first, at once with what is known.",
    ),
    "forkpoint/activePath": Request(
        types.ActivePathParams,
        types.ActivePathResult,
        "Tells where the client would go on, and the records that lead there.",
    ),
    "forkpoint/branchTree": Request(
        types.BranchTreeParams,
        types.BranchTreeResult,
        "Tells the ways a conversation went, as segments between branch points.",
    ),
    "forkpoint/records": Request(
        types.RecordsParams,
        types.RecordsResult,
        "Gives records with their content, and where their bytes lie in the file.",
    ),
    "forkpoint/transcript": Request(
        types.TranscriptParams,
        types.TranscriptResult,
        "Gives the conversation as one readable text, with the place of every record.",
    ),
    "forkpoint/checkpoints": Request(
        types.CheckpointsParams,
        types.CheckpointsResult,
        "Lists the versions that are kept of a file, over all sessions, or of a session's files.",
    ),
    "forkpoint/checkpointContent": Request(
        types.CheckpointContentParams,
        types.CheckpointContentResult,
        "Gives what a version of a file holds.",
    ),
    "forkpoint/checkpointFiles": Request(
        types.CheckpointFilesParams,
        types.CheckpointFilesResult,
        "Lists the files that have versions, with their number.",
    ),
    "forkpoint/checkpointChanges": Request(
        types.CheckpointChangesParams,
        types.CheckpointChangesResult,
        "Tells which files a turn, or a whole session, changed.",
    ),
    "forkpoint/rewindPreview": Request(
        types.RewindPreviewParams,
        types.RewindPreviewResult,
        "Tells what going back to a prompt would do to the conversation and to files.",
    ),
    "forkpoint/toolCalls": Request(
        types.ToolCallsParams,
        types.ToolCallsResult,
        "Lists calls of tools with how they ended and the files they work on.",
    ),
    "forkpoint/cacheImpact": Request(
        types.CacheImpactParams,
        types.CacheNote,
        "Foretells what the prompt cache does for the next request, why, and what that costs.",
    ),
    "forkpoint/cacheHistory": Request(
        types.CacheHistoryParams,
        types.CacheHistoryResult,
        "Lists requests with what the prompt cache served, and where it broke, why, at what price.",
    ),
    "forkpoint/subagents": Request(
        types.SubagentsParams,
        types.SubagentsResult,
        "Lists the subagents of a session.",
    ),
    "forkpoint/workState": Request(
        types.WorkStateParams,
        types.WorkStateResult,
        "Tells what of the work a resume would bring back, checked against the disk.",
    ),
    "forkpoint/health": Request(
        types.HealthParams,
        types.HealthResult,
        "Tells what could not be read as it should be.",
    ),
}

NOTIFICATIONS: Mapping[str, Notification] = {
    "forkpoint/didChangeCatalog": Notification(
        types.DidChangeCatalogParams,
        "Sent when rows of the session list are no longer what they were.",
    ),
}
