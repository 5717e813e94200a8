"""Writes a session down piece by piece, as `forkpoint/export` and the command line need it.

With a redaction all is read twice: what is to be taken out has to be known before the first word.
"""

from __future__ import annotations

import platform
import re
import sys
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from forkpoint.active_line import Entries
from forkpoint.catalog import Catalog
from forkpoint.export.as_html import HtmlWriter
from forkpoint.export.as_json import JsonWriter
from forkpoint.export.as_markdown import MarkdownWriter
from forkpoint.export.pictures import pictures_of
from forkpoint.export.shown import About, Chapter, Ending, Format, Row, Writer, spilled_in
from forkpoint.folds import AGENT_NAMES
from forkpoint.lsp.export_sources import Source, sources
from forkpoint.protocol import types
from forkpoint.protocol.wire.sessions import title_of_entry
from forkpoint.records.blocks import Other
from forkpoint.records.content import Body, body_of, fields_of
from forkpoint.records.decode import timestamp_of
from forkpoint.records.record import Role
from forkpoint.records.words import PREVIEW
from forkpoint.redaction.library import detectors
from forkpoint.redaction.redactor import Finder, Redactor, What

_WHOLE = sys.maxsize
_PIECE = 64 * 1024
"""Characters that are handed on together."""
_WRITERS: dict[Format, type[Any]] = {
    "markdown": MarkdownWriter,
    "html": HtmlWriter,
    "json": JsonWriter,
}


