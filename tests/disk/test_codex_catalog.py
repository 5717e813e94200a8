"""Sessions of Codex beside those of Claude Code: found, read, named, moved, kept."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forkpoint.backlog import LARGE
from forkpoint.catalog import Catalog
from forkpoint.keeping import Keeping
from forkpoint.lsp.handlers import HANDLERS, SERVED
from forkpoint.protocol.encode import encode
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.params import decode_params
from forkpoint.protocol.uri import file_uri
from forkpoint.roster import Unknown
from forkpoint.store import open_store
from forkpoint.transcript_file import TranscriptFile
from tests.builders import transcript
from tests.disk.codex_home import A, B, C, compress, name, packed, place, put, rollout, turn
from tests.disk.patched_home import FAILED, Session
from tests.disk.trees import link, needs_posix
from tests.fixture_paths import CASES

CLAUDES = "9eefc671-6984-46c9-b5cd-3f811c4820a7"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "codex"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A config folder with a session that was started where those of Codex were."""
    folder = tmp_path / "claude/projects/-home-dev-shop"
    folder.mkdir(parents=True)
    (folder / f"{CLAUDES}.jsonl").write_bytes(transcript("u1 a1"))
    return tmp_path / "claude"


def catalog(home: Path, *roots: Path, keeping: Keeping | None = None) -> Catalog:
    return Catalog(roots, keeping=keeping, codex_homes=[home], usual_codex_home=home)


def ask(known: Catalog, method: str, **params: Any) -> Any:
    """The answer as it would go over the wire."""
    name = f"forkpoint/{method}"
    return encode(HANDLERS[name](known, decode_params(name, params)))


def rows(known: Catalog, **params: Any) -> dict[str, dict[str, Any]]:
    return {row["sessionId"]: row for row in ask(known, "sessions", **params)["sessions"]}


def titles(known: Catalog, **params: Any) -> dict[str, str]:
    return {key: row["title"]["text"] for key, row in rows(known, **params).items()}


def problems(row: dict[str, Any]) -> list[str]:
    return [problem["code"] for problem in row["problems"]]


def read_all(known: Catalog) -> Catalog:
    while known.index_next():
        pass
    return known


# --- the cases ---------------------------------------------------------------------------------

CODEX_CASES = sorted(path for path in CASES.iterdir() if (path / "codex").is_dir())


def expected() -> Iterator[tuple[Path, str, dict[str, Any]]]:
    for case in CODEX_CASES:
        wanted = json.loads((case / "expect.json").read_text())
        for session_id, facts in wanted["codex_sessions"].items():
            yield case, session_id, facts


@pytest.mark.parametrize(
    ("case", "session_id", "facts"), [pytest.param(*each, id=each[1]) for each in expected()]
)
def test_a_case_is_listed_as_expected(case: Path, session_id: str, facts: dict[str, Any]) -> None:
    known = read_all(catalog(case / "codex"))
    row = rows(known, includeArchived=True)[session_id]
    if "title" in facts:
        assert row["title"]["text"] == facts["title"]
    if "cwd" in facts:
        assert row["project"]["cwd"] == facts["cwd"]
    if "compactions" in facts:
        assert row["compactionCount"] == facts["compactions"]
    assert row["agent"] == "codex"
    assert row["archived"] == facts.get("archived", False)
    assert problems(row) == ["unreadable"] * facts.get("unreadable", False)
    if "tokens" in facts:
        wanted, tokens = facts["tokens"], row["tokens"]
        assert tokens["input"] + tokens["cacheRead"] == wanted["input"]
        assert (tokens["cacheRead"], tokens["output"]) == (
            wanted["cached_input"],
            wanted["output"],
        )


def test_there_are_cases() -> None:
    assert {case.name[:2] for case in CODEX_CASES} == {"79", "80", "82", "83", "85", "86"}


