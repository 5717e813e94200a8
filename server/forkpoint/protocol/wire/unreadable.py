"""Why a file could not be read, in words that follow a colon."""

from __future__ import annotations

from collections.abc import Mapping

from forkpoint.disk import Reason
from forkpoint.worded import say

REASONS: Mapping[Reason, str] = {
    "gone": say("it is no longer there"),
    "denied": say("reading it is not allowed"),
    "notRegular": say("it is no regular file"),
    "io": say("the system could not read it"),
    "damaged": say("it is compressed and damaged, so that nothing of it can be unpacked"),
    "notUnpackable": say(
        "it is compressed (zstd), which Python unpacks since 3.14; before that the package "
        "zstandard has to be installed"
    ),
}
