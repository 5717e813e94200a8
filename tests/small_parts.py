"""Readable texts whose parts are so small that short recordings take several."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from unittest.mock import patch

from forkpoint import parts, readable
from forkpoint.lsp.features import transcript as feature
from forkpoint.readable import ReadablePath

_BYTES = 6000


@contextmanager
def small() -> Generator[None]:
    """Have texts written so as long as it is open."""
    with (
        patch.object(readable, "BATCH", 4),
        patch.object(parts, "LIMIT", _BYTES),
        patch.object(feature, "ReadablePath", partial(ReadablePath, _BYTES)),
    ):
        yield
