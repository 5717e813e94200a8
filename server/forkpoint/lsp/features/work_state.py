"""`forkpoint/workState`: what of the work would a resume bring back?"""

from __future__ import annotations

from forkpoint.backups import Copy
from forkpoint.catalog import Catalog
from forkpoint.known_files import knowledge_of, known_files
from forkpoint.protocol import types
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.worded import say
from forkpoint.work_on_disk import agent_found, folder_found, set_folders, set_servers
from forkpoint.work_recorded import work_recorded
from forkpoint.work_state import OnDisk, Recorded, work_items


def work_state(catalog: Catalog, params: types.WorkStateParams) -> types.WorkStateResult:
    """Hold what the transcript says against the disk as it is now."""
    conversation = catalog.conversation(params.session_id)
    entry = catalog.entry(params.session_id)
    if conversation.index.agent == "codex":
        return types.WorkStateResult(items=[_NO_BACKUPS])
    version = catalog.resuming_version
    known = known_files(conversation, version)
    recorded = work_recorded(entry.main, conversation, known, version)
    now = _surroundings(entry, recorded)._replace(
        files=knowledge_of(catalog.contents, entry.main, conversation, known),
        has_copies=_has_copies(catalog, entry, conversation),
    )
    nodes = conversation.index.nodes
    return types.WorkStateResult(
        items=[
            types.WorkItem(
                what=item.what,
                value=item.value,
                at_resume=item.at_resume,
                sentence=item.sentence,
                at=None if item.row is None else nodes.uuid(item.row),
            )
            for item in work_items(recorded, now)
        ]
    )


_NO_BACKUPS = types.WorkItem(
    what="fileHistory",
    value="0",
    at_resume="notRestored",
    sentence=say("Codex keeps no file backups: a resume goes on with the files as they are."),
    at=None,
)
"""All that is known of a resume of Codex."""


def _surroundings(entry: SessionEntry, recorded: Recorded) -> OnDisk:
    agent, cwd = recorded.agent, recorded.cwd
    added = [folder.value for folder in recorded.added_folders]
    return OnDisk(
        agent="unknown" if agent is None else agent_found(agent, entry.root, cwd),
        worktree=folder_found(recorded.worktree),
        cwd=folder_found(cwd),
        folders={path: folder_found(path) for path in added},
        set_folders=set_folders(entry.root, cwd, added),
        set_servers=set_servers(cwd),
    )


def _has_copies(catalog: Catalog, entry: SessionEntry, conversation: Conversation) -> bool:
    catalog.contents.begin()
    versions = conversation.checkpoints().versions.values()
    spoken_of = {version.backup for of_file in versions for version in of_file if version.backup}
    copies = (Copy(entry.root, entry.session_id, name) for name in spoken_of)
    return not spoken_of or any(map(catalog.contents.backups.stat, copies))
