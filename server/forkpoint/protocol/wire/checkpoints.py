"""Versions of files as they go over the wire."""

from __future__ import annotations

from collections.abc import Iterable

from forkpoint import at_path
from forkpoint.backups import Measured
from forkpoint.catalog import Catalog
from forkpoint.contents import EMPTY, Contents, Empty, Patched, Replaced, Source, Working
from forkpoint.file_histories import History, KeptVersion
from forkpoint.layout import parent_of
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.version_uri import Shown, version_uri
from forkpoint.protocol.wire.sessions import title_of_entry
from forkpoint.rebuilt import RebuiltVersion
from forkpoint.session_entry import SessionEntry
from forkpoint.worded import joined, say


def file_history(catalog: Catalog, history: History) -> types.FileHistory:
    """Return a file's history with the state of the file as it is now."""
    file = file_uri(history.path)
    return types.FileHistory(
        file=file,
        versions=[_version(catalog.contents, file, history, kept) for kept in history.versions],
        working=_working(catalog.contents, history),
        sessions=[_session(catalog, entry) for entry in _in_order(history)],
        problems=_problems(history),
    )


def source_uri(file: str, source: Source) -> str:
    """Return where to read a content of the file with this URI."""
    match source:
        case Working():
            return file
        case Empty():
            return version_uri(file, Shown())
        case Replaced(session_id, ordinal):
            return version_uri(file, Shown(session_id, result=ordinal))
        case Patched(session_id, _, key, is_before):
            return version_uri(file, Shown(session_id, patch=key, is_before=is_before))
        case _:
            return version_uri(file, Shown(source.session_id, source.name))


def _version(
    contents: Contents, file: str, history: History, kept: KeptVersion
) -> types.FileVersion:
    version = kept.recorded.version
    measured = _measured(contents, kept)
    prompt = None
    if version.prompt is not None:
        prompt = types.PromptReference(uuid=version.prompt, preview=kept.recorded.preview)
    return types.FileVersion(
        session_id=kept.owner,
        version=version.number,
        backup=version.backup,
        state=kept.state,
        kind=kept.kind,
        time=version.time,
        prompt=prompt,
        first=version.first,
        on_active_path=kept.recorded.on_active_path,
        size_bytes=measured.size if measured else None,
        binary=measured.is_binary if measured else False,
        added=kept.changes.added if kept.changes else None,
        removed=kept.changes.removed if kept.changes else None,
        source=_source(kept),
        document=_document(file, kept),
        previous=None
        if kept.previous is None
        else _document(file, history.versions[kept.previous]),
        obtained="backup" if kept.rebuilt is None else kept.rebuilt.obtained,
        after=_is_after(kept.rebuilt),
        note=_note(kept),
    )


def _measured(contents: Contents, kept: KeptVersion) -> Measured | None:
    """Size and kind of a content; one that patches tell of is text."""
    if kept.source is None or kept.state != "present":
        return None
    if kept.rebuilt is not None and kept.rebuilt.size is not None:
        return Measured(kept.rebuilt.size, is_binary=False)
    return contents.measure(kept.source)


def _source(kept: KeptVersion) -> types.VersionSource:
    if kept.rebuilt is not None:
        return "patches"
    return "toolResult" if isinstance(kept.source, Replaced) else "backup"


def _is_after(rebuilt: RebuiltVersion | None) -> bool:
    return rebuilt is not None and rebuilt.step is not None and not rebuilt.is_found


def _note(kept: KeptVersion) -> str | None:
    if kept.rebuilt is None:
        return None
    words = [kept.rebuilt.why]
    if kept.rebuilt.was_changed:
        words.append(say("Something else changed the file then."))
    if kept.rolled_back:
        words.append(say("The turn was rolled back, but Codex does not undo changes of files."))
    return joined(words)


def _document(file: str, kept: KeptVersion) -> str | None:
    if isinstance(kept.source, Empty):
        return version_uri(file, Shown(kept.owner, absent=kept.recorded.version.number))
    return None if kept.source is None else source_uri(file, kept.source)


def _working(contents: Contents, history: History) -> types.WorkingFile:
    working = Working(history.path)
    exists = contents.size(working) is not None
    now: Source = working if exists else EMPTY
    newest = history.versions[-1].source if history.versions else None
    if newest is None:
        return types.WorkingFile(exists=exists, added=None, removed=None, edited_since=False)
    changes = contents.changes(newest, now)
    was_there = not isinstance(newest, Empty)
    differs = exists != was_there or (exists and contents.differ(newest, now) is True)
    return types.WorkingFile(
        exists=exists,
        added=changes.added if changes else None,
        removed=changes.removed if changes else None,
        edited_since=differs,
    )


def _in_order(history: History) -> Iterable[SessionEntry]:
    """The sessions of the versions, in the order in which they first appear."""
    return {kept.entry.session_id: kept.entry for kept in history.versions}.values()


def _session(catalog: Catalog, entry: SessionEntry) -> types.HistorySession:
    main = entry.main.conversation
    title = title_of_entry(catalog, entry, main.index.summary).text if main else ""
    is_live = entry.session_id in catalog.live
    return types.HistorySession(session_id=entry.session_id, title=title, live=is_live)


NO_BACKUPS = say("Codex keeps no file backups; versions are rebuilt from its patches.")
_SENTENCES = {
    "parentMoved": say(
        "The folder of this file is not where it was when Claude recorded it, so Claude does "
        "not restore it."
    ),
    "pruned": say("Copies of this file are gone: Claude deletes old ones."),
    "rebuilt": NO_BACKUPS,
    "patchesLeftOut": say("Only the newest patches of this file were looked at."),
}


def _problems(history: History) -> list[types.Problem]:
    versions = [kept.recorded.version for kept in history.versions]
    codes: list[str] = []
    recorded = versions[-1].real_parent if versions else None
    parent = parent_of(history.path)
    if recorded and at_path.exists(parent) and at_path.real_path(parent) != recorded:
        codes.append("parentMoved")
    if any(kept.state == "pruned" and kept.rebuilt is None for kept in history.versions):
        codes.append("pruned")
    if any(kept.rebuilt is not None for kept in history.versions):
        codes.append("rebuilt")
    if history.left_out:
        codes.append("patchesLeftOut")
    return [types.Problem(code=code, sentence=_SENTENCES[code]) for code in codes]
