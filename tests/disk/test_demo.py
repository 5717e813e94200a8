from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import zstandard

from fixtures.demo.prepare import Demo, prepare
from forkpoint.catalog import Catalog
from forkpoint.lsp.features.health import health
from forkpoint.protocol import types
from tests.fixture_paths import FIXTURES

DEMO = FIXTURES / "demo"
HOME = DEMO / "home"
NOW = datetime(2027, 3, 9, 0, 20, 30, 250_000, tzinfo=UTC)
NEWEST = "3ee8f041-aad2-49f1-a9be-9676af30b1e7"
TORN = "02e48e86-6e97-49f1-8d4f-5e5492968187"
TIME = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


# A plain folder, one that JSON must escape, one whose project key ends in a hash.
@pytest.fixture(
    scope="module", params=["demo", 'd"émo 店', "long-" * 38], ids=["plain", "odd", "long"]
)
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return prepare(tmp_path_factory.mktemp("t") / request.param, NOW)


def test_the_same_moment_gives_the_same_tree(tmp_path: Path):
    first = tree(prepare(tmp_path, NOW))
    assert first == tree(prepare(tmp_path, NOW))


def test_text_differs_from_the_recording_in_folders_names_and_times_only(demo: Demo):
    for recorded, copy in pairs(demo):
        if recorded.suffix in (".jsonl", ".json"):
            assert as_recorded(copy.read_bytes(), demo) == timeless(recorded.read_bytes())
        else:
            assert copy.read_bytes() == recorded.read_bytes()


def test_records_keep_their_places_and_links(demo: Demo):
    for recorded, copy in pairs(demo):
        if recorded.suffix == ".jsonl":
            assert [identity(line) for line in lines(copy)] == [
                identity(line) for line in lines(recorded)
            ]


def test_only_the_last_line_of_the_torn_session_is_torn(demo: Demo):
    torn = {
        (copy.stem, number - len(rows))
        for copy in transcripts(demo)
        for rows in [lines(copy)]
        for number, line in enumerate(rows)
        if line and identity(line) is None
    }
    assert torn == {(TORN, -1)}


def test_every_group_ended_at_its_age_and_kept_its_distances(demo: Demo):
    ends = {}
    for name, group in ages().items():
        recorded, copied, recorded_ms, copied_ms = set(), set(), set(), set()
        for source, copy in pairs(demo):
            if owner(source) in group["sessions"]:
                recorded.update(times(source))
                copied.update(times(copy))
                recorded_ms.update(milliseconds(source))
                copied_ms.update(milliseconds(copy))
        shift = max(copied) - max(recorded)
        assert copied == {time + shift for time in recorded}
        assert copied_ms == {time + shift for time in recorded_ms}
        ends[name] = (NOW - max(copied)) / timedelta(minutes=1)
    assert ends == {name: group["endedMinutesAgo"] for name, group in ages().items()}


def test_every_file_belongs_to_a_session_with_an_age():
    known = {session for group in ages().values() for session in group["sessions"]}
    assert {owner(file) for file in HOME.rglob("*") if file.is_file()} == known


def test_the_newest_session_ended_within_the_last_quarter_of_an_hour(demo: Demo):
    ended = {copy.stem: max(times(copy)) for copy in sessions(demo)}
    assert max(ended, key=lambda session: ended[session]) == NEWEST
    assert timedelta(0) <= NOW - ended[NEWEST] <= timedelta(minutes=15)


def test_the_day_that_the_model_was_told_is_the_day_of_its_record(demo: Demo):
    told = [
        (row["timestamp"][:10], row["attachment"]["date"])
        for copy in sessions(demo)
        for line in lines(copy)
        if b'"type":"date"' in line
        for row in [json.loads(line)]
    ]
    assert told == [(day, day) for day, _ in told]
    assert len({day for day, _ in told}) > 10


def test_a_file_was_modified_when_its_newest_record_was_written(demo: Demo):
    for copy in sessions(demo):
        assert copy.stat().st_mtime == pytest.approx(max(times(copy)).timestamp(), abs=0.001)


def test_directories_are_the_workspace_its_worktree_and_two_that_are_gone(demo: Demo):
    directories = {
        json.loads(line)["cwd"]
        for copy in sessions(demo)
        for line in lines(copy)
        if b'"cwd"' in line
    }
    worktree = demo.workspace / ".claude" / "worktrees" / "hotfix"
    assert directories == {
        str(demo.workspace),
        str(worktree),
        "/home/dev/old-shop",
        "/home/dev/p/läden ü",
    }
    assert (worktree / ".git").read_text() == f"gitdir: {demo.workspace}/.git/worktrees/hotfix\n"


