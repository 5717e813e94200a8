"""A config folder that grows, a catalog that follows it, and a client that knows only what is told.

`LiveHome.check` holds the three against each other: the following catalog against one that starts
now on the same bytes, and what the client was told against what a client would learn that asks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from forkpoint.catalog import Catalog
from forkpoint.lsp.features.watch import take_moves
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.params import decode_params

Json = dict[str, Any]

OF_SESSION = (
    "activePath",
    "branchTree",
    "checkpoints",
    "toolCalls",
    "subagents",
    "health",
    "cacheHistory",
    "workState",
    "contextCurve",
)
OF_AGENT = ("activePath", "branchTree", "toolCalls", "cacheHistory", "contextCurve")
ALL_ROWS = {"includeProgrammatic": True, "includeArchived": True}


class Reference(NamedTuple):
    """A transcript by the names a client has for it."""

    session_id: str
    agent_id: str | None = None


def ask(catalog: Catalog, method: str, **params: object) -> Json:
    """The answer as it goes over the wire, or the refusal."""
    name = f"forkpoint/{method}"
    try:
        return orjson.loads(
            json_bytes(encode(HANDLERS[name](catalog, decode_params(name, params))))
        )
    except RequestFailed as refused:
        return {"refused": refused.kind}


def answers(catalog: Catalog, references: Iterable[Reference]) -> Json:
    """All that a client can learn of some transcripts, and the list of sessions."""
    found: Json = {}
    for session_id, agent_id in references:
        if agent_id is None:
            asked = {name: ask(catalog, name, sessionId=session_id) for name in OF_SESSION}
        else:
            params = {"sessionId": session_id, "agentId": agent_id}
            asked = {name: ask(catalog, name, **params) for name in OF_AGENT}
        found[f"{session_id} {agent_id}"] = asked
    # This one lists the folders again, so it comes last: it must not do the others' work.
    found["sessions"] = ask(catalog, "sessions", **ALL_ROWS)
    return found


def listed(catalog: Catalog) -> Json:
    """The rows of all sessions, by id."""
    rows = ask(catalog, "sessions", **ALL_ROWS)["sessions"]
    return {row["sessionId"]: row for row in rows}


def read_all(catalog: Catalog) -> None:
    while catalog.index_next():
        pass


def fresh(home: Path) -> Catalog:
    """A catalog that starts now, with everything read."""
    catalog = Catalog([home])
    read_all(catalog)
    return catalog


def differences(one: object, other: object, where: str = "") -> list[str]:
    """Where two JSON values differ, each with both values: an assertion that can be read."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [
            line
            for key in sorted({*one, *other})
            for line in differences(one.get(key), other.get(key), f"{where}/{key}")
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for n, (a, b) in pairs for line in differences(a, b, f"{where}/{n}")]
    if one == other:
        return []
    return [f"{where}: following {json.dumps(one)[:300]}, fresh {json.dumps(other)[:300]}"]


# --- the client --------------------------------------------------------------------------------


class Standing(NamedTuple):
    """What a client knows of a transcript that it follows."""

    total: int
    leaf: str | None
    tip: str
    running: tuple[str, ...]
    live: Json | None
    gone: bool = False


def followed(answer: Json) -> Standing:
    """What a client knows from the answer to `watch`."""
    running = tuple(call["toolUseId"] for call in answer["running"])
    return Standing(answer["total"], answer["leaf"], answer["tip"], running, answer["live"])


def standing(catalog: Catalog, reference: Reference) -> Standing:
    """What the answers say: none of them comes from what follows sessions."""
    names = {"sessionId": reference.session_id}
    names |= {} if reference.agent_id is None else {"agentId": reference.agent_id}
    path = ask(catalog, "activePath", **names, order="backward")
    records = ask(catalog, "records", **names, offset=0, limit=1)
    pending = {
        call["toolUseId"]
        for call in ask(catalog, "toolCalls", **names)["calls"]
        if call["state"] == "pending"
    }
    running = tuple(called for called in last_calls(path["entries"]) if called in pending)
    live = catalog.live.get(reference.session_id)
    return Standing(
        records["total"],
        path["leaf"]["uuid"],
        path["tip"],
        running,
        None if live is None else {"status": live.status, "pid": live.pid},
    )


