"""As much of msgspec's interface as is used here, in Python; structs are made by attrs.

JSON is only read, MessagePack is read and written, types are checked as strictly as there. What it
says of an error is said in other words.
"""

from __future__ import annotations

from typing import Any

from forkpoint.stand_ins.msgspec import json, msgpack, structs
from forkpoint.stand_ins.msgspec.errors import (
    UNSET,
    DecodeError,
    MsgspecError,
    Raw,
    UnsetType,
    ValidationError,
)
from forkpoint.stand_ins.msgspec.kinds import Meta, fit, kind_of
from forkpoint.stand_ins.msgspec.structs import Struct, field, fields

__all__ = [
    "UNSET",
    "DecodeError",
    "Meta",
    "MsgspecError",
    "Raw",
    "Struct",
    "UnsetType",
    "ValidationError",
    "convert",
    "field",
    "json",
    "msgpack",
    "structs",
    "to_builtins",
]


def convert(value: object, type: Any) -> Any:
    """Make of builtin values one of a type.

    Raises:
        ValidationError: it does not fit.
    """
    return fit(value, kind_of(type))


def to_builtins(value: object) -> Any:
    """Make builtin values of a struct; what its fields hold stays."""
    return {each.encode_name: getattr(value, each.name) for each in fields(type(value))}
