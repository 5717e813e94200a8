"""Transcripts in one line of text, and trees as pictures.

`transcript("u1 a1 u2 a2 | a1 u3 a3")` is the bytes of a file with six rows. A word is a row, its
name is the end of the row's uuid (hex of ASCII), and the name's first letter says what it is:

    u  prompt of a person          a  answer                   t  tool call
    r  result of the call with     s  system `turn_duration`   h  note of a hook that ended well
       the same number             m  meta user row            q  prompt typed in mid-turn
    b  compact boundary            c  compact summary          i  "Request interrupted by user"
    p  progress                    x  a type nobody knows      k  sidechain prompt (k1) and its
                                                                  answer (k1.a)

A row hangs on the row before it, a result on its call, a boundary and a sidechain prompt on
nothing; a row behind a sidechain on the row before that. Further words:

    | a1      the next row hangs on a1, on nothing (`| -`), or on a row that is not in the file
    t1+t2     rows of one response
    >a2       a plain `last-prompt` pointer; `>>a2` an explicit one; also `null` and `nil`
    !u1(...)  the base snapshot of files before u1 ran; `~u1(...)` an update of it, which names the
              row before it as the one that edited; `+u1(...)` a delta for each file, likewise.
              `a.py@2` is a file with its version, `b.py@1-` one that did not exist

Naming a row again repeats its uuid. Row n of a text, from 0, has the time 10·n seconds. What the
language has no word for goes in by `fields`, or by `line` between two texts: a uuid depends on the
name only, so texts may be joined with `+` and be cut anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from forkpoint.chain import Chain
from forkpoint.client_rules import rules_for
from forkpoint.index import TranscriptIndex
from forkpoint.layout import backup_name, tracked_file
from forkpoint.leaf import NIL, Leaf, find_leaf
from forkpoint.records.record import Kind, Role
from forkpoint.request import Request, next_request
from forkpoint.segments import Segment, segments_of
from forkpoint.transcript import TranscriptReader, Windows

Fields = dict[str, Any]

SESSION = "5e551010-0000-4000-8000-000000000000"
CWD = "/home/dev/shop"
START = datetime(2026, 5, 28, tzinfo=UTC)


# --- text to bytes -----------------------------------------------------------------------------


def transcript(
    text: str,
    *,
    times: Mapping[str, float] | None = None,
    start: float = 0,
    version: str = "2.1.332",
    fields: Mapping[str, Fields] | None = None,
) -> bytes:
    """Write the rows of a text.

    Args:
        text: see the module.
        times: seconds of rows that are not at 10·n.
        start: seconds of the first row.
        version: the client that wrote the rows.
        fields: name -> what its row has besides or instead; inner objects are merged.
    """
    lines: list[bytes] = []
    parent: str | None = None
    seconds = start
    words = iter(text.split())
    for word in words:
        if word == "|":
            parent = next(words).strip("-") or None
        elif word[0] == ">":
            lines.append(pointer(word.lstrip(">"), explicit=word.startswith(">>")))
        elif word[0] in "!~+":
            lines.append(_file_history(word, parent, seconds))
        else:
            for name, above in _rows_of(word, parent):
                fixed = {"version": version, **_place(name, word, parent)}
                extra = _merge(fixed, (fields or {}).get(name, {}))
                lines.append(line(**row(name, above, (times or {}).get(name, seconds), extra)))
                seconds += 10
                parent = parent if name[0] == "k" else name
    return b"".join(lines)


def row(name: str, parent: str | None, seconds: float, extra: Fields | None = None) -> Fields:
    """The fields of one row."""
    fields: Fields = {
        "parentUuid": uuid(parent),
        "isSidechain": False,
        "uuid": uuid(name),
        "timestamp": timestamp(seconds),
        "sessionId": SESSION,
        "cwd": CWD,
        "gitBranch": "main",
    }
    return _merge(_merge(fields, _KINDS[name[0]](name)), extra or {})


def pointer(name: str, *, explicit: bool = False, **fields: Any) -> bytes:
    """A `last-prompt` line that points at a row, at `null`, or at the `nil` id."""
    leaf = {"null": None, "nil": NIL}.get(name, uuid(name))
    mark = {"explicit": True} if explicit else {}
    return line(type="last-prompt", leafUuid=leaf, sessionId=SESSION, **mark, **fields)


def snapshot(prompt: str, files: Fields, *, by: str | None = None) -> bytes:
    """A base snapshot: path -> `backup`. With `by`, the row that edited, an update of it."""
    return line(
        type="file-history-snapshot",
        messageId=uuid(by or prompt),
        snapshot={"messageId": uuid(prompt), "trackedFileBackups": files},
        isSnapshotUpdate=by is not None,
    )


def delta(prompt: str, path: str, backup: Any, *, by: str) -> bytes:
    """One file of a prompt's snapshot (2.1.208 and later)."""
    return line(
        type="file-history-delta",
        messageId=uuid(by),
        snapshotMessageId=uuid(prompt),
        trackingPath=path,
        backup=backup,
    )