def last_calls(backward: Iterable[Json]) -> list[str]:
    """The calls of the last response on a path; a prompt behind it ends what it called."""
    ids: list[str] = []
    message: str | None = None
    for entry in backward:
        if entry["role"] == "prompt" and message is None:
            break
        if entry["role"] == "response":
            if message not in (None, entry["messageId"]):
                break
            message = entry["messageId"]
            ids[:0] = [b["toolUseId"] for b in entry["blocks"] if b["kind"] == "toolUse"]
    return list(dict.fromkeys(ids))


def ways(catalog: Catalog, reference: Reference) -> int:
    """How often the conversation went another way; a compaction goes on with the same one."""
    agent = {} if reference.agent_id is None else {"agentId": reference.agent_id}
    tree = ask(catalog, "branchTree", sessionId=reference.session_id, **agent)
    others = ("rewind", "resend", "twoWriters")
    return sum(segment["reason"] in others for segment in tree["segments"])


class Client:
    """Knows of each transcript what it asked once and what it was told since."""

    def __init__(self) -> None:
        self.knows: dict[Reference, Standing] = {}

    def hear(self, told: Json) -> None:
        """Take in one piece of news; it has to fit what is known, and to say something."""
        reference = Reference(told["sessionId"], told["agentId"])
        before = self.knows.get(reference)
        if before is None:
            assert reference.agent_id is not None, "a session is told of only once it is followed"
            before = Standing(0, None, "empty", (), None)
        first = 0 if told["reread"] else before.total
        if told["firstNew"] is None:
            assert told["lastNew"] is None
            total = first
        else:
            assert told["firstNew"] == first <= told["lastNew"], f"{told} at {before}"
            total = told["lastNew"] + 1
        running = tuple(call["toolUseId"] for call in told["running"])
        now = Standing(total, told["leaf"], told["tip"], running, told["live"], told["gone"])
        assert now != before or told["reread"], f"nothing happened, but it was told: {told}"
        assert told["leafMoved"] == (now.leaf != before.leaf), f"{told} at {before}"
        self.knows[reference] = now


# --- the home ----------------------------------------------------------------------------------


class LiveHome:
    """A config folder, the catalog that follows it and the client that listens.

    `plain` says that calls are written as real clients do, so that a page of the active path shows
    which of them run; a uuid or a message id that is used twice makes that a matter of opinion.
    """

    def __init__(self, home: Path, *, plain: bool = True) -> None:
        self.home = home
        self.plain = plain
        self.catalog = Catalog([home])
        self.client = Client()

    def follow(self, session_id: str) -> None:
        """Follow a session from now on."""
        read_all(self.catalog)
        answer = ask(self.catalog, "watch", sessionId=session_id)
        entry = self.catalog.entry(session_id)
        self.client.knows[Reference(entry.session_id)] = followed(answer)
        for agent_id in entry.agents:
            agent = Reference(entry.session_id, agent_id)
            self.client.knows[agent] = standing(self.catalog, agent)

    def look(self, *paths: Path) -> list[Json]:
        """Have the catalog look at paths as a watcher names them; what is told then."""
        return self.refresh({str(path) for path in paths})

    def refresh(self, paths: set[str] | None) -> list[Json]:
        """Have the catalog look at some paths, or at everything, as the server does."""
        self.catalog.refresh(paths)
        told = self._listen()
        # What is new is read behind the answers, and then told, too.
        read_all(self.catalog)
        told += self._listen()
        assert self._listen() == [], "all was told"
        return told

    def _listen(self) -> list[Json]:
        told: list[Json] = encode(take_moves(self.catalog))
        for one in told:
            self.client.hear(one)
        return told

    def check(self, *references: Reference) -> None:
        """Hold the following catalog and the client against a catalog that starts now."""
        lines = self.differences(*references)
        assert not lines, "\n".join(lines[:20])

    def differences(self, *references: Reference) -> list[str]:
        new = fresh(self.home)
        ours, theirs = answers(self.catalog, references), answers(new, references)
        lines = differences(ours, theirs)
        for reference in references:
            if reference in self.client.knows:
                known = self.client.knows[reference]
                asked = standing(new, reference)
                if not self.plain:
                    asked = asked._replace(running=known.running)
                lines += differences(known._asdict(), asked._asdict(), f"{reference}")
                if reference.agent_id is None:
                    lines += self._from_watching(new, reference.session_id)
        return lines

    def _from_watching(self, new: Catalog, session_id: str) -> list[str]:
        """What the client knows, against what it would be told if it followed only now."""
        known = followed(ask(new, "watch", sessionId=session_id))._asdict()
        ours = self.client.knows[Reference(session_id)]._asdict()
        return differences(ours, known, f"{session_id} as watched")
