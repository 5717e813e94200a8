"""The limits that Forkpoint keeps, each a ratio within one run, and how each is measured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import median

from tests.bench import bench_rpc
from tests.bench.floors import count_lines, start_python
from tests.bench.measuring import in_turn, ratio
from tests.bench.records import prompts_below
from tests.bench.search_rows import ROWS as SEARCH_ROWS
from tests.bench.server import TimedServer
from tests.bench.stage import Stage
from tests.bench.table import Limit, Measured, Row, Smaller
from tests.bench.worker import Worker

_SLOW_ROUNDS = 3
_ROUNDS = 9
_STARTS = 7
_APPENDS = 50
_RPC_ROUNDS = 40
NO_STORE = "the server fills no store"


def _missing(stage: Stage) -> str:
    return "" if stage.store.is_used else NO_STORE


def _compared(times: list[list[float]], missing: str = "") -> Measured:
    above, below = times
    return Measured(ratio(above, below), _sides(median(above), median(below)), missing)


def _sides(above: float, below: float) -> str:
    return " / ".join(f"{side * 1e3:,.{0 if side > 0.1 else 2}f} ms" for side in (above, below))


# --- all transcripts ---------------------------------------------------------------------------


def _from_nothing(stage: Stage, job: str, rounds: int) -> Measured:
    paths = [path for path, *_ in stage.files]

    def ours() -> float:
        given = {"home": str(stage.home), "store": str(stage.folder())}
        return stage.ours.cpu(job, **given)

    return _compared(in_turn(rounds, ours, lambda: count_lines(paths)))


def _cold_index(stage: Stage) -> Measured:
    return _from_nothing(stage, "index_all", _SLOW_ROUNDS)


def _all_behind(stage: Stage) -> Measured:
    return _from_nothing(stage, "all_behind", 1)


def _stat_all(stage: Stage) -> float:
    return stage.floors.cpu("stat_all", projects=str(stage.projects))


def _warm_start(stage: Stage) -> Measured:
    given = {"home": str(stage.home), "store": stage.store.folder}
    known = stage.ours.run("warm_start", **given).answer
    assert known == len(stage.sessions), f"{known} summaries of {len(stage.sessions)}"

    def ours() -> float:
        return stage.ours.cpu("warm_start", **given)

    return _compared(in_turn(_ROUNDS, ours, lambda: _stat_all(stage)), _missing(stage))


def _list(stage: Stage, limit: int | None) -> Measured:
    """A running server's list: it has everything in its store, and looks at each file again."""
    stage.ours.run("open_home", home=str(stage.home), store=stage.store.folder)
    return _against_sdk(stage, limit, "sessions", {"limit": limit}, _missing(stage))


def _first_list(stage: Stage, limit: int | None, store: str | None) -> Measured:
    given = {"home": str(stage.home), "store": store, "limit": limit}
    return _against_sdk(stage, limit, "first_sessions", given)


def _against_sdk(
    stage: Stage, limit: int | None, job: str, given: Mapping[str, object], missing: str = ""
) -> Measured:
    wanted = min(len(stage.sessions), limit or len(stage.sessions))
    assert len(stage.ours.run(job, **given).answer) == wanted
    assert stage.sdk.run("sessions", limit=limit).answer == wanted

    def ours() -> float:
        return stage.ours.cpu(job, **given)

    times = in_turn(_ROUNDS, lambda: stage.sdk.cpu("sessions", limit=limit), ours)
    return _compared(times, missing)


def _list_all(stage: Stage) -> Measured:
    return _list(stage, None)


def _list_first(stage: Stage) -> Measured:
    return _list(stage, 50)


def _list_all_started(stage: Stage) -> Measured:
    return _first_list(stage, None, stage.store.folder)


def _list_first_started(stage: Stage) -> Measured:
    return _first_list(stage, 50, stage.store.folder)


def _list_all_unread(stage: Stage) -> Measured:
    return _first_list(stage, None, None)


def _list_first_unread(stage: Stage) -> Measured:
    return _first_list(stage, 50, None)