class Export:
    """An export that is on its way.

    Attributes:
        done, total: rows that were worked on, and how often all will be.
        file_name: for the file to write; a guess until the first piece is there.
    """

    def __init__(self, catalog: Catalog, params: types.ExportParams) -> None:
        """Find out what to write; raises what `catalog.conversation` does, and `RequestFailed`."""
        self.writer: Writer = _WRITERS[params.format]()
        self.what = What(**{name: name in (params.redact or ()) for name in KINDS})
        self.sources = sources(catalog, params)
        self.done = 0
        self.total = sum(len(source.entries) for source in self.sources) * (2 if self.what else 1)
        self.file_name = ""
        self._session_id = params.session_id
        self._summary = self.sources[0].conversation.index.summary
        self._project = self._summary.relocated or self._summary.first_cwd
        entry = catalog.entry(params.session_id)
        of_session = catalog.conversation(params.session_id).index.summary
        self._title = title_of_entry(catalog, entry, of_session)
        self._redactor = Redactor({}, Finder(What()).people)
        self._spilled = 0

    @property
    def redactions(self) -> dict[str, int]:
        """How often each kind was taken out so far."""
        return self._redactor.counts

    @property
    def secret_rules(self) -> list[str]:
        """Whose rules look for secrets; none where none are to be taken out."""
        if not self.what.secrets:
            return []
        return ["built-in", "detect-secrets"] if detectors() else ["built-in"]

    @property
    def left_out(self) -> dict[str, int]:
        """What the transcripts have besides, by kind."""
        counts: dict[str, int] = {}
        for source in self.sources:
            for kind, count in source.left_out.items():
                counts[kind] = counts.get(kind, 0) + count
        return {kind: count for kind, count in counts.items() if count}

    def pieces(self) -> Iterator[str]:
        """Yield the text; an empty piece says that work goes on.

        Raises `RequestFailed` or `Unreadable`: then what was yielded is not the whole.
        """
        if self.what:
            yield from self._look()
        about = self._about()
        waiting = [self.writer.begin(about)]
        size = 0
        for number, source in enumerate(self.sources):
            waiting.append(self.writer.chapter(self._chapter(source) if number else about.chapter))
            for row in self._rows(source):
                waiting.append(self.writer.row(row))
                size += len(waiting[-1])
                if size > _PIECE:
                    yield "".join(waiting)
                    waiting, size = [], 0
        ending = Ending(self.redactions, self._spilled, self.writer.images, self.secret_rules)
        yield "".join([*waiting, self.writer.end(ending)])

    # --- looking for what has to go ---

    def _look(self) -> Iterator[str]:
        finder = Finder(self.what)
        if self.what.paths or self.what.names:
            finder.people.know_folders([*self._summary.cwds, str(Path.home())])
        if self.what.names:
            finder.people.know_machine(Path.home().name, platform.node())
        finder.look([self._title.text, self._project or "", self._summary.git_branch or ""])
        for source in self.sources:
            finder.look(source.title)
            for entries, lines in source.batches():
                for line in lines:
                    finder.look(_shown_fields(line))
                self.done += len(entries)
                yield ""
        self._redactor = finder.done()

    # --- facts ---

    def _about(self) -> About:
        main, agents = self.sources[0], self.sources[1:]
        summary, usage = self._summary, main.conversation.index.usage
        text = self._text
        # Read by themselves before all else, where a list of them stands on top.
        prompts = self._prompts(main) if self.what or self.writer.suffix == "html" else []
        title = self._session_title(prompts)
        self.file_name = _file_name(title, self._session_id, self.writer.suffix)
        return About(
            title=title or None,
            session_id=self._session_id,
            project=text(self._project),
            git_branch=text(summary.git_branch),
            version=summary.version,
            models=[*usage.models],
            created=summary.created,
            updated=summary.updated,
            redacted=[name for name in KINDS if getattr(self.what, name)],
            chapter=self._chapter(main, prompts),
            agent=AGENT_NAMES[main.conversation.index.agent],
            agents=[(agent.agent_id or "", self._redactor.text(agent.title)) for agent in agents],
            callers={agent.call_id: agent.agent_id or "" for agent in agents if agent.call_id},
        )

    def _chapter(self, source: Source, prompts: Sequence[tuple[str, str]] = ()) -> Chapter:
        return Chapter(
            agent_id=source.agent_id,
            title=self._redactor.text(source.title) or "Conversation",
            path=source.path,
            leaf=source.leaf,
            records=len(source.entries),
            left_out=source.left_out,
            call_id=source.call_id,
            prompts=prompts,
        )

    def _session_title(self, prompts: Sequence[tuple[str, str]]) -> str:
        """A title that was cut out of a prompt is cut again, out of what is left of that."""
        if not self.what:
            return self._title.text
        if self._title.source in ("custom", "ai"):
            return self._redactor.cut_text(self._title.text, PREVIEW)
        return prompts[0][1] if prompts else ""

    def _prompts(self, source: Source) -> list[tuple[str, str]]:
        typed = source.typed()
        wanted = msgspec.structs.replace(
            source, entries=Entries(array("i", typed), bytes(len(typed)))
        )
        return [(row.uuid, row.first_words) for row in self._all(wanted) if row.is_turn]

    def _text(self, text: str | None) -> str | None:
        return None if text is None else self._redactor.text(text)

    # --- rows ---

    def _rows(self, source: Source) -> Iterator[Row]:
        """Yield the rows, and count them."""
        for row in self._all(source):
            self._spilled += spilled_in(row)
            self.done += 1
            yield row

    def _all(self, source: Source) -> Iterator[Row]:
        index = source.conversation.index
        for entries, lines in source.batches():
            for (ordinal, fate), line in zip(entries, lines, strict=True):
                body, pictures = self._content(line)
                yield Row(
                    ordinal=ordinal,
                    uuid=index.nodes.uuid(ordinal) or "",
                    role=Role(index.nodes.role[ordinal]),
                    fate=fate,
                    timestamp=timestamp_of(line),
                    model=index.usage.model_of(index.joins.response[ordinal]),
                    body=body,
                    pictures=pictures,
                )

    def _content(self, line: bytes) -> tuple[Body, tuple[str, ...]]:
        if not self.what:
            fields = fields_of(line)
            body = _raw(line) if fields is None else body_of(fields, _WHOLE)
            return body, pictures_of(fields, body)
        fields = _shown_fields(line)
        clean = self._redactor.value(fields)
        if isinstance(clean, dict):
            return body_of(cast("dict[str, object]", clean), _WHOLE), ()
        return Body((Other("", str(clean)),)), ()


KINDS = ("secrets", "paths", "names")
_ACCOUNT = ("persistedOutputPath", "persistedOutputSize")


def _shown_fields(line: bytes) -> dict[str, object] | str:
    """What of a record can come into an export, so that no more is looked through."""
    fields = fields_of(line)
    if fields is None:
        return line.decode("utf-8", "replace")
    if fields.get("type") not in ("user", "assistant"):
        return fields
    shown = {name: fields[name] for name in ("type", "message") if name in fields}
    account = fields.get("toolUseResult")
    if isinstance(account, dict):
        known = cast("dict[str, object]", account)
        shown["toolUseResult"] = {name: known[name] for name in _ACCOUNT if name in known}
    message = shown.get("message")
    has_content = isinstance(message, dict) and "content" in message
    return shown if has_content else fields


def _raw(line: bytes) -> Body:
    return Body((Other("", line.decode("utf-8", "replace")),))


def _file_name(title: str, session_id: str, suffix: str) -> str:
    words = re.sub(r"[^\w]+", "-", title.lower())[:60].strip("-_")
    return f"{words + '-' if words else ''}{re.sub(r'[^A-Za-z0-9-]', '', session_id)[:8]}.{suffix}"
