"""Homes and files that nobody means well: every answer comes in time, from bounded memory.

The server of these tests is one of their own, so that what it needs at most can be read.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forkpoint.protocol.uri import file_uri
from tests.builders import Fields, line, snapshot, timestamp, uuid
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import ForkpointServer, Json, end
from tests.e2e.stdio_client import eventually
from tests.e2e.tracked_home import TrackedHome, entry, turns
from tests.e2e.version_contents import by_path, content

PATIENCE = 5.0
"""Seconds that an answer may take; it comes after a fraction of one."""
MOST_MEMORY = 400 * 1024 * 1024

pytestmark = needs_posix


class Impatient(ForkpointServer):
    """Waits no longer than `PATIENCE` for an answer."""

    def answer(self, request_id: object, patience: float = PATIENCE) -> dict[str, Any]:
        return super().answer(request_id, patience)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Impatient]:
    with Impatient(tmp_path_factory.mktemp("empty")) as server:
        yield server
        assert most_memory(server) < MOST_MEMORY
        end(server)


def most_memory(server: ForkpointServer) -> int:
    """The most that the server's process ever had in memory, where the system tells."""
    if not sys.platform.startswith("linux"):
        return 0
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    [kibibytes] = re.findall(r"VmHWM:\s+(\d+) kB", status)
    return int(kibibytes) * 1024


@pytest.fixture
def tracked(tmp_path: Path) -> TrackedHome:
    return TrackedHome(tmp_path)


class Answers:
    """All that is answered about a session's files and about going back to a prompt."""

    def __init__(self, server: Impatient, tracked: TrackedHome, prompt: str = "u1") -> None:
        server.open(tracked.home)
        self.asked = {"sessionId": tracked.session_id}
        self.files = server.result("checkpoints", **self.asked)["files"]
        self.preview = server.result("rewindPreview", **self.asked, prompt=uuid(prompt))
        self.in_preview = by_path(self.preview["code"]["files"], tracked.cwd)
        eventually(lambda: read_all(server))
        self.by_path = by_path(self.files, tracked.cwd)
        for file in [*self.files[:3], *self.files[-3:]]:
            server.result("checkpoints", file=file["file"])
        server.result("checkpointFiles")
        server.result("checkpointChanges", **self.asked)
        server.result("checkpointChanges", **self.asked, prompt=uuid(prompt))
        [self.row] = server.result("sessions")["sessions"]


def read_all(server: ForkpointServer) -> bool:
    indexing = server.result("health")["indexing"]
    return indexing["done"] == indexing["total"]


def only_version(file: Json) -> Json:
    [version] = file["versions"]
    return version


# --- names and kinds of copies -------------------------------------------------------------------


def test_names_that_lead_elsewhere(server: Impatient, tracked: TrackedHome) -> None:
    secret = tracked.home / "secret@v1"
    secret.write_text("must never be shown")
    digest = "0123456789abcdef"
    names = ["../secret@v1", "../../secret@v1", str(secret), "/etc/hostname", "..", ".", "/", "",
             f"{digest}@v0", f"{digest}@v1/../../secret@v1", f"{digest}@v1\0", "~/secret@v1", "\0",
             "a" * 70_000, f"{digest}@v" + "9" * 4000]  # fmt: skip
    tracked.rows("u1 a1")
    tracked.write(snapshot("u1", {f"{n}.txt": entry(name, 1) for n, name in enumerate(names)}))
    heard = len(server.heard)
    answers = Answers(server, tracked)
    assert len(answers.files) == len(names)
    for file in answers.files:
        assert only_version(file)["document"] is None
    for file in answers.in_preview.values():
        assert (file["action"], file["document"]) == ("skip", None)
    for name in names:
        document = file_uri(str(tracked.cwd / "0.txt")).replace("file:", "forkpoint-version:")
        asked = f"{document}?session={tracked.session_id}&backup={name}"
        server.refusal("checkpointContent", {"document": asked})
    assert "must never be shown" not in json.dumps(server.heard[heard:])