def test_a_session_lies_in_the_folder_of_its_directory(tmp_path: Path):
    # The rule for short paths (format of 2.1.332): all but letters and digits become dashes.
    demo = prepare(tmp_path / "d", NOW)
    for copy in sessions(demo):
        directory = next(json.loads(line)["cwd"] for line in lines(copy) if b'"cwd"' in line)
        assert copy.parent.name == re.sub("[^A-Za-z0-9]", "-", directory)


def test_names_of_backups_fit_the_paths_in_the_records(demo: Demo):
    backups = {
        f"{folder.name}/{file.name}"
        for folder in (demo.config_dir / "file-history").iterdir()
        for file in folder.iterdir()
    }
    named = set()
    for copy in sessions(demo):
        for path, name in tracked(copy):
            path_hash = hashlib.sha256(f"{demo.workspace}/{path}".encode()).hexdigest()[:16]
            assert name.partition("@")[0] == path_hash
            named.add(f"{copy.stem}/{name}")
    assert backups == named
    assert len(backups) == len(list(HOME.glob("file-history/*/*")))


def test_spilled_output_lies_where_its_record_says(demo: Demo):
    found = {
        Path(row["toolUseResult"]["persistedOutputPath"])
        for copy in sessions(demo)
        for line in lines(copy)
        if b'"persistedOutputPath"' in line
        for row in [json.loads(line)]
    }
    assert found == set(demo.config_dir.glob("projects/*/*/tool-results/*"))
    assert len(found) == 1


def test_rollouts_differ_from_the_recording_in_folders_and_times_only(demo: Demo):
    minutes = json.loads((DEMO / "codex-ages.json").read_bytes())
    recorded = {file.name[-42:-6]: file for file in (DEMO / "codex").rglob("rollout-*")}
    copies = {path.name.split(".")[0][-36:]: path for path in demo.codex_home.rglob("rollout-*")}
    assert copies.keys() == recorded.keys() == minutes.keys()
    for thread_id, copy in copies.items():
        content = unpacked(copy)
        assert as_recorded(content, demo) == timeless(recorded[thread_id].read_bytes())
        newest = max(moments(content))
        assert (NOW - newest) / timedelta(minutes=1) == minutes[thread_id]
        assert copy.stat().st_mtime == pytest.approx(newest.timestamp(), abs=0.001)
        began = min(moments(content)).strftime("%Y-%m-%dT%H-%M-%S")
        assert copy.name.startswith(f"rollout-{began}-{thread_id}.jsonl")
        day = copy.relative_to(demo.codex_home / "sessions").parts[:3] if is_kept(copy) else None
        assert day is None or "-".join(day) == began[:10]
    assert [copy.suffix for copy in copies.values() if not is_kept(copy)] == [".zst"]


def is_kept(rollout: Path) -> bool:
    """Whether it was not put away."""
    return "archived_sessions" not in rollout.parts


def moments(content: bytes) -> list[datetime]:
    return [datetime.fromisoformat(time.decode()) for time in re.findall(TIME, content)]


def unpacked(rollout: Path) -> bytes:
    content = rollout.read_bytes()
    if rollout.suffix != ".zst":
        return content
    return zstandard.ZstdDecompressor().decompressobj().decompress(content)


def test_names_of_threads_came_along(demo: Demo):
    [line] = (demo.codex_home / "session_index.jsonl").read_bytes().splitlines()
    named = json.loads(line)
    [rollout] = demo.codex_home.rglob(f"*{named['id']}*")
    assert named["thread_name"] == "Look around the shop"
    assert datetime.fromisoformat(named["updated_at"]) in moments(unpacked(rollout) + line)


def test_rollouts_hold_nothing_that_the_client_does_not_write(demo: Demo):
    catalog = Catalog([], codex_homes=[demo.codex_home])
    while catalog.index_next():
        pass
    answer = health(catalog, types.HealthParams())
    assert answer.totals.unknown_types == []
    assert answer.unknown_fields.fields == []
    assert answer.sentence == "Nothing odd in 3 transcripts."


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="is not empty and holds no earlier demo"):
        prepare(tmp_path, NOW)
    assert [file.name for file in tmp_path.rglob("*")] == ["home", "mine.txt"]


