"""The table of everything that goes over the wire under Forkpoint's own names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from forkpoint.protocol import types


class Request(NamedTuple):
    """What a method takes and answers; `about` is the question it answers, in a sentence.

    Shapes go by their names in `types`, which declares them when they are asked for.
    """

    params_name: str
    result_name: str
    about: str

    @property
    def params(self) -> type[Any]:
        """The shape of its parameters."""
        return getattr(types, self.params_name)

    @property
    def result(self) -> type[Any]:
        """The shape of its result."""
        return getattr(types, self.result_name)


class Notification(NamedTuple):
    """What a notification carries; `about` says when it is sent, in a sentence."""

    params_name: str
    about: str

    @property
    def params(self) -> type[Any]:
        """The shape of its parameters."""
        return getattr(types, self.params_name)


REQUESTS: Mapping[str, Request] = {
    "forkpoint/sessions": Request(
        "SessionsParams",
        "SessionsResult",
        "Lists sessions, newest first, at once with what is known.",
    ),
    "forkpoint/activePath": Request(
        "ActivePathParams",
        "ActivePathResult",
        "Tells where the client would go on, and the records that lead there.",
    ),
    "forkpoint/branchTree": Request(
        "BranchTreeParams",
        "BranchTreeResult",
        "Tells the ways a conversation went, as segments between branch points.",
    ),
    "forkpoint/records": Request(
        "RecordsParams",
        "RecordsResult",
        "Gives records with their content, and where their bytes lie in the file.",
    ),
    "forkpoint/transcript": Request(
        "TranscriptParams",
        "TranscriptResult",
        "Gives the conversation as one readable text, with the place of every record.",
    ),
    "forkpoint/transcriptPlace": Request(
        "TranscriptPlaceParams",
        "TranscriptPlaceResult",
        "Tells in which readable text a record stands, and on which line.",
    ),
    "forkpoint/transcriptImage": Request(
        "TranscriptImageParams",
        "TranscriptImageResult",
        "Gives a picture that stands in a transcript.",
    ),
    "forkpoint/export": Request(
        "ExportParams",
        "ExportResult",
        "Writes a session down to be kept or shared, part by part, without what must not go along.",
    ),
    "forkpoint/checkpoints": Request(
        "CheckpointsParams",
        "CheckpointsResult",
        "Lists the versions that are kept of a file, over all sessions, or of a session's files.",
    ),
    "forkpoint/checkpointContent": Request(
        "CheckpointContentParams",
        "CheckpointContentResult",
        "Gives what a version of a file holds.",
    ),
    "forkpoint/checkpointFiles": Request(
        "CheckpointFilesParams",
        "CheckpointFilesResult",
        "Lists the files that have versions, with their number.",
    ),
    "forkpoint/checkpointChanges": Request(
        "CheckpointChangesParams",
        "CheckpointChangesResult",
        "Tells which files a turn, or a whole session, changed.",
    ),
    "forkpoint/rewindPreview": Request(
        "RewindPreviewParams",
        "RewindPreviewResult",
        "Tells what going back to a prompt would do to the conversation and to files.",
    ),
    "forkpoint/toolCalls": Request(
        "ToolCallsParams",
        "ToolCallsResult",
        "Lists calls of tools with how they ended and the files they work on.",
    ),
    "forkpoint/locate": Request(
        "LocateParams",
        "LocateResult",
        "Finds what a tool call wrote or read in the file as it is now.",
    ),
    "forkpoint/lineHistory": Request(
        "LineHistoryParams",
        "LineHistoryResult",
        "Tells which tool call, of which prompt, wrote each line of a file as it is now.",
    ),
    "forkpoint/cacheImpact": Request(
        "CacheImpactParams",
        "CacheNote",
        "Foretells what the prompt cache does for the next request, why, and what that costs.",
    ),
    "forkpoint/cacheHistory": Request(
        "CacheHistoryParams",
        "CacheHistoryResult",
        "Lists requests with what the prompt cache served, and where it broke, why, at what price.",
    ),
    "forkpoint/subagents": Request(
        "SubagentsParams",
        "SubagentsResult",
        "Lists the subagents of a session.",
    ),
    "forkpoint/workState": Request(
        "WorkStateParams",
        "WorkStateResult",
        "Tells what of the work a resume would bring back, checked against the disk.",
    ),
    "forkpoint/search": Request(
        "SearchParams",
        "SearchResult",
        "Finds words in prompts, answers, calls of tools and their outputs, of all sessions.",
    ),
    "forkpoint/abandoned": Request(
        "AbandonedParams",
        "AbandonedResult",
        "Lists prompts that were left behind, with what was answered to them.",
    ),
    "forkpoint/family": Request(
        "FamilyParams",
        "FamilyResult",
        "Tells which sessions are copies of each other, what shows it, and where they parted.",
    ),
    "forkpoint/watch": Request(
        "WatchParams",
        "WatchResult",
        "Follows a session from now on, and tells where it stands.",
    ),
    "forkpoint/unwatch": Request(
        "WatchParams",
        "UnwatchResult",
        "Follows a session no longer.",
    ),
    "forkpoint/usage": Request(
        "UsageParams",
        "UsageResult",
        "Sums up tokens and what they cost, by session, day, project, model or agent.",
    ),
    "forkpoint/contextCurve": Request(
        "ContextCurveParams",
        "ContextCurveResult",
        "Tells how the context filled up along a path, and where compactions emptied it.",
    ),
    "forkpoint/health": Request(
        "HealthParams",
        "HealthResult",
        "Tells what could not be read as it should be.",
    ),
}

NOTIFICATIONS: Mapping[str, Notification] = {
    "forkpoint/didChangeCatalog": Notification(
        "DidChangeCatalogParams",
        "Sent when rows of the session list are no longer what they were.",
    ),
    "forkpoint/didChangeSession": Notification(
        "DidChangeSessionParams",
        "Sent when something happened to a session that is followed.",
    ),
}