def backup(path: str, version: int, seconds: float = 0, *, exists: bool = True) -> Fields:
    """What a file-history line says of a file; the copy's name hashes the absolute path."""
    name = backup_name(tracked_file(path, CWD), version) if exists else None
    return {"backupFileName": name, "version": version, "backupTime": timestamp(seconds)}


def kept(anchor: str, *names: str) -> Fields:
    """The fields of a boundary that kept rows, in both written forms."""
    segment = {"headUuid": uuid(names[0]), "anchorUuid": uuid(anchor), "tailUuid": uuid(names[-1])}
    listed = {"anchorUuid": uuid(anchor), "uuids": [uuid(name) for name in names]}
    return {"compactMetadata": {"preservedSegment": segment, "preservedMessages": listed}}


def line(**fields: Any) -> bytes:
    """One line of a transcript."""
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def uuid(name: str | None) -> str | None:
    """The uuid of a row."""
    return name and f"00000000-0000-4000-8000-{name.encode().hex():0<12}"


def name_of(uuid: str) -> str:
    """The name of a row."""
    return bytes.fromhex(uuid[24:]).decode().rstrip("\0")


def timestamp(seconds: float) -> str:
    """The time so many seconds after `START`, as the client writes it."""
    return f"{START + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S.%f}"[:23] + "Z"


def _rows_of(word: str, parent: str | None) -> Iterator[tuple[str, str | None]]:
    """The rows of a word, each with what it hangs on."""
    if word[0] == "k":
        yield from [(word, None), (f"{word}.a", word)]
    elif word[0] == "r":
        yield word, f"t{word[1:]}"
    else:
        names = word.split("+")
        yield from zip(names, [parent, *names], strict=False)


def _file_history(word: str, row_before: str | None, seconds: float) -> bytes:
    """The lines of a `!`, `~` or `+` word; copies are as old as the next row."""
    kind, (prompt, inside) = word[0], word[1:].removesuffix(")").split("(")
    parts = [file.rsplit("@", 1) for file in inside.split(",") if file]
    files = {
        path: backup(path, int(version.rstrip("-")), seconds, exists=version[-1] != "-")
        for path, version in parts
    }
    by = row_before or "nobody"
    if kind == "+":
        return b"".join(delta(prompt, path, one, by=by) for path, one in files.items())
    return snapshot(prompt, files, by=by if kind == "~" else None)


def _place(name: str, word: str, before: str | None) -> Fields:
    """What a row says about its place in the text."""
    if name[0] == "b":
        return {"parentUuid": None, "logicalParentUuid": uuid(before)}
    return {"message": {"id": f"msg_{word}"}} if "+" in word else {}


# --- the kinds of rows -------------------------------------------------------------------------


def user(text: str, **fields: Any) -> Fields:
    """A user row with a string for content."""
    return {"type": "user", "message": {"role": "user", "content": text}, **fields}


def assistant(name: str, *blocks: Fields) -> Fields:
    """An assistant row; each response has 10 tokens of input and 5 of output."""
    usage = {"input_tokens": 10, "output_tokens": 5}
    message = {"id": f"msg_{name}", "role": "assistant", "model": "claude-test"}
    return {"type": "assistant", "message": {**message, "content": [*blocks], "usage": usage}}


def text_block(text: str) -> Fields:
    return {"type": "text", "text": text}


def call_block(number: str, tool: str = "Read", **call_input: Any) -> Fields:
    return {"type": "tool_use", "id": f"call_{number}", "name": tool, "input": call_input}


def result_block(number: str, **fields: Any) -> Fields:
    return {"type": "tool_result", "tool_use_id": f"call_{number}", "content": "ok", **fields}


def _result(name: str) -> Fields:
    return {"type": "user", "message": {"role": "user", "content": [result_block(name[1:])]}}


def _sidechain(name: str) -> Fields:
    one = assistant(name, text_block(name)) if name.endswith(".a") else user(name)
    return {**one, "isSidechain": True}


