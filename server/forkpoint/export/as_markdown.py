"""An export as Markdown, to be read on a forge or in an editor."""

from __future__ import annotations

from forkpoint.export.markdown_text import fence, line, prose, tag_text
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
    images_in,
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

_HEADING = 100


class MarkdownWriter:
    """Turns are headings; what tools answered, thinking and notes of the client are folded."""

    media_type = "text/markdown"
    suffix = "md"

    def __init__(self) -> None:
        self.images = 0
        self._about: About | None = None
        self._calls: dict[str, str] = {}
        self._prompts = 0
        self._speaker: str | None = None

    def begin(self, about: About) -> str:
        """Return the title and the facts."""
        self._about = about
        facts = [
            ("Session", about.session_id),
            ("Project", about.project),
            ("Branch", about.git_branch),
            ("Client", about.version),
            ("Models", ", ".join(about.models)),
            ("From", time_words(about.created or "")),
            ("To", time_words(about.updated or "")),
        ]
        lines = [f"# {line(about.title or 'Untitled session')}", ""]
        lines += [f"- {name}: {line(value)}" for name, value in facts if value]
        if about.redacted:
            lines += ["", f"{READ_IT} {NO_PICTURES}"]
        return _text(lines)

    def chapter(self, chapter: Chapter) -> str:
        """Say which records follow."""
        self._calls, self._prompts, self._speaker = {}, 0, None
        lines: list[str] = []
        if chapter.agent_id is not None:
            lines += ["", f"# {line(chapter.title)}"]
        lines += ["", f"{line(chapter.path)} Records shown: {chapter.records:,}."]
        left_out = left_out_sentences(chapter)
        if left_out:
            lines += ["", "Not in here:", "", *(f"- {one}" for one in left_out)]
        return _text(lines)

    def row(self, row: Row) -> str:
        """Return a record with the heading that it begins."""
        self.images += images_in(row)
        parts = self._parts(row) or [[f"{ROLE_WORDS[row.role]} without content"]]
        return _text(_joined([[""], *self._heading(row), *parts]))

    def _heading(self, row: Row) -> list[list[str]]:
        marks = [FATE_WORDS[row.fate], time_words(row.timestamp or "")]
        aside = " · ".join(line(mark) for mark in marks if mark)
        below = [[aside]] if aside else []
        if row.is_turn:
            self._prompts += 1
            self._speaker = "person"
            words = row.first_words
            title = words if len(words) <= _HEADING else f"{words[:_HEADING]}…"
            return [[f"## {self._prompts}. {line(title)}".rstrip()], *below]
        if row.role is Role.COMPACT_BOUNDARY:
            self._speaker = None
            return [["## Compaction"], *below]
        if row.role in (Role.RESPONSE, Role.API_ERROR) and self._speaker != "claude":
            self._speaker = "claude"
            model = f" ({line(row.model)})" if row.model else ""
            agent = self._about.agent if self._about else "Claude"
            return [[f"### {agent}{model}"], *below]
        not_sent = row.fate == "notSent" and row.role is Role.RESPONSE
        return [[line(FATE_WORDS["notSent"])]] if not_sent else []

    def _parts(self, row: Row) -> list[list[str]]:
        parts = [part for block in row.body.blocks if (part := self._block(block, row))]
        if is_talk(row):
            return parts
        return [_folded(note_title(row), _joined(parts))] if parts else [[line(note_title(row))]]

    def _block(self, block: ContentBlock, row: Row) -> list[str]:
        match block:
            case Text():
                typed = row.role in (Role.PROMPT, Role.RESPONSE, Role.COMPACT_SUMMARY)
                words = words_of(block)
                return (prose(words) if typed else fence(words)) if words.strip() else []
            case Thinking(text=text):
                return _folded("Thinking", prose(text)) if text.strip() else _THINKING
            case ToolUse():
                return self._call(block)
            case ToolResult():
                return self._result(block)
            case Image(media_type=media_type, size_bytes=size):
                return [f"Image: {line(media_type or 'unknown type')}, {size:,} bytes"]
            case Other(name=name, text=text, subject=subject):
                title = line(" ".join(filter(None, [name, subject])) or "No JSON")
                # A folded row has its name in its summary.
                titled = [title] if is_talk(row) else []
                return (
                    [*titled, *([""] if titled else []), *fence(text)] if text.strip() else titled
                )

    def _call(self, call: ToolUse) -> list[str]:
        label = self._calls[call.call_id] = call_label(call)
        lines = [
            f"**{line(call.name)}** {line(label.removeprefix(call.name).lstrip(': '))}".rstrip()
        ]
        text = input_text(call)
        lines += ["", *fence(text)] if text.strip() else []
        about = self._about
        if about is not None and (agent := about.callers.get(call.call_id)) is not None:
            title = next((title for known, title in about.agents if known == agent), agent)
            lines += ["", f"Its transcript follows below: {line(title)}"]
        return lines

    def _result(self, result: ToolResult) -> list[str]:
        label = self._calls.get(result.call_id)
        title = f"{'Error' if result.is_error else 'Result'}{f' of {label}' if label else ''}"
        if not result.text.strip():
            return [line(f"{title}: nothing")] if not result.size_bytes else [line(title)]
        if result.spilled:
            title = f"{title}: {result.size_bytes:,} bytes in all, kept in {result.spilled}"
        return _folded(title, fence(result.text))

    def end(self, ending: Ending) -> str:
        """Return the counts."""
        said = ending_sentences(ending)
        return _text(["", "---", "", *(f"- {line(one)}" for one in said)]) if said else ""


_THINKING = ["Thinking, not stored in words"]


def _folded(title: str, lines: list[str]) -> list[str]:
    return [f"<details><summary>{tag_text(title)}</summary>", "", *lines, "", "</details>"]


def _joined(parts: list[list[str]]) -> list[str]:
    lines: list[str] = []
    for part in parts:
        lines += ["", *part] if lines and lines[-1] else part
    return lines


def _text(lines: list[str]) -> str:
    return "".join(f"{one}\n" for one in lines)