def _store_size(stage: Stage) -> Measured:
    sides = f"{stage.store.bytes / 1e6:.1f} / {stage.bytes / 1e6:.0f} MB"
    return Measured(100 * stage.store.bytes / stage.bytes, sides, _missing(stage))


# --- the largest session -----------------------------------------------------------------------


def _open_and_ask(worker: Worker, stage: Stage, store: str | None, job: str) -> float:
    """CPU seconds of a question to a server that knows the list and has not opened the session."""
    worker.run("open_home", home=str(stage.home), store=store)
    return worker.cpu(job, session_id=stage.largest["sessionId"])


def _path(stage: Stage, store: str | None, missing: str = "") -> Measured:
    session_id = stage.largest["sessionId"]
    stage.ours.run("open_home", home=str(stage.home), store=store)
    path = stage.ours.run("active_path", session_id=session_id).answer
    stage.ours.run("keep")
    theirs = stage.sdk.run("messages", session_id=session_id).answer
    assert theirs, "the SDK finds no message"
    assert set(theirs) <= set(path), "the SDK's messages are not all on the path"

    def ours() -> float:
        return _open_and_ask(stage.ours, stage, store, "active_path")

    def sdk() -> float:
        return stage.sdk.cpu("messages", session_id=session_id)

    return _compared(in_turn(_SLOW_ROUNDS, sdk, ours), missing)


def _path_cold(stage: Stage) -> Measured:
    return _path(stage, None)


def _path_stored(stage: Stage) -> Measured:
    return _path(stage, stage.store.folder, _missing(stage))


def _path_memory(stage: Stage) -> Measured:
    session_id = stage.largest["sessionId"]
    with stage.new_sdk() as worker:
        theirs = worker.run("messages", session_id=session_id).after.peak
    with stage.new_ours() as worker:
        worker.run("open_home", home=str(stage.home), store=None)
        ours = worker.run("active_path", session_id=session_id).after.peak
    return Measured(theirs / ours, f"{theirs / 1e6:.0f} / {ours / 1e6:.0f} MB")


def _memory_growth(stage: Stage) -> Measured:
    with stage.new_ours() as worker:
        worker.run("open_home", home=str(stage.home), store=stage.store.folder)
        smallest = min(stage.sessions, key=lambda session: session["bytes"])
        # What any session costs, imports at the first answer among it, is not this one's.
        _open(worker, smallest["sessionId"])
        grown = _open(worker, stage.largest["sessionId"])
    sides = f"{grown / 1e6:.1f} / {stage.largest['bytes'] / 1e6:.0f} MB"
    return Measured(100 * grown / stage.largest["bytes"], sides, _missing(stage))


def _open(worker: Worker, session_id: str) -> int:
    """Bytes by which a process grows when it gives what a client shows of an opened session."""
    before = worker.run("active_path", session_id=session_id).before
    return worker.run("tree_page", session_id=session_id).after.resident - before.resident


def _tree_page(stage: Stage) -> Measured:
    store = stage.store.folder
    # Somebody has had the session open before, and the server wrote what it then does write.
    _open_and_ask(stage.ours, stage, store, "tree_page")
    stage.ours.run("keep")

    def ours() -> float:
        return _open_and_ask(stage.ours, stage, store, "tree_page")

    return _compared(in_turn(_ROUNDS, ours, lambda: _stat_all(stage)), _missing(stage))


def _append(stage: Stage) -> Measured:
    copy = stage.folder() / stage.largest_path.name
    data = stage.largest_path.read_bytes()
    copy.write_bytes(data[: data.rindex(b"\n") + 1])
    session_id, leaf = stage.largest["sessionId"], stage.largest["leaf"]
    lines = prompts_below(leaf, session_id, _APPENDS)
    with stage.new_ours() as worker:
        given = {"path": str(copy), "session_id": session_id}
        whole = median(worker.cpu("parse", **given) for _ in range(_SLOW_ROUNDS))
        one = median(worker.run("append", lines=lines).answer)
    return Measured(whole / one, _sides(whole, one))


# --- the server --------------------------------------------------------------------------------


