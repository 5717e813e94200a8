"""Which versions did a session record of which files, with the prompts that followed?"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from forkpoint.checkpoints import Version
from forkpoint.layout import is_absolute, joined, last_part, path_key
from forkpoint.session import Conversation


class RecordedVersion(msgspec.Struct, frozen=True, gc=False):
    """A version and what the transcript tells of its prompt.

    Attributes:
        preview: the prompt's first words; None where the transcript does not hold it.
        on_active_path: whether the prompt lies there.
        replaced: the record whose result tells the content, where the copy was made too late.
    """

    version: Version
    preview: str | None
    on_active_path: bool
    replaced: int | None = None


class RecordedFile(msgspec.Struct, frozen=True):
    """A file that a session tracks.

    Attributes:
        path: absolute, as the session spells it.
        keys: all that it can be found by: its path, and where its folder really lay.
        versions: in the order in which they were recorded.
    """

    path: str
    keys: frozenset[str]
    versions: list[RecordedVersion]


def recorded_files(
    conversation: Conversation, client_version: str | None, late: Mapping[str, int]
) -> list[RecordedFile]:
    """List a session's tracked files, first edit first.

    Where no row tells the starting directory, relative keys name no file, and are left out.

    Args:
        conversation: the session's own transcript.
        client_version: of the client that would resume; it decides what the active path is.
        late: see `late_copies`.
    """
    checkpoints = conversation.checkpoints()
    if not checkpoints.versions:
        return []
    nodes, prompts = conversation.index.nodes, conversation.index.summary.prompts
    on_path = set(conversation.path(client_version).entries.rows)

    def recorded(path: str, version: Version) -> RecordedVersion:
        row = nodes.find(version.prompt)
        preview = None if row is None else prompts.get(row)
        replaced = late.get(path) if version.first else None
        return RecordedVersion(version, preview, row in on_path, replaced)

    return [
        RecordedFile(path, _keys(path, versions), [recorded(path, each) for each in versions])
        for path, versions in checkpoints.versions.items()
        if is_absolute(path)
    ]


def _keys(path: str, versions: list[Version]) -> frozenset[str]:
    parents = {version.real_parent for version in versions if version.real_parent}
    real = (joined(parent, last_part(path)) for parent in parents)
    return frozenset({path_key(path), *map(path_key, real)})
