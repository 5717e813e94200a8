"""Why a file could not be read, in words that follow a colon."""

from __future__ import annotations

from collections.abc import Mapping

from forkpoint.disk import Reason

REASONS: Mapping[Reason, str] = {
    "gone": "it is no longer there",
    "denied": "reading it is not allowed",
    "notRegular": "it is no regular file",
    "io": "the system could not read it",
    "damaged": "it is compressed and damaged, so that nothing of it can be unpacked",
    "notUnpackable": "it is compressed (zstd), which Python unpacks since 3.14; before that the "
    "package zstandard has to be installed",
}
