"""`forkpoint export --parquet`: what it chooses, where it writes, and where it never does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from fixtures.demo.prepare import Demo
from forkpoint import transcript_bytes
from forkpoint.cli import main
from forkpoint.disk import Reason, Unreadable
from forkpoint.export_file import NotWritten
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol.errors import RequestFailed
from forkpoint.tables.files import new_files
from tests.builders import SESSION, assistant, text_block, transcript
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import FORKPOINT
from tests.fixture_paths import REPOSITORY

NAMES = ["file_versions.parquet", "requests.parquet", "sessions.parquet", "tool_calls.parquet"]
OTHER = "b69a0ae4-3726-47d4-ad61-f08d81ff360f"


def export(folder: Path, home: Path, *words: object) -> int:
    asked = ["export", "--parquet", str(folder), "--config-dir", str(home), *map(str, words)]
    return main(asked)


def query(words: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(words).fetchall()


def listed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def plant(
    home: Path, session_id: str, number: int = 1, *, day: str = "2026-05-28", **fields: object
) -> Path:
    """A session of a prompt and an answer on this day; with the same number it is a copy."""
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session_id}.jsonl"
    about = {"timestamp": f"{day}T10:00:00.000Z", "sessionId": session_id, **fields}
    names = f"u{number}", f"a{number}"
    path.write_bytes(transcript(" ".join(names), fields=dict.fromkeys(names, about)))
    return path


# --- what is written ---------------------------------------------------------------------------


def test_what_was_written_is_told(
    home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plant(home, SESSION)
    assert export(tmp_path / "out", home) == 0
    out, err = capfd.readouterr()
    assert out.splitlines() == [
        "sessions.parquet  1 row",
        "requests.parquet  1 row",
        "tool_calls.parquet  0 rows",
        "file_versions.parquet  0 rows",
    ]
    assert err == ""
    assert listed(tmp_path / "out") == NAMES
    assert export(tmp_path / "again", home, "--json") == 0
    assert json.loads(capfd.readouterr().out) == {
        "folder": str(tmp_path / "again"),
        "rows": {"sessions": 1, "requests": 1, "tool_calls": 0, "file_versions": 0},
        "notRead": [],
        "notes": [],
    }


@pytest.mark.parametrize("name", ["", "nowhere"])
def test_a_home_without_sessions_gives_empty_tables(home: Path, tmp_path: Path, name: str) -> None:
    assert export(tmp_path / "out", home / name) == 0
    for file in NAMES:
        assert query(f"select count(*) from '{tmp_path / 'out' / file}'") == [(0,)]


def test_the_same_sessions_give_the_same_files(home: Path, tmp_path: Path) -> None:
    plant(home, SESSION)
    for name in ("one", "two"):
        assert export(tmp_path / name, home) == 0
    for file in NAMES:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_a_machine_is_named_only_if_that_is_asked_for(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.node", lambda: "this-machine")
    plant(home, SESSION)
    for name, words in (("a", []), ("b", ["--host"]), ("c", ["--host", "laptop 7"])):
        assert export(tmp_path / name, home, *words) == 0
    found = {
        name: query(f"select distinct host from read_parquet('{tmp_path / name}/[rs]*.parquet')")
        for name in ("a", "b", "c")
    }
    assert found == {"a": [(None,)], "b": [("this-machine",)], "c": [("laptop 7",)]}


def test_only_sessions_that_went_on_since_a_day(home: Path, tmp_path: Path) -> None:
    plant(home, SESSION, day="2026-05-27")
    plant(home, OTHER, 2, day="2026-05-28")
    found: dict[str, list[tuple[Any, ...]]] = {}
    for since in ("2026-05-27", "2026-05-28", "2026-05-28T10:00", "2026-05-28T10:01", "2026-06"):
        folder = tmp_path / since
        assert export(folder, home, "--since", since) == 0
        found[since] = query(
            f"select session_id from '{folder}/sessions.parquet' union all "
            f"select session_id from '{folder}/requests.parquet' order by all"
        )
    first, second = [(SESSION,)] * 2, [(OTHER,)] * 2
    assert found == {
        "2026-05-27": sorted(first + second),
        "2026-05-28": second,
        "2026-05-28T10:00": second,
        "2026-05-28T10:01": [],
        "2026-06": [],
    }


def test_only_sessions_of_some_folders(home: Path, tmp_path: Path) -> None:
    third = OTHER.replace("b", "c")
    for number, session_id in enumerate((SESSION, OTHER, third)):
        plant(home, session_id, number, cwd=f"/srv/{'abc'[number]}")
    for name, folders in (("one", ["/srv/a"]), ("two", ["/srv/a", "/srv/b"]), ("none", ["/srv"])):
        words = [word for folder in folders for word in ("--project", folder)]
        assert export(tmp_path / name, home, *words) == 0
    found = {
        name: query(f"select cwd from '{tmp_path / name}/sessions.parquet' order by all")
        for name in ("one", "two", "none")
    }
    assert found == {"one": [("/srv/a",)], "two": [("/srv/a",), ("/srv/b",)], "none": []}


def test_only_one_agents_sessions(home: Path, tmp_path: Path) -> None:
    plant(home, SESSION)
    for agent in ("claude-code", "codex"):
        assert export(tmp_path / agent, home, "--agent", agent) == 0
    words = "select count(*) from '{}/sessions.parquet' where agent = 'claude-code'"
    assert query(words.format(tmp_path / "claude-code")) == [(1,)]
    assert query(words.format(tmp_path / "codex")) == [(0,)]


def test_programs_and_archived_sessions_are_there(demo: Demo, tmp_path: Path) -> None:
    assert export(tmp_path / "out", demo.config_dir) == 0
    [(programs,)] = query(
        f"select count(*) from '{tmp_path}/out/sessions.parquet' where entrypoint like 'sdk-%'"
    )
    assert programs == 2


def test_no_text_is_written_unasked(demo: Demo, tmp_path: Path) -> None:
    for name, words in (("plain", []), ("bare", ["--no-names"]), ("full", ["--texts"])):
        assert export(tmp_path / name, demo.config_dir, *words) == 0
    words = """
        select count(title), count(cwd), count(first_prompt), count(session_id)
        from '{0}/sessions.parquet' union all
        select count(files), count(name), count(summary), count(*) from '{0}/tool_calls.parquet'
    """
    plain, full, bare = (
        [tuple(count > 0 for count in row) for row in query(words.format(tmp_path / name))]
        for name in ("plain", "full", "bare")
    )
    assert plain == [(True, True, False, True), (True, True, False, True)]
    assert full == [(True, True, True, True), (True, True, True, True)]
    assert bare == [(False, False, False, True), (False, True, False, True)]


def test_nothing_of_a_home_folder_is_left_when_it_is_redacted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "config"
    plant(home, SESSION, cwd="/home/marietta/shop", gitBranch="marietta/fix")
    assert export(tmp_path / "out", home, "--redact", "--texts") == 0
    assert "homePath" in capfd.readouterr().err
    [(cwd, branch)] = query(f"select cwd, git_branch from '{tmp_path}/out/sessions.parquet'")
    # The first is dev, whose folder stands in the name of the project's.
    assert (cwd, branch) == ("/home/[user 2]/shop", "[user 2]/fix")
    for file in NAMES:
        rows = query(f"select * from '{tmp_path / 'out' / file}'")
        assert "marietta" not in repr(rows)


# --- what cannot be read -----------------------------------------------------------------------


def refuse(monkeypatch: pytest.MonkeyPatch, lost: Path, reason: Reason) -> None:
    """Have one transcript that cannot be opened."""
    opened = transcript_bytes.opened

    def opened_or_not(path: str) -> Any:
        if path == str(lost):
            raise Unreadable(path, reason)
        return opened(path)

    monkeypatch.setattr(transcript_bytes, "opened", opened_or_not)


def test_a_session_that_cannot_be_read_costs_its_own_rows(
    home: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(home, SESSION)
    lost = plant(home, OTHER, 2)
    refuse(monkeypatch, lost, "denied")
    assert export(tmp_path / "out", home) == 3
    assert capfd.readouterr().err == (
        f"{OTHER}: The transcript could not be read: reading it is not allowed.\n"
    )
    words = f"select session_id, problems from '{tmp_path}/out/sessions.parquet' order by all"
    assert query(words) == sorted([(SESSION, []), (OTHER, ["unreadable"])])
    assert query(f"select session_id from '{tmp_path}/out/requests.parquet'") == [(SESSION,)]


def test_a_subagent_that_cannot_be_read_costs_its_own_rows(
    demo: Demo,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = tmp_path / "home"
    shutil.copytree(demo.config_dir, home)
    [lost, *_] = sorted(home.glob("projects/*/*/subagents/agent-*.jsonl"))
    session_id, agent_id = lost.parts[-3], lost.stem.removeprefix("agent-")
    refuse(monkeypatch, lost, "io")
    assert export(tmp_path / "out", home) == 3
    err = capfd.readouterr().err
    assert err.startswith(f"{session_id}, subagent {agent_id}: The transcript could not be read")
    words = f"from '{tmp_path}/out/requests.parquet' where session_id = '{session_id}'"
    assert query(f"select count(*) {words} and agent_id = '{agent_id}'") == [(0,)]
    assert query(f"select count(*) > 0 {words} and agent_id is null") == [(True,)]


def test_a_question_that_is_refused_costs_its_own_rows(
    home: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> object:
        raise RequestFailed("unknownFile", "No copies are kept.")

    plant(home, SESSION)
    monkeypatch.setattr(
        "forkpoint.tables.gathered.HANDLERS", {**HANDLERS, "forkpoint/checkpoints": refused}
    )
    assert export(tmp_path / "out", home, "--json") == 3
    told = json.loads(capfd.readouterr().out)
    assert told["notRead"] == [f"{SESSION}: No copies are kept."]
    assert told["rows"]["requests"] == 1


PROGRAM = """
import pathlib, sys
from forkpoint.cli import main
code = main(sys.argv[1:])
lines = pathlib.Path("/proc/self/status").read_text().splitlines()
[peak] = [line.split()[1] for line in lines if line.startswith("VmHWM:")]
print(code, peak, file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process's own peak")
def test_transcripts_are_not_held_in_memory(tmp_path: Path) -> None:
    """40 MB of answers take no more memory than 4 MB do."""
    used: list[int] = []
    for count in (8, 80):
        home = tmp_path / f"home-{count}"
        folder = home / "projects" / "-home-dev-shop"
        folder.mkdir(parents=True)
        names = " ".join(f"u{n} a{n}" for n in range(count))
        word = {f"a{n}": assistant(f"a{n}", text_block("word " * 100_000)) for n in range(count)}
        (folder / f"{SESSION}.jsonl").write_bytes(transcript(names, fields=word))
        words = ["export", "--parquet", str(tmp_path / f"{count}"), "--config-dir", str(home)]
        command = [sys.executable, "-c", PROGRAM, *words, "--texts"]
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / f"cache-{count}")}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        code, peak = done.stderr.splitlines()[-1].split()
        assert code == "0"
        used.append(int(peak))
    assert used[1] < used[0] + 8_000, "KiB"


