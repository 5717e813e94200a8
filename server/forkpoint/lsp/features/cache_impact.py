"""`forkpoint/cacheImpact`: would the next request find its prefix in the prompt cache?"""

from __future__ import annotations

import time

import attrs

from forkpoint.cache.last_use import last_use
from forkpoint.cache.next_request import Given
from forkpoint.catalog import Catalog
from forkpoint.foretelling import Question, foretell
from forkpoint.lsp.features.active_path import node_named
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.protocol import types
from forkpoint.protocol.errors import InvalidParams
from forkpoint.protocol.wire.cache import note_of, unknown_note
from forkpoint.session import Conversation


def cache_impact(catalog: Catalog, params: types.CacheImpactParams) -> types.CacheNote:
    """Foretell what the prompt cache does for the next request; nothing is sent."""
    question = _question(catalog, params)
    conversation = catalog.conversation(params.session_id, params.agent_id)
    if conversation.index.agent == "codex":
        return _unknown(conversation)
    return note_of(foretell(catalog, question))


def _unknown(conversation: Conversation) -> types.CacheNote:
    last = last_use(conversation, None)
    return unknown_note(conversation.context(), None if last is None else last.sent)


def rewind_note(catalog: Catalog, session_id: str, prompt: int) -> types.CacheNote:
    """Foretell it for a rewind to a prompt, by its ordinal."""
    conversation = catalog.conversation(session_id)
    if conversation.index.agent == "codex":
        return _unknown(conversation)
    question = Question(
        session_id=session_id,
        agent_id=None,
        action="rewind",
        prompt=prompt,
        given=Given(now=_now()),
    )
    return note_of(foretell(catalog, question))


def _question(catalog: Catalog, params: types.CacheImpactParams) -> Question:
    if params.action == "model" and params.environment.model is None:
        raise InvalidParams("environment.model is required for the action model")
    return Question(
        session_id=params.session_id,
        agent_id=params.agent_id,
        action=params.action,
        prompt=_prompt(catalog, params) if params.action == "rewind" else None,
        given=_given(params.environment),
    )


def _prompt(catalog: Catalog, params: types.CacheImpactParams) -> int:
    if params.prompt is None:
        raise InvalidParams("prompt is required for the action rewind")
    conversation = catalog.conversation(params.session_id, params.agent_id)
    return node_named(conversation, params.prompt)


def _given(environment: types.CacheEnvironment) -> Given:
    """Both spell their fields alike, but for the time; an empty text stands for left out."""
    fields = attrs.asdict(environment)
    asked = fields.pop("now")
    fields = {name: value or None for name, value in fields.items()}
    return Given(now=_now() if asked is None else _time(asked), **fields)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _time(text: str) -> int:
    time_ms = milliseconds(text)
    if time_ms == NO_TIME:
        raise InvalidParams("environment.now must be a time such as 2026-11-29T21:00:00Z")
    return time_ms