def test_a_folder_a_pipe_and_links_in_place_of_copies(
    server: Impatient, tracked: TrackedHome, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("must never be shown")
    kinds = ("folder", "fifo", "link", "zero")
    copies = {kind: tracked.copies / tracked.copy(kind, 1, b"") for kind in kinds}
    for copy in copies.values():
        copy.unlink()
    copies["folder"].mkdir()
    os.mkfifo(copies["fifo"])
    copies["link"].symlink_to(outside)
    copies["zero"].symlink_to("/dev/zero")
    tracked.rows("u1 a1")
    files = {kind: entry(copy.name, 1) for kind, copy in copies.items()}
    tracked.write(snapshot("u1", files))
    answers = Answers(server, tracked)
    for kind in kinds:
        version = only_version(answers.by_path[kind])
        assert (version["state"], version["document"]) == ("pruned", None)
        assert answers.in_preview[kind]["action"] == "skip"


def test_a_history_folder_that_leads_out(
    server: Impatient, tracked: TrackedHome, tmp_path: Path
) -> None:
    tracked.rows("u1 a1")
    tracked.write(snapshot("u1", {"a.txt": tracked.kept("a.txt", 1, b"must never be shown")}))
    tracked.copies.rename(tmp_path / "outside")
    tracked.copies.symlink_to(tmp_path / "outside")
    answers = Answers(server, tracked)
    assert only_version(answers.files[0])["state"] == "pruned"
    assert answers.in_preview["a.txt"]["action"] == "skip"


# --- too much ------------------------------------------------------------------------------------


def test_ten_thousand_versions_of_one_file(server: Impatient, tracked: TrackedHome) -> None:
    """A hundred beside each of a hundred prompts."""
    numbers = range(1, 10_001)
    tracked.rows(turns(range(1, 101)))
    tracked.write(
        *(
            snapshot(
                f"u{(number + 99) // 100}",
                {"a.txt": tracked.kept("a.txt", number, b"line\n" * (number % 50))},
            )
            for number in numbers
        )
    )
    (tracked.cwd / "a.txt").write_bytes(b"by hand\n")
    answers = Answers(server, tracked, "u100")
    versions = answers.by_path["a.txt"]["versions"]
    assert [version["version"] for version in versions] == list(numbers)
    assert {version["state"] for version in versions} == {"present"}
    assert answers.in_preview["a.txt"]["version"] == 10_000
    assert answers.row["checkpointFileCount"] == 1
    document = versions[7_776]["document"]
    assert content(server, document) == b"line\n" * (7_777 % 50)


def test_a_copy_of_two_gigabytes(server: Impatient, tracked: TrackedHome) -> None:
    tracked.rows("u1 a1 u2 a2")
    size = 2 * 1024**3
    first, second = tracked.kept("big", 1, b""), tracked.kept("big", 2, b"small\n")
    with (tracked.copies / first["backupFileName"]).open("ab") as copy:
        copy.truncate(size)
    with (tracked.cwd / "big").open("ab") as file:
        file.truncate(size)
    tracked.write(snapshot("u1", {"big": first}), snapshot("u2", {"big": second}))
    answers = Answers(server, tracked)
    big, small = answers.by_path["big"]["versions"]
    assert (big["state"], big["sizeBytes"], small["sizeBytes"]) == ("present", size, 6)
    assert (small["added"], small["removed"]) == (None, None)
    told = server.result("checkpointContent", document=big["document"])
    assert (told["text"], told["base64"], told["sizeBytes"]) == (None, None, size)
    assert told["sentence"]
    assert content(server, small["document"]) == b"small\n"
    assert answers.in_preview["big"]["document"] == big["document"]
    assert answers.in_preview["big"]["added"] is None


def test_many_large_copies_of_one_file(server: Impatient, tracked: TrackedHome) -> None:
    """A gigabyte in all: none may be held all at once to tell whether the file is known."""
    numbers = range(1, 251)
    tracked.rows(turns(numbers))
    for number in numbers:
        kept = tracked.kept("large.txt", number, b"%d\n" % number)
        with (tracked.copies / kept["backupFileName"]).open("r+b") as copy:
            copy.truncate(4 * 1024**2)
        tracked.write(snapshot(f"u{number}", {"large.txt": kept}))
    (tracked.cwd / "large.txt").write_bytes(b"by hand\n")
    answers = Answers(server, tracked, "u250")
    assert len(answers.by_path["large.txt"]["versions"]) == 250
    file = answers.in_preview["large.txt"]
    assert (file["action"], file["handEdited"]) == ("overwrite", True)
    assert most_memory(server) < MOST_MEMORY


def test_a_session_that_tracks_five_thousand_files(server: Impatient, tracked: TrackedHome) -> None:
    """And says so anew with each of thirty prompts, as clients do."""
    names = [f"src/{number % 70}/{number}.py" for number in range(5_000)]
    first = {name: tracked.kept(name, 1, name.encode() + b"\n") for name in names}
    tracked.rows(turns(range(1, 31)))
    tracked.write(*(snapshot(f"u{number}", first) for number in range(1, 31)))
    answers = Answers(server, tracked, "u30")
    assert set(answers.by_path) == set(answers.in_preview) == set(names)
    assert {file["action"] for file in answers.in_preview.values()} == {"create"}
    assert answers.row["checkpointFileCount"] == 5_000
    page = server.result("checkpointFiles", offset=4_990, limit=20)
    assert (len(page["files"]), page["total"]) == (10, 5_000)


def test_a_line_of_several_megabytes(server: Impatient, tracked: TrackedHome) -> None:
    folders = "/".join(["long " * 50] * 10)
    long = {f"{folders}/{number}": entry(None, 1) for number in range(2_000)}
    tracked.rows("u1 a1")
    tracked.write(snapshot("u1", {**long, "short": tracked.kept("short", 1, b"x\n")}))
    assert tracked.transcript.stat().st_size > 5_000_000
    answers = Answers(server, tracked)
    assert len(answers.files) == 2_001
    assert answers.in_preview["short"]["action"] == "create"


def test_contents_in_which_every_line_changed(server: Impatient, tracked: TrackedHome) -> None:
    """Files of 4 MB that have no line in common, and one line of 4 MB: no answer waits for them."""
    old, new = (b"".join(b"%d %d\n" % (n, seed) for n in range(400_000)) for seed in (1, 2))
    contents = {"many": (old, new), "one": (b"x" * 4_000_000, b"y" * 4_000_000)}
    tracked.rows("u1 a1 u2 a2")
    for number in (0, 1):
        kept = {
            name: tracked.kept(name, number + 1, data[number]) for name, data in contents.items()
        }
        tracked.write(snapshot(f"u{number + 1}", kept))
    for name, data in contents.items():
        (tracked.cwd / name).write_bytes(data[1])
    answers = Answers(server, tracked)
    assert {file["action"] for file in answers.in_preview.values()} == {"overwrite"}
    for name, data in contents.items():
        newest = answers.by_path[name]["versions"][1]
        assert content(server, newest["document"]) == data[1]


# --- working files that are none -----------------------------------------------------------------


@pytest.mark.parametrize(
    "key", ["/dev/zero", "/proc/self/mem", "/dev/stdin", "/", "/proc", "", ".", "a\0b", "x" * 5_000]
)
def test_keys_that_name_no_file(server: Impatient, tracked: TrackedHome, key: str) -> None:
    tracked.rows("u1 a1")
    files = {key: tracked.kept("a.txt", 1, b"x\n"), "b.txt": tracked.kept("b.txt", 1, b"x\n")}
    tracked.write(snapshot("u1", files))
    answers = Answers(server, tracked)
    assert answers.in_preview["b.txt"]["action"] == "create"
    others = [file for path, file in answers.in_preview.items() if path != "b.txt"]
    assert len(others) <= 1
    if key in ("/dev/zero", "/", "/proc"):
        assert (others[0]["action"], others[0]["reason"]) == ("skip", "notRegular")


def test_relative_keys_of_a_session_that_tells_no_directory(
    server: Impatient, tracked: TrackedHome
) -> None:
    """They are not looked for where the server happens to run."""
    tracked.rows("u1 a1", fields={name: {"cwd": None} for name in ("u1", "a1")})
    absolute = str(tracked.cwd / "a.txt")
    files = {name: tracked.kept(name, 1, b"x\n") for name in ("README.md", absolute)}
    tracked.write(snapshot("u1", files))
    answers = Answers(server, tracked)
    assert set(answers.by_path) == set(answers.in_preview) == {"a.txt"}


def test_a_pipe_as_working_file(server: Impatient, tracked: TrackedHome) -> None:
    os.mkfifo(tracked.cwd / "pipe")
    tracked.rows("u1 a1")
    tracked.write(snapshot("u1", {"pipe": tracked.kept("pipe", 1, b"x\n")}))
    answers = Answers(server, tracked)
    file = answers.in_preview["pipe"]
    assert (file["action"], file["reason"], file["handEdited"]) == ("skip", "notRegular", False)
    assert server.result("checkpoints", file=file["file"])["files"]


ODD_ENTRIES: list[object] = [None, [], 5, "x", {}, {"backupFileName": 7}, {"version": -1}]


@pytest.mark.parametrize("odd", ODD_ENTRIES, ids=repr)
def test_entries_of_wrong_shapes(server: Impatient, tracked: TrackedHome, odd: object) -> None:
    good = tracked.kept("good.txt", 1, b"x\n")
    tracked.rows("u1 a1")
    tracked.write(snapshot("u1", {"odd.txt": odd, "good.txt": good}))
    answers = Answers(server, tracked)
    assert answers.in_preview["good.txt"]["action"] == "create"
    assert only_version(answers.by_path["good.txt"])["state"] == "present"


ODD_LINES: list[Fields] = [
    {"messageId": None, "snapshot": None},
    {"messageId": 5, "snapshot": {"messageId": [], "trackedFileBackups": []}},
    {"snapshot": {"trackedFileBackups": {"a": {"backupFileName": "x"}}}},
    {"messageId": uuid("u1"), "snapshot": {"messageId": uuid("u1"), "timestamp": 5}},
]


@pytest.mark.parametrize("fields", ODD_LINES, ids=json.dumps)
def test_lines_of_wrong_shapes(server: Impatient, tracked: TrackedHome, fields: Fields) -> None:
    tracked.rows("u1 a1 u2 a2")
    tracked.write(
        snapshot("u1", {"good.txt": tracked.kept("good.txt", 1, b"x\n")}),
        line(type="file-history-snapshot", **fields),
        line(type="file-history-delta", **fields),
    )
    answers = Answers(server, tracked, "u1")
    assert "good.txt" in answers.by_path


def test_times_that_are_none(server: Impatient, tracked: TrackedHome) -> None:
    times: list[object] = ["yesterday", "", None, 5, "9" * 400, "+292277026596-12-04T15:30:07.999Z"]
    names = [f"{number}.txt" for number in range(len(times))]
    tracked.rows("u1 a1")
    files = {
        name: {**tracked.kept(name, 1, b"x\n"), "backupTime": time}
        for name, time in zip(names, times, strict=True)
    }
    tracked.write(snapshot("u1", {**files, "ok.txt": tracked.kept("ok.txt", 1, b"x\n")}))
    answers = Answers(server, tracked)
    assert set(answers.by_path) == {*names, "ok.txt"}
    assert only_version(answers.by_path["ok.txt"])["time"] == timestamp(0)