def test_without_pyarrow_nothing_is_read_or_written(tmp_path: Path) -> None:
    """In a process of its own, where it cannot be imported; the other commands do not miss it."""
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from forkpoint.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    home = tmp_path / "home"
    plant(home, SESSION)

    def run(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-c", program, *words, "--config-dir", str(home)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    assert run("export", "--parquet", str(tmp_path / "out")) == (
        1,
        "forkpoint: Tables need pyarrow, which is not installed: "
        "pip install 'forkpoint[parquet]'.\n",
    )
    assert not (tmp_path / "out").exists()
    assert run("sessions")[0] == 0
    assert run("export", SESSION, "--format", "md") == (0, "")


def test_it_is_imported_for_tables_only(home: Path) -> None:
    program = (
        "import sys; from forkpoint.cli import main; main(sys.argv[1:]);"
        "print('pyarrow' in sys.modules, file=sys.stderr)"
    )
    plant(home, SESSION)
    for words in (["sessions"], ["export", SESSION, "--format", "json"]):
        command = [sys.executable, "-c", program, *words, "--config-dir", str(home)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stderr == "False\n"


# --- the words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "SESSION is required, or --parquet"),
        ([SESSION], "--format is required, or --parquet"),
        ([SESSION, "--parquet", "OUT"], "--parquet takes no session"),
        (["--parquet", ""], "--parquet needs a folder"),
        (["--parquet", "OUT", "--output", "x"], "--parquet takes no session and no --output"),
        (["--parquet", "OUT", "--format", "md"], "--format is for a session only"),
        (["--parquet", "OUT", "--leaf", "x"], "--leaf is for a session only"),
        (["--parquet", "OUT", "--subagents"], "--subagents is for a session only"),
        ([SESSION, "--format", "md", "--since", "2026"], "--since is for --parquet only"),
        ([SESSION, "--format", "md", "--project", "."], "--project is for --parquet only"),
        ([SESSION, "--format", "md", "--host"], "--host is for --parquet only"),
        ([SESSION, "--format", "md", "--texts"], "--texts is for --parquet only"),
        ([SESSION, "--format", "md", "--no-names"], "--no-names is for --parquet only"),
        (["--parquet", "OUT", "--since", "soon"], "--since needs a date such as 2026-05-28"),
        (["--parquet", "OUT", "--agent", "cursor"], '--agent must be "claude-code" or "codex"'),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(
    words: list[str], told: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    try:
        code: object = main(["export", *(str(out) if word == "OUT" else word for word in words)])
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert told in capfd.readouterr().err
    assert not out.exists()


# --- the folder --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_what_is_there_stays_unless_that_is_asked_for(
    name: str, home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plant(home, SESSION)
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text("mine")
    (out / "notes.txt").write_text("mine, too")
    assert export(out, home) == 1
    err = capfd.readouterr().err
    assert err == f"forkpoint: {out / name} is there already; --force replaces it.\n"
    assert listed(out) == sorted([name, "notes.txt"])
    assert (out / name).read_text() == "mine"
    assert export(out, home, "--force") == 0
    assert listed(out) == sorted([*NAMES, "notes.txt"])
    assert (out / name).read_bytes().startswith(b"PAR1")


@needs_posix
def test_a_link_is_replaced_and_not_followed(home: Path, tmp_path: Path) -> None:
    plant(home, SESSION)
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "mine").write_text("mine")
    (out / "sessions.parquet").symlink_to(tmp_path / "mine")
    assert export(out, home) == 1
    assert export(out, home, "--force") == 0
    assert (tmp_path / "mine").read_text() == "mine"
    assert not (out / "sessions.parquet").is_symlink()


@pytest.mark.parametrize("below", ["", "projects", "projects/-home-dev-shop", "new", "new/../new"])
def test_nothing_is_written_below_an_agents_folder(
    below: str, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plant(home, SESSION)
    before = sorted(home.rglob("*"))
    assert export(home / below, home, "--force") == 1
    assert "lies below an agent's folder" in capfd.readouterr().err
    assert sorted(home.rglob("*")) == before


@needs_posix
def test_nor_by_way_of_a_link_or_in_the_usual_folders(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(home, SESSION)
    before = sorted(home.rglob("*"))
    (tmp_path / "link").symlink_to(home, target_is_directory=True)
    assert export(tmp_path / "link" / "out", home) == 1
    assert sorted(home.rglob("*")) == before
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    for name in (".claude", ".codex"):
        assert export(tmp_path / name / "out", home) == 1
        assert not (tmp_path / name).exists()


@pytest.mark.parametrize("kind", ["file", "file/below", "sessions.parquet", "a\0b"])
def test_folders_that_cannot_be(kind: str, home: Path, tmp_path: Path) -> None:
    plant(home, SESSION)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "out" / "sessions.parquet").mkdir(parents=True)
    out = tmp_path / ("out" if kind == "sessions.parquet" else kind)
    assert export(out, home, "--force") == 1
    assert sorted(listed(tmp_path)) == ["file", "home", "out"]
    assert listed(tmp_path / "out") == ["sessions.parquet"]
    assert (tmp_path / "file").read_text() == "mine"


def test_folders_are_made_and_go_again_where_nothing_came_of_it(tmp_path: Path) -> None:
    with new_files(tmp_path / "a" / "b", ["x"], [], force=False) as [file]:
        file.write(b"whole")
    assert (tmp_path / "a" / "b" / "x").read_bytes() == b"whole"
    with (
        pytest.raises(NotWritten, match="No space left on device"),
        new_files(tmp_path / "c" / "d", ["x"], [], force=False) as [file],
    ):
        file.write(b"half")
        raise OSError(28, "No space left on device")
    assert listed(tmp_path) == ["a"]


def test_one_that_came_meanwhile_stays_and_the_others_go(tmp_path: Path) -> None:
    with (
        pytest.raises(NotWritten, match="two is there already"),
        new_files(tmp_path, ["one", "two"], [], force=False) as files,
    ):
        for file in files:
            file.write(b"ours")
        (tmp_path / "two").write_text("theirs")
    assert listed(tmp_path) == ["two"]
    assert (tmp_path / "two").read_text() == "theirs"


@pytest.mark.parametrize("force", [False, True])
def test_who_breaks_off_leaves_nothing(
    force: bool, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(home, SESSION)
    out = tmp_path / "out"
    if force:
        assert export(out, home) == 0
    before = {name: (out / name).read_bytes() for name in NAMES} if force else {}

    def stopped(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("forkpoint.tables.gathered.request_row", stopped)
    with pytest.raises(KeyboardInterrupt):
        export(out, home, *(["--force"] if force else []))
    assert ({path.name: path.read_bytes() for path in out.glob("*")} if force else {}) == before
    assert force or not out.exists()


@needs_posix
def test_who_is_killed_leaves_no_half_table(home: Path, tmp_path: Path) -> None:
    """Whenever that is: a table has its name once it is whole."""
    for number in range(30):
        plant(home, SESSION[:-2] + f"{number:02}", number)
    out = tmp_path / "out"
    whole = 0
    for wait in (0.3, 0.5, 0.7, 0.9, 20.0):
        command = [*FORKPOINT, "export", "--parquet", str(out), "--config-dir", str(home)]
        process = subprocess.Popen([*command, "--force"], stdout=subprocess.DEVNULL)
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for path in out.glob("*.parquet"):
            [(count,)] = query(f"select count(*) from '{path}'")
            whole += count
    assert whole >= 60


@needs_posix
def test_the_files_are_their_users_alone(home: Path, tmp_path: Path) -> None:
    plant(home, SESSION)
    assert export(tmp_path / "out", home) == 0
    assert {(tmp_path / "out" / name).stat().st_mode & 0o077 for name in NAMES} == {0}


# --- what the README promises ------------------------------------------------------------------


def test_the_queries_of_the_readme_run_as_they_stand(
    demo: Demo, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    part = readme.partition("## For many machines")[2].partition("\n## ")[0]
    [command] = re.findall(r"```\n(forkpoint export [^\n]+)\n```", part)
    [block] = re.findall(r"```sql\n(.+?)```", part, re.DOTALL)
    per_day, by_tool = block.split(";\n")[:2]
    plant(home, SESSION)
    monkeypatch.chdir(tmp_path)
    for name, config_dir in (("one", demo.config_dir), ("two", home)):
        words = command.replace("$(hostname)", name).split()[1:]
        monkeypatch.setattr("platform.node", lambda name=name: name)
        assert main([*words, "--config-dir", str(config_dir)]) == 0
    assert listed(tmp_path / "fleet") == ["one", "two"]
    days = query(per_day)
    [(total, cost)] = query(
        "select sum(output_tokens), sum(cost_usd) from 'fleet/*/requests.parquet'"
    )
    assert {row[0] for row in days} == {"one", "two"}
    assert sum(row[-2] for row in days) == total
    assert sum(row[-1] for row in days if row[-1] is not None) == pytest.approx(cost)
    tools = query(by_tool)
    assert tools[0][:2] == max(((row[0], row[1]) for row in tools), key=lambda pair: pair[1])
    calls = query("select name from 'fleet/*/tool_calls.parquet' where not inherited")
    assert sum(row[1] for row in tools) == len(calls)
