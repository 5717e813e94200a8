"""`forkpoint/checkpointChanges`: what changed in one turn, or in a whole session?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from forkpoint.catalog import Catalog
from forkpoint.checkpoints import FileCheckpoints, Version
from forkpoint.contents import EMPTY, Empty, Source, Working
from forkpoint.lsp.features.active_path import node_named
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.checkpoints import source_uri
from forkpoint.recorded import RecordedFile
from forkpoint.session_entry import SessionEntry
from forkpoint.worded import say


class _Span(NamedTuple):
    """A file at both ends; None where its content cannot be told."""

    path: str
    before: Source | None
    after: Source | None


def checkpoint_changes(
    catalog: Catalog, params: types.CheckpointChangesParams
) -> types.CheckpointChangesResult:
    """Compare each file of a session at both ends of a span."""
    conversation = catalog.conversation(params.session_id)
    entry = catalog.entry(params.session_id)
    catalog.contents.begin()
    if entry.agent == "codex":
        catalog.read_agents(entry)
        if params.prompt is not None:
            node_named(conversation, params.prompt)
        spans = _patched(catalog, entry, params.prompt)
        changes, unknown = _compared(catalog, spans)
        to_now = params.prompt is None
        return types.CheckpointChangesResult(changes=changes, unknown=unknown, to_now=to_now)
    checkpoints = conversation.checkpoints()
    if params.prompt is None:
        spans = _whole_session(catalog, entry)
        to_now = True
    else:
        node_named(conversation, params.prompt)
        later = checkpoints.next_prompt(params.prompt)
        spans = _turn(catalog, entry, checkpoints, params.prompt, later)
        to_now = later is None
    changes, unknown = _compared(catalog, spans)
    return types.CheckpointChangesResult(changes=changes, unknown=unknown, to_now=to_now)


def _whole_session(catalog: Catalog, entry: SessionEntry) -> Iterator[_Span]:
    for file in catalog.recorded(entry) or ():
        before = catalog.histories.source(entry, file.path, file.versions[0])
        yield _Span(file.path, before, _now(catalog, file.path))


def _turn(
    catalog: Catalog,
    entry: SessionEntry,
    checkpoints: FileCheckpoints,
    prompt: str,
    later: str | None,
) -> Iterator[_Span]:
    state = checkpoints.before(prompt)
    if state is None:
        raise RequestFailed("unknownRecord", say("No checkpoint was recorded at this prompt."))
    files = {file.path: file for file in catalog.recorded(entry) or ()}
    after = None if later is None else checkpoints.before(later)
    for path, file in files.items():
        then = None if after is None else after.get(path)
        end = _now(catalog, path) if after is None else _source(catalog, entry, file, then)
        yield _Span(path, _source(catalog, entry, file, state[path]), end)


def _patched(catalog: Catalog, entry: SessionEntry, prompt: str | None) -> Iterator[_Span]:
    """What patches of a session changed: each file from the first of them to the last, or to now.

    Of a prompt it is exactly what its own patches changed.
    """
    for each in catalog.patches.of_session(entry):
        places = [
            place
            for place, version in enumerate(each.rebuilt.versions)
            if version.step is not None
            and not version.is_found
            and each.patch_of(version).entry is entry
            and prompt in (None, each.patch_of(version).step.prompt)
        ]
        if places:
            path = each.file.path
            after = _now(catalog, path) if prompt is None else each.content_at(places[-1])
            yield _Span(path, each.content_at(places[0] - 1), after)


def _source(
    catalog: Catalog, entry: SessionEntry, file: RecordedFile, version: Version | None
) -> Source | None:
    recorded = next((each for each in file.versions if _same(each.version, version)), None)
    return None if recorded is None else catalog.histories.source(entry, file.path, recorded)


def _same(one: Version, other: Version | None) -> bool:
    return other is not None and (one.number, one.backup) == (other.number, other.backup)


def _now(catalog: Catalog, path: str) -> Source:
    working = Working(path)
    return EMPTY if catalog.contents.size(working) is None else working


def _compared(
    catalog: Catalog, spans: Iterator[_Span]
) -> tuple[list[types.CheckpointChange], list[str]]:
    changes: list[types.CheckpointChange] = []
    unknown: list[str] = []
    for path, before, after in spans:
        if before is None or after is None:
            unknown.append(file_uri(path))
        elif before != after and catalog.contents.differ(before, after) is not False:
            changes.append(_change(catalog, path, before, after))
    return changes, unknown


def _change(catalog: Catalog, path: str, before: Source, after: Source) -> types.CheckpointChange:
    file = file_uri(path)
    counted = catalog.contents.changes(before, after)
    kind: types.ChangeKind = "edited"
    if isinstance(before, Empty):
        kind = "created"
    elif isinstance(after, Empty):
        kind = "deleted"
    return types.CheckpointChange(
        file=file,
        kind=kind,
        before=source_uri(file, before),
        after=source_uri(file, after),
        added=counted.added if counted else None,
        removed=counted.removed if counted else None,
    )
