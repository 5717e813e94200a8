"""File-history lines: which versions of a file there are, and how it was before a prompt."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.checkpoints import FileCheckpoints, Version
from forkpoint.index import TranscriptIndex
from forkpoint.session import Conversation
from forkpoint.transcript import TranscriptReader
from tests.builders import (
    CWD,
    backup,
    delta,
    index_of,
    line,
    snapshot,
    timestamp,
    transcript,
    uuid,
)
from tests.core.checkpoint_words import by_prompt, conversation, word, words

WINDOWS = "C:\\Users\\dev\\shop"


# --- the versions of a file --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("!u1() u1 a1", {}),
        ("!u1() u1 t1 +u1(a.py@1) r1", {"a.py": "u1:1"}),
        # The whole map stands in every snapshot: each state counts where it is named first.
        (
            "!u1() u1 t1 +u1(a.py@1) !u2(a.py@2) u2 t2 +u2(b.py@1-) !u3(a.py@2,b.py@2) u3",
            {"a.py": "u1:1 u2:2", "b.py": "u2:1- u3:2"},
        ),
        # Numbers go on where the file did not exist.
        (
            "!u1(a.py@1-) u1 !u2(a.py@2) u2 !u3(a.py@3-) u3 !u4(a.py@4) u4",
            {"a.py": "u1:1- u2:2 u3:3- u4:4"},
        ),
        # The prompt is the inner id; the outer one names the answer that edits.
        ("!u1() u1 t1 ~u1(a.py@1) r1", {"a.py": "u1:1"}),
        # Branches share the numbers.
        (
            "!u1() u1 a1 !u2(a.py@1) u2 a2 | a1 !u3(a.py@2) u3",
            {"a.py": "u2:1 u3:2"},
        ),
        # A line is taken as it is, whether its prompt is in the file or not.
        ("+u9(a.py@1) u1", {"a.py": "u9:1"}),
        ("!(a.py@1) u1", {"a.py": "nobody:1"}),
        # Relative and absolute keys of one file.
        (
            f"!u1(a.py@1) u1 !u2({CWD}/a.py@2) u2 !u3(./src/../a.py@3) u3",
            {"a.py": "u1:1 u2:2 u3:3"},
        ),
        (
            "!u1(/etc/hosts@1,../other/a.py@1) u1",
            {"/etc/hosts": "u1:1", "/home/dev/other/a.py": "u1:1"},
        ),
    ],
)
def test_versions(text: str, expected: dict[str, str]) -> None:
    found = conversation(transcript(text)).checkpoints().versions
    assert {
        path.removeprefix(f"{CWD}/"): by_prompt(versions) for path, versions in found.items()
    } == expected


def test_a_version_has_what_was_written() -> None:
    one = backup("a.py", 2, 30) | {"realParentDir": "/srv/shop"}
    [version] = (
        conversation(transcript("u1") + snapshot("u1", {"a.py": one}))
        .checkpoints()
        .versions[f"{CWD}/a.py"]
    )
    assert version == Version(
        number=2,
        backup=one["backupFileName"],
        is_absent=False,
        is_unknown=False,
        first=False,
        time=timestamp(30),
        prompt=uuid("u1"),
        real_parent="/srv/shop",
    )


@pytest.mark.parametrize(
    ("folders", "keys", "paths"),
    [
        (
            [WINDOWS],
            ["src\\cart.py", f"{WINDOWS}\\src\\cart.py", "src/cart.py"],
            [f"{WINDOWS}\\src\\cart.py"],
        ),
        ([WINDOWS], ["D:\\notes.md", "D:/notes.md"], ["D:\\notes.md"]),
        ([WINDOWS], ["..\\other\\a.py"], ["C:\\Users\\dev\\other\\a.py"]),
        (["\\\\srv\\share\\shop"], ["src\\a.py"], ["\\\\srv\\share\\shop\\src\\a.py"]),
        # On other systems a backslash is a letter like any other.
        ([CWD], ["src\\cart.py"], [f"{CWD}/src\\cart.py"]),
        ([], ["a.py", "/etc/hosts"], ["a.py", "/etc/hosts"]),
    ],
)
def test_keys_are_in_the_spelling_of_the_system(
    folders: list[str], keys: list[str], paths: list[str]
) -> None:
    files = {key: backup(key, 1) for key in keys}
    index = index_of(transcript("u1") + snapshot("u1", files))
    assert list(FileCheckpoints(index.checkpoints, folders).versions) == paths


def test_a_relative_key_belongs_to_the_folder_that_its_copy_is_named_after() -> None:
    """A resume may begin elsewhere than the session did; a name that fits nothing tells nothing."""
    moved = backup("/srv/app/a.py", 1)
    files = {"a.py": moved, "b.py": moved, "c.py": backup("c.py", 1, exists=False)}
    index = index_of(transcript("u1") + snapshot("u1", files))
    found = FileCheckpoints(index.checkpoints, [CWD, "/srv/app"]).versions
    assert list(found) == ["/srv/app/a.py", f"{CWD}/b.py", f"{CWD}/c.py"]


# --- entries of other shapes -------------------------------------------------------------------

NAME = "0123456789abcdef@v3"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"backupFileName": NAME, "version": 3}, "@3"),
        ({"backupFileName": None, "version": 3}, "@3-"),
        # The agent knows nothing of a file without a name (fixtures/rewinds, group 10).
        ({"version": 3}, "@?"),
        ({}, "@?"),
        ([], "@?"),
        ("text", "@?"),
        (7, "@?"),
        # Names of other kinds are never opened.
        ({"backupFileName": "", "version": 3}, "@3!"),
        ({"backupFileName": 5, "version": 3}, "@3!"),
        ({"backupFileName": {"x": 1}, "version": 3}, "@3!"),
        ({"backupFileName": "../../etc/passwd", "version": 3}, "@3!"),
        ({"backupFileName": f"{NAME}.bak", "version": 3}, "@3!"),
        ({"backupFileName": f"x/{NAME}", "version": 3}, "@3!"),
        ({"backupFileName": NAME.upper(), "version": 3}, "@3!"),
        ({"backupFileName": "0123456789abcdef@v" + "9" * 300, "version": 3}, "@3!"),
        # Without a number of its own a version has that of its copy.
        ({"backupFileName": NAME}, "@3"),
        ({"backupFileName": NAME, "version": None}, "@3"),
        ({"backupFileName": NAME, "version": "2"}, "@3"),
        ({"backupFileName": NAME, "version": 2.5}, "@3"),
        ({"backupFileName": NAME, "version": True}, "@3"),
        ({"backupFileName": NAME, "version": [1]}, "@3"),
        ({"backupFileName": NAME, "version": 0}, "@3"),
        ({"backupFileName": NAME, "version": -2}, "@3"),
        ({"backupFileName": None}, "@0-"),
        ({"backupFileName": NAME, "version": 5}, "@5"),
        ({"backupFileName": NAME, "version": 10**30}, f"@{10**30}"),
        # What else there is may have any shape.
        ({"backupFileName": NAME, "version": 3, "backupTime": 5}, "@3"),
        ({"backupFileName": NAME, "version": 3, "realParentDir": {}}, "@3"),
        ({"backupFileName": NAME, "version": 3, "future": [None]}, "@3"),
    ],
)
def test_an_entry(entry: Any, expected: str) -> None:
    for written in (snapshot("u1", {"": entry}), delta("u1", "", entry, by="a1")):
        index = index_of(transcript("u1 a1") + written)
        found = FileCheckpoints(index.checkpoints, []).versions
        assert {path: [word(path, each) for each in all_] for path, all_ in found.items()} == {
            "": [expected]
        }


ENTRY = {"backupFileName": NAME, "version": 3}


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"type": "file-history-snapshot"}, {}),
        ({"type": "file-history-snapshot", "snapshot": None}, {}),
        ({"type": "file-history-snapshot", "snapshot": []}, {}),
        ({"type": "file-history-snapshot", "snapshot": {"messageId": "m"}}, {}),
        (
            {"type": "file-history-snapshot", "snapshot": {"trackedFileBackups": [ENTRY]}},
            {},
        ),
        # Without an inner id the outer one is the prompt's.
        (
            {
                "type": "file-history-snapshot",
                "messageId": uuid("u1"),
                "snapshot": {"trackedFileBackups": {"a": ENTRY}},
            },
            {"a": "u1:3"},
        ),
        (
            {
                "type": "file-history-snapshot",
                "messageId": 5,
                "snapshot": {"messageId": [], "trackedFileBackups": {"a": ENTRY}},
            },
            {"a": "nobody:3"},
        ),
        ({"type": "file-history-delta", "backup": ENTRY}, {}),
        ({"type": "file-history-delta", "trackingPath": 5, "backup": ENTRY}, {}),
        (
            {"type": "file-history-delta", "trackingPath": "a", "backup": ENTRY},
            {"a": "nobody:3"},
        ),
        ({"type": "file-history-delta", "trackingPath": "a"}, {"a": "nobody:?"}),
        ({"type": "user", "snapshot": {"trackedFileBackups": {"a": ENTRY}}}, {}),
    ],
)
def test_a_line_of_another_shape(fields: dict[str, Any], found: dict[str, str]) -> None:
    index = index_of(transcript("u1") + line(**fields))
    assert index.malformed == {}
    versions = FileCheckpoints(index.checkpoints, []).versions
    assert {path: by_prompt(each) for path, each in versions.items()} == found


def test_only_names_of_copies_are_looked_for() -> None:
    files = {
        "a": ENTRY,
        "b": {"backupFileName": "../x", "version": 1},
        "c": {"backupFileName": None, "version": 1},
    }
    data = transcript("u1 u2") + snapshot("u1", files) + snapshot("u2", files)
    assert index_of(data).checkpoints.backup_names() == {NAME}


def test_equal_entries_are_kept_once() -> None:
    data = transcript("!u1(a.py@1,b.py@1)") * 3 + transcript("!u2(a.py@1)")
    checkpoints = index_of(data).checkpoints
    assert (len(checkpoints.backups), len(checkpoints.lines)) == (2, 4)
    assert [list(each.entries) for each in checkpoints.lines] == [[0, 1]] * 3 + [[0]]


# --- before a prompt ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "prompt", "state"),
    [
        ("u1 a1", "u1", None),
        ("!u1() u1 a1", "u1", ""),
        ("!u1(a.py@2) u1 a1", "u1", "a.py@2"),
        ("u1 !u1(a.py@2) a1", "u1", "a.py@2"),
        # Updates and deltas of the same prompt are laid over it.
        ("!u1(a.py@2) u1 t1 ~u1(a.py@2,b.py@1) r1", "u1", "a.py@2 b.py@1"),
        ("!u1(a.py@2) u1 t1 +u1(b.py@1-) r1", "u1", "a.py@2 b.py@1-"),
        ("!u1(a.py@2) u1 t1 +u1(a.py@1) r1", "u1", "a.py@1"),
        # One may be written late, behind the next prompt.
        ("!u1(a.py@2) u1 a1 u2 t1 +u1(b.py@1-) !u2(a.py@2,b.py@1-)", "u1", "a.py@2 b.py@1-"),
        # What is tracked later only was as before its first edit.
        ("!u1() u1 a1 !u2() u2 t1 +u2(a.py@1)", "u1", "a.py@1"),
        ("!u1() u1 a1 !u2() u2 t1 +u2(a.py@1-) !u3(a.py@2) u3", "u1", "a.py@1-"),
        ("!u1() u1 a1 !u2(a.py@2) u2", "u1", "a.py@?"),
        # What did not exist at the prompt did so at whatever version.
        ("!u1(a.py@3-) u1 a1 !u2(a.py@4) u2", "u1", "a.py@3-"),
        # On any branch.
        ("!u1() u1 a1 !u2(a.py@1) u2 a2 | a1 !u3(a.py@2) u3", "u2", "a.py@1"),
    ],
)
def test_before_a_prompt(text: str, prompt: str, state: str | None) -> None:
    checkpoints = conversation(transcript(text)).checkpoints()
    assert words(checkpoints.before(uuid(prompt) or "")) == state


@pytest.mark.parametrize(
    ("prompt", "following"), [("u1", "u2"), ("u2", "u3"), ("u3", None), ("u4", None), ("u9", None)]
)
def test_the_checkpoint_that_follows(prompt: str, following: str | None) -> None:
    """An update comes late; a prompt without a checkpoint is passed over."""
    data = transcript("!u1() u1 a1 !u2() u2 t1 ~u1(a.py@1) r1 u4 !u3() u3")
    checkpoints = conversation(data).checkpoints()
    assert checkpoints.next_prompt(uuid(prompt) or "") == uuid(following)


def test_more_lines_are_more_versions() -> None:
    """Answers are kept until the index grows, be it by a line that is no row of a conversation."""
    reader, index = TranscriptReader(), TranscriptIndex()
    index.apply(reader.feed(transcript("!u1() u1 t1")))
    known = Conversation(index)
    assert known.checkpoints().versions == {}
    index.apply(reader.feed(transcript("+u1(a.py@1)")))
    assert list(known.checkpoints().versions) == [f"{CWD}/a.py"]
