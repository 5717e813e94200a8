"""The scanner in C, where it was built. Everything works without it, at two thirds of the speed.

`server/native/scan.c` says what it does, and `build.py` beside it builds it. One that was built of
another source is not used. Nor is any where FORKPOINT_PURE is set in the environment: it then fails
to be imported.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

SOURCE = "5ec828a3ad68e0510d192ac2ec1cd1e3"
"""The digest of the source that fits this release; a test compares it."""


class Native(NamedTuple):
    """Its functions; see there."""

    scan: Callable[..., list[Any]]
    planes: Callable[[bytes, int, list[bytes]], list[bytes | None]]
    put_keys: Callable[[bytes | bytearray, bytearray, int], bool]
    find_key: Callable[[bytes | bytearray, bytearray, bytes], int]
    parents: Callable[..., bytes]


def loaded() -> Native | None:
    """Return the scanner; None where there is none that fits, or none is wanted."""
    try:
        module = import_module("forkpoint._scan")
    except ImportError:
        return None
    if module.DIGEST != SOURCE:
        return None
    return Native(*[getattr(module, name) for name in Native._fields])
