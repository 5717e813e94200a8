"""What is told of a Codex home as it happens, and what each name asks to look at."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from forkpoint import watch as watching
from forkpoint.touched import Touched, what_to_look_at
from forkpoint.watch import Watch
from tests.disk.codex_home import A, B, compress, name, place, put, rollout

PATIENCE = 20.0
ROOT, HOME = Path("/home/dev/.claude"), Path("/home/dev/.codex")
ROLLOUT = f"{HOME}/{place(A)}"


@pytest.mark.parametrize(
    ("path", "touched"),
    [
        (ROLLOUT, Touched(transcripts={ROLLOUT})),
        (f"{ROLLOUT}.zst", Touched(transcripts={f"{ROLLOUT}.zst"})),
        (f"{HOME}/{place(A, archived=True)}", Touched({f"{HOME}/{place(A, archived=True)}"})),
        (f"{ROLLOUT}.zst.tmp", Touched()),
        (f"{HOME}/sessions/2026/08/02", Touched(listing=True)),
        (f"{HOME}/sessions", Touched(listing=True)),
        (str(HOME), Touched(listing=True)),
        (f"{HOME}/session_index.jsonl", Touched(names=True)),
        # The same names in a folder of the other agent mean something else.
        (f"{ROOT}/sessions/4242.json", Touched(registry=True)),
        (f"{ROOT}/projects/-home-dev-shop/{A}.jsonl.tmp", Touched(listing=True)),
        ("/elsewhere", Touched(listing=True)),
    ],
)
def test_what_a_name_asks_to_look_at(path: str, touched: Touched) -> None:
    assert what_to_look_at([path], [ROOT], [HOME]) == touched


class Ear:
    """Keeps the paths that are told by name."""

    def __init__(self) -> None:
        self._told: set[str] = set()
        self._all = 0
        self._news = threading.Condition()

    def __call__(self, _: Watch, paths: set[str] | None) -> None:
        with self._news:
            self._told |= paths or set()
            self._all += paths is None
            self._news.notify_all()

    def wait_for(self, path: Path) -> None:
        with self._news:
            assert self._news.wait_for(lambda: str(path) in self._told, PATIENCE), self._told
            self._told.discard(str(path))

    def wait_for_all(self, times: int) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self._all >= times, PATIENCE)


def test_a_home_is_watched_and_its_list_of_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOK_AGAIN_SECONDS", 0.05)
    path = put(tmp_path, place(A), rollout("One"))
    ear = Ear()
    watch = Watch([], ear, codex_homes=[tmp_path])
    watch.start()
    try:
        ear.wait_for_all(1)
        # Neither was there when the watch began; each has it begin anew.
        name(tmp_path, (A, "First"))
        ear.wait_for_all(2)
        archived = put(tmp_path, place(B, archived=True), rollout("Two"))
        ear.wait_for_all(3)
        name(tmp_path, (A, "Second"))
        ear.wait_for(tmp_path / "session_index.jsonl")
        with archived.open("ab") as file:
            file.write(b"{}\n")
        ear.wait_for(archived)
        target = compress(path)
        ear.wait_for(target)
        ear.wait_for(path)
    finally:
        watch.stop()
