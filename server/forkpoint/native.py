"""The scanner in C, where it was built. Everything works without it, at two thirds of the speed.

`server/native/scan.c` says what it does, and `build.py` beside it builds it. One that was built of
another source is not used. Nor is any where FORKPOINT_PURE is set in the environment: it then fails
to be imported.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

SOURCE = "f72105078bd73a1eb969ceec13f540c5"
"""The digest of the source that fits this release; a test compares it."""


class Native(NamedTuple):
    """Its functions; see there."""

    scan: Callable[..., list[Any]]
    planes: Callable[[bytes, int, list[bytes]], list[bytes | None]]


def loaded() -> Native | None:
    """Return the scanner; None where there is none that fits, or none is wanted."""
    try:
        module = import_module("forkpoint._scan")
    except ImportError:
        return None
    return Native(module.scan, module.planes) if module.DIGEST == SOURCE else None
