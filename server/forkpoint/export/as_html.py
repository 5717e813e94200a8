"""An export as one HTML file that needs nothing else: no script, no address, no other file.

Nothing from the transcript is markup: all of it is escaped text, and pictures of four kinds whose
bytes are base64. A policy in the file says the same to the browser.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re

from forkpoint.export.html_style import STYLE
from forkpoint.export.markdown_text import shown
from forkpoint.export.shown import (
    FATE_WORDS,
    NO_PICTURES,
    READ_IT,
    ROLE_WORDS,
    About,
    Chapter,
    Ending,
    Row,
    ending_sentences,
    input_text,
    is_talk,
    left_out_sentences,
    note_title,
    time_words,
    words_of,
)
from forkpoint.records.blocks import ContentBlock, Image, Other, Text, Thinking, ToolResult, ToolUse
from forkpoint.records.calls import call_label
from forkpoint.records.record import Role

SHOWN_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
IMAGE_LIMIT = 4 * 1024 * 1024
IMAGES_LIMIT = 32 * 1024 * 1024
"""Characters of base64 of one picture, and of all: what is more is told by type and size."""

_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_ANCHOR = re.compile(r"[A-Za-z0-9_-]{1,100}")
_HEADING = 120
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


class HtmlWriter:
    """A turn is a section with a heading; results, thinking and notes are folded."""

    media_type = "text/html"
    suffix = "html"

    def __init__(self) -> None:
        self.images = 0
        self._embedded = 0
        self._about: About | None = None
        self._calls: dict[str, str] = {}
        self._prompts = 0
        self._chapter: Chapter | None = None
        self._speaker: str | None = None
        self._anchors: set[str] = set()

    def begin(self, about: About) -> str:
        """Return the head of the file, the facts, and a list of the prompts."""
        self._about = about
        title = _text(about.title or "Untitled session")
        facts = [
            ("Session", about.session_id),
            ("Project", about.project),
            ("Branch", about.git_branch),
            ("Client", about.version),
            ("Models", ", ".join(about.models)),
            ("From", time_words(about.created or "")),
            ("To", time_words(about.updated or "")),
        ]
        rows = [f"<dt>{name}</dt><dd>{_text(value)}</dd>" for name, value in facts if value]
        notice = f'<p class="notice">{READ_IT} {NO_PICTURES}</p>\n' if about.redacted else ""
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
            '<meta name="referrer" content="no-referrer">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
            f"<header>\n<h1>{title}</h1>\n<dl>{''.join(rows)}</dl>\n{notice}</header>\n"
            f"{self._contents(about)}<main>\n"
        )

    def _contents(self, about: About) -> str:
        prompts = [
            f'<li><a href="#{_anchor(None, uuid, 0)}">{_text(words) or "(no words)"}</a></li>\n'
            for uuid, words in about.chapter.prompts
        ]
        agents = [
            f'<li><a href="#{_agent_anchor(agent)}">{_text(title)}</a></li>\n'
            for agent, title in about.agents
        ]
        lists = [
            f"<details><summary>{name} ({len(items):,})</summary>\n<ol>\n{''.join(items)}</ol>\n"
            "</details>\n"
            for name, items in (("Prompts", prompts), ("Subagents", agents))
            if items
        ]
        return f'<nav aria-label="Contents">\n{"".join(lists)}</nav>\n' if lists else ""

    def chapter(self, chapter: Chapter) -> str:
        """Begin a transcript."""
        before = "</section>\n" if self._chapter is not None else ""
        self._chapter = chapter
        self._calls, self._prompts, self._speaker = {}, 0, None
        agent = chapter.agent_id
        heading = f"<h2>{_text(chapter.title)}</h2>\n" if agent is not None else ""
        anchor = "conversation" if agent is None else _agent_anchor(agent)
        left_out = "".join(f"<li>{_text(one)}</li>" for one in left_out_sentences(chapter))
        return (
            f'{before}<section id="{anchor}" aria-label="{_text(chapter.title)}">\n{heading}'
            f'<p class="aside">{_text(chapter.path)} Records shown: {chapter.records:,}.</p>\n'
            + (
                f'<p class="aside">Not in here:</p>\n<ul class="aside">{left_out}</ul>\n'
                if left_out
                else ""
            )
        )

    def row(self, row: Row) -> str:
        """Return a record with the heading that it begins."""
        agent = self._chapter.agent_id if self._chapter is not None else None
        anchor = _anchor(agent, row.uuid, row.ordinal)
        # Ids must not repeat, whatever a transcript says.
        place = "" if anchor in self._anchors else f' id="{anchor}"'
        self._anchors.add(anchor)
        heading = self._heading(row)
        parts = "".join(self._parts(row)) or f"<p>{ROLE_WORDS[row.role]} without content</p>\n"
        fate = "" if row.fate == "sent" else f" {row.fate}"
        kind = "turn" if row.is_turn else "row"
        return f'<article{place} class="{kind}{fate}">\n{heading}{parts}</article>\n'

    def _heading(self, row: Row) -> str:
        time = f"<time>{_text(time_words(row.timestamp))}</time>" if row.timestamp else ""
        fate = f"<span>{FATE_WORDS[row.fate]}</span>" if FATE_WORDS[row.fate] else ""
        aside = f'<p class="aside">{time}{" · " if time and fate else ""}{fate}</p>\n'
        aside = aside if time or fate else ""
        if row.is_turn:
            self._prompts += 1
            self._speaker = "person"
            words = row.first_words
            title = words if len(words) <= _HEADING else f"{words[:_HEADING]}…"
            return f"<h2>{self._prompts}. {_text(title)}</h2>\n{aside}"
        if row.role is Role.COMPACT_BOUNDARY:
            self._speaker = None
            return f"<h2>Compaction</h2>\n{aside}"
        if row.role in (Role.RESPONSE, Role.API_ERROR) and self._speaker != "claude":
            self._speaker = "claude"
            model = f" ({_text(row.model)})" if row.model else ""
            agent = self._about.agent if self._about else "Claude"
            return f"<h3>{agent}{model}</h3>\n{aside}"
        is_told = row.fate == "notSent" and is_talk(row)
        return f'<p class="aside">{fate}</p>\n' if is_told else ""

    def _parts(self, row: Row) -> list[str]:
        pictures = [*row.pictures, *[""] * len(row.body.blocks)]
        parts: list[str] = []
        for block in row.body.blocks:
            if isinstance(block, Image):
                parts.append(self._image(block, pictures.pop(0)))
            else:
                parts.append(self._block(block, row))
        parts = [part for part in parts if part]
        if is_talk(row):
            return parts
        title = note_title(row)
        return [_folded(title, "".join(parts))] if parts else [f"<p>{_text(title)}</p>\n"]

    def _block(self, block: ContentBlock, row: Row) -> str:
        match block:
            case Text():
                words = words_of(block)
                return _pre(words, "words") if words.strip() else ""
            case Thinking(text=text):
                thought = _folded("Thinking", _pre(text, "words"))
                return thought if text.strip() else "<p>Thinking, not stored in words</p>\n"
            case ToolUse():
                return self._call(block)
            case ToolResult():
                return self._result(block)
            case Other(name=name, text=text, subject=subject):
                title = " ".join(filter(None, [name, subject])) or "No JSON"
                # A folded row has its name in its summary.
                titled = f"<p>{_text(title)}</p>\n" if is_talk(row) else ""
                return f"{titled}{_pre(text) if text.strip() else ''}"
            case Image():
                return self._image(block, "")

    def _call(self, call: ToolUse) -> str:
        label = self._calls[call.call_id] = call_label(call)
        text = input_text(call)
        rest = label.removeprefix(call.name).lstrip(": ")
        out = f"<p><strong>{_text(call.name)}</strong> {_text(rest)}</p>\n"
        out += _pre(text) if text.strip() else ""
        about = self._about
        if about is not None and (agent := about.callers.get(call.call_id)) is not None:
            out += f'<p><a href="#{_agent_anchor(agent)}">Its transcript</a></p>\n'
        return out

    def _result(self, result: ToolResult) -> str:
        label = self._calls.get(result.call_id)
        title = f"{'Error' if result.is_error else 'Result'}{f' of {label}' if label else ''}"
        if not result.text.strip():
            return f"<p>{_text(title)}{'' if result.size_bytes else ': nothing'}</p>\n"
        if result.spilled:
            title = f"{title}: {result.size_bytes:,} bytes in all, kept in {result.spilled}"
        return _folded(title, _pre(result.text))

    def _image(self, image: Image, data: str) -> str:
        words = f"Image: {_text(image.media_type or 'unknown type')}, {image.size_bytes:,} bytes"
        fits = len(data) <= IMAGE_LIMIT and self._embedded + len(data) <= IMAGES_LIMIT
        known = image.media_type in SHOWN_IMAGES and _BASE64.fullmatch(data)
        if not (known and fits):
            self.images += 1
            return f"<p>{words}</p>\n"
        self._embedded += len(data)
        return f'<p><img alt="{words}" src="data:{image.media_type};base64,{data}"></p>\n'

    def end(self, ending: Ending) -> str:
        """Return the counts and the end of the file."""
        said = "".join(f"<li>{_text(one)}</li>" for one in ending_sentences(ending))
        footer = f"<footer>\n<ul>{said}</ul>\n</footer>\n" if said else ""
        section = "</section>\n" if self._chapter is not None else ""
        return f"{section}</main>\n{footer}</body>\n</html>\n"


def _anchor(agent: str | None, uuid: str, ordinal: int) -> str:
    name = uuid if _ANCHOR.fullmatch(uuid) else f"record-{ordinal}"
    return f"r-{name}" if agent is None else f"{_agent_anchor(agent)}-{name}"


def _agent_anchor(agent: str) -> str:
    return f"agent-{re.sub(r'[^A-Za-z0-9_-]', '_', agent)[:100]}"


def _folded(title: str, inside: str) -> str:
    return f"<details><summary>{_text(title)}</summary>\n{inside}</details>\n"


def _pre(text: str, kind: str = "code") -> str:
    # A line feed right behind the tag would not be shown.
    return f'<pre class="{kind}">\n{_text(text.strip(chr(10)))}</pre>\n'


def _text(text: str) -> str:
    return html.escape(shown(text))
