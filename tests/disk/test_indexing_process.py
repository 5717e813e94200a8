"""Transcripts read by another process: what it answers, and what becomes of it."""

from __future__ import annotations

import io
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forkpoint.disk import stat
from forkpoint.index_state import load
from forkpoint.index_worker import FrameHead, answer, request, serve
from forkpoint.indexing_process import Indexed, IndexingProcess
from tests.builders import SESSION, line, transcript
from tests.core.test_index_state import everything, read
from tests.disk.trees import needs_posix

LIMIT = 30.0
"""Seconds after which a test gives up; none comes near it."""

Started = Callable[..., tuple[IndexingProcess, "queue.Queue[Indexed]"]]


@pytest.fixture
def started() -> Iterator[Started]:
    processes: list[IndexingProcess] = []

    def start(*command: str) -> tuple[IndexingProcess, queue.Queue[Indexed]]:
        heard: queue.Queue[Indexed] = queue.Queue()
        processes.append(IndexingProcess(heard.put, command or None))
        return processes[-1], heard

    yield start
    for process in processes:
        process.stop()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(transcript("u1 a1 t1 r1 s1 b1 q1"))
    return path


def same(indexed: Indexed, data: bytes, *, of_agent: bool = False) -> bool:
    """Whether these are the whole lines of a file."""
    index, bookmark = load(indexed.data)
    known, reader = read(data, of_agent=of_agent)
    assert bookmark == reader.bookmark()
    assert indexed.read_up_to == bookmark.offset
    return everything(index) == everything(known)


# --- what is answered ----------------------------------------------------------------------------


def test_a_transcript_is_read_as_the_server_would_read_it(path: Path, started: Started) -> None:
    process, heard = started()
    assert process.ask(str(path), SESSION, of_agent=False)
    indexed = heard.get(timeout=LIMIT)
    assert (indexed.path, indexed.stat, indexed.problem) == (str(path), stat(path), None)
    assert same(indexed, path.read_bytes())
    path.write_bytes(transcript("u1/side a1/side"))
    assert process.ask(str(path), SESSION, of_agent=True)
    assert same(heard.get(timeout=LIMIT), path.read_bytes(), of_agent=True)
    assert process.asked == []


def test_an_unfinished_last_line_is_left_for_whoever_goes_on(path: Path) -> None:
    lines = path.read_bytes()
    for tail in (line(type="summary", summary="a", leafUuid="x")[:-1], b'{"type":'):
        path.write_bytes(lines + tail)
        head, data = answer(request(str(path), SESSION, of_agent=False))
        assert head == FrameHead(stat(path), None, len(lines))
        index, bookmark = load(data)
        assert (bookmark.offset, index.has_tail) == (len(lines), False)


def test_what_cannot_be_read_is_told_and_the_next_is_read(
    path: Path, tmp_path: Path, started: Started
) -> None:
    huge = tmp_path / "huge.jsonl"
    huge.write_bytes(line(type="pr-link", prNumber=2**64, prUrl="u", prRepository="r"))
    process, heard = started()
    for asked, problem in [
        (str(tmp_path / "gone"), "gone"),
        (str(tmp_path), "notRegular"),
        ("\0", "gone"),
        (str(tmp_path / "\ud800"), "gone"),
        (str(huge), "notKept"),
        (str(path), None),
    ]:
        assert process.ask(asked, SESSION, of_agent=False)
        indexed = heard.get(timeout=LIMIT)
        assert (indexed.path, indexed.problem) == (asked, problem)
        assert (indexed.data == b"") == (problem is not None)


def test_a_request_that_makes_no_sense_ends_nothing(path: Path) -> None:
    asked = [b"\n", b"[]\n", b"{}\n", b'{"path": 7}\n', request(str(path), SESSION, of_agent=False)]
    frames = io.BytesIO()
    serve(asked, frames)
    heads = [answer(one)[0] for one in asked]
    assert [head.problem for head in heads] == ["failed"] * 4 + [None]
    assert len(frames.getvalue()) > 4 * 8 + len(answer(asked[4])[1])


def test_an_empty_file_is_one_that_was_read(path: Path) -> None:
    path.write_bytes(b"")
    head, data = answer(request(str(path), SESSION, of_agent=False))
    assert (head.problem, load(data)[1]) == (None, read(b"")[1].bookmark())


def test_only_two_are_under_way(path: Path, started: Started) -> None:
    process, heard = started(sys.executable, "-c", "import time; time.sleep(60)")
    asked = [process.ask(f"{path}{number}", SESSION, of_agent=False) for number in range(4)]
    assert asked == [True, True, False, False]
    assert process.asked == [f"{path}0", f"{path}1"]
    process.stop()
    assert not process.ask(str(path), SESSION, of_agent=False)
    assert (process.is_off, heard.empty()) == (True, True)


def test_the_answers_come_in_the_order_of_the_requests(tmp_path: Path, started: Started) -> None:
    process, heard = started()
    paths = [str(tmp_path / f"{number}.jsonl") for number in range(40)]
    for number, path in enumerate(paths):
        Path(path).write_bytes(transcript(" ".join(f"u{row}" for row in range(number * 7))))
    told: list[Indexed] = []
    for path in paths:
        while not process.ask(path, SESSION, of_agent=False):
            told.append(heard.get(timeout=LIMIT))
    while len(told) < len(paths):
        told.append(heard.get(timeout=LIMIT))
    assert [indexed.path for indexed in told] == paths
    assert all(same(indexed, Path(indexed.path).read_bytes()) for indexed in told)


# --- what becomes of it --------------------------------------------------------------------------


