"""Answers about one transcript that are kept over restarts.

The first page of a tree is then there before its transcript's index is loaded, and a window that
opens where it was closed costs no work.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import orjson

from forkpoint.catalog import Catalog
from forkpoint.disk import Unreadable
from forkpoint.languages import ENGLISH, Language
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile

Handler = Callable[[Catalog, Any], object]

_LEVEL = 1
"""Of zlib: a tree becomes a tenth of its size at 200 MB/s."""


def kept(name: str, handler: Handler, language: Language = ENGLISH) -> Handler:
    """Have a question answered from what is kept, as long as its transcript was not read.

    Args:
        name: of the question.
        handler: answers it; the answer must depend on nothing but parameters, transcript and the
            client's version. Parameters must be a `SessionReference`.
        language: in which it is kept: what is ready is sent as it is.
    """
    name = f"{name} {language.name}" if language.name else name

    def answer(catalog: Catalog, params: Any) -> object:
        entry = catalog.entry(params.session_id)
        transcript = catalog.transcript(params.session_id, params.agent_id)
        if catalog.keeping is None or transcript.conversation is not None:
            return handler(catalog, params)
        question = _question(name, catalog, entry, transcript, params)
        try:
            transcript.look()
            if (data := catalog.keeping.answer(transcript, question)) is not None:
                return orjson.Fragment(zlib.decompress(data))
        except (Unreadable, zlib.error):
            return handler(catalog, params)
        value = json_bytes(language.said(encode(handler(catalog, params))))
        catalog.keeping.take_answer(transcript, question, zlib.compress(value, _LEVEL))
        return orjson.Fragment(value)

    return answer


def _question(
    name: str, catalog: Catalog, entry: SessionEntry, transcript: TranscriptFile, params: Any
) -> str:
    """What the answer depends on, beside the transcript."""
    asked = json_bytes(encode(params)).decode()
    of_agent = transcript is not entry.main
    return f"{name} {asked} {catalog.facts.ways().rules} {entry.session_id} {of_agent}"
