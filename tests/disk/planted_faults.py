"""Homes with faults: each planter puts one in, of a session of its own, and says what is found.

A finding is its kind in the answer, and where it is. Planters take a number, by which all that
they plant is different from what others do: any of them may be planted together.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from tests.builders import SESSION, backup, line, row, snapshot, transcript
from tests.disk.checkpoint_home import CheckpointHome

Finding: TypeAlias = tuple[object, ...]
Planter: TypeAlias = Callable[[Path, int], Finding]

CLEAN = "u1 a1 t1 r1 b1 c1 u2 a2 k1 p1 a3"
CLEAN_SESSION = "c1ea0000-0000-4000-8000-000000000000"
KEY = "-home-dev-shop"


def session_id(number: int) -> str:
    return f"fa010000-0000-4000-8000-{number:012}"


def clean(root: Path) -> None:
    """A session with nothing odd, with a subagent, a copy of a file and spilled output."""
    home = CheckpointHome(root)
    home.session(CLEAN_SESSION, transcript("!u1(a.py@1,b.py@1-)") + transcript(CLEAN))
    home.copy(CLEAN_SESSION, "a.py", 1, "before")
    folder = root / "projects" / KEY / CLEAN_SESSION
    write(folder / "subagents" / "agent-a0001.jsonl", of_session("k1", CLEAN_SESSION))
    write(folder / "tool-results" / "b1.txt", b"spilled")


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def of_session(text: str | bytes, name: str, version: str = "2.1.332") -> bytes:
    data = transcript(text, version=version) if isinstance(text, str) else text
    return data.replace(SESSION.encode(), name.encode())


def session(root: Path, number: int, data: bytes) -> str:
    name = session_id(number)
    CheckpointHome(root).session(name, data)
    return name


# --- in a transcript ---------------------------------------------------------------------------


def malformed_line(root: Path, number: int) -> Finding:
    data = transcript("u1 a1") + b'{"type":"user","uu\n' + transcript("| a1 u2 a2", start=60)
    return "malformed", session(root, number, data), 2


def torn_tail(root: Path, number: int) -> Finding:
    return "tornTail", session(root, number, transcript("u1 a1") + b'{"type":"assis')


def missing_parent(root: Path, number: int) -> Finding:
    return "brokenChain", session(root, number, transcript("u1 a1 | gone u2 a2")), 2


def loop(root: Path, number: int) -> Finding:
    return "loop", session(root, number, transcript("u1 | a1 a1")), 1


def repeated_uuid(root: Path, number: int) -> Finding:
    return "repeatedUuid", session(root, number, transcript("u1 a1 | - u1")), 2


def glued_records(root: Path, number: int) -> Finding:
    first, second = transcript("u1"), transcript("| u1 a1", start=10)
    return "gluedRecords", session(root, number, first.rstrip(b"\n") + second)


def unknown_type(root: Path, number: int) -> Finding:
    name = f"hologram-{number}"
    session(root, number, transcript("u1 a1") + line(type=name, sessionId=SESSION))
    return "unknownType", name, "2.1.332"


def unknown_field(root: Path, number: int) -> Finding:
    """Its client version has no other session, so that the sample is of this one."""
    version, field = f"2.2.{number}", f"aura{number}"
    session(root, number, transcript("u1 a1", version=version, fields={"a1": {field: 1}}))
    return "unknownField", "assistant", field, version


# --- beside transcripts ------------------------------------------------------------------------


def missing_backup(root: Path, number: int) -> Finding:
    home = CheckpointHome(root)
    name = session(root, number, transcript("!u1(a.py@1,b.py@1)") + transcript("u1 a1"))
    home.copy(name, "a.py", 1, "before")
    return "missingBackup", name, home.name("b.py", 1)


def no_backups(root: Path, number: int) -> Finding:
    data = transcript("!u1(a.py@1,b.py@1)") + transcript("u1 a1")
    return "withoutBackups", session(root, number, data), 2


def same_id_twice(root: Path, number: int) -> Finding:
    name = session(root, number, transcript("u1 a1"))
    other = root / "projects" / "-home-dev-moved" / f"{name}.jsonl"
    write(other, of_session("u1 a1", name))
    os.utime(other, (1, 1))
    return "duplicateId", name, 1


def dangling_link(root: Path, number: int) -> Finding:
    place = root / "projects" / KEY / f"{session_id(number)}.jsonl"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to("nowhere")
    return "unreadable", place.as_uri(), "dangling"


# --- remains -----------------------------------------------------------------------------------


def folder_without_transcript(root: Path, number: int) -> Finding:
    name = session_id(number)
    folder = root / "projects" / KEY / name
    write(folder / "subagents" / "agent-a0002.jsonl", of_session("k1", name))
    write(folder / "tool-results" / "b2.txt", b"spilled")
    return "folderWithoutTranscript", name, 2, 1


def orphaned_subagent(root: Path, number: int) -> Finding:
    agent = f"a{number:07}"
    write(root / "projects" / KEY / f"agent-{agent}.jsonl", of_session("k1", session_id(number)))
    return "orphanedSubagent", agent, 1, 1


def backups_without_transcript(root: Path, number: int) -> Finding:
    name = session_id(number)
    CheckpointHome(root).copy(name, "a.py", 1, "before")
    return "backupsWithoutTranscript", name, 1, 0


PLANTERS: tuple[Planter, ...] = (
    malformed_line,
    torn_tail,
    missing_parent,
    loop,
    repeated_uuid,
    glued_records,
    unknown_type,
    unknown_field,
    missing_backup,
    no_backups,
    same_id_twice,
    folder_without_transcript,
    orphaned_subagent,
    backups_without_transcript,
)
ON_POSIX: tuple[Planter, ...] = (dangling_link,)


# --- what is no fault ---------------------------------------------------------------------------


def pruned_copies(root: Path, number: int) -> None:
    """A file that changed with each of 103 prompts: the client keeps the newest 100 checkpoints.

    What the first three name is gone but for version 1, which is never deleted.
    """
    home = CheckpointHome(root)
    data = b""
    for prompt in range(1, 104):
        files = {"a.py": backup("a.py", prompt)}
        data += snapshot(f"u{prompt}", files)
        data += line(**row(f"u{prompt}", f"u{prompt - 1}" if prompt > 1 else None, prompt))
    name = session(root, number, data)
    for version in (1, *range(4, 104)):
        home.copy(name, "a.py", version, "before")


# --- what was found ----------------------------------------------------------------------------


def findings_in(answer: Any) -> list[Finding]:
    """All findings of an answer of `forkpoint/health`, and what remains."""
    return sorted([*_of_transcripts(answer), *_beside(answer)], key=repr)


def _of_transcripts(answer: Any) -> Iterator[Finding]:
    bare = {each["sessionId"] for each in answer["transcriptsWithoutBackups"]}
    for found in answer["sessions"]:
        name = found["sessionId"]
        yield from (("malformed", name, each["ordinal"]) for each in found["malformed"])
        if found["tornTail"] is not None:
            yield "tornTail", name
        yield from (("brokenChain", name, each["ordinal"]) for each in found["brokenChains"])
        yield from (("loop", name, each["ordinal"]) for each in found["loops"])
        yield from (("repeatedUuid", name, each["ordinal"]) for each in found["repeatedUuids"])
        yield from ((each["code"], name) for each in found["problems"])
        if name not in bare:
            yield from (("missingBackup", name, each) for each in found["missingBackups"])


def _beside(answer: Any) -> Iterator[Finding]:
    for each in answer["totals"]["unknownTypes"]:
        yield ("unknownType", each["type"], *each["versions"])
    for each in answer["unknownFields"]["fields"]:
        yield ("unknownField", each["type"], each["field"], *each["versions"])
    for each in answer["transcriptsWithoutBackups"]:
        yield "withoutBackups", each["sessionId"], each["count"]
    for each in answer["duplicateIds"]:
        yield "duplicateId", each["sessionId"], len(each["others"])
    for each in answer["unreadable"]:
        yield "unreadable", each["path"], each["reason"]
    for each in answer["remains"]:
        name = each["agentId"] or each["sessionId"]
        yield each["kind"], name, each["files"], each["subagents"]


def settings(root: Path, **fields: object) -> Path:
    """A settings file in a folder."""
    root.mkdir(parents=True, exist_ok=True)
    file = root / "settings.json"
    file.write_text(json.dumps(fields))
    return file
