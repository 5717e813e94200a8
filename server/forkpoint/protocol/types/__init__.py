"""Every shape that goes over the wire, one module per request.

A field of an answer is always written, null when unknown; a field of parameters may be left out
when it has a default, and null stands for left out. The text under each field says its unit and
what null means; the TypeScript twin `client-vscode/src/protocol.ts` is generated from here.
"""

from __future__ import annotations

from forkpoint.protocol.types.active_path import (
    ActivePathParams,
    ActivePathResult,
    BlockKind,
    BlockNote,
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
from forkpoint.protocol.types.health import (
    BrokenChain,
    HealthParams,
    HealthResult,
    HealthTotals,
    MalformedLine,
    TornTail,
    TranscriptHealth,
    UnknownType,
)
from forkpoint.protocol.types.notifications import (
    DidChangeCatalogParams,
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
from forkpoint.protocol.types.sessions import (
    ForkEvidence,
    ForkOrigin,
    Project,
    PullRequest,
    Scope,
    SessionsParams,
    SessionsResult,
    SessionSummary,
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
    TranscriptParams,
    TranscriptResult,
    TranscriptSection,
)

__all__ = [
    "ActivePathParams",
    "ActivePathResult",
    "Agent",
    "Block",
    "BlockKind",
    "BlockNote",
    "BranchTreeParams",
    "BranchTreeResult",
    "BrokenChain",
    "DidChangeCatalogParams",
    "Fate",
    "ForkEvidence",
    "ForkOrigin",
    "HealthParams",
    "HealthResult",
    "HealthTotals",
    "ImageBlock",
    "Indexing",
    "Leaf",
    "LeafRule",
    "LiveProcess",
    "MalformedLine",
    "OtherBlock",
    "PathEntry",
    "Problem",
    "Project",
    "PullRequest",
    "RawLine",
    "RecordView",
    "RecordsParams",
    "RecordsResult",
    "Repair",
    "RepairKind",
    "Role",
    "Scope",
    "Segment",
    "SegmentReason",
    "SessionReference",
    "SessionSummary",
    "SessionsParams",
    "SessionsResult",
    "StartedSubagent",
    "Subagent",
    "SubagentState",
    "SubagentsParams",
    "SubagentsResult",
    "TextBlock",
    "ThinkingBlock",
    "Tip",
    "Title",
    "TitleSource",
    "TokenCounts",
    "ToolCall",
    "ToolCallState",
    "ToolCallsParams",
    "ToolCallsResult",
    "ToolResultBlock",
    "ToolUseBlock",
    "TornTail",
    "TranscriptHealth",
    "TranscriptParams",
    "TranscriptResult",
    "TranscriptSection",
    "UnknownType",
]