def _latency(stage: Stage) -> Measured:
    both = stage.latencies
    client, kernel = (median(column) for column in zip(*both, strict=True))
    return Measured(client - kernel, f"{client:.2f} ms / {kernel:.2f} ms")


def _start(stage: Stage) -> Measured:
    def ours() -> float:
        with TimedServer(stage.home, Path(stage.store.folder)) as server:
            told = server.ask("forkpoint/sessions", {"limit": 50})
            assert len(told.message["result"]["sessions"]) == 50
            return told.at - server.began

    return _compared(in_turn(_STARTS, ours, start_python))


def _rpc(stage: Stage) -> Measured:
    seconds = bench_rpc.seconds(_RPC_ROUNDS, ["dicts"])
    # The best of each: whatever else runs adds to two milliseconds far more than to thirty.
    stock, ours = min(seconds["stock"]["dicts"]), min(seconds["forkpoint"]["dicts"])
    return Measured(stock / ours, _sides(stock, ours))


def _page(stage: Stage) -> Measured:
    seconds = bench_rpc.seconds(_RPC_ROUNDS * 10, ["page", "ping"])["forkpoint"]
    return _compared([seconds["page"], seconds["ping"]])


ROWS = (
    Row(
        "cold-index",
        "index of all transcripts / wc -l, CPU",
        _cold_index,
        Limit("<=", 12, 8),
        Smaller.INFORMATION,
    ),
    Row(
        "all-behind",
        "all work behind the answers, on a new home / wc -l, CPU",
        _all_behind,
        None,
    ),
    Row(
        "warm-start",
        "stat and all summaries / stat of all, CPU",
        _warm_start,
        Limit("<=", 3, 2),
        Smaller.INFORMATION,
    ),
    Row(
        "list-all",
        "SDK's list / a running server's, CPU",
        _list_all,
        Limit(">=", 6, 15),
        Smaller.INFORMATION,
    ),
    Row(
        "list-first",
        "the same, first 50",
        _list_first,
        Limit(">=", 30, 60),
        Smaller.INFORMATION,
    ),
    Row("list-all-started", "SDK's list / ours right after a start", _list_all_started, None),
    Row("list-first-started", "the same, first 50", _list_first_started, None),
    Row("list-all-unread", "SDK's list / ours without a store", _list_all_unread, None),
    Row("list-first-unread", "the same, first 50", _list_first_unread, None),
    Row(
        "path-cold",
        "SDK's messages / our path, largest session, CPU",
        _path_cold,
        Limit(">=", 8, 20),
        Smaller.INFORMATION,
    ),
    Row(
        "path-stored",
        "the same, ours from the store",
        _path_stored,
        Limit(">=", 200, 500),
        Smaller.INFORMATION,
    ),
    Row(
        "path-memory",
        "peak memory of both, cold",
        _path_memory,
        Limit(">=", 6, 12),
        Smaller.INFORMATION,
    ),
    Row(
        "latency",
        "append to client, minus the kernel's own",
        _latency,
        Limit("<=", 10, 2),
        unit=" ms",
    ),
    Row(
        "append",
        "full parse / one appended line, largest session",
        _append,
        Limit(">=", 5000, 10_000),
        Smaller.SCALED,
    ),
    Row("rpc", "stock pygls / ours, 10,000 dict nodes", _rpc, Limit(">=", 15, 30)),
    Row("page", "page of 200 nodes / ping", _page, Limit("<=", 2, 1.3)),
    Row(
        "store-size",
        "store / transcripts",
        _store_size,
        Limit("<=", 2.5, 1),
        Smaller.INFORMATION,
        " %",
    ),
    Row(
        "memory",
        "growth by opening the largest session / its size",
        _memory_growth,
        Limit("<=", 6, 2),
        Smaller.INFORMATION,
        " %",
    ),
    Row("start", "process start to first list / python -c pass", _start, Limit("<=", 25, 5)),
    Row(
        "tree",
        "first tree page from the store / stat of all, CPU",
        _tree_page,
        Limit("<=", 4, 2),
    ),
    *SEARCH_ROWS,
)
