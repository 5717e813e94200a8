"""Every shape that goes over the wire, one module per request.

A field of an answer is always written, null when unknown; a field of parameters may be left out
when it has a default, and null stands for left out. The text under each field says its unit and
what null means; the TypeScript twin `client-vscode/src/protocol.ts` is generated from here.

A module is imported when one of its shapes is first asked for: declaring them all takes as long as
all else that the list of sessions needs. `_DECLARED` says in which module a shape is.
"""

# ruff: noqa: F401
# pyright: reportUnusedImport=false

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forkpoint.protocol.types.abandoned import (
        AbandonedParams,
        AbandonedPrompt,
        AbandonedResult,
    )
    from forkpoint.protocol.types.active_path import (
        ActivePathParams,
        ActivePathResult,
        BlockKind,
        BlockNote,
        InheritedPath,
        Leaf,
        LeafRule,
        PathEntry,
        Repair,
        RepairKind,
    )
    from forkpoint.protocol.types.branch_tree import (
        BranchTreeParams,
        BranchTreeResult,
        Segment,
        SegmentReason,
    )
    from forkpoint.protocol.types.cache_history import (
        BreakCause,
        BreakCertainty,
        BreakTotals,
        CacheBreak,
        CacheHistoryParams,
        CacheHistoryResult,
        CacheLifetime,
        CacheRequest,
        CacheTotals,
    )
    from forkpoint.protocol.types.cache_impact import (
        Account,
        CacheAction,
        CacheCause,
        CacheEnvironment,
        CacheFact,
        CacheImpactParams,
        CacheLayer,
        CacheLayerName,
        CacheNote,
        CacheVerdict,
        Confidence,
        ImpactCertainty,
        ImpactCode,
        ImpactCosts,
        Provider,
        Sameness,
        Survival,
        Switch,
    )
    from forkpoint.protocol.types.checkpoint_changes import (
        ChangeKind,
        CheckpointChange,
        CheckpointChangesParams,
        CheckpointChangesResult,
    )
    from forkpoint.protocol.types.checkpoint_content import (
        CheckpointContentParams,
        CheckpointContentResult,
        Encoding,
        LineEnd,
    )
    from forkpoint.protocol.types.checkpoint_files import (
        CheckpointFile,
        CheckpointFilesParams,
        CheckpointFilesResult,
    )
    from forkpoint.protocol.types.checkpoints import (
        CheckpointsParams,
        CheckpointsResult,
        FileHistory,
        FileVersion,
        HistorySession,
        PromptReference,
        VersionKind,
        VersionObtained,
        VersionSource,
        VersionState,
        WorkingFile,
    )
    from forkpoint.protocol.types.common import (
        Agent,
        Fate,
        Indexing,
        LiveProcess,
        Problem,
        Role,
        SessionReference,
        Tip,
        TokenCounts,
    )
    from forkpoint.protocol.types.context_curve import (
        ContextCompaction,
        ContextCurveParams,
        ContextCurveResult,
        ContextPoint,
    )
    from forkpoint.protocol.types.export import (
        ExportCount,
        ExportFormat,
        ExportParams,
        ExportResult,
        Redaction,
    )
    from forkpoint.protocol.types.family import (
        FamilyAgent,
        FamilyEvidence,
        FamilyMember,
        FamilyParams,
        FamilyParting,
        FamilyPrompt,
        FamilyRelation,
        FamilyResult,
        FamilySign,
    )
    from forkpoint.protocol.types.health import (
        BrokenChain,
        DuplicateId,
        ExpiringSession,
        HealthParams,
        HealthResult,
        HealthTotals,
        MalformedLine,
        OddLink,
        Remain,
        RemainKind,
        Retention,
        RetentionSetting,
        RetentionSource,
        TornTail,
        TranscriptHealth,
        UnknownField,
        UnknownFields,
        UnknownType,
        UnreadableFile,
        UnreadableReason,
        WithoutBackups,
    )
    from forkpoint.protocol.types.line_history import (
        LineAuthor,
        LineChange,
        LineHistoryParams,
        LineHistoryResult,
        LineRun,
    )
    from forkpoint.protocol.types.locate import (
        LocateParams,
        LocateResult,
        PlaceConfidence,
        TextPosition,
        TextRange,
    )
    from forkpoint.protocol.types.notifications import (
        DidChangeCatalogParams,
        DidChangeSessionParams,
    )
    from forkpoint.protocol.types.records import (
        Block,
        ImageBlock,
        OtherBlock,
        RawLine,
        RecordsParams,
        RecordsResult,
        RecordView,
        TextBlock,
        ThinkingBlock,
        ToolResultBlock,
        ToolUseBlock,
    )
    from forkpoint.protocol.types.rewind_preview import (
        Certainty,
        CodeReason,
        NotCovered,
        RewindAction,
        RewindCode,
        RewindConversation,
        RewindFile,
        RewindPreviewParams,
        RewindPreviewResult,
        ShellCall,
        SkipReason,
        SubagentEdits,
    )
    from forkpoint.protocol.types.search import (
        HitFate,
        HitPart,
        MatchRange,
        QueryProblem,
        QueryProblemCode,
        SearchHit,
        SearchParams,
        SearchResult,
    )
    from forkpoint.protocol.types.sessions import (
        ForkEvidence,
        ForkOrigin,
        Project,
        PullRequest,
        Scope,
        SessionCache,
        SessionsParams,
        SessionsResult,
        SessionSummary,
        SharedFile,
        Title,
        TitleSource,
    )
    from forkpoint.protocol.types.subagents import (
        Subagent,
        SubagentsParams,
        SubagentsResult,
        SubagentState,
    )
    from forkpoint.protocol.types.tool_calls import (
        StartedSubagent,
        ToolCall,
        ToolCallsParams,
        ToolCallsResult,
        ToolCallState,
    )
    from forkpoint.protocol.types.transcript import (
        FoldKind,
        LinkKind,
        TranscriptElsewhere,
        TranscriptFold,
        TranscriptInherited,
        TranscriptKind,
        TranscriptLink,
        TranscriptParams,
        TranscriptResult,
        TranscriptSection,
    )
    from forkpoint.protocol.types.transcript_image import (
        TranscriptImageParams,
        TranscriptImageResult,
    )
    from forkpoint.protocol.types.transcript_place import (
        TranscriptPlaceParams,
        TranscriptPlaceResult,
    )
    from forkpoint.protocol.types.usage import (
        UsageAmount,
        UsageDimension,
        UsageParams,
        UsageProject,
        UsageResult,
        UsageRow,
        UsageSums,
    )
    from forkpoint.protocol.types.watch import (
        RunningCall,
        UnwatchResult,
        WatchParams,
        WatchResult,
    )
    from forkpoint.protocol.types.work_state import (
        AtResume,
        WorkItem,
        WorkItemKind,
        WorkStateParams,
        WorkStateResult,
    )

