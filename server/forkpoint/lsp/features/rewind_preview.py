"""`forkpoint/rewindPreview`: what would going back to a prompt do?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from forkpoint.catalog import Catalog
from forkpoint.going_back import GoingBack, going_back
from forkpoint.hand_edits import HandEdits
from forkpoint.layout import is_absolute
from forkpoint.lsp.features.active_path import node_named
from forkpoint.lsp.features.cache_impact import rewind_note
from forkpoint.not_covered import ShellRun, shell_runs, subagent_edits
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.checkpoints import source_uri
from forkpoint.protocol.wire.common import resolved_uri
from forkpoint.records.words import one_line
from forkpoint.restoring import RestoredFile, restored_files
from forkpoint.rewind import is_refused
from forkpoint.session import Conversation, Fate
from forkpoint.session_entry import SessionEntry
from forkpoint.worded import PARTS, joined, say


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
        cache=rewind_note(catalog, params.session_id, prompt),
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
    "noBackups": say(
        "Codex keeps no file backups, so code cannot be restored; versions of files are rebuilt "
        "from its patches."
    ),
    "noCheckpoint": say("No checkpoint was recorded at this prompt, so code cannot be restored."),
    "tooOld": say("Only the newest 100 checkpoints can be gone back to, and this one is older."),
    "abandoned": say(
        "The prompt is not on the active path: Claude does not offer to go back to it."
    ),
    "compacted": say("The prompt lies before the newest compaction: Claude does not offer it."),
    "nothingToRestore": say(
        "No file would be restored: copies are gone, or files cannot be written."
    ),
}


def _code(
    catalog: Catalog,
    entry: SessionEntry,
    conversation: Conversation,
    prompt: str,
    fate: Fate | None,
) -> types.RewindCode:
    if conversation.index.agent == "codex":
        return _refused("noBackups", [])
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
    by_hand = HandEdits(catalog.contents, entry, conversation)
    files = [_file(file, by_hand) for file in restored]
    modes_change = any(file.mode_changes for file in restored)
    if is_refused([file.outcome for file in restored], modes_change):
        return _refused("nothingToRestore", files)
    return types.RewindCode(available=True, reason=None, sentence=_summary(files), files=files)


def _refused(reason: types.CodeReason, files: Sequence[types.RewindFile]) -> types.RewindCode:
    return types.RewindCode(available=False, reason=reason, sentence=_REFUSALS[reason], files=files)


def _done(action: str, count: int) -> str:
    match action:
        case "overwrite":
            return say("{count} overwritten", count=count)
        case "delete":
            return say("{count} deleted", count=count)
        case "create":
            return say("{count} created", count=count)
        case _:
            return say("{count} skipped", count=count)


_ACTIONS: tuple[types.RewindAction, ...] = ("overwrite", "delete", "create", "skip")


def _summary(files: Sequence[types.RewindFile]) -> str:
    counts = Counter(file.action for file in files)
    said = [_done(action, counts[action]) for action in _ACTIONS if counts[action]]
    return say("Files: {said}.", said=joined(said, PARTS)) if said else say("No file would change.")


def _file(restored: RestoredFile, by_hand: HandEdits) -> types.RewindFile:
    uri = file_uri(restored.path)
    source, changes = restored.source, restored.changes
    return types.RewindFile(
        file=uri,
        action=restored.outcome.action,
        reason=restored.outcome.reason,
        version=restored.version.number if restored.version else None,
        document=None if source is None else source_uri(uri, source),
        hand_edited=restored.is_file and by_hand.has(restored.path),
        outside_workspace=restored.is_outside,
        mode_changes=restored.mode_changes,
        added=changes.added if changes else None,
        removed=changes.removed if changes else None,
    )


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
