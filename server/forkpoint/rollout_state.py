"""What is known of a rollout between two of its lines.

It is kept with an index, so that a later run goes on from it; all of it is bounded but for a uuid
per prompt, which a rollback may ask for.
"""

from __future__ import annotations

import msgspec

from forkpoint.records.rollout_shapes import CountsShape


class RolloutHeader(msgspec.Struct):
    """What a rollout says of its thread; None where it does not.

    Attributes:
        thread_id: the thread's own id; empty as long as nothing told it.
        forked_from: the thread whose rows this one begins with, or goes on from.
        parent_thread: the thread that started this one as its subagent.
        history_base: the rollout that this one goes on from without holding its rows.
        history_end: position in that file behind what it goes on from; None = its end.
        source: how it was started: `cli`, `vscode`, `exec`, `subagent` ...
        originator: the program that started it, by its own name.
        agent_nickname, agent_role: of a subagent.
    """

    thread_id: str = ""
    forked_from: str | None = None
    parent_thread: str | None = None
    history_base: str | None = None
    history_end: int | None = None
    source: str | None = None
    originator: str | None = None
    model_provider: str | None = None
    agent_nickname: str | None = None
    agent_role: str | None = None


class Said(msgspec.Struct):
    """A row whose text the other channel may say once more.

    Attributes:
        keys: digests of its texts that were not said again yet.
        is_event: it came as an event; else as an item.
        whole: digest of its texts together, if there are several.
        parent: the row that a user's item hangs on.
        text: the first words of a user's item.
    """

    uuid: str
    keys: list[str]
    is_event: bool
    whole: str | None = None
    parent: str | None = None
    text: str = ""


class RolloutState(msgspec.Struct):
    """All of it.

    Attributes:
        file_id: the thread's id by the file's name; empty where that is not known.
        has_header: a header was read.
        headers: ids of all headers that were read, the first ones.
        cwd, branch, version, model: as last told.
        origin: the thread whose rows are counted: the one that a fork copies from, or its own.
        nodes, responses: how many of those there were since its header.
        tip: uuid of the last row that survived.
        turns: per surviving turn of a person's, the row that its first prompt hangs on.
        message_id: of the response that is being read.
        unpaid: of the last response, if nothing told yet what it used.
        total: what the session used, as last told.
        context: tokens in the context after the last response.
        counted, recorded: what the last responses used that was told in one of the two ways.
        reasoning: tokens of reasoning, which are part of the output, of all responses.
        users, answers, thoughts: rows of this turn that were said on one channel so far.
        turn_id: of this turn.
        has_turns: turns are marked by events.
        asked: this turn is among them; more words in it begin no other.
        heard: a person's words came as an event in this turn; where turns are not marked, at all.
        aborted: this turn's end was told in the user's name.
        calls: recent calls, and how many files each is told apart by.
        collab: recent calls that have to do with other threads: the tool, and the threads named.
        failed: recent calls whose end an event told, and that failed.
        searches: calls that the API answers itself: how many more items than events there were.
        copying: the rows are another thread's (see `rollout_copies`).
        begun: time of the header, as written.
        own_from: number of the first line that is the thread's own, where its header says so.
        retold: how many rows were found to be a person's words by a later line.
    """

    header: RolloutHeader = msgspec.field(default_factory=RolloutHeader)
    file_id: str = ""
    has_header: bool = False
    headers: list[str] = []
    cwd: str | None = None
    branch: str | None = None
    version: str | None = None
    model: str | None = None
    origin: str = ""
    nodes: int = 0
    responses: int = 0
    tip: str | None = None
    turns: list[str | None] = []
    message_id: str | None = None
    unpaid: str | None = None
    total: CountsShape | None = None
    counted: list[CountsShape] = []
    recorded: list[CountsShape] = []
    context: int | None = None
    reasoning: int = 0
    users: list[Said] = []
    answers: list[Said] = []
    thoughts: list[Said] = []
    turn_id: str | None = None
    has_turns: bool = False
    asked: bool = False
    heard: bool = False
    aborted: bool = False
    calls: dict[str, int] = {}
    collab: dict[str, tuple[str, ...]] = {}
    failed: list[str] = []
    searches: int = 0
    copying: bool = False
    begun: str | None = None
    own_from: int | None = None
    retold: int = 0


def rollout_state(file_id: str | None) -> RolloutState:
    """Return what is known before the first line.

    Args:
        file_id: the thread's id by the file's name.
    """
    file_id = file_id or ""
    return RolloutState(RolloutHeader(file_id), file_id, origin=file_id)