_DECLARED = {
    "abandoned": "AbandonedParams AbandonedPrompt AbandonedResult",
    "active_path": (
        "ActivePathParams ActivePathResult BlockKind BlockNote InheritedPath Leaf LeafRule "
        "PathEntry Repair RepairKind"
    ),
    "branch_tree": "BranchTreeParams BranchTreeResult Segment SegmentReason",
    "cache_history": (
        "BreakCause BreakCertainty BreakTotals CacheBreak CacheHistoryParams CacheHistoryResult "
        "CacheLifetime CacheRequest CacheTotals"
    ),
    "cache_impact": (
        "Account CacheAction CacheCause CacheEnvironment CacheFact CacheImpactParams CacheLayer "
        "CacheLayerName CacheNote CacheVerdict Confidence ImpactCertainty ImpactCode "
        "ImpactCosts Provider Sameness Survival Switch"
    ),
    "checkpoint_changes": (
        "ChangeKind CheckpointChange CheckpointChangesParams CheckpointChangesResult"
    ),
    "checkpoint_content": "CheckpointContentParams CheckpointContentResult Encoding LineEnd",
    "checkpoint_files": "CheckpointFile CheckpointFilesParams CheckpointFilesResult",
    "checkpoints": (
        "CheckpointsParams CheckpointsResult FileHistory FileVersion HistorySession "
        "PromptReference VersionKind VersionObtained VersionSource VersionState WorkingFile"
    ),
    "common": "Agent Fate Indexing LiveProcess Problem Role SessionReference Tip TokenCounts",
    "context_curve": "ContextCompaction ContextCurveParams ContextCurveResult ContextPoint",
    "export": "ExportCount ExportFormat ExportParams ExportResult Redaction",
    "family": (
        "FamilyAgent FamilyEvidence FamilyMember FamilyParams FamilyParting FamilyPrompt "
        "FamilyRelation FamilyResult FamilySign"
    ),
    "health": (
        "BrokenChain DuplicateId ExpiringSession HealthParams HealthResult HealthTotals "
        "MalformedLine OddLink Remain RemainKind Retention RetentionSetting RetentionSource "
        "TornTail TranscriptHealth UnknownField UnknownFields UnknownType UnreadableFile "
        "UnreadableReason WithoutBackups"
    ),
    "line_history": "LineAuthor LineChange LineHistoryParams LineHistoryResult LineRun",
    "locate": "LocateParams LocateResult PlaceConfidence TextPosition TextRange",
    "notifications": "DidChangeCatalogParams DidChangeSessionParams",
    "records": (
        "Block ImageBlock OtherBlock RawLine RecordsParams RecordsResult RecordView TextBlock "
        "ThinkingBlock ToolResultBlock ToolUseBlock"
    ),
    "rewind_preview": (
        "Certainty CodeReason NotCovered RewindAction RewindCode RewindConversation RewindFile "
        "RewindPreviewParams RewindPreviewResult ShellCall SkipReason SubagentEdits"
    ),
    "search": (
        "HitFate HitPart MatchRange QueryProblem QueryProblemCode SearchHit SearchParams "
        "SearchResult"
    ),
    "sessions": (
        "ForkEvidence ForkOrigin Project PullRequest Scope SessionCache SessionsParams "
        "SessionsResult SessionSummary SharedFile Title TitleSource"
    ),
    "subagents": "Subagent SubagentsParams SubagentsResult SubagentState",
    "tool_calls": "StartedSubagent ToolCall ToolCallsParams ToolCallsResult ToolCallState",
    "transcript": (
        "FoldKind LinkKind TranscriptElsewhere TranscriptFold TranscriptInherited TranscriptKind "
        "TranscriptLink TranscriptParams TranscriptResult TranscriptSection"
    ),
    "transcript_image": "TranscriptImageParams TranscriptImageResult",
    "transcript_place": "TranscriptPlaceParams TranscriptPlaceResult",
    "usage": ("UsageAmount UsageDimension UsageParams UsageProject UsageResult UsageRow UsageSums"),
    "watch": "RunningCall UnwatchResult WatchParams WatchResult",
    "work_state": "AtResume WorkItem WorkItemKind WorkStateParams WorkStateResult",
}

_MODULES = {name: module for module, names in _DECLARED.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"no shape is named {name}")
    found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
