"""Which transcripts and which of their rows does an export show, and what does it leave out?"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from forkpoint.active_line import NOT_SENT, SENT, Entries
from forkpoint.catalog import Catalog
from forkpoint.disk import Unreadable
from forkpoint.lsp.features.active_path import row_named
from forkpoint.lsp.features.subagents import subagents
from forkpoint.nodes import NO_PARENT
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.records.record import Flag, Kind
from forkpoint.session import Conversation
from forkpoint.transcript_file import TranscriptFile

BATCH_BYTES = 1024 * 1024
BATCH_ROWS = 256
"""Lines that are read at once; a longer one comes alone."""


class Source(msgspec.Struct):
    """A path of a transcript.

    Attributes:
        title: of a subagent, from what it was told; not redacted.
        call_id: the call that started it.
    """

    agent_id: str | None
    conversation: Conversation
    file: TranscriptFile
    entries: Entries
    path: str
    leaf: str | None
    left_out: dict[str, int]
    title: str = ""
    call_id: str | None = None

    def batches(self) -> Iterator[tuple[Entries, list[bytes]]]:
        """Yield rows with their lines, a bounded number of bytes at a time.

        Raises `RequestFailed` if the file is another one now, else `Unreadable`.
        """
        nodes, rows = self.conversation.index.nodes, self.entries.rows
        start = size = 0
        for at, row in enumerate(rows):
            length = nodes.length[nodes.body_of.get(row, row)]
            if at > start and (size + length > BATCH_BYTES or at - start >= BATCH_ROWS):
                yield self._read(start, at)
                start, size = at, 0
            size += length
        if start < len(rows):
            yield self._read(start, len(rows))

    def _read(self, start: int, end: int) -> tuple[Entries, list[bytes]]:
        if self.file.conversation is not self.conversation:
            raise RequestFailed("unreadable", "The transcript was written anew meanwhile.")
        entries = self.entries[start:end]
        return entries, self.file.bodies(entries.rows)

    def typed(self) -> list[int]:
        """Return the rows of the path that a person typed."""
        flags = self.conversation.index.nodes.flags
        return [row for row in self.entries.rows if flags[row] & Flag.TYPED]


def sources(catalog: Catalog, params: types.ExportParams) -> list[Source]:
    """Return the transcript that was asked for, then those of its subagents if they are wanted."""
    main = _asked_for(catalog, params)
    agents = subagents(catalog, types.SubagentsParams(session_id=params.session_id)).agents
    below = list(_below(agents, params.agent_id))
    found: list[Source] = []
    if params.subagents:
        for agent in below:
            source = _of_agent(catalog, params.session_id, agent, main)
            if source is not None:
                found.append(source)
    main.left_out["subagentTranscripts"] = len(below) - len(found)
    shown = sum(len(source.entries) for source in found if source.file is main.file)
    main.left_out["subagents"] = main.left_out.get("subagents", 0) - shown
    return [main, *found]


def _asked_for(catalog: Catalog, params: types.ExportParams) -> Source:
    conversation = catalog.conversation(params.session_id, params.agent_id)
    file = catalog.transcript(params.session_id, params.agent_id)
    version = params.for_version or catalog.resuming_version
    path = conversation.path(version, row_named(conversation, params.leaf))
    cut_off = conversation.before_gap(version) if params.leaf is None else []
    entries = Entries(
        array("i", cut_off) + path.entries.rows,
        bytes([NOT_SENT]) * len(cut_off) + path.entries.fates,
    )
    leaf = None if path.end is None else conversation.index.nodes.uuid(path.end)
    said = "The active path." if params.leaf is None else f"The path to the record {params.leaf}."
    return Source(
        params.agent_id,
        conversation,
        file,
        entries,
        said,
        leaf,
        _left_out(conversation, file, entries),
    )


def _below(agents: Sequence[types.Subagent], agent_id: str | None) -> Iterator[types.Subagent]:
    """The subagents of a session, or those that one of them sent out, each once."""
    if agent_id is None:
        yield from agents
        return
    wanted = {agent_id}
    for agent in agents:
        if agent.parent_agent_id in wanted and agent.agent_id not in wanted:
            wanted.add(agent.agent_id)
            yield agent


def _of_agent(
    catalog: Catalog, session_id: str, agent: types.Subagent, main: Source
) -> Source | None:
    """A subagent's own path; None if its file cannot be read."""
    title = f"Subagent: {agent.description or agent.type or agent.agent_id}"
    if agent.transcript is None:
        root = main.conversation.index.nodes.find(agent.agent_id)
        rows = array("i", main.conversation.below(root) if root is not None else [])
        entries = Entries(rows, bytes([SENT]) * len(rows))
        said = "All records of the subagent, which stand in the session's own file."
        return Source(
            agent.agent_id, main.conversation, main.file, entries, said, None, {}, title,
            agent.tool_use_id,
        )  # fmt: skip
    try:
        conversation = catalog.conversation(session_id, agent.agent_id)
    except Unreadable:
        return None
    path = conversation.path(catalog.resuming_version)
    leaf = None if path.end is None else conversation.index.nodes.uuid(path.end)
    file = catalog.transcript(session_id, agent.agent_id)
    return Source(
        agent.agent_id, conversation, file, path.entries, "The subagent's active path.", leaf,
        _left_out(conversation, file, path.entries), title, agent.tool_use_id,
    )  # fmt: skip


def _left_out(conversation: Conversation, file: TranscriptFile, entries: Entries) -> dict[str, int]:
    """Count the lines of a transcript that are not on a path."""
    nodes = conversation.index.nodes
    shown = {nodes.body_of.get(row, row) for row in entries.rows} | set(entries.rows)
    rest = (row for row in range(len(nodes)) if row not in shown)
    counts = Counter(_kind(conversation, row) for row in rest)
    # A repeated record's first line is shown by the later one's content.
    counts["repeated"] += sum(row in nodes.body_of for row in entries.rows)
    counts["unfinished"] = int(file.torn_tail is not None)
    return dict(counts)


def _kind(conversation: Conversation, row: int) -> str:
    index = conversation.index
    nodes = index.nodes
    if nodes.kind[row] == Kind.MALFORMED:
        return "malformed"
    if nodes.parent[row] == NO_PARENT:
        return "repeated" if nodes.flags[row] & Flag.REPEAT else "state"
    if nodes.flags[row] & Flag.SIDECHAIN and not index.of_agent:
        return "subagents"
    return _OF_KIND.get(Kind(nodes.kind[row]), "otherBranches")


_OF_KIND = {Kind.PROGRESS: "progress", Kind.UNKNOWN: "unknown"}
