"""The one place where the benchmarks call Forkpoint in process.

Each job is what the server does for a request, from the catalog to the value that goes out, without
the transport. Whoever changes how a catalog is opened or followed changes this module and no other
benchmark.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from forkpoint.catalog import Catalog
from forkpoint.index_worker import answer, make_quick, request
from forkpoint.keeping import Keeping
from forkpoint.listing import scan
from forkpoint.lsp.handlers import SERVED
from forkpoint.protocol import types
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.search_file import open_search
from forkpoint.session import Conversation
from forkpoint.store import open_store
from forkpoint.transcript_file import TranscriptFile

Json = dict[str, Any]

PAGE = 200
"""Nodes and entries of a page, as the client asks for them."""


class _Kept:
    """What one job leaves to the next."""

    catalog: Catalog
    file: TranscriptFile
    path: Path


def open_catalog(home: str, store: str | None) -> Catalog:
    """Open a config folder, with a store (the server's `cacheDir`) or without any."""
    root = Path(home)
    keeping = None if store is None else Keeping(open_store(store, [root]))
    return Catalog([root], None, keeping)


def index_all(home: str, store: str | None) -> int:
    """Read every transcript from its beginning, and put its index into an empty store.

    This is what the quiet process does, and what the server writes of it; what is worked out of
    the indexes afterwards, for the list and for the histories of files, is `all_behind`.
    """
    make_quick()
    read = 0
    kept = open_store(str(store), [Path(home)])
    for file in _transcripts(home):
        head, data = answer(request(file.path, file.session_id or "", of_agent=file.is_agents))
        assert head.stat is not None and head.problem is None, f"{file.path}: {head.problem}"
        kept.put_index(file.path, head.stat, data)
        read += 1
        if read % 50 == 0:
            kept.flush()
    kept.flush()
    return read


def all_behind(home: str, store: str | None) -> int:
    """Do all that a server does behind its answers on a home that it has never seen."""
    catalog = _Kept.catalog = open_catalog(home, store)
    while catalog.index_next():
        pass
    catalog.keep()
    return catalog.indexing()[0]


class _Transcript(NamedTuple):
    path: str
    session_id: str | None
    is_agents: bool


def _transcripts(home: str) -> list[_Transcript]:
    found = scan(Path(home))
    own = [_Transcript(file.path, file.session_id, False) for file in found.sessions]
    return [*own, *[_Transcript(file.path, file.session_id, True) for file in found.agents]]


def open_home(home: str, store: str | None) -> None:
    """Open a config folder for the jobs that follow."""
    _Kept.catalog = open_catalog(home, store)


def sessions(limit: int | None = None) -> list[Json]:
    """The session list of the home that is open."""
    return _sessions(_Kept.catalog, limit)


def first_sessions(home: str, store: str | None, limit: int | None = None) -> list[Json]:
    """The session list of a server that was just started."""
    return _sessions(open_catalog(home, store), limit)


def warm_start(home: str, store: str | None) -> int:
    """Stat every transcript and have every summary; gives how many are known."""
    catalog = open_catalog(home, store)
    entries = catalog.entries()
    return sum(catalog.summary(entry) is not None for entry in entries)


def active_path(session_id: str, limit: int | None = PAGE) -> list[str]:
    """The newest entries of the active path, as uuids."""
    params = types.ActivePathParams(session_id=session_id, limit=limit, order="backward")
    answer = _answer("forkpoint/activePath", params)
    return [entry["uuid"] for entry in answer["entries"]]


def tree_page(session_id: str) -> int:
    """The first page of the branch tree; gives how many segments it has."""
    answer = _answer("forkpoint/branchTree", types.BranchTreeParams(session_id=session_id))
    return len(answer["segments"])


def keep() -> None:
    """Write what the answers so far leave for another start, as the server does now and then."""
    _Kept.catalog.keep()


def _answer(method: str, params: object) -> Json:
    """What goes over the wire, read as a client reads it."""
    return orjson.loads(json_bytes(encode(SERVED[method](_Kept.catalog, params))))


def _sessions(catalog: Catalog, limit: int | None) -> list[Json]:
    answer = SERVED["forkpoint/sessions"](catalog, types.SessionsParams(limit=limit))
    return encode(answer)["sessions"]


# --- searching ---------------------------------------------------------------------------------


def fill_words(home: str, folder: str) -> int:
    """Put the words of all transcripts into an empty table; gives the bytes of its file."""
    catalog = Catalog([Path(home)], None, None, lambda: open_search(folder, [Path(home)]))
    while catalog.searching.filling.next():
        pass
    assert catalog.searching.filling.missing() == 0
    assert catalog.searching.filling.file.off is None
    catalog.close()
    return sum(path.stat().st_size for path in Path(folder).glob("search.sqlite3*"))


def open_words(home: str, store: str | None, folder: str) -> None:
    """Open a home as a server does that runs for a while, with a table that is filled."""
    root = Path(home)
    keeping = None if store is None else Keeping(open_store(store, [root]))
    catalog = _Kept.catalog = Catalog([root], None, keeping, lambda: open_search(folder, [root]))
    catalog.searching.is_wanted = catalog.searching.is_watched = True
    while catalog.index_next():
        pass


def search(query: str) -> int:
    """The first 20 hits with their snippets; gives how many there are in all."""
    answer = _answer("forkpoint/search", types.SearchParams(query=query, limit=20))
    assert len(answer["hits"]) == min(answer["total"], 20)
    assert all(hit["ranges"] for hit in answer["hits"])
    return answer["total"]


def search_appended(path: str, lines: list[Json]) -> list[float]:
    """Append line by line; gives the wall seconds from there until a search has found each."""
    took: list[float] = []
    for line in lines:
        with Path(path).open("ab") as file:
            file.write(json.dumps(line).encode() + b"\n")
        began = time.perf_counter()
        _Kept.catalog.refresh([path])
        params = types.SearchParams(query=f'"{line["message"]["content"]}"', limit=20)
        found = [hit["uuid"] for hit in _answer("forkpoint/search", params)["hits"]]
        took.append(time.perf_counter() - began)
        assert line["uuid"] in found, f"{len(found)} hits without the appended line"
    return took


# --- one transcript that grows -----------------------------------------------------------------


def parse(path: str, session_id: str) -> int:
    """Read a transcript from its beginning; gives the number of its records."""
    _Kept.path = Path(path)
    _Kept.file = TranscriptFile(path, session_id)
    return len(_Kept.file.refresh().index.nodes)


def append(lines: list[Json]) -> list[float]:
    """Append line by line; gives the CPU seconds that each takes until it is indexed."""
    took: list[float] = []
    known = len(_Kept.file.refresh().index.nodes)
    for line in lines:
        with _Kept.path.open("ab") as file:
            file.write(json.dumps(line).encode() + b"\n")
        began = time.process_time()
        count = len(_Kept.file.refresh().index.nodes)
        took.append(time.process_time() - began)
        known += 1
        assert count == known, f"{count} records, not {known}"
    return took


# --- what the manifest speaks of ---------------------------------------------------------------


def facts() -> dict[str, Json]:
    """Of every session of the home that is open, what the manifest says of it."""
    catalog = _Kept.catalog
    rows = {row["sessionId"]: row for row in _sessions(catalog, None)}
    found: dict[str, Json] = {}
    for entry in catalog.entries():
        conversation = catalog.conversation(entry.session_id)
        title = rows.get(entry.session_id, {}).get("title")
        found[entry.session_id] = {**_facts(conversation), "listed": title}
    return found


def _facts(conversation: Conversation) -> Json:
    index = conversation.index
    nodes, path = index.nodes, conversation.path()
    tokens = index.usage.total(range(len(index.joins.message_ids)))
    written = tokens.cache_write_5m + tokens.cache_write_1h
    tools = Counter(call.name for call in index.tools.all(index.joins))
    line = _line_to(conversation, path.end)
    return {
        "chain": sum(nodes.is_node(row) for row in range(len(nodes))),
        "activeLen": len(line),
        "leaf": None if path.end is None else nodes.uuid(path.end),
        "usage": {
            "in": tokens.input,
            "out": tokens.output,
            "cacheRead": tokens.cache_read,
            "cacheCreate": written,
        },
        "responses": tokens.responses,
        "prompts": conversation.prompt_count(),
        "tools": dict(tools),
        "title": index.summary.ai_title,
        "snapshots": sum(kept.kind in ("base", "update") for kept in index.checkpoints.lines),
        "compactions": len(index.compactions),
        # The path has more than the line: rows of parallel calls that hang beside it.
        "lineIsOnPath": line <= {row for row, fate in path.entries if fate != "summarized"},
    }


def _line_to(conversation: Conversation, row: int | None) -> set[int]:
    """The rows from one up to its root, by their stored parents."""
    parents, line = conversation.index.nodes.parent, set[int]()
    while row is not None and row >= 0:
        line.add(row)
        row = parents[row]
    return line


JOBS: dict[str, Callable[..., object]] = {
    "index_all": index_all,
    "all_behind": all_behind,
    "open_home": open_home,
    "sessions": sessions,
    "first_sessions": first_sessions,
    "warm_start": warm_start,
    "active_path": active_path,
    "tree_page": tree_page,
    "parse": parse,
    "append": append,
    "keep": keep,
    "fill_words": fill_words,
    "open_words": open_words,
    "search": search,
    "search_appended": search_appended,
    "facts": facts,
}