def _attachment(**attachment: Any) -> Fields:
    return {"type": "attachment", "attachment": attachment}


_KINDS: dict[str, Callable[[str], Fields]] = {
    "u": user,
    "a": lambda name: assistant(name, text_block(name)),
    "t": lambda name: assistant(name, call_block(name[1:])),
    "r": _result,
    "s": lambda _: {"type": "system", "subtype": "turn_duration", "durationMs": 5},
    "h": lambda _: _attachment(type="hook_success"),
    "m": lambda name: user(name, isMeta=True),
    "q": lambda name: _attachment(type="queued_command", prompt=name, commandMode="prompt"),
    "b": lambda _: {"type": "system", "subtype": "compact_boundary"},
    "c": lambda name: user(name, isCompactSummary=True),
    "i": lambda _: user("[Request interrupted by user]"),
    "p": lambda _: {"type": "progress"},
    "x": lambda _: {"type": "hologram"},
    "k": _sidechain,
}


def _merge(fields: Fields, more: Fields) -> Fields:
    merged = {**fields, **more}
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(fields.get(key), dict):
            merged[key] = {**fields[key], **value}
    return merged


# --- bytes to pictures -------------------------------------------------------------------------


def windows_of(data: bytes, offset: int) -> Windows:
    """What tells whether a file with these bytes is still the one that was read up to there."""
    return Windows.at(offset, lambda begin, length: data[begin : begin + length])


def index_of(data: bytes, session_id: str | None = SESSION) -> TranscriptIndex:
    """The state of a file with these bytes."""
    reader = TranscriptReader()
    index = TranscriptIndex(session_id)
    index.apply(reader.feed(data))
    index.apply_tail(reader.offset, reader.tail)
    return index


class Resume(NamedTuple):
    """What a client makes of a transcript."""

    index: TranscriptIndex
    chain: Chain
    leaf: Leaf
    request: Request

    def uuids(self, rows: Iterable[int]) -> list[str | None]:
        return [self.index.nodes.uuid(row) for row in rows]

    def names(self, rows: Iterable[int]) -> str:
        """The names of rows of the language."""
        return " ".join(name_of(uuid) for uuid in self.uuids(rows) if uuid)

    def sent(self, *kinds: Kind) -> list[int]:
        """The rows sent, in order; of some kinds or of all."""
        kind = self.index.nodes.kind
        rows = [row for row in self.request.rows if row in self.request.sent]
        return [row for row in rows if not kinds or kind[row] in kinds]

    def messages(self) -> list[int]:
        """The rows sent as messages: talk, local commands, prompts typed in mid-turn."""
        nodes = self.index.nodes
        return [
            row
            for row in self.sent()
            if nodes.kind[row] != Kind.ATTACHMENT or nodes.role[row] == Role.PROMPT
        ]

    def first_new_hangs_on(self) -> str | None:
        """The uuid of the parent of the first row that the client would write."""
        results = [r.row for r in self.request.repairs if r.kind == "syntheticToolResult"]
        above = results[0] if results else self.request.hangs_on
        return None if above is None else self.index.nodes.uuid(above)


def resume(index: TranscriptIndex, version: str | None = None) -> Resume:
    """Resume with the client of a version; None is the newest."""
    chain = Chain(index.nodes, index.joins, index.compactions, rules_for(version))
    leaf = find_leaf(chain, index.pointers)
    return Resume(index, chain, leaf, next_request(chain, leaf))


def segments(index: TranscriptIndex, version: str | None = None) -> list[Segment]:
    """The branch tree as the client of a version continues it."""
    _, chain, leaf, request = resume(index, version)
    end = () if leaf.row is None or request.hangs_on is None else (leaf.row, request.hangs_on)
    return segments_of(chain, end, index.summary.same_words)


def picture(index: TranscriptIndex, version: str | None = None, *, reasons: bool = False) -> str:
    """The branch tree: a line per segment, children below their parent, `*` for active ones."""
    found = segments(index, version)

    def name(row: int) -> str:
        return name_of(index.nodes.uuid(row) or "")

    def lines(parent: int | None, depth: int) -> Iterator[str]:
        for number, segment in enumerate(found):
            if segment.parent == parent:
                ends = dict.fromkeys([name(segment.rows[0]), name(segment.rows[-1])])
                mark = "*" if segment.active else "-"
                reason = f" {segment.reason}" if reasons else ""
                yield f"{'  ' * depth}{mark} {'..'.join(ends)} ({len(segment.rows)}){reason}"
                yield from lines(number, depth + 1)

    return "\n".join(lines(None, 0))
