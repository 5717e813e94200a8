"""`forkpoint/rewindPreview`: what would going back to a prompt do?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress

from forkpoint.backups import Copy
from forkpoint.catalog import Catalog
from forkpoint.contents import Contents, Working
from forkpoint.disk import Unreadable
from forkpoint.going_back import GoingBack, going_back
from forkpoint.known_texts import is_known
from forkpoint.layout import is_absolute
from forkpoint.lsp.features.active_path import node_named
from forkpoint.not_covered import ShellRun, edits_of, shell_runs, subagent_edits
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.checkpoints import source_uri
from forkpoint.protocol.wire.common import resolved_uri
from forkpoint.records.words import one_line
from forkpoint.restoring import RestoredFile, restored_files
from forkpoint.rewind import is_refused
from forkpoint.session import Conversation, Fate
from forkpoint.session_entry import SessionEntry


def rewind_preview(
    catalog: Catalog, params: types.RewindPreviewParams
) -> types.RewindPreviewResult:
    """Tell what would become of the conversation and of files; nothing does."""
    conversation = catalog.conversation(params.session_id)
    entry = catalog.entry(params.session_id)
    catalog.read_agents(entry)
    prompt = node_named(conversation, params.prompt)
    start = conversation.index.summary.first_cwd
    back = going_back(conversation, prompt, catalog.resuming_version)
    return types.RewindPreviewResult(
        conversation=_conversation(back),
        code=_code(catalog, entry, conversation, params.prompt, back.fate),
        not_covered=types.NotCovered(
            shell=[_shell(run, start) for run in shell_runs(entry, prompt)],
            subagents=[
                types.SubagentEdits(
                    agent_id=edits.agent_id,
                    tool_use_id=edits.call_id,
                    files=list(map(file_uri, edits.files)),
                )
                for edits in subagent_edits(entry, prompt, start)
            ],
        ),
    )


def _conversation(back: GoingBack) -> types.RewindConversation:
    return types.RewindConversation(
        prompts=back.prompts,
        responses=back.responses,
        prompts_kept=back.prompts_kept,
        responses_kept=back.responses_kept,
        tokens_now=back.tokens_now,
        tokens_after=back.tokens_after,
    )


# --- files -------------------------------------------------------------------------------------

_REFUSALS: dict[types.CodeReason, str] = {
    "noCheckpoint": "No checkpoint was recorded at this prompt, so code cannot be restored.",
    "tooOld": "Only the newest 100 checkpoints can be gone back to, and this one is older.",
    "abandoned": "The prompt is not on the active path: Claude does not offer to go back to it.",
    "compacted": "The prompt lies before the newest compaction: Claude does not offer it.",
    "nothingToRestore": "No file would be restored: copies are gone, or files cannot be written.",
}


def _code(
    catalog: Catalog,
    entry: SessionEntry,
    conversation: Conversation,
    prompt: str,
    fate: Fate | None,
) -> types.RewindCode:
    if fate in (None, "summarized"):
        return _refused("compacted" if fate else "abandoned", [])
    # A resume starts in the session's own directory, or in the one it was moved to.
    folder = conversation.index.summary.relocated or conversation.index.summary.first_cwd
    points = conversation.restore_points(folder, catalog.resuming_version)
    state = points.at(prompt)
    if state is None:
        return _refused("tooOld" if points.has(prompt) else "noCheckpoint", [])
    state = {path: version for path, version in state.items() if is_absolute(path)}
    restored = restored_files(catalog.contents, entry, state, folder)
    files = [_file(catalog, entry, conversation, file) for file in restored]
    modes_change = any(file.mode_changes for file in restored)
    if is_refused([file.outcome for file in restored], modes_change):
        return _refused("nothingToRestore", files)
    return types.RewindCode(available=True, reason=None, sentence=_summary(files), files=files)


def _refused(reason: types.CodeReason, files: Sequence[types.RewindFile]) -> types.RewindCode:
    return types.RewindCode(available=False, reason=reason, sentence=_REFUSALS[reason], files=files)


_DONE = {"overwrite": "overwritten", "delete": "deleted", "create": "created", "skip": "skipped"}


def _summary(files: Sequence[types.RewindFile]) -> str:
    counts = Counter(file.action for file in files)
    said = [f"{counts[action]} {word}" for action, word in _DONE.items() if counts[action]]
    return f"Files: {', '.join(said)}." if said else "No file would change."


def _file(
    catalog: Catalog,
    entry: SessionEntry,
    conversation: Conversation,
    restored: RestoredFile,
) -> types.RewindFile:
    uri = file_uri(restored.path)
    source, changes = restored.source, restored.changes
    return types.RewindFile(
        file=uri,
        action=restored.outcome.action,
        reason=restored.outcome.reason,
        version=restored.version.number if restored.version else None,
        document=None if source is None else source_uri(uri, source),
        hand_edited=restored.is_file and _is_hand_edited(catalog, entry, conversation, restored),
        outside_workspace=restored.is_outside,
        mode_changes=restored.mode_changes,
        added=changes.added if changes else None,
        removed=changes.removed if changes else None,
    )


def _is_hand_edited(
    catalog: Catalog,
    entry: SessionEntry,
    conversation: Conversation,
    restored: RestoredFile,
) -> bool:
    """Whether the file holds what neither a copy nor an edit of the agent left there."""
    try:
        content = catalog.contents.data(Working(restored.path))
    except Unreadable:
        return False
    if content is None:
        return False
    versions = conversation.checkpoints().versions.get(restored.path, [])
    names = [version.backup for version in versions if version.backup is not None]
    copies = [Copy(entry.root, entry.session_id, name) for name in names]
    start = conversation.index.summary.first_cwd
    edits = edits_of(entry, restored.path, start)
    return not is_known(content, _newest(catalog.contents, copies), edits)


COMPARED_AT_MOST = 64 * 1024 * 1024
"""Bytes of a file's copies that it is compared with, the newest first."""


def _newest(contents: Contents, copies: Sequence[Copy]) -> Iterator[bytes]:
    """What the newest copies hold, oldest first, one at a time."""
    left = COMPARED_AT_MOST
    compared: list[Copy] = []
    for copy in reversed(copies):
        left -= contents.size(copy) or 0
        if left < 0:
            break
        compared.append(copy)
    for copy in reversed(compared):
        with suppress(Unreadable):
            content = contents.data(copy)
            if content is not None:
                yield content


# --- what is not covered -----------------------------------------------------------------------


def _shell(run: ShellRun, start: str | None) -> types.ShellCall:
    return types.ShellCall(
        tool_use_id=run.call_id,
        uuid=run.uuid,
        ordinal=run.row,
        agent_id=run.agent_id,
        command=one_line(run.command),
        files=[resolved_uri(file, start) for file in run.writes.files],
        certainty=run.writes.certainty,
    )
