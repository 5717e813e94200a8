"""Health finds what is planted, and nothing else."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint import __version__
from forkpoint.catalog import Catalog
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.protocol.params import decode_params
from forkpoint.protocol.wire.health import MOST
from tests.disk import planted_faults as planted
from tests.disk.planted_faults import ON_POSIX, PLANTERS, Planter, findings_in
from tests.disk.test_live import linux, note, own
from tests.disk.trees import needs_posix
from tests.fixture_paths import REAL

SECRET = "xylophone"
"""A word that stands in transcripts and must not stand in an answer."""


def health(root: Path, **params: object) -> Any:
    known = Catalog([root])
    while known.index_next():
        pass
    return asked(known, **params)


def asked(known: Catalog, **params: object) -> Any:
    name = "forkpoint/health"
    answer = HANDLERS[name](known, decode_params(name, params))
    return orjson.loads(json_bytes(encode(answer)))


def name_of(planter: Planter) -> str:
    return planter.__name__


# --- planted -----------------------------------------------------------------------------------


def test_nothing_is_found_in_a_clean_home(tmp_path: Path) -> None:
    planted.clean(tmp_path)
    answer = health(tmp_path)
    assert findings_in(answer) == []
    assert answer["findings"] == 0
    assert answer["sentence"] == "Nothing odd in 2 transcripts."


@pytest.mark.parametrize("plant", PLANTERS, ids=name_of)
def test_what_is_planted_is_found_and_nothing_else(tmp_path: Path, plant: Planter) -> None:
    planted.clean(tmp_path)
    expected = plant(tmp_path, 1)
    answer = health(tmp_path)
    assert findings_in(answer) == [expected]
    assert answer["findings"] + answer["totals"]["remains"] == 1


@needs_posix
@pytest.mark.parametrize("plant", ON_POSIX, ids=name_of)
def test_what_cannot_be_read_is_found(tmp_path: Path, plant: Planter) -> None:
    planted.clean(tmp_path)
    assert findings_in(health(tmp_path)) == [] == findings_in(health(tmp_path))
    expected = plant(tmp_path, 1)
    assert findings_in(health(tmp_path)) == [expected]


@given(st.lists(st.sampled_from(PLANTERS), max_size=8))
def test_so_many_as_are_planted_are_found(plants: list[Planter]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        planted.clean(root)
        expected = [plant(root, number) for number, plant in enumerate(plants, 1)]
        answer = health(root)
        assert findings_in(answer) == sorted(expected, key=repr)
        assert answer["findings"] + answer["totals"]["remains"] == len(plants)


def test_a_session_is_asked_about_alone(tmp_path: Path) -> None:
    planted.clean(tmp_path)
    for number, plant in enumerate(PLANTERS, 1):
        plant(tmp_path, number)
    assert findings_in(health(tmp_path, sessionId=planted.CLEAN_SESSION)) == []
    alone = health(tmp_path, sessionId=planted.session_id(1))
    assert findings_in(alone) == [("malformed", planted.session_id(1), 2)]


# --- clean -------------------------------------------------------------------------------------

EXPLAINED = {
    "y13_bad_lines": {"malformed"},
    # Its print resume left copies under an id that never had a transcript (format, section 15).
    "v_2_1_100_compact": {"backupsWithoutTranscript"},
}
RECORDED = sorted(path for path in REAL.iterdir() if (path / "projects").is_dir())


@pytest.mark.parametrize("home", RECORDED, ids=lambda path: path.name)
def test_recorded_sessions_are_clean(home: Path) -> None:
    kinds = {finding[0] for finding in findings_in(health(home))}
    assert kinds == EXPLAINED.get(home.name, set())


def test_copies_that_the_client_deletes_itself_are_no_finding(tmp_path: Path) -> None:
    planted.clean(tmp_path)
    planted.pruned_copies(tmp_path, 1)
    answer = health(tmp_path)
    assert findings_in(answer) == []
    assert answer["totals"]["prunedBackups"] == 2
    assert "The agent deleted 2 copies by its own rule." in answer["report"]


def test_a_line_that_is_finished_later_is_no_finding_any_more(tmp_path: Path) -> None:
    planted.clean(tmp_path)
    planted.torn_tail(tmp_path, 1)
    known = Catalog([tmp_path])
    while known.index_next():
        pass
    assert asked(known)["totals"]["tornTails"] == 1
    [entry] = [each for each in known.entries() if each.main.torn_tail]
    with Path(entry.main.path).open("ab") as file:
        file.write(b'tant"}\n')
    known.refresh(None)
    assert asked(known)["totals"]["tornTails"] == 0


@linux
def test_what_a_running_client_is_about_to_write_is_no_finding(tmp_path: Path) -> None:
    planted.clean(tmp_path)
    planted.torn_tail(tmp_path, 1)
    planted.folder_without_transcript(tmp_path, 2)
    note(tmp_path, "1.json", **own(sessionId=planted.session_id(1)))
    assert [found[0] for found in findings_in(health(tmp_path))] == ["folderWithoutTranscript"]
    note(tmp_path, "1.json", **own(sessionId=planted.session_id(2)))
    assert [found[0] for found in findings_in(health(tmp_path))] == ["tornTail"]


def test_a_session_that_goes_on_from_another_is_no_broken_one(tmp_path: Path) -> None:
    """A resume of 1.x writes a new file whose first parent is a record of the old one."""
    planted.clean(tmp_path)
    planted.session(tmp_path, 1, planted.transcript("u7 a7", version="1.0.128"))
    later = planted.transcript("| a7 u8 a8", start=60, version="1.0.128")
    planted.session(tmp_path, 2, later)
    answer = health(tmp_path)
    assert answer["totals"]["brokenChains"] == 0 == answer["findings"]
    [chain] = answer["sessions"][0]["brokenChains"]
    assert chain["goesOnFrom"] == planted.session_id(1)


# --- very much ---------------------------------------------------------------------------------


def test_a_transcript_that_is_broken_everywhere(tmp_path: Path) -> None:
    planted.session(tmp_path, 1, b"no\n" * 3000)
    answer = health(tmp_path)
    assert answer["totals"]["malformed"] == 3000 == answer["findings"]
    assert len(answer["sessions"][0]["malformed"]) == MOST
    assert "| malformed lines | 3000 |" in answer["report"]


def test_very_many_sessions_with_something_odd(tmp_path: Path) -> None:
    for number in range(MOST + 20):
        planted.session(tmp_path, number, b"no\n")
        planted.backups_without_transcript(tmp_path, MOST + 20 + number)
    answer = health(tmp_path)
    assert answer["findings"] == answer["totals"]["malformed"] == MOST + 20
    assert answer["totals"]["remains"] == MOST + 20
    assert len(answer["sessions"]) == len(answer["remains"]) == MOST
    assert [each["files"] for each in answer["remains"]].count(1) == 100


def test_very_many_findings_are_told_in_numbers(tmp_path: Path) -> None:
    for number in range(15):
        planted.session(tmp_path, number, b"no\n" * MOST)
    answer = health(tmp_path)
    assert answer["totals"]["malformed"] == 15 * MOST
    assert len(answer["sessions"]) == 10


@pytest.mark.parametrize("days", [0, 2**40, 2**70, 2**2000])
def test_days_of_any_size(tmp_path: Path, days: int) -> None:
    planted.clean(tmp_path)
    soon = health(tmp_path, withinDays=days)["retention"]["soon"]
    assert soon == (0 if days == 0 else 1)


# --- without content ---------------------------------------------------------------------------


def test_nothing_of_a_transcript_is_told(tmp_path: Path) -> None:
    planted.clean(tmp_path)
    for number, plant in enumerate(PLANTERS, 1):
        plant(tmp_path, number)
    odd = {"uuid": f"my {SECRET}", "parentUuid": f"the {SECRET}", "type": f"a {SECRET}!"}
    odd |= {"version": f"{SECRET} 1", "timestamp": SECRET, f"a {SECRET}": 1}
    data = planted.line(**odd) + planted.transcript("u1 a1", fields={"a1": {f"no {SECRET}": 1}})
    data += f'{{"type":"user","{SECRET}\n'.encode()
    name = planted.session(tmp_path, 99, data)
    for answer in (health(tmp_path), health(tmp_path, sessionId=name)):
        assert SECRET not in repr(answer)
        assert answer["findings"]


def test_nothing_that_stands_on_the_machine_is_in_the_report(tmp_path: Path) -> None:
    """In each place where an agent writes a name, a path or a text."""
    root = tmp_path / SECRET / ".claude"
    project = root / "projects" / f"-home-{SECRET}-shop"
    name = "5ec2e700-0000-4000-8000-000000000001"
    told = {"cwd": f"/home/{SECRET}/shop", "gitBranch": SECRET, "slug": SECRET, "version": SECRET}
    of_user = {"role": "user", "content": f"my password is {SECRET}"}
    lines = [
        planted.line(type="ai-title", aiTitle=SECRET, sessionId=name),
        planted.line(type="custom-title", customTitle=SECRET, sessionId=name),
        planted.line(type="last-prompt", lastPrompt=SECRET, sessionId=name),
        planted.line(type="user", uuid="u1", parentUuid=None, message=of_user, **told),
        planted.line(type="user", uuid="u2", parentUuid=SECRET, message=of_user, **told),
        planted.line(type=f"a {SECRET} type", uuid="u3", parentUuid="u2", **told),
        planted.line(type="user", uuid="u4", parentUuid="u2", **{f"/home/{SECRET}": 1}),
        f'{{"type":"user","message":"{SECRET}\n'.encode(),
        f"{SECRET}\n".encode(),
        f'{{"type":"user","message":"{SECRET}'.encode(),
    ]
    planted.write(project / f"{name}.jsonl", b"".join(lines))
    planted.write(project / name / "subagents" / f"agent-{SECRET}.jsonl", b"".join(lines))
    planted.write(project / f"agent-{SECRET}.jsonl", b"{}\n")
    planted.write(root / "file-history" / SECRET / f"{SECRET}@v1", b"kept")
    planted.write(root / "file-history" / name / f"{SECRET}@v1", SECRET.encode())
    planted.settings(root, cleanupPeriodDays=1, apiKeyHelper=SECRET, model=SECRET)
    planted.write(root / "projects" / SECRET, b"no folder")
    answer = health(root)
    assert answer["findings"] >= 4
    assert SECRET not in answer["report"]


def test_the_report_names_no_place(tmp_path: Path) -> None:
    planted.clean(tmp_path)
    for number, plant in enumerate(PLANTERS, 1):
        plant(tmp_path, number)
    answer = health(tmp_path)
    report = answer["report"]
    for word in (str(tmp_path), planted.KEY, "shop", "fa010000", "c1ea0000", ".jsonl", "@v1"):
        assert word not in report
    for word in ("hologram-7", "assistant.aura8", "2.2.8", "backupsWithoutTranscript"):
        assert word in report
    assert answer["sentence"] in report


def test_a_whole_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "plan9")
    monkeypatch.setattr("sys.version_info", (3, 12, 7, "final", 0))
    monkeypatch.setattr("sys.prefix", "/home/somebody/.venv")
    monkeypatch.setattr("sys.base_prefix", "/usr")
    planted.clean(tmp_path)
    for number, plant in enumerate((planted.malformed_line, planted.unknown_type), 1):
        plant(tmp_path, number)
    planted.orphaned_subagent(tmp_path, 3)
    planted.settings(tmp_path, cleanupPeriodDays=90)
    names = [planted.CLEAN_SESSION, planted.session_id(1), planted.session_id(2)]
    for ago, name in enumerate(reversed(names)):
        # Which one is the newest must not be a matter of the clock.
        [path] = tmp_path.glob(f"projects/*/{name}.jsonl")
        os.utime(path, (time.time() - ago, time.time() - ago))
    read = [*tmp_path.glob("projects/*/*-*-*-*-*.jsonl"), *tmp_path.rglob("agent-a0001.jsonl")]
    lines = sum(path.read_bytes().count(b"\n") for path in read)
    assert health(tmp_path)["report"] == REPORT.replace("LINES", str(lines))


REPORT = f"""# Format health

- Forkpoint {__version__} on plan9, Python 3.12.7 in a virtual environment
- sessions: 3 of claude-code
- 4 of 4 transcripts read, with LINES lines
- client versions, with sessions: 2.1.332 (3)
- 2 findings in 4 transcripts: 1 unknown record type, 1 malformed line.

| Finding | Count |
| --- | --- |
| malformed line | 1 |

| Unknown record type | Records | Versions |
| --- | --- | --- |
| hologram-2 | 1 | 2.1.332 |

The fields of all 3 records of the newest session of each client version were looked at.

| Malformed lines | Count |
| --- | --- |
| not JSON | 1 |

| Remains | Count |
| --- | --- |
| orphanedSubagent | 1 |

No session will be deleted within 7 days.
- By cleanupPeriodDays in the user's settings: transcripts are deleted 90 days after their last \
change, when the agent is started.
"""
