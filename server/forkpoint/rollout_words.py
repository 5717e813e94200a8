"""Words of a rollout, which mostly stand there twice: as an event and as an item.

The event says what a person sees, the item what the model is sent. Of the two, the line that comes
first is the row; the other one is only kept. They belong together by their text, or, where
something was taken out of one, by their order. An item in the user's name is what the client puts
in, until an event says that a person typed it, or the turn turns out to have no such event.
"""

from __future__ import annotations

from hashlib import blake2b

from forkpoint.records.codex import (
    ABORTED_MARK,
    SHELL_MARK,
    Item,
    folder_in,
    is_injected,
    texts_in,
    words_of_shell,
)
from forkpoint.records.collab_calls import thread_notified
from forkpoint.records.record import PREVIEW_SOURCE, Block, Flag, Kind, Record, Retold, Role
from forkpoint.records.rollout_shapes import RolloutShape
from forkpoint.rollout_rows import answered, close_response, node, state_row
from forkpoint.rollout_state import RolloutState, Said

_MOST = 64
"""Rows that wait for the other channel; beyond, the oldest is given up."""


# --- the user ----------------------------------------------------------------------------------


def read_message(state: RolloutState, item: Item) -> Record:
    """Read a message as the model is sent it."""
    match item.says.role:
        case "assistant":
            return _read_answer(state, item)
        case "user":
            return _read_user(state, item)
        case _:
            return read_injected(state, item)


def read_injected(state: RolloutState, item: Item) -> Record:
    """Read what the client, or another agent, put into the conversation."""
    text = "\n".join(texts_in(item.says.content))
    record = node(state, item, Kind.ATTACHMENT, Role.INJECTED, text)
    record.flags |= Flag.META | Flag.RENDERED
    record.agents_ended = thread_notified(text)
    if state.cwd is None:
        record.cwd = state.cwd = folder_in(text)
    return record


def _read_user(state: RolloutState, item: Item) -> Record:
    texts = texts_in(item.says.content)
    whole = "\n".join(texts)
    first = texts[0].lstrip() if texts else ""
    if first.startswith(SHELL_MARK):
        record = node(state, item, Kind.USER, Role.SHELL, whole)
        record.text = f"! {words_of_shell(whole)}"[:PREVIEW_SOURCE]
        record.flags |= Flag.TYPED
        return record
    if first.startswith(ABORTED_MARK):
        state.aborted = True
        return node(state, item, Kind.USER, Role.INTERRUPT, whole)
    if is_injected(first):
        return read_injected(state, item)
    if _said_again(state.users, texts, is_event=False, only=state.tip or ""):
        return state_row(state, item)
    if isinstance(item.says, RolloutShape):
        # Lines without an envelope come from clients that wrote no events.
        return _prompt(state, item, whole)
    before = state.tip
    record = read_injected(state, item)
    said = _wait(state.users, record, texts, is_event=False)
    said.parent, said.text = before, whole[:PREVIEW_SOURCE]
    return record


def read_user_event(state: RolloutState, item: Item) -> Record:
    """Read what a person typed."""
    text = item.says.message or ""
    state.heard = True
    state.answers, state.thoughts = [], []
    said = _said_again(state.users, [text], is_event=True, only=state.tip or "")
    if said is None:
        record = _prompt(state, item, text)
        _wait(state.users, record, [text], is_event=True)
        return record
    record = state_row(state, item)
    is_same = _key(text) in (*said.keys, said.whole)
    record.retold = (_retold(state, said, text, here=not is_same),)
    return record


def _prompt(state: RolloutState, item: Item, text: str) -> Record:
    _asked(state, state.tip)
    record = node(state, item, Kind.USER, Role.PROMPT, text)
    record.flags |= Flag.TYPED
    return record


def _asked(state: RolloutState, before: str | None) -> None:
    """Take in that a person said something behind a row: a turn, if none is going on.

    Where turns are not marked, each prompt begins one.
    """
    close_response(state)
    if not (state.has_turns and state.asked):
        state.turns.append(before)
    state.asked = True


def _retold(state: RolloutState, said: Said, text: str, *, here: bool) -> Retold:
    _asked(state, said.parent)
    state.retold += 1
    return Retold(said.uuid, text[:PREVIEW_SOURCE], here)


