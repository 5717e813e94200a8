"""What does the prompt cache do for a session's next request?

Puts together what the transcript, the machine and other sessions say, and asks for a forecast.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import cast

import msgspec

from forkpoint.cache.forecast import forecast
from forkpoint.cache.idle import SECONDS, Moment
from forkpoint.cache.next_request import Account, Action, Given
from forkpoint.cache.outcome import Asked, Forecast, PriceStep
from forkpoint.cache.request_log import RequestLog
from forkpoint.cache.requests import Lifetime, requests_of
from forkpoint.cache.standing import Standing, StandingReader
from forkpoint.catalog import Catalog
from forkpoint.disk import Unreadable
from forkpoint.environment import environment_of
from forkpoint.prices import Price
from forkpoint.records import work_lines
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.status_line import status_line_cache, status_line_folder
from forkpoint.surroundings import Found, Surroundings, next_request_of
from forkpoint.transcript_file import TranscriptFile
from forkpoint.worded import say
from forkpoint.work_on_disk import agent_found

OTHERS = 60
"""Newest sessions that are asked about a client's tools and about the start that all share: short
ones are read for it, longer ones count once they are indexed."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be foretold.

    Attributes:
        agent_id: of the subagent whose conversation is meant; None = the session's own.
        prompt: ordinal of the prompt that a rewind goes back to.
    """

    session_id: str
    agent_id: str | None
    action: Action
    prompt: int | None
    given: Given


class Foretold(msgspec.Struct, frozen=True):
    """A forecast, what was asked, and what it rests on."""

    forecast: Forecast
    asked: Asked
    basis: list[Found]


def foretell(
    catalog: Catalog,
    question: Question,
    environ: Mapping[str, str] = os.environ,
    home: Path | None = None,
) -> Foretold:
    """Foretell the next request of a session; raises `Unknown` or `Unreadable`.

    Args:
        catalog: all sessions.
        question: about one of them.
        environ: environment variables.
        home: the user's home folder; None = as the system says.
    """
    conversation = catalog.conversation(question.session_id, question.agent_id)
    transcript = catalog.transcript(question.session_id, question.agent_id)
    entry = catalog.entry(question.session_id)
    reader = _reader(catalog, entry, conversation, transcript, question)
    home = home or Path.home()
    leaf = _as_told(catalog, question, reader.at_leaf(), environ, home)
    point = leaf if question.prompt is None else reader.before(question.prompt)
    around = _around(catalog, entry, conversation, question, leaf, environ, home)
    after, basis = next_request_of(question.action, question.given, point, leaf, around)
    if after.fast_mode:
        after = msgspec.structs.replace(after, fast_before=reader.fast_before(leaf))
    asked = Asked(
        leaf=leaf,
        point=point,
        next=after,
        price_of=partial(catalog.prices.for_size, after.model, fast=after.fast),
        price_step=_price_step(catalog.prices.price_of(after.model, after.fast)),
        behind_boundary=_is_summarized(conversation, question.prompt, catalog.resuming_version),
        of_agent=question.agent_id is not None,
    )
    return Foretold(forecast(asked), asked, [*_recorded(leaf, point), *basis])


def _as_told(
    catalog: Catalog,
    question: Question,
    leaf: Standing,
    environ: Mapping[str, str],
    home: Path,
) -> Standing:
    """What the client itself said goes first, unless a newer request is recorded.

    It knows requests that leave no record, such as those that only keep the cache alive.
    """
    if not catalog.status_line_cache or question.agent_id is not None:
        return leaf
    told = status_line_cache(question.session_id, status_line_folder(environ, home))
    if told is None or told.last_request_at is None or leaf.used is None:
        return leaf
    sent = Moment(told.last_request_at - _ROUNDED_MS, told.last_request_at)
    if sent.latest < leaf.used.earliest:
        return leaf
    lifetime: Lifetime = "1h" if told.ttl_seconds == SECONDS["1h"] else "5m"
    return msgspec.structs.replace(leaf, used=sent, lifetime=lifetime, lifetime_source=_TOLD)


_ROUNDED_MS = 1000
"""The client rounds its times up to a second."""


def _price_step(price: Price | None) -> PriceStep | None:
    if price is None or price.above is None or price.beyond is None or not price.input:
        return None
    return PriceStep(price.above, price.beyond.input / price.input)


def _reader(
    catalog: Catalog,
    entry: SessionEntry,
    conversation: Conversation,
    transcript: TranscriptFile,
    question: Question,
) -> StandingReader:
    copied: Collection[str] = ()
    if question.agent_id is None:
        copied = catalog.facts.copied(entry, conversation.index)
    requests = requests_of(conversation, copied)
    log = RequestLog(conversation.index.sent_requests, transcript.lines)
    version = question.given.version or catalog.resuming_version
    return StandingReader(conversation, requests, transcript.bodies, log, version)


def _around(
    catalog: Catalog,
    entry: SessionEntry,
    conversation: Conversation,
    question: Question,
    leaf: Standing,
    environ: Mapping[str, str],
    home: Path,
) -> Surroundings:
    summary = conversation.index.summary
    cwd = summary.relocated or summary.first_cwd
    of_agent = question.agent_id is not None
    model = question.given.model or (leaf.request.model if leaf.request else None)
    start = question.given.cwd or cwd
    live = None if of_agent else catalog.live.get(entry.session_id)
    return Surroundings(
        environment=environment_of(entry.root, start, model, of_agent, environ, home),
        entries=_others(catalog),
        account=cast("Account", catalog.account),
        live_version=live.version if live else None,
        is_live=live is not None,
        cwd=cwd,
        relocated=summary.relocated,
        agent_gone=None if of_agent else _agent_gone(entry, conversation, cwd),
    )


def _others(catalog: Catalog) -> list[SessionEntry]:
    entries = catalog.entries()
    for entry in islice(entries, OTHERS):
        with suppress(Unreadable):
            catalog.summary(entry)
    return entries


def _agent_gone(entry: SessionEntry, conversation: Conversation, cwd: str | None) -> str | None:
    ordinal = conversation.index.states.last.get(work_lines.AGENT)
    if ordinal is None:
        return None
    name = work_lines.setting_in(entry.main.lines([ordinal])[0])
    return name if name is not None and agent_found(name, entry.root, cwd) == "gone" else None


def _is_summarized(conversation: Conversation, row: int | None, version: str | None) -> bool:
    entries = conversation.path(version).entries
    return row is not None and (row, "summarized") in entries


def _recorded(leaf: Standing, point: Standing) -> list[Found]:
    """What the transcript itself says, and what the client told of it."""
    found: list[Found] = []
    if point.request is not None and point.lifetime is not None:
        found.append(Found("ttl", point.lifetime, point.lifetime_source))
    if point.used is not None:
        found.append(_last_request(point, point.used))
    is_recorded = "no" if point.prompt is None else "yes"
    found.append(Found("recordedPrompt", is_recorded, say("prompt_snapshot on the active path")))
    if leaf.answer is not None and leaf.answer.version is not None:
        found.append(Found("lastVersion", leaf.answer.version, say("the last answer")))
    return found


def _last_request(point: Standing, used: Moment) -> Found:
    if point.lifetime_source == _TOLD:
        return Found("lastRequest", say("to the second"), _TOLD)
    if used.earliest == used.latest:
        return Found("lastRequest", "exact", "api-request")
    return Found("lastRequest", say("a bracket"), say("times of the prompt and of its answer"))


_TOLD = say("the client's word to its status line")
