"""The usual lines, decoded once and straight into what the index wants of them.

Field names as clients 1.0.128 to 2.1.332 write them, in any order. The shapes are narrower than
those of `shapes`: what they do not take, `decode` does, in its place. Texts are skipped unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Raw, UnsetType

from forkpoint.records.claude_code import backup_from, backup_in
from forkpoint.records.decode import decode, type_error
from forkpoint.records.record import Backup, FileHistoryLine, Malformed, Pointer, Record
from forkpoint.records.shapes import BackupShape, ForkedShape, InputShape, OriginShape, UsageShape

# What is written again and again is named here: of such texts none is made per line.
RowType: TypeAlias = Literal["user", "assistant", "attachment", "system", "progress"]
StateType: TypeAlias = Literal[
    "mode",
    "permission-mode",
    "queue-operation",
    "last-prompt",
    "ai-title",
    "file-history-snapshot",
    "file-history-delta",
]
BlockType: TypeAlias = Literal[
    "text", "tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document"
]


class UsualBlock(msgspec.Struct, gc=False):
    """A content block of a message."""

    answers: str | None = msgspec.field(default=None, name="tool_use_id")
    type: BlockType | None = None
    id: str | None = None
    name: str | None = None
    input: InputShape | None = None
    is_error: bool | None = None


class UsualMessage(msgspec.Struct, gc=False):
    """A message of the user or the model."""

    model: str | None = None
    id: str | None = None
    content: list[UsualBlock] | str | None = None
    usage: UsageShape | None = None


class UsualAttachment(msgspec.Struct, gc=False):
    """What the client adds to a conversation."""

    type: str | None = None


class UsualResult(msgspec.Struct, gc=False):
    """What the client says of a result that names no subagent and no task."""

    agent: None = msgspec.field(default=None, name="agentId")
    task: None = msgspec.field(default=None, name="backgroundTaskId")
    is_async: None = msgspec.field(default=None, name="isAsync")


class Row(msgspec.Struct, gc=False):
    """A line that may take part in the graph; of type None it is an unusual one."""

    parent: str | None = msgspec.field(default=None, name="parentUuid")
    is_sidechain: bool | None = msgspec.field(default=None, name="isSidechain")
    message: UsualMessage | None = None
    attachment: UsualAttachment | None = None
    asked_lifetime: Literal["5m", "1h", "off"] | None = msgspec.field(
        default=None, name="promptCacheRequested"
    )
    type: RowType | None = None
    subtype: str | None = None
    uuid: str | None = None
    timestamp: str | None = None
    result: UsualResult | str | list[Raw] | None = msgspec.field(default=None, name="toolUseResult")
    rendered: Raw = Raw()
    is_meta: bool | None = msgspec.field(default=None, name="isMeta")
    is_summary: bool | None = msgspec.field(default=None, name="isCompactSummary")
    source: str | None = msgspec.field(default=None, name="promptSource")
    origin: OriginShape | None = None
    forked: ForkedShape | None = msgspec.field(default=None, name="forkedFrom")
    denial: None = msgspec.field(default=None, name="toolDenialKind")
    is_error: None = msgspec.field(default=None, name="isApiErrorMessage")


class RowAndClient(Row, gc=False):
    """The same, with what it says of its client."""

    entrypoint: str | None = None
    cwd: str | None = None
    session_id: str | None = msgspec.field(default=None, name="sessionId")
    version: str | None = None
    git_branch: str | None = msgspec.field(default=None, name="gitBranch")


class UsualSnapshot(msgspec.Struct, gc=False):
    """Files before a prompt ran."""

    prompt: str | None = msgspec.field(default=None, name="messageId")
    files: Raw = msgspec.field(default=Raw(b"{}"), name="trackedFileBackups")


class State(msgspec.Struct, gc=False):
    """A line outside the graph."""

    type: StateType | RowType | None = None
    row: str | None = msgspec.field(default=None, name="messageId")
    snapshot: UsualSnapshot | None = None
    is_update: bool | None = msgspec.field(default=None, name="isSnapshotUpdate")
    snapshot_row: str | None = msgspec.field(default=None, name="snapshotMessageId")
    path: str | None = msgspec.field(default=None, name="trackingPath")
    backup: Raw = Raw()
    last_prompt: str | None = msgspec.field(default=None, name="lastPrompt")
    leaf: str | UnsetType | None = msgspec.field(default=UNSET, name="leafUuid")
    explicit: bool | None = None
    rewound: bool | None = None
    ai_title: str | None = msgspec.field(default=None, name="aiTitle")
    timestamp: str | None = None
    uuid: str | None = None
    is_sidechain: None = msgspec.field(default=None, name="isSidechain")
    is_meta: None = msgspec.field(default=None, name="isMeta")
    forked: None = msgspec.field(default=None, name="forkedFrom")

    @property
    def parent(self) -> None:
        """A line outside the graph has none."""

    def pointer(self) -> Pointer | None:
        """Return what a line of type `last-prompt` points at."""
        if isinstance(self.leaf, UnsetType):
            return None
        return Pointer(self.leaf, bool(self.explicit), bool(self.rewound))

    def delta(self) -> FileHistoryLine | None:
        """Return what a line of type `file-history-delta` says."""
        if self.path is None:
            return None
        backup = backup_in(self.path, self.backup)
        return FileHistoryLine("delta", self.row, self.snapshot_row, (backup,))


def backup_of(entry: bytes) -> Backup | None:
    """Return what an entry says of a file, written without its last brace; None if it is none."""
    written = b"{" + entry + b"}}"
    try:
        usual_files = _usual_files(written)
        return backup_from(*usual_files.popitem()) if len(usual_files) == 1 else None
    except type_error:
        pass
    try:
        files = _files(written)
    except type_error:
        return None
    return backup_in(*files.popitem()) if len(files) == 1 else None


class Odd(NamedTuple):
    """A line of another shape that is a record all the same."""

    record: Record
    uuid: str | None
    parent: str | None
    timestamp: str | None
    type: None = None


class Client(NamedTuple):
    """What a row says of its client."""

    cwd: str | None = None
    version: str | None = None
    session_id: str | None = None
    git_branch: str | None = None
    entrypoint: str | None = None


class Run(NamedTuple):
    """Lines that follow each other and are a record each."""

    start: int
    """Place of the first among the lines."""
    rows: list[Row | State | Odd]
    clients: dict[int, Client]
    """By the place of the first `Row` among the rows that names it, up to the next."""


def usual(raw: Sequence[bytes]) -> list[Run]:
    """Decode lines that end in LF; those between the runs are blank, no records, or end in CR."""
    runs: list[Run] = []
    rows: list[Row | State | Odd] = []
    clients: dict[int, Client] = {}
    told: Client | None = None
    ends = _Ends()
    client, end = ends.client, ends.end
    for place, line in enumerate(raw):
        row = None
        try:
            if line.endswith(end):
                row = row_in(line)
            elif line.endswith(_USUAL_END):
                row = _any(line)
                if isinstance(row, RowAndClient):
                    client, end = ends.after(line, row)
        except type_error:
            row = odd_in(line)
        if row is not None:
            if client is not told and isinstance(row, Row):
                clients[len(rows)] = told = client
            rows.append(row)
        elif rows:
            runs.append(Run(place - len(rows), rows, clients))
            rows, clients, told = [], {}, None
    if rows:
        runs.append(Run(len(raw) - len(rows), rows, clients))
    return runs


class _Ends:
    """The client that wrote the last line which was read for it, and how its lines end."""

    def __init__(self) -> None:
        self.client = Client()
        self.end = _NO_END
        self._tries = _TRIES

    def after(self, line: bytes, row: RowAndClient) -> tuple[Client, bytes]:
        """Take in a line."""
        client = (row.cwd, row.version, row.session_id, row.git_branch, row.entrypoint)
        if client != self.client:
            self.client = Client(*client)
        if self._tries:
            self._tries -= 1
            self.end = _end_of(line)
        return self.client, self.end


def _any(line: bytes) -> RowAndClient | State:
    if not line.startswith(_ROW_STARTS):
        state = state_in(line)
        if state.uuid is None and state.type not in _ROW_TYPES:
            return state
    return _row_and_client(line)


def odd_in(line: bytes) -> Odd | None:
    """Read a line of another shape the general way; None if it is not one record."""
    pieces = decode(line[:-1])
    start, length, record = pieces[0]
    if len(pieces) > 1 or isinstance(record, Malformed) or (start, length) != (0, len(line) - 1):
        return None
    return Odd(record, record.uuid, record.parent, record.timestamp)


def _end_of(line: bytes) -> bytes:
    """The end of a line with all that is said of the client, and nothing else.

    A line that ends alike says the same, whatever else it says, and need not be read so far: of a
    name that stands twice in an object the last one counts.
    """
    start = line.rfind(_END_START, -_LONGEST_END)
    if start < 0:
        return _NO_END
    try:
        fields = _texts(b"{" + line[start + 1 :])
    except type_error:
        return _NO_END
    is_all = _CLIENT_FIELDS <= fields.keys() <= _END_FIELDS
    return line[start:] if is_all else _NO_END


row_in = msgspec.json.Decoder(Row).decode
_row_and_client = msgspec.json.Decoder(RowAndClient).decode
state_in = msgspec.json.Decoder(State).decode
_usual_files = msgspec.json.Decoder(dict[str, BackupShape]).decode
_files = msgspec.json.Decoder(dict[str, Raw]).decode
_texts = msgspec.json.Decoder(dict[str, str]).decode
_ROW_TYPES = frozenset(get_args(RowType))
_ROW_STARTS = (b'{"parentUuid":', b'{"type":"assistant"', b'{"type":"user"')
_CLIENT_FIELDS = frozenset({"entrypoint", "cwd", "sessionId", "version", "gitBranch"})
_END_FIELDS = _CLIENT_FIELDS | {"userType", "slug"}
_END_START = b',"userType":'
_LONGEST_END = 600
_TRIES = 20
"""Clients before about 2.1.100 have something else at the ends of their lines."""
_USUAL_END = b"}\n"
_NO_END = b"\n\n"
"""No line ends so."""