def test_nothing_is_counted_twice_where_both_forms_stand() -> None:
    [case] = [case for case in CODEX_CASES if case.name.startswith("82")]
    known = read_all(catalog(case / "codex"))
    wanted = json.loads((case / "expect.json").read_text())["total_tokens"]
    spent = [row["tokens"] for row in rows(known).values() if row["tokens"] is not None]
    assert sum(tokens["input"] + tokens["cacheRead"] for tokens in spent) == wanted["input"]
    assert sum(tokens["output"] for tokens in spent) == wanted["output"]
    both = rows(known)["01993312-d080-7d3b-a841-08103f6f290e"]
    assert both["transcript"].endswith(".jsonl")
    assert problems(both) == []


# --- which are listed --------------------------------------------------------------------------


def test_both_agents_in_one_list_and_each_alone(home: Path, config: Path) -> None:
    put(home, place(A), rollout("Fix the cart"))
    put(home, place(B, archived=True), rollout("Put away", thread_id=B))
    known = catalog(home, config)
    assert set(rows(known)) == {A, CLAUDES}
    assert set(rows(known, includeArchived=True)) == {A, B, CLAUDES}
    assert set(rows(known, agent="codex")) == {A}
    assert set(rows(known, agent="claude-code", includeArchived=True)) == {CLAUDES}
    assert set(rows(known, agent="codex", query="CART")) == {A}
    assert set(rows(known, folder="file:///home/dev/shop", scope="folder")) == {A, CLAUDES}
    assert set(rows(known, folder="file:///home/dev/else", scope="folder")) == set()
    # One project, whoever worked in it.
    projects = [row["project"] for row in rows(known).values()]
    assert projects[0] == projects[1]


def test_what_a_row_says_of_a_rollout(home: Path) -> None:
    path = put(home, place(A), rollout("Fix the cart", "And the total"))
    row = rows(read_all(catalog(home)))[A]
    told = {key: row[key] for key in ("agent", "configDir", "firstPrompt", "gitBranch", "version")}
    assert told == {
        "agent": "codex",
        "configDir": None,
        "firstPrompt": "Fix the cart",
        "gitBranch": "main",
        "version": "0.146.0",
    }
    assert (row["promptCount"], row["responseCount"], row["live"]) == (2, 2, None)
    assert (row["expiresAt"], row["sizeBytes"]) == (None, path.stat().st_size)
    assert row["transcript"] == path.as_uri()


def test_another_home_than_the_usual_one_is_named(home: Path) -> None:
    put(home, place(A), rollout("x"))
    known = Catalog([], codex_homes=[home], usual_codex_home=Path("/home/dev/.codex"))
    assert rows(known)[A]["configDir"] == str(home)


def test_several_homes(tmp_path: Path) -> None:
    homes = [tmp_path / "one", tmp_path / "two"]
    for thread_id, folder in zip((A, B), homes, strict=True):
        put(folder, place(thread_id), rollout("x", thread_id=thread_id))
        name(folder, (thread_id, f"Of {folder.name}"))
    assert titles(Catalog([], codex_homes=homes)) == {A: "Of one", B: "Of two"}


def test_of_two_places_the_newest_counts(home: Path) -> None:
    for archived, at in ((True, 1_700_000_000), (False, 1_700_000_100)):
        path = put(home, place(A, archived=archived), rollout("x"))
        os.utime(path, (at, at))
    row = rows(catalog(home), includeArchived=True)[A]
    assert not row["archived"]
    assert row["problems"] == [
        {"code": "duplicateId", "sentence": "An older file with the same id lies in the archive."}
    ]


@needs_posix
def test_what_leads_out_of_the_home_is_not_read(home: Path, tmp_path: Path) -> None:
    put(tmp_path, "secret", rollout("secret"))
    link(home, place(A), tmp_path / "secret")
    known = catalog(home)
    assert rows(known) == {}
    assert [problem.reason for problem in known.problems] == ["outside"]


# --- compressed --------------------------------------------------------------------------------

