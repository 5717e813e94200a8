"""What a client of a given version does when it resumes a transcript.

A table, one row per border that was found by running neighbouring releases on the same files
(format.md sections 5 to 10; the releases run are 1.0.128, 2.0.76 and 38 from 2.1.100 to 2.1.332).
Between 2.0.76 and 2.1.100, and before 1.0.128, nothing was run: the row below counts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import msgspec

Version = tuple[int, int, int]


class ClientRules(msgspec.Struct, frozen=True, kw_only=True):
    """The behaviour of all releases from `since` to the next row.

    Attributes:
        since: the first release that is known to behave so.
        bridges: goes on behind a missing parent at the nearest earlier row, if within 5 seconds.
        bridges_self_parent: treats a row that names itself as such a gap, else as a root.
        links_progress: a progress row's children count as its parent's, else they begin at a gap.
        trails: which rows that trail the leaf the next row hangs behind.
        recovers: how parallel calls that the parent walk misses are put back: not at all, results
            before the one on the path, or calls and then results in file order.
        kept: which written form of kept rows a compaction is read by.
        prunes: kept rows make all other rows before the last boundary disappear.
        rehangs: a user or assistant row below a pruned one hangs on the last kept row.
        newest_by_time: without a pointer the newest timestamp is the leaf, else the last row.
        pointer: obeys `last-prompt` pointers.
        null_clears: an explicit null pointer empties the conversation.
        batch, split: the pointer's two exceptions for rows of one response.
        repeats: when a repeated uuid counts as the last row.
        below_last: without any pointer line, newer rows below the last row win over it.
        reads_glued: keeps the first record of a line that holds more.
        null_stops: a line that holds a JSON null ends the file.
        sends_local_commands: the system row of a local command is sent as words of the user.
        sends_display_only: a local command for display is sent as well.
        repair: what is done about calls without result at the end; Codex answers all that are left.
        attachments_ask: which attachments at the end count as words without an answer.
        copies_late: its first copy of a file may have been made after the edit, not before.
    """

    since: Version
    bridges: bool = True
    bridges_self_parent: bool = True
    links_progress: bool = True
    trails: Literal["nothing", "system", "all"] = "all"
    recovers: Literal["none", "resultsFirst", "fileOrder"] = "fileOrder"
    kept: Literal["none", "segment", "list"] = "list"
    prunes: bool = True
    rehangs: bool = True
    newest_by_time: bool = False
    pointer: bool = True
    null_clears: bool = True
    batch: bool = True
    split: bool = True
    repeats: Literal["byTime", "never", "always"] = "always"
    below_last: bool = True
    reads_glued: bool = True
    null_stops: bool = False
    sends_local_commands: bool = True
    sends_display_only: bool = False
    repair: Literal["drop", "dropAndContinue", "errorResult", "answerAll"] = "errorResult"
    attachments_ask: Literal["never", "behindPrompt", "always"] = "never"
    copies_late: bool = False


_NEWEST = ClientRules(since=(2, 1, 326))
_change = msgspec.structs.replace

_2_1_300 = _change(_NEWEST, since=(2, 1, 286), split=False)
_2_1_281 = _change(_2_1_300, since=(2, 1, 281), batch=False)
_2_1_263 = _change(
    _2_1_281,
    since=(2, 1, 259),
    repair="dropAndContinue",
    attachments_ask="behindPrompt",
    sends_display_only=True,
)
_2_1_258 = _change(_2_1_263, since=(2, 1, 258), recovers="resultsFirst")
_2_1_191 = _change(_2_1_258, since=(2, 1, 191), below_last=False)
_2_1_150 = _change(_2_1_191, since=(2, 1, 150), null_clears=False)
_2_1_141 = _change(_2_1_150, since=(2, 1, 141), rehangs=False)
_2_1_120 = _change(_2_1_141, since=(2, 1, 120), kept="segment")
_2_1_115 = _change(_2_1_120, since=(2, 1, 115), pointer=False, trails="nothing")
_2_1_101 = _change(_2_1_115, since=(2, 1, 101), repeats="never", trails="nothing")
_2_1_100 = _change(
    _2_1_101,
    since=(2, 1, 100),
    trails="all",
    newest_by_time=True,
    bridges_self_parent=False,
    repeats="byTime",
    reads_glued=False,
    null_stops=True,
    attachments_ask="always",
)
_2_0_76 = _change(
    _2_1_100,
    since=(2, 0, 0),
    links_progress=False,
    trails="system",
    bridges=False,
    recovers="none",
    kept="none",
    prunes=False,
    repair="drop",
    null_stops=False,
    sends_local_commands=False,
    attachments_ask="never",
    copies_late=True,
)
_1_0_128 = _change(_2_0_76, since=(0, 0, 0), trails="nothing")

TABLE = (
    _NEWEST,
    _2_1_300,
    _2_1_281,
    _2_1_263,
    _2_1_258,
    _2_1_191,
    _2_1_150,
    _2_1_141,
    _2_1_120,
    _2_1_115,
    _2_1_101,
    _2_1_100,
    _2_0_76,
    _1_0_128,
)

CODEX = _change(
    _NEWEST,
    since=(0, 0, 0),
    bridges=False,
    rehangs=False,
    batch=False,
    split=False,
    below_last=False,
    repair="answerAll",
)
"""Codex, whatever its version: each row hangs on the one before it, and it goes on at the last one,
or where turns were taken back to. What it sends is made of what it wrote (format.md section 19)."""


class CacheRules(msgspec.Struct, frozen=True, kw_only=True):
    """What all releases from `since` to the next row do to the cached prefix (cache-rules.md).

    Attributes:
        rebuilds_prompt: builds system prompt and tools anew at each start, from the folder, git and
            project files as they are then; later releases replay what they recorded.
        rebuild_is_measured: that was seen in runs; else it is documented for some connections.
        keeps_by_flag: connections with feature flags (a sign-in) keep a recorded prompt already.
        replays_tools: tools taken away or added at a start leave the recorded list as it was.
        forgets_attachments: does not write down all that it sends beside the messages, so that a
            resume behind a compaction sends another text (seen in 2.0.76; documented to 2.1.96).
        loses_on_resume: is known to have sent another prefix after a resume, for no reason.
        keeps_fable_efforts: Fable 5.1 keeps its cache across effort levels.
    """

    since: Version
    rebuilds_prompt: bool = True
    rebuild_is_measured: bool = True
    keeps_by_flag: bool = False
    replays_tools: bool = False
    forgets_attachments: bool = False
    loses_on_resume: bool = False
    keeps_fable_efforts: bool = False


_2_1_97 = CacheRules(since=(2, 1, 97))
_2_1_90 = _change(_2_1_97, since=(2, 1, 90), forgets_attachments=True)
_2_1_260 = _change(_2_1_97, since=(2, 1, 260), keeps_by_flag=True, keeps_fable_efforts=True)

CACHE_TABLE = (
    CacheRules(
        since=(2, 1, 326), rebuilds_prompt=False, replays_tools=True, keeps_fable_efforts=True
    ),
    CacheRules(since=(2, 1, 268), rebuilds_prompt=False, keeps_fable_efforts=True),
    _change(_2_1_260, since=(2, 1, 261), rebuild_is_measured=False),
    _2_1_260,
    _change(_2_1_97, since=(2, 1, 257), keeps_by_flag=True),
    _2_1_97,
    _2_1_90,
    _change(_2_1_90, since=(2, 1, 69), loses_on_resume=True),
    _change(_2_1_90, since=(0, 0, 0)),
)

SAME_TOOLS = (
    frozenset({(2, 1, 270)}),
    frozenset({(2, 1, 286), (2, 1, 300)}),
    frozenset({(2, 1, 326), (2, 1, 330), (2, 1, 331), (2, 1, 332)}),
)
"""Releases that were run one after the other on one session: those of a row send the same tools,
those of different rows do not. Releases between them were not run."""


def sends_same_tools(one: str, other: str) -> bool | None:
    """Say whether two releases send the same tools in full; None where that was not measured."""
    rows = [
        next((row for row in SAME_TOOLS if parse_version(version) in row), None)
        for version in (one, other)
    ]
    return None if None in rows else rows[0] == rows[1]


def cache_rules_for(version: str | None) -> CacheRules:
    """Return what a release does to the prefix; the newest row where the version is unknown."""
    wanted = parse_version(version)
    if wanted is None:
        return CACHE_TABLE[0]
    return next(rules for rules in CACHE_TABLE if rules.since <= wanted)


def rules_for(version: str | None) -> ClientRules:
    """Return the rules of a release; the newest ones where the version is unknown."""
    wanted = parse_version(version)
    if wanted is None:
        return _NEWEST
    return next(rules for rules in TABLE if rules.since <= wanted)


def parse_version(version: str | None) -> Version | None:
    """Read `2.1.332` (anything may follow); None if it is no version."""
    # What follows may be of any length, and is not to be kept.
    return _parsed((version or "")[:_LONGEST])


@lru_cache(maxsize=64)
def _parsed(version: str) -> Version | None:
    match = _VERSION.match(version)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


_LONGEST = 29
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
