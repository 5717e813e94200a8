"""The limits of searching, and how they are measured."""

from __future__ import annotations

from statistics import median

from tests.bench import ripgrep
from tests.bench.live import linked_home
from tests.bench.measuring import in_turn, ratio
from tests.bench.records import prompts_below
from tests.bench.stage import Stage
from tests.bench.table import Limit, Measured, Row, Smaller

_ROUNDS = 7
_BUILDS = 3
_APPENDS = 20
QUERIES = ("error", "struct", "refresh token", "icon*")
"""Words that stand on most lines of the corpus: the worst that a table can be asked for."""


def _build(stage: Stage) -> Measured:
    def index() -> float:
        given = {"home": str(stage.home), "store": str(stage.folder())}
        return stage.ours.cpu("index_all", **given)

    def words() -> float:
        given = {"home": str(stage.home), "folder": str(stage.folder())}
        return stage.ours.cpu("fill_words", **given)

    indexing, filling = in_turn(_BUILDS, index, words)
    both = [a + b for a, b in zip(indexing, filling, strict=True)]
    sides = f"{median(both):,.1f} s / {median(indexing):,.1f} s"
    return Measured(ratio(both, indexing), sides)


def _size(stage: Stage) -> Measured:
    sides = f"{stage.words.bytes / 1e6:.1f} / {stage.bytes / 1e6:.0f} MB"
    return Measured(100 * stage.words.bytes / stage.bytes, sides)


def _first_hits(stage: Stage) -> Measured:
    program = ripgrep.installed()
    given = {"home": str(stage.home), "store": stage.store.folder, "folder": stage.words.folder}
    stage.ours.run("open_words", **given)
    words = [query.rstrip("*") for query in QUERIES]

    def theirs() -> float:
        return sum(ripgrep.seconds(program, each, stage.projects) for each in words)

    def ours() -> float:
        return sum(stage.ours.cpu("search", query=query) for query in QUERIES)

    above, below = in_turn(_ROUNDS, theirs, ours)
    count = len(QUERIES)
    sides = f"{median(above) / count * 1e3:,.0f} ms / {median(below) / count * 1e3:,.1f} ms"
    return Measured(ratio(above, below), sides)


def _appended(stage: Stage) -> Measured:
    home = stage.folder() / ".claude"
    path = linked_home(stage.home, home, stage.largest_path)
    folder = stage.folder()
    session_id, leaf = stage.largest["sessionId"], stage.largest["leaf"]
    with stage.new_ours() as worker:
        worker.run("fill_words", home=str(home), folder=str(folder))
        worker.run("open_words", home=str(home), store=None, folder=str(folder))
        lines = prompts_below(leaf, session_id, _APPENDS)
        took: list[float] = worker.run("search_appended", path=str(path), lines=lines).answer
    return Measured(median(took) * 1e3, f"slowest {max(took) * 1e3:.1f} ms")


ROWS = (
    Row(
        "search-build",
        "index and words of all transcripts / index alone, CPU",
        _build,
        Limit("<=", 5, 4),
        Smaller.INFORMATION,
    ),
    Row(
        "search-size",
        "search table / transcripts",
        _size,
        Limit("<=", 8, 7),
        Smaller.INFORMATION,
        " %",
    ),
    Row(
        "search",
        "ripgrep / our first 20 hits with snippets, CPU",
        _first_hits,
        Limit(">=", 20, 40),
        Smaller.INFORMATION,
    ),
    Row(
        "search-appended",
        "an appended line, until a search has found it",
        _appended,
        Limit("<=", 100, 30),
        unit=" ms",
    ),
)
"""Like `rows.ROWS`, of which they are a part."""
