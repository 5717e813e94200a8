"""The requests that the client sent, as its own lines keep them (2.1.300 and later).

Such a line holds hashes of the messages and the settings of one request; another holds the tools
and the system prompt once for all requests that share them. Texts are hashed here and never leave
this module. The client may leave lines out.
"""

from __future__ import annotations

import hashlib
import json
from typing import cast

import msgspec

from forkpoint.records.decode import decode_object

REQUEST, SHAPE = "api-request", "api-request-shape"
"""Types of state lines: one request; the tools and system prompt that requests name by a hash."""


class SentRequest(msgspec.Struct, frozen=True):
    """One request.

    Attributes:
        request_id: what the answer's rows name it by.
        at: when it was sent.
        base, keep, tail: its messages are the first `keep` of the request `base`, and then `tail`,
            each by its hash. A client that was just started names no base.
        shape: the hash of tools and system prompt.
        model, effort, thinking, betas: settings; all but the model in any form that compares.
    """

    request_id: str
    at: str | None
    base: str | None
    keep: int
    tail: tuple[str, ...]
    shape: str | None
    model: str | None
    effort: object
    thinking: object
    betas: object


class Shape(msgspec.Struct, frozen=True):
    """Tools and system prompt of requests, as digests; None where the line has none."""

    shape: str | None
    tools: str | None
    system: str | None


def request_in(line: bytes) -> SentRequest | None:
    """Return the request of a line of type `REQUEST`; None where it has no id."""
    fields = decode_object(line) or {}
    request_id, keep = text(fields.get("id")), fields.get("keep")
    if request_id is None:
        return None
    settings = objects(fields.get("params"))
    tail = fields.get("tail")
    hashes = cast("list[object]", tail) if isinstance(tail, list) else []
    return SentRequest(
        request_id=request_id,
        at=text(fields.get("timestamp")),
        base=text(fields.get("base")),
        keep=keep if isinstance(keep, int) and keep > 0 else 0,
        tail=tuple(text(each) or "" for each in hashes),
        shape=text(fields.get("shapeHash")),
        model=text(settings.get("model")),
        effort=settings.get("output_config"),
        thinking=settings.get("thinking"),
        betas=settings.get("betas"),
    )


def shape_in(line: bytes) -> Shape:
    """Return the digests of a line of type `SHAPE`."""
    fields = decode_object(line) or {}
    shape = objects(fields.get("shape"))
    return Shape(
        shape=text(fields.get("shapeHash")),
        tools=digest(shape.get("tools")),
        system=digest(shape.get("system")),
    )


def digest(value: object) -> str | None:
    """Return a hash of a parsed value; None of none."""
    if value is None:
        return None
    written = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(written.encode()).hexdigest()


def text(value: object) -> str | None:
    """Return a text that says something."""
    return value if isinstance(value, str) and value else None


def objects(value: object) -> dict[str, object]:
    """Return the fields of an object, none of anything else."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
