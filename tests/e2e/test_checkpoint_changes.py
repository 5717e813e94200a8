"""`forkpoint/checkpointChanges` and `checkpointFiles`, by the replayed edits of the recordings."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from forkpoint.protocol.uri import file_uri
from tests.builders import snapshot, uuid
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.moved_recordings import RECORDED
from tests.e2e.replayed_edits import Files, moments
from tests.e2e.test_rewind_preview import IN_BETWEEN, as_it_ended
from tests.e2e.tracked_home import TrackedHome, entry
from tests.e2e.version_contents import by_path, changed_lines, content
from tests.fixture_paths import REAL

EDITS = "b2e74b0a-2716-490d-ba01-54a73887314f"
STRAIGHT = ["b_edits", "c2_rewind_code", "c7_rewind_then_quit", "d1b_esc_mid_tool_then_prompt",
            "e1_compact_manual", "i1_titles_modes", "k1_parallel", "m3_model_switch",
            "n1_queue"]  # fmt: skip
"""Sessions in which each checkpoint follows on the one before it."""


def differences(before: Files, after: Files) -> dict[str, tuple[str, bytes, bytes]]:
    """Kind and contents of the files that are not the same."""
    found: dict[str, tuple[str, bytes, bytes]] = {}
    for path, old in before.items():
        new = after[path]
        if old != new:
            kind = "created" if old is None else "deleted" if new is None else "edited"
            found[path] = (kind, (old or "").encode(), (new or "").encode())
    return found


def answered(
    server: ForkpointServer, answer: Json, cwd: Path
) -> dict[str, tuple[str, bytes, bytes]]:
    """The same from an answer; an end that is the working file is read here."""
    found: dict[str, tuple[str, bytes, bytes]] = {}
    for path, change in by_path(answer["changes"], cwd).items():
        before, after = change["before"], change["after"]
        assert (after == change["file"]) == (answer["toNow"] and (cwd / path).exists())
        now = (cwd / path).read_bytes() if after == change["file"] else content(server, after)
        old = content(server, before)
        assert (change["added"], change["removed"]) == changed_lines(old, now)
        found[path] = (change["kind"], old, now)
    return found


def as_it_lies(cwd: Path, files: Files) -> Files:
    return {path: (cwd / path).read_text() if (cwd / path).exists() else None for path in files}


@pytest.mark.parametrize("name", STRAIGHT)
def test_what_changed_in_each_turn(server: ForkpointServer, tmp_path: Path, name: str) -> None:
    here = as_it_ended(name, tmp_path)
    server.open(here.home)
    [transcript] = here.transcripts
    replayed = moments(transcript, str(here.cwd), IN_BETWEEN.get(name, {}))
    ends = [moment.files for moment in replayed[1:]]
    now = as_it_lies(here.cwd, replayed[0].files)
    for moment, end in zip(replayed, [*ends, now], strict=True):
        asked = {"sessionId": transcript.stem, "prompt": moment.prompt}
        answer = server.result("checkpointChanges", **asked)
        assert (answer["unknown"], answer["toNow"]) == ([], end is now), moment.words
        found = answered(server, answer, here.cwd)
        assert found == differences(moment.files, end), moment.words


@pytest.mark.parametrize("name", STRAIGHT)
def test_what_changed_in_the_whole_session(
    server: ForkpointServer, tmp_path: Path, name: str
) -> None:
    here = as_it_ended(name, tmp_path)
    server.open(here.home)
    [transcript] = here.transcripts
    first = moments(transcript, str(here.cwd), IN_BETWEEN.get(name, {}))[0]
    answer = server.result("checkpointChanges", sessionId=transcript.stem)
    assert (answer["unknown"], answer["toNow"]) == ([], True)
    now = as_it_lies(here.cwd, first.files)
    assert answered(server, answer, here.cwd) == differences(first.files, now)


def test_a_content_that_is_gone_is_unknown(server: ForkpointServer, tmp_path: Path) -> None:
    tracked = TrackedHome(tmp_path)
    tracked.rows("u1 a1 u2 a2")
    one, two = tracked.kept("gone.py", 1, b"1\n"), tracked.kept("gone.py", 2, b"2\n")
    (tracked.copies / one["backupFileName"]).unlink()
    tracked.write(
        snapshot("u1", {"gone.py": one, "new.py": entry(None, 1)}),
        snapshot("u2", {"gone.py": two, "new.py": tracked.kept("new.py", 2, b"x\n")}),
    )
    server.open(tracked.home)
    asked = {"sessionId": tracked.session_id, "prompt": uuid("u1")}
    answer = server.result("checkpointChanges", **asked)
    assert answer["unknown"] == [file_uri(str(tracked.cwd / "gone.py"))]
    found = answered(server, answer, tracked.cwd)
    assert found == {"new.py": ("created", b"", b"x\n")}


@pytest.mark.parametrize(
    ("params", "kind"),
    [
        ({"sessionId": EDITS.replace("b", "c")}, "unknownSession"),
        ({"sessionId": EDITS, "prompt": "nobody"}, "unknownRecord"),
    ],
)
def test_what_is_refused(server: ForkpointServer, params: Json, kind: str) -> None:
    server.open(REAL / "b_edits")
    error = server.refusal("checkpointChanges", params)
    assert (error["code"], error["data"]) == (-32001, {"kind": kind})


# --- all files -----------------------------------------------------------------------------------


@pytest.fixture
def several(home: Path) -> Path:
    for name in ("b_edits", "i1_titles_modes", "k1_parallel"):
        for part in ("projects", "file-history"):
            shutil.copytree(REAL / name / part, home / part, dirs_exist_ok=True)
    return home


def counts(files: list[Json]) -> dict[str, tuple[str, int, int]]:
    return {
        path: (file["sessionId"][:4], file["versions"], file["sessions"])
        for path, file in by_path(files, Path(RECORDED)).items()
    }


ALL = {
    # Session with the newest version, its versions, sessions.
    "README.md": ("a394", 2, 2),
    "cart.py": ("cdfb", 1, 3),
    "discount.py": ("b2e7", 2, 1),
    "tax.py": ("cdfb", 1, 2),
}


def test_all_files_that_have_checkpoints(server: ForkpointServer, several: Path) -> None:
    server.open(several)
    server.listed()
    answer = server.result("checkpointFiles")
    assert (counts(answer["files"]), answer["total"]) == (ALL, 4)
    assert list(server.pages("checkpointFiles", "files", 3)) == answer["files"]


@pytest.mark.parametrize(
    ("folder", "total"),
    [(RECORDED, 4), ("/home/dev", 4), ("/home", 4), ("/", 4), ("/home/dev/sho", 0), ("/tmp", 0)],
)
def test_files_below_a_folder(
    server: ForkpointServer, several: Path, folder: str, total: int
) -> None:
    server.open(several)
    server.listed()
    answer = server.result("checkpointFiles", folder=file_uri(folder))
    assert (len(answer["files"]), answer["total"]) == (total, total)