def stuck(tmp_path: Path) -> str:
    """A worker that answers nothing while a file of that name is there."""
    (tmp_path / "stuck").touch()
    return (
        "import os, time\n"
        f"while os.path.exists({str(tmp_path / 'stuck')!r}): time.sleep(60)\n"
        "from forkpoint.index_worker import main\n"
        "main()"
    )


def pid_of(process: IndexingProcess) -> int:
    assert process._process is not None
    return process._process.pid


def test_one_that_is_killed_over_a_file_is_heard_of_and_another_goes_on(
    path: Path, tmp_path: Path, started: Started
) -> None:
    process, heard = started(sys.executable, "-c", stuck(tmp_path))
    for number in range(2):
        assert process.ask(f"{path}{number}", SESSION, of_agent=False)
    first = pid_of(process)
    (tmp_path / "stuck").unlink()
    os.kill(first, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
    told = [heard.get(timeout=LIMIT) for _ in range(2)]
    assert told == [
        Indexed(f"{path}0", None, "died"),
        Indexed(f"{path}1", None, "dropped"),
    ]
    assert not process.is_off
    assert process.ask(str(path), SESSION, of_agent=False)
    assert same(heard.get(timeout=LIMIT), path.read_bytes())
    assert pid_of(process) != first


@needs_posix
def test_one_that_is_killed_again_and_again_while_it_works(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{number}.jsonl") for number in range(6)]
    for path in paths:
        Path(path).write_bytes(transcript(" ".join(f"u{row}" for row in range(3000))))
    heard: queue.Queue[Indexed] = queue.Queue()
    process = IndexingProcess(heard.put)
    waiting, told = [*paths], dict[str, Indexed]()
    kills = iter((0.0, 0.1, 0.25, 0.4))
    while len(told) < len(paths):
        while waiting and process.ask(waiting[0], SESSION, of_agent=False):
            waiting.pop(0)
        if (pause := next(kills, None)) is not None and process._process is not None:
            killer = threading.Timer(pause, process._process.kill)
            killer.start()
            killer.join()
        indexed = heard.get(timeout=LIMIT)
        if indexed.problem is None:
            told[indexed.path] = indexed
        else:
            assert indexed.problem in ("died", "dropped")
            waiting.append(indexed.path)
            if process.is_off:  # Four kills may fall into the start of four processes.
                process = IndexingProcess(heard.put)
    process.stop()
    assert all(same(indexed, Path(path).read_bytes()) for path, indexed in told.items())


@pytest.mark.parametrize(
    "code",
    ["raise SystemExit(1)", "print('Welcome to another program', flush=True)", "import nothing_so"],
)
def test_one_that_cannot_work_is_given_up(code: str, started: Started) -> None:
    command = (sys.executable, "-c", f"import sys; sys.stderr = None; {code}")
    process, heard = started(*command)
    problems: list[str | None] = []
    while not process.is_off:
        if process.ask("a", SESSION, of_agent=False):
            problems.append(heard.get(timeout=LIMIT).problem)
    assert problems == ["died"] * 3
    assert not process.start()
    assert not process.ask("a", SESSION, of_agent=False)


def test_one_that_is_not_there_is_given_up(tmp_path: Path, started: Started) -> None:
    process, heard = started(str(tmp_path / "no such program"))
    assert [process.ask("a", SESSION, of_agent=False) for _ in range(4)] == [False] * 4
    assert (process.is_off, process.asked, heard.empty()) == (True, [], True)


def test_stop_ends_the_process_whatever_it_does(path: Path, started: Started) -> None:
    process, heard = started(sys.executable, "-c", "import time; time.sleep(600)")
    assert process.start()
    assert process.ask(str(path), SESSION, of_agent=False)
    inner = process._process
    assert inner is not None
    process.stop()
    assert inner.wait(LIMIT) != 0
    assert heard.empty()
    process.stop()


def worker() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "forkpoint.index_worker"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_it_ends_when_the_server_is_gone(path: Path) -> None:
    with worker() as process:
        assert process.stdin is not None
        process.stdin.write(request(str(path), SESSION, of_agent=False))
        process.stdin.close()
        assert process.wait(LIMIT) == 0


@needs_posix
def test_it_ends_quietly_when_nobody_takes_its_answers(path: Path) -> None:
    command = [sys.executable, "-P", "-m", "forkpoint.index_worker"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(request(str(path), SESSION, of_agent=False))
        process.stdin.close()
        assert (process.wait(LIMIT), process.stderr.read()) == (0, b"")


@needs_posix
def test_it_is_nice_and_minds_no_key_of_the_terminal(path: Path) -> None:
    with worker() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(request(str(path), SESSION, of_agent=False))
        process.stdin.flush()
        assert len(process.stdout.read(8)) == 8
        niceness = os.getpriority(os.PRIO_PROCESS, process.pid)
        assert niceness == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
        process.send_signal(signal.SIGINT)
        process.stdin.write(request(str(path), SESSION, of_agent=False))
        process.stdin.close()
        assert len(process.stdout.read()) > 100
        assert process.wait(LIMIT) == 0


def test_it_imports_no_more_than_it_needs() -> None:
    code = (
        "import sys, forkpoint.index_worker\n"
        "print(*{name.split('.')[0] for name in sys.modules})\n"
        "print(*(name for name in sys.modules if name.startswith('forkpoint.lsp')))"
    )
    known = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    unwanted = {"pygls", "lsprotocol", "cattrs", "attrs", "asyncio", "sqlite3", "watchfiles"}
    assert set(known.stdout.split()) & unwanted == set()
    assert "forkpoint.lsp" not in known.stdout