def test_the_command_prints_its_folders(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-I", DEMO / "prepare.py", tmp_path], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"Claude config folder: {tmp_path.resolve() / 'home'}",
        f"Codex home: {tmp_path.resolve() / 'codex'}",
        f"Workspace: {tmp_path.resolve() / 'shop'}",
    ]


@cache
def pairs(demo: Demo) -> list[tuple[Path, Path]]:
    """Recorded files with their copies, matched by what in their paths does not depend on where."""
    recorded, copies = ({place(f): f for f in files(root)} for root in (HOME, demo.config_dir))
    assert recorded.keys() == copies.keys()
    assert len(recorded) == len(files(HOME))
    return [(recorded[key], copies[key]) for key in sorted(recorded)]


def place(file: Path) -> str:
    path = re.sub(r".*/home/(projects/[^/]+|file-history)/", "", file.as_posix())
    if "@v" not in file.name:
        return path
    return f"{path[:37]} {hashlib.sha256(file.read_bytes()).hexdigest()} {file.name[16:]}"


def files(root: Path) -> list[Path]:
    return sorted(file for file in root.rglob("*") if file.is_file())


def transcripts(demo: Demo) -> list[Path]:
    return sorted(demo.config_dir.glob("projects/**/*.jsonl"))


def sessions(demo: Demo) -> list[Path]:
    return [file for file in demo.config_dir.glob("projects/*/*.jsonl") if len(file.stem) == 36]


def ages() -> dict[str, Any]:
    return json.loads((DEMO / "ages.json").read_bytes())


def owner(file: Path) -> str:
    uuid = re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", file.as_posix())
    return uuid[0] if uuid else json.loads(lines(file)[0])["sessionId"]


def lines(file: Path) -> list[bytes]:
    return file.read_bytes().split(b"\n")


def times(file: Path) -> list[datetime]:
    return [datetime.fromisoformat(time.decode()) for time in re.findall(TIME, file.read_bytes())]


def milliseconds(file: Path) -> list[datetime]:
    numbers = re.findall(rb'"(?:sentAtMs|startTime|timestamp)":(\d{13})', file.read_bytes())
    return [datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=int(n)) for n in numbers]


def identity(line: bytes) -> tuple[Any, ...] | None:
    """What links a row to others; None for what is no JSON."""
    try:
        row = json.loads(line)
    except ValueError:
        return None
    message = row.get("message") or {}
    names = ("type", "uuid", "parentUuid", "leafUuid", "sessionId", "messageId", "requestId")
    return (*map(row.get, names), message.get("id") if isinstance(message, dict) else None)


def tracked(transcript: Path) -> list[tuple[str, str]]:
    """Path and name of every backup that the records name."""
    found = []
    for line in lines(transcript):
        row = json.loads(line) if b"file-history-" in line else {}
        entries = row.get("snapshot", {}).get("trackedFileBackups", {})
        if row.get("type") == "file-history-delta":
            entries = {row["trackingPath"]: row["backup"]}
        found += [(path, e["backupFileName"]) for path, e in entries.items() if e["backupFileName"]]
    return found


def timeless(content: bytes) -> bytes:
    """The text with marks for all that the demo may change by its form alone."""
    content = re.sub(TIME, b"TIME", content)
    content = re.sub(rb'("date":"|Today\'s date is )\d{4}-\d\d-\d\d', rb"\1DAY", content)
    content = re.sub(rb'("(?:sentAtMs|startTime|timestamp)":)\d{13}', rb"\1MS", content)
    return re.sub(rb"[0-9a-f]{16}@v", b"HASH@v", content)


def as_recorded(content: bytes, demo: Demo) -> bytes:
    """The text with the recorded folders in place of the demo's, and nothing of its time."""
    for here, recorded in (
        (demo.config_dir, "/home/dev/.claude"),
        (demo.workspace, "/home/dev/shop"),
    ):
        written = json.dumps(str(here), ensure_ascii=False)[1:-1]
        content = content.replace(written.encode(), recorded.encode())
    key = next(file.parent.name for file in sessions(demo) if file.stem == NEWEST)
    return timeless(content.replace(key.encode(), b"-home-dev-shop"))


def tree(demo: Demo) -> dict[str, tuple[bytes, int]]:
    return {
        file.as_posix(): (file.read_bytes(), file.stat().st_mtime_ns)
        for file in files(demo.workspace.parent)
        if file.name != "forkpoint-demo"
    }