METHODS = ("activePath", "branchTree", "records", "toolCalls", "subagents", "transcript")


def test_a_compressed_rollout_answers_as_the_plain_one_does(home: Path, tmp_path: Path) -> None:
    data = rollout("One", "Two", "Three")
    put(home, place(A), data)
    put(tmp_path / "other", place(A, packed=True), data)
    plain, small = catalog(home), catalog(tmp_path / "other")
    for method in METHODS:
        asked = {"sessionId": A} | ({"offset": 0, "limit": 99} if method == "records" else {})
        one, other = ask(plain, method, **asked), ask(small, method, **asked)
        there, here = str(tmp_path / "other"), str(home)
        told = json.dumps(other).replace(there, here).replace(".jsonl.zst", ".jsonl")
        assert json.loads(told) == json.loads(json.dumps(one)), method


def test_what_cannot_be_unpacked_is_listed_and_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(home, place(A, packed=True), rollout("x"))
    put(home, place(B), rollout("y", thread_id=B))
    for library in ("compression", "compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, library, None)
    found = rows(read_all(catalog(home)))
    assert problems(found[B]) == []
    assert found[A]["problems"] == [
        {
            "code": "unreadable",
            "sentence": "The transcript could not be read: it is compressed (zstd), which Python "
            "unpacks since 3.14; before that the package zstandard has to be installed.",
        }
    ]
    with pytest.raises(RequestFailed, match="the package zstandard has to be installed"):
        SERVED["forkpoint/activePath"](
            catalog(home), decode_params("forkpoint/activePath", {"sessionId": A})
        )


def test_a_file_that_was_cut_off_shows_what_stands_before(home: Path) -> None:
    data = rollout(*[f"{number:03} {os.urandom(3000).hex()}" for number in range(60)])
    path = put(home, place(A, packed=True), data)
    os.truncate(path, path.stat().st_size // 2)
    row = rows(read_all(catalog(home)))[A]
    assert row["title"]["text"].startswith("000 ")
    assert 0 < row["promptCount"] < 60
    assert problems(row) == ["damaged"]


def test_a_bomb_is_cut(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = rollout("Before")
    monkeypatch.setattr("forkpoint.transcript_bytes.bound", lambda size: len(data) + 1000)
    put(home, place(A, packed=True), data + bytes(50_000_000))
    row = rows(read_all(catalog(home)))[A]
    assert (row["title"]["text"], problems(row)) == ("Before", ["cut"])


def test_a_long_compressed_one_is_not_unpacked_whole_for_a_list(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = rollout("First words", *[os.urandom(4000).hex() for _ in range(400)])
    path = put(home, place(A, packed=True), data)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    known = catalog(home)
    [row] = rows(known).values()
    assert (row["title"]["text"], row["promptCount"]) == ("First words", None)
    # When it ended is not known before it is read: the file's time stands for it.
    assert (row["updatedAt"], row["modifiedAt"]) == (None, "2023-11-14T22:13:20.000Z")
    assert rows(read_all(known))[A]["promptCount"] == 401


@pytest.mark.parametrize("packs", [False, True])
def test_a_prompt_behind_long_instructions_is_found_without_reading_all(
    home: Path, packs: bool
) -> None:
    words = [os.urandom(4000).hex() for _ in range(200)]
    data = rollout("First words", *words, base_instructions={"text": "be " * 13_000})
    put(home, place(A, packed=packs), data)
    [row] = rows(catalog(home)).values()
    assert row["promptCount"] is None, "it is not read yet"
    assert row["title"] == {"text": "First words", "source": "firstPrompt"}
    assert (row["project"]["cwd"], row["gitBranch"]) == ("/home/dev/shop", "main")
    assert row["updatedAt"] == (None if packs else "2026-08-01T12:21:03.000Z")


# --- what happens meanwhile --------------------------------------------------------------------


def test_a_rollout_that_is_compressed_stays_the_same_session(home: Path) -> None:
    path = put(home, place(A), rollout("One"))
    known = read_all(catalog(home))
    known.take_changes()
    conversation = known.conversation(A)
    known.following.begin(known, known.entry(A))
    target = compress(path)
    known.refresh({str(path), str(target), f"{target}.tmp"})
    assert known.take_changes() == ([], [A], [])
    assert known.entry(A).main.path == str(target)
    assert read_all(known).conversation(A) is conversation
    assert known.take_moves() == []
    assert ask(known, "records", sessionId=A, offset=0, limit=9)["total"] == 5


def test_a_rollout_that_is_archived_stays_the_same_session(home: Path) -> None:
    path = put(home, place(A), rollout("One"))
    known = read_all(catalog(home))
    known.take_changes()
    conversation, target = known.conversation(A), home / place(A, archived=True)
    target.parent.mkdir()
    path.rename(target)
    known.refresh({str(path), str(target)})
    assert known.take_changes() == ([], [A], [])
    assert rows(known) == {}
    assert rows(known, includeArchived=True)[A]["archived"]
    assert known.conversation(A) is conversation


def test_a_rollout_that_grows_is_read_on(home: Path) -> None:
    path = put(home, place(A), rollout("One"))
    known = read_all(catalog(home))
    known.take_changes()
    known.following.begin(known, known.entry(A))
    with path.open("ab") as file:
        file.writelines(turn("Two", 1))
    known.refresh({str(path)})
    [move] = known.take_moves()
    assert known.take_changes() == ([], [A], [])
    assert (move.entry.session_id, move.gone) == (A, False)
    assert rows(known)[A]["promptCount"] == 2


def test_one_that_comes_and_one_that_goes(home: Path) -> None:
    path = put(home, place(A), rollout("One"))
    known = catalog(home)
    known.take_changes()
    new = put(home, place(B), rollout("Two", thread_id=B))
    known.refresh({str(new)})
    assert known.take_changes() == ([B], [], [])
    path.unlink()
    known.refresh({str(path)})
    assert known.take_changes() == ([], [], [A])
    with pytest.raises(Unknown):
        known.entry(A)


def test_a_name_is_told_and_shown(home: Path) -> None:
    put(home, place(A), rollout("One"))
    put(home, place(B), rollout("Two", thread_id=B))
    known = read_all(catalog(home))
    assert titles(known) == {A: "One", B: "Two"}
    known.take_changes()
    name(home, (A, "A better name"), (C, "Of a thread that is gone"))
    known.refresh({str(home / "session_index.jsonl")})
    assert known.take_changes() == ([], [A], [])
    row = rows(known)[A]
    assert row["title"] == {"text": "A better name", "source": "custom"}
    assert set(rows(known, query="better")) == {A}


# --- patches ---------------------------------------------------------------------------------


def test_a_readable_text_says_how_many_lines_a_patch_changed(home: Path) -> None:
    session = Session()
    session.prompt("Write it")
    session.patch("*** Add File: a.py", "+1", "+2", "+3")
    session.patch(
        "*** Update File: a.py", "@@", " 1", "-2", "+two", "+and more", "*** Delete File: b.py"
    )
    session.patch("*** Update File: a.py", "@@", "-3", "*** Update File: c.py", "@@", "-x", "+y")
    session.patch("*** Update File: a.py", "@@", "-nowhere", "+x", output=FAILED)
    script = "*** Begin Patch\n*** Add File: d.py\n+1\n*** End Patch"
    session.shell(["apply_patch", script])
    session.outside_patch({"/home/dev/shop/e.py": {"type": "delete", "content": "a\nb\n"}})
    session.put(home)
    text = ask(read_all(catalog(home)), "transcript", sessionId=A)["text"].replace("\u2212", "-")
    assert [line for line in text.splitlines() if line.startswith("▸ apply_patch")] == [
        "▸ apply_patch a.py · +3 -0 · ok",
        "▸ apply_patch a.py · +2 -1 · ok",
        "▸ apply_patch b.py · ok",
        "▸ apply_patch a.py · +0 -1 · ok",
        "▸ apply_patch c.py · +1 -1 · ok",
        "▸ apply_patch a.py · failed",
        "▸ apply_patch e.py · +0 -2 · ok",
    ]
    assert "▸ shell d.py · +1 -0 · ok" in text


# --- health ----------------------------------------------------------------------------------


def test_health_tells_what_of_a_rollout_nobody_knows_by_version(home: Path) -> None:
    odd = {"type": "event_msg", "payload": {"type": "hologram", "glow": 1}}
    known = {"type": "event_msg", "payload": {"type": "agent_reasoning", "text": "x", "mood": 1}}
    lines = b"".join(json.dumps(each).encode() + b"\n" for each in (odd, known, known))
    put(home, place(A), rollout("One") + lines)
    put(home, place(B), rollout("Two", thread_id=B, cli_version="0.150.0"))
    catalog_read = read_all(catalog(home))
    answer = ask(catalog_read, "health")
    types = answer["totals"]["unknownTypes"]
    assert [(each["type"], each["count"], each["versions"]) for each in types] == [
        ("event_msg/hologram", 1, ["0.146.0"])
    ]
    fields = answer["unknownFields"]["fields"]
    told = [(each["type"], each["field"], each["count"], each["versions"]) for each in fields]
    assert told == [("event_msg/agent_reasoning", "mood", 2, ["0.146.0"])]
    of_one = ask(catalog_read, "health", sessionId=B)
    assert (of_one["findings"], of_one["unknownFields"]["fields"]) == (0, [])


def test_names_of_threads_that_are_gone_are_remains(home: Path) -> None:
    put(home, place(A), rollout("One"))
    put(home, place(B), rollout("Look around", thread_id=B, parent_thread_id=A))
    name(home, (A, "The shop"), (B, "Ada"), (C, "Gone"), (C, "Gone again"))
    known = read_all(catalog(home))
    answer = ask(known, "health")
    assert answer["remains"] == [
        {
            "kind": "namesWithoutThreads",
            "agent": "codex",
            "path": file_uri(str(home / "session_index.jsonl")),
            "sessionId": None,
            "agentId": None,
            "files": None,
            "sizeBytes": None,
            "isLowerBound": False,
            "subagents": None,
            "sentence": "The name of a thread without its rollout.",
        }
    ]
    assert answer["totals"]["remains"] == 1
    name(home, (CLAUDES, "Gone, too"))
    known.refresh({str(home / "session_index.jsonl")})
    [left] = ask(known, "health")["remains"]
    assert left["sentence"] == "Names of 2 threads without their rollouts."
    put(home, place(C), rollout("Back", thread_id=C))
    put(home, place(CLAUDES), rollout("Back", thread_id=CLAUDES))
    assert ask(read_all(catalog(home)), "health")["remains"] == []


# --- subagents ---------------------------------------------------------------------------------


def test_a_thread_that_a_session_started_is_its_subagent(home: Path) -> None:
    put(home, place(A), rollout("Main"))
    meta = {"parent_thread_id": A, "agent_role": "explorer", "agent_nickname": "Ada"}
    put(home, place(B), rollout("Look around", thread_id=B, **meta))
    known = read_all(catalog(home))
    assert titles(known) == {A: "Main"}
    assert rows(known)[A]["subagentCount"] == 1
    [agent] = ask(known, "subagents", sessionId=A)["agents"]
    assert (agent["agentId"], agent["type"], agent["description"]) == (B, "explorer", "Ada")
    path = ask(known, "activePath", sessionId=A, agentId=B)
    assert [entry["role"] for entry in path["entries"]] == ["prompt", "response"]


def test_calls_lead_to_the_thread_that_they_began_and_it_leads_back(home: Path) -> None:
    session = Session()
    session.prompt("Look around")
    begun = json.dumps({"agent_id": B, "nickname": "Ada"})
    given = {"message": "Look here", "agent_type": "explorer"}
    spawned = session.call("spawn_agent", begun, **given)
    done = json.dumps({"status": {B: {"completed": "Seen"}}, "timed_out": False})
    waited = session.call("wait", done, ids=[B])
    session.put(home)
    put(home, place(B), rollout("Look here", thread_id=B, parent_thread_id=A))
    known = read_all(catalog(home))
    [agent] = ask(known, "subagents", sessionId=A)["agents"]
    told = [agent[name] for name in ("agentId", "toolUseId", "type", "state", "parentAgentId")]
    assert told == [B, spawned, "explorer", "completed", None]
    calls = ask(known, "toolCalls", sessionId=A)["calls"]
    assert [(call["toolUseId"], call["subagent"]) for call in calls] == [
        (spawned, {"agentId": B}),
        (waited, {"agentId": B}),
    ]
    text = ask(known, "transcript", sessionId=A)
    lines = text["text"].splitlines()
    assert [line for line in lines if "its transcript" in line] == [
        f"▸ Subagent {B}: its transcript"
    ] * 2
    there = ask(known, "transcript", sessionId=A, agentId=B)
    assert [line for line in there["text"].splitlines() if "started by" in line] == [
        "… started by a call of “Look around”"
    ]
    [back] = [link for link in there["links"] if link["kind"] == "session"]
    [row] = [call["uuid"] for call in calls if call["toolUseId"] == spawned]
    assert back["target"].endswith(f"leaf%3D{row}")
    record = ask(known, "activePath", sessionId=A, agentId=B)["entries"][0]
    found = ask(known, "transcriptPlace", sessionId=A, uuid=record["uuid"])
    assert (found["agentId"], found["shown"]) == (B, True)


@pytest.mark.parametrize(("ends", "state"), [(True, "completed"), (False, "runningOrLost")])
def test_whether_a_thread_is_done_its_own_turn_tells(home: Path, ends: bool, state: str) -> None:
    session = Session()
    session.prompt("Look around")
    session.call("spawn_agent", json.dumps({"agent_id": B}), message="Look here")
    session.put(home)
    whole = rollout("Look here", thread_id=B, parent_thread_id=A)
    data = whole if ends else b"".join(whole.splitlines(keepends=True)[:-1])
    put(home, place(B), data)
    [agent] = ask(read_all(catalog(home)), "subagents", sessionId=A)["agents"]
    assert agent["state"] == state


def test_a_subagents_rollout_that_is_compressed_stays_the_same(home: Path) -> None:
    put(home, place(A), rollout("Main"))
    path = put(home, place(B), rollout("Look around", thread_id=B, parent_thread_id=A))
    known = read_all(catalog(home))
    known.following.begin(known, known.entry(A))
    conversation = known.conversation(A, B)
    target = compress(path)
    known.refresh({str(path), str(target)})
    assert known.entry(A).agents[B].file.path == str(target)
    assert read_all(known).conversation(A, B) is conversation
    assert known.take_moves() == []


def test_a_subagent_that_copied_its_parents_rows_is_known_by_its_own_header(home: Path) -> None:
    put(home, place(A), rollout("Main"))
    copied = rollout("Main", thread_id=A, cwd="/home/dev/else")
    own = rollout(thread_id=B, parent_thread_id=A, forked_from_id=A)
    put(home, place(B), own + copied + b"".join(turn("Look around", 9)))
    known = read_all(catalog(home))
    index = known.conversation(A, B).index
    assert index.rollout is not None
    assert index.rollout.header.thread_id == B
    assert index.session_id == B


def test_a_home_that_is_named_twice_is_listed_once(home: Path) -> None:
    put(home, place(A), rollout("One"))
    [row] = rows(Catalog([], codex_homes=[home, home])).values()
    assert row["problems"] == []


# --- kept over a restart -----------------------------------------------------------------------


@pytest.mark.parametrize("packs", [False, True])
def test_what_was_read_is_kept_for_the_next_start(
    home: Path, tmp_path: Path, packs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(home, place(A, packed=packs), rollout("One", "Two"))
    store = tmp_path / "store"
    first = read_all(catalog(home, keeping=Keeping(open_store(store))))
    before, path = rows(first), ask(first, "activePath", sessionId=A)
    first.keep()
    first.close()
    fed: list[int] = []
    monkeypatch.setattr(
        "forkpoint.index.TranscriptIndex.apply", lambda self, lines: fed.append(len([*lines]))
    )
    again = catalog(home, keeping=Keeping(open_store(store)))
    assert rows(again) == before
    assert ask(again, "activePath", sessionId=A) == path
    assert sum(fed) == 0


def test_what_the_list_shows_is_kept_though_the_end_has_no_time_for_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The title stands where neither end of the file is looked at."""
    long = [f"Prompt {number} {'x' * 2000}" for number in range(80)]
    named = rollout(*long).splitlines(keepends=True)
    title = {"type": "thread_name_updated", "thread_name": "Buried"}
    line = {"timestamp": "2026-08-01T09:30:00.000Z", "type": "event_msg", "payload": title}
    named.insert(len(named) // 2, json.dumps(line).encode() + b"\n")
    put(home, place(A), b"".join(named))
    put(home, place(B), rollout("Two", thread_id=B))
    store = tmp_path / "store"
    first = catalog(home, keeping=Keeping(open_store(store)))
    while first.index_next():
        pass
    before = rows(first)
    assert before[A]["title"]["text"] == "Buried"
    # No `keep`: as of a server that is killed.
    first.close()
    monkeypatch.setattr("forkpoint.index.TranscriptIndex.apply", lambda *_: pytest.fail("read"))
    assert rows(catalog(home, keeping=Keeping(open_store(store)))) == before


@pytest.mark.parametrize("packs", [False, True])
def test_the_indexing_process_reads_what_is_large(home: Path, packs: bool) -> None:
    words = [os.urandom(4000).hex() for _ in range(200)]
    path = put(home, place(A, packed=packs), rollout(*words))
    put(home, place(B, packed=packs), rollout(*words, thread_id=B, parent_thread_id=A))
    assert path.stat().st_size > LARGE
    here = rows(read_all(catalog(home)))
    helped, woken = catalog(home), threading.Event()
    helped.be_helped(woken.set)
    try:
        while helped.index_next() or helped.awaits_help():
            woken.wait(0.05)
        assert rows(helped) == here
        assert here[A]["promptCount"] == 200
        assert here[A]["subagentCount"] == 1
    finally:
        helped.close()


def test_what_was_read_as_one_agents_is_not_gone_on_with_as_the_others(home: Path) -> None:
    path = str(put(home, place(A), rollout("One")))
    read = {agent: TranscriptFile(path, A, agent=agent) for agent in ("claude-code", "codex")}
    states = {agent: file.refresh() and file.state() for agent, file in read.items()}
    for agent in states:
        for other, state in states.items():
            assert state is not None
            taker = TranscriptFile(path, A, agent=agent)
            assert taker.go_on_from(state.index, state.bookmark) is (agent == other)


def test_a_damaged_first_line_hides_nothing(home: Path) -> None:
    data = rollout("One").partition(b"\n")[2]
    put(home, place(A), b'{"type":"session_meta","payload":{"id":"0199\n' + data)
    assert titles(catalog(home)) == {A: "One"}


def test_the_size_that_was_packed_is_that_of_the_file(home: Path) -> None:
    data = rollout("One")
    put(home, place(A, packed=True), data)
    assert rows(catalog(home))[A]["sizeBytes"] == len(packed(data))