def found_without_event(state: RolloutState) -> tuple[Retold, ...]:
    """Take the turn's items in the user's name for a person's words, if no event told any.

    To be asked when the model answers: then none comes any more.
    """
    if state.heard:
        return ()
    found = tuple(_retold(state, said, said.text, here=False) for said in state.users)
    state.users = []
    return found


# --- the model ---------------------------------------------------------------------------------


def _read_answer(state: RolloutState, item: Item) -> Record:
    texts = texts_in(item.says.content)
    if _said_again(state.answers, texts, is_event=False):
        return state_row(state, item)
    record = _answer(state, item, "\n".join(texts))
    _wait(state.answers, record, texts, is_event=False)
    return record


def read_answer_event(state: RolloutState, item: Item) -> Record:
    """Read what the model said."""
    text = item.says.message or ""
    if _said_again(state.answers, [text], is_event=True):
        return state_row(state, item)
    record = _answer(state, item, text)
    _wait(state.answers, record, [text], is_event=True)
    return record


def _answer(state: RolloutState, item: Item, text: str) -> Record:
    retold = found_without_event(state)
    record = answered(state, node(state, item, Kind.ASSISTANT, Role.RESPONSE, text))
    record.retold = retold
    record.flags |= Flag.PROSE
    record.blocks = (Block("text"),)
    return record


def read_plan(state: RolloutState, item: Item) -> Record:
    """Read what is told as an item of its own: a plan that the model proposed."""
    done = item.says.item
    if done is None or done.type != "Plan" or not done.text:
        return state_row(state, item)
    return _answer(state, item, done.text)


def read_thoughts(state: RolloutState, item: Item) -> Record:
    """Read what the model thought: summaries, or nothing in words."""
    says = item.says
    texts = [*texts_in(says.summary), *texts_in(says.content)]
    if _said_again(state.thoughts, texts, is_event=False):
        return state_row(state, item)
    record = _thinking(state, item, "\n".join(texts) or says.encrypted_content or "")
    if texts:
        _wait(state.thoughts, record, texts, is_event=False)
    return record


def read_thought_event(state: RolloutState, item: Item) -> Record:
    """Read one piece of what the model thought."""
    text = item.says.text or ""
    if _said_again(state.thoughts, [text], is_event=True):
        return state_row(state, item)
    record = _thinking(state, item, text)
    _wait(state.thoughts, record, [text], is_event=True)
    return record


def _thinking(state: RolloutState, item: Item, text: str) -> Record:
    retold = found_without_event(state)
    record = answered(state, node(state, item, Kind.ASSISTANT, Role.RESPONSE, text))
    # Thoughts are no words of the record: no preview and no title is made of them.
    record.text, record.retold = "", retold
    record.blocks = (Block("thinking"),)
    return record


# --- both channels -----------------------------------------------------------------------------


def _keys(texts: list[str]) -> list[str]:
    return [_key(text) for text in texts]


def _key(text: str) -> str:
    plain = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return blake2b(plain, digest_size=8).hexdigest()


def _wait(rows: list[Said], record: Record, texts: list[str], *, is_event: bool) -> Said:
    """Let a row wait for the other channel."""
    whole = _key("\n".join(texts)) if len(texts) > 1 else None
    said = Said(record.uuid or "", _keys(texts), is_event, whole)
    rows.append(said)
    del rows[:-_MOST]
    return said


def _said_again(
    rows: list[Said], texts: list[str], *, is_event: bool, only: str | None = None
) -> Said | None:
    """Find the row that said the same on the other channel, and let it wait no longer for it.

    Args:
        rows: those that wait.
        texts: what is said now.
        is_event: as what it is said now.
        only: where the texts differ, the row has to be this one; None = it is the oldest.
    """
    keys = {*_keys(texts), _key("\n".join(texts))} if texts else set[str]()
    others = [said for said in rows if said.is_event != is_event]
    same = [said for said in others if not keys.isdisjoint(said.keys) or said.whole in keys]
    if not same:
        same = [said for said in others if only in (None, said.uuid)][:1]
    # An item may say what several events said.
    for said in same[:1] if is_event else same:
        _hear(rows, said, keys)
    return same[0] if same else None


def _hear(rows: list[Said], said: Said, keys: set[str]) -> None:
    """Strike out what was said again; a row of which nothing is left waits no longer."""
    left = [key for key in said.keys if key not in keys]
    if left and len(left) < len(said.keys) and said.whole not in keys and not said.is_event:
        said.keys = left
    else:
        rows.remove(said)
