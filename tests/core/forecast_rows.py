"""The decision table of the rule book's section 6, a line per row and variant: 1 to 13, 38, 39.

Rows 14 and later are in `forecast_request_rows`.

Verdicts, confidences and layers are the rule book's. Two things are written otherwise than there:
what lies behind a layer that may be lost may be lost, too (its section 3: "a change kills its layer
and all after it", so rows 9, 34 and 37 are "? ? ? ?"), and an answer about `/compact` is about the
request for the summary, which reads all layers (rows 28 and 29).
"""

from __future__ import annotations

from forkpoint.cache.next_request import Change
from tests.core.cache_questions import (
    BY_TIME,
    CHANGED,
    FABLE,
    HOUR,
    NOTHING,
    SONNET,
    asked,
    was,
)
from tests.core.forecast_case import (
    BY_KEY,
    COLD,
    FIVE,
    HARDLY_WARM,
    LIKELY_COLD,
    LIKELY_OVER,
    LIKELY_REBUILT,
    LIKELY_WARM,
    NO_END,
    OPEN,
    OPEN_MEDIUM,
    OTHER,
    OVER,
    OVER_AND_REBUILT,
    REBUILT,
    SAME,
    SIGNED_IN,
    WARM,
    Row,
    by,
    edited,
    edited_before,
    rewind,
    upgrade,
)

OFF = [
    Row("1 in settings", asked(caching_off="env"), COLD, "cachingOff"),
    Row("1 as asked for", asked(was(lifetime="off")), COLD, "cachingOff"),
    Row("1 before row 14", asked(caching_off="env", model=SONNET), COLD, "cachingOff"),
    Row("1 live", asked(caching_off="env", live=True), COLD, "cachingOff"),
    Row("1 rewind", rewind(caching_off="env"), COLD, "cachingOff"),
    Row(
        "1 rewind, as asked for at the end",
        asked(was(lifetime="off"), "rewind", point=was()),
        COLD,
        "cachingOff",
    ),
    Row(
        "1 rewind, on again at the end",
        asked(was(), "rewind", point=was(lifetime="off"), lifetime="1h"),
        LIKELY_WARM,
        "rewindKept warm restoreOnly",
    ),
    Row("1 on again", asked(was(lifetime="off"), minutes=2, caching_on=True), LIKELY_WARM, "warm"),
    Row("2", asked(was("9000/0/0/0/50")), OPEN, "noCacheUse"),
    Row("2 no answer yet", asked(NOTHING), OPEN, "noCacheUse"),
    Row("2 fork", asked(was("9000/0/0/0/50"), "fork"), OPEN, "noCacheUse"),
    Row("2 used earlier", asked(was("9000/0/0/0/50", cached_before=True)), WARM, "warm"),
]

MIXED = was("3/139000/900/3000/620", lifetime="mixed")
UNTOLD = was("3/141200/0/0/620", lifetime=None, lifetime_source="")
IN_OVERAGE = was("3/141200/1850/0/620", lifetime="5m", was_longer=True)
SECOND = 1 / 60

BY_CLOCK = [
    Row("3 an hour", asked(minutes=3 * HOUR), OVER, "expired"),
    Row("3 five minutes", asked(FIVE, minutes=7), OVER, "expired"),
    Row("3 assumed: key", asked(UNTOLD, minutes=7, **BY_KEY), LIKELY_OVER, "expired"),
    Row("3 assumed: plan", asked(UNTOLD, minutes=70, **SIGNED_IN), LIKELY_OVER, "expired"),
    Row("3 as settings say", asked(UNTOLD, minutes=70, lifetime="1h"), OVER, "expired"),
    Row("3 old settings", asked(minutes=12, lifetime="5m"), WARM, "warm"),
    Row("3 barely", asked(minutes=60 + 31 * SECOND), OVER, "expired"),
    Row("4 just over", asked(minutes=60 + 30 * SECOND), OPEN, "expiresNow"),
    Row("4 just under", asked(minutes=60 - 30 * SECOND), OPEN, "expiresNow"),
    Row("5 just in time", asked(minutes=60 - 31 * SECOND), WARM, "warm"),
    Row("4 in the bracket", asked(was(took=4.5), minutes=57.5), OPEN, "expiresNow"),
    Row("3 behind it", asked(was(took=4.5), minutes=61), OVER, "expired"),
    Row("4 no times", asked(was(used=None)), OPEN, "expiresNow"),
    Row("4 clock skew", asked(minutes=-1), OPEN, "expiresNow"),
    Row("5", asked(), WARM, "warm"),
    Row("5 five minutes", asked(FIVE, minutes=4), WARM, "warm"),
    Row("5 assumed: key", asked(UNTOLD, minutes=4, **BY_KEY), LIKELY_WARM, "warm"),
    Row("5 assumed: plan", asked(UNTOLD, minutes=12, **SIGNED_IN), LIKELY_WARM, "warm"),
    Row("5 2.1.268", by("2.1.268"), WARM, "warm"),
    Row("5 2.1.267", by("2.1.267"), LIKELY_WARM, "warm"),
    Row("5 2.1.240", by("2.1.240", recorded=False), LIKELY_WARM, "warm"),
    Row("5 2.1.267 edited before a summary", edited_before("2.1.267"), HARDLY_WARM, "warm"),
    Row("5 2.1.268 edited before a summary", edited_before("2.1.268"), WARM, "warm"),
    Row("5 version unknown", by(None), WARM, "warm"),
    Row("5 2.1.268 edited", by("2.1.268", program="cli", recorded=False), WARM, "warm"),
    Row("5 Fable", asked(was(model=FABLE)), HARDLY_WARM, "warm resumeDefect"),
    Row(
        "5 Fable, fork",
        asked(was(model=FABLE), "fork"),
        HARDLY_WARM,
        "forkShares warm resumeDefect",
    ),
    Row("5 Fable, live", asked(was(model=FABLE), live=True), WARM, "warm"),
    Row("5 Fable 5.2", asked(was(model="claude-fable-5-2")), WARM, "warm"),
    Row("5 2.1.68", by("2.1.68"), LIKELY_WARM, "warm"),
    Row("5 2.1.69", by("2.1.69"), HARDLY_WARM, "warm resumeDefect"),
    Row("5 2.1.89", by("2.1.89"), HARDLY_WARM, "warm resumeDefect"),
    Row("5 2.1.90", by("2.1.90"), LIKELY_WARM, "warm"),
    Row("3 mixed: the end", asked(MIXED, minutes=20), NO_END, "expired"),
    Row("3 mixed: in time", asked(MIXED, minutes=4), WARM, "warm"),
    Row("3 mixed: near the end's", asked(MIXED, minutes=5), OPEN, "expiresNow"),
    Row("3 mixed: near the rest's", asked(MIXED, minutes=60), OPEN, "expiresNow"),
    Row("3 mixed: all over", asked(MIXED, minutes=61), OVER, "expired"),
    Row("38", asked(**SIGNED_IN), WARM, "warm overage"),
    Row("38 five minutes", asked(FIVE, minutes=2, **SIGNED_IN), WARM, "warm"),
    Row("38 shorter now", asked(IN_OVERAGE, minutes=20), LIKELY_OVER, "overage"),
    Row("39", asked(minutes=3 * HOUR, live=True), OPEN_MEDIUM, "liveProcess expired"),
    Row("39 in time", asked(live=True), WARM, "warm"),
    Row("39 near the end", asked(minutes=60, live=True), OPEN, "expiresNow"),
    Row("39 late, another model", asked(minutes=70, model=SONNET, live=True), COLD, "modelChanged"),
    Row("39 another model", asked(model=SONNET, live=True), COLD, "modelChanged"),
]

# Of an answer "warm" the program's own defects of row 5 are a doubt, as is compaction in old ones.
COMPACTED = [
    Row("5 2.1.96 summary", asked(was(version="2.1.96", summarized=True)), NO_END, "resumeDefect"),
    Row("5 2.1.97 summary", asked(was(version="2.1.97", summarized=True)), LIKELY_WARM, "warm"),
    Row("5 2.1.96 plain", asked(was(version="2.1.96")), LIKELY_WARM, "warm"),
    Row(
        "5 2.1.96 live",
        asked(was(version="2.1.96", summarized=True), live=True),
        LIKELY_WARM,
        "warm",
    ),
    Row(
        "5 2.1.96 late",
        asked(was(version="2.1.96", summarized=True), minutes=70),
        OVER,
        "expired resumeDefect",
    ),
]

VERSIONS = [
    Row("6", upgrade("2.1.240", "2.1.332", recorded=False), COLD, "versionNoSnapshot"),
    Row(
        "6 a step",
        upgrade("2.1.260", "2.1.261", recorded=False, provider="bedrock"),
        COLD,
        "versionNoSnapshot",
    ),
    Row("6 back", upgrade("2.1.300", "2.1.240"), COLD, "versionNoSnapshot"),
    Row("6 to 2.1.267", upgrade("2.1.270", "2.1.267", tool_set=SAME), COLD, "versionNoSnapshot"),
    Row(
        "7 to 2.1.268",
        upgrade("2.1.270", "2.1.268", tool_set=SAME),
        LIKELY_WARM,
        "toolSetSame warm",
    ),
    Row(
        "6 late",
        upgrade("2.1.240", "2.1.332", recorded=False, minutes=70),
        COLD,
        "expired versionNoSnapshot",
    ),
    Row("7", upgrade("2.1.331", "2.1.332", tool_set=SAME), LIKELY_WARM, "toolSetSame warm"),
    Row(
        "7 late",
        upgrade("2.1.331", "2.1.332", tool_set=SAME, minutes=70),
        OVER,
        "expired toolSetSame",
    ),
    Row(
        "7 2.1.267, flags",
        upgrade("2.1.266", "2.1.267", tool_set=SAME, **SIGNED_IN),
        LIKELY_WARM,
        "toolSetSame warm overage",
    ),
    Row(
        "9 2.1.267, flags",
        upgrade("2.1.266", "2.1.267", **SIGNED_IN),
        OPEN,
        "toolSetUnknown overage",
    ),
    Row("8", upgrade("2.1.300", "2.1.332", tool_set=OTHER), LIKELY_COLD, "toolSetDiffers"),
    Row("9", upgrade("2.1.300", "2.1.340"), OPEN, "toolSetUnknown"),
    Row("9 late", upgrade("2.1.300", "2.1.340", minutes=70), OVER, "expired toolSetUnknown"),
    Row(
        "9 live",
        upgrade("2.1.300", "2.1.340", minutes=70, live=True),
        OPEN,
        "toolSetUnknown liveProcess expired",
    ),
    Row("7 no version", asked(was(version=None), version="2.1.332"), WARM, "warm"),
]

# What a system prompt is built from. 2.1.240 and 2.1.260 were run, 2.1.261 to 2.1.267 were not.
INPUTS = [
    *(
        Row(
            f"10 {what}",
            by("2.1.260", recorded=False, **{what: CHANGED}),
            REBUILT,
            "promptInputsChanged",
        )
        for what in ("git", "cwd", "project_files", "append_system_prompt")
    ),
    Row(
        "10 2.1.261",
        by("2.1.261", recorded=False, git=CHANGED),
        LIKELY_REBUILT,
        "promptInputsChanged",
    ),
    Row(
        "10 2.1.267",
        by("2.1.267", recorded=False, git=CHANGED),
        LIKELY_REBUILT,
        "promptInputsChanged",
    ),
    Row(
        "10 by a file's time",
        by("2.1.260", recorded=False, project_files=BY_TIME),
        LIKELY_REBUILT,
        "promptInputsChanged",
    ),
    Row(
        "10 with a record",
        by("2.1.267", git=CHANGED, **BY_KEY),
        LIKELY_REBUILT,
        "promptInputsChanged",
    ),
    Row(
        "10 late",
        asked(was(version="2.1.260", recorded=False), minutes=70, git=CHANGED),
        OVER_AND_REBUILT,
        "expired promptInputsChanged",
    ),
    Row("10 the same", by("2.1.260", recorded=False, git=Change("same")), LIKELY_WARM, "warm"),
    Row("10 edits", edited("2.1.267"), LIKELY_REBUILT, "promptInputsChanged"),
    Row("10 edits, git's word", edited("2.1.267", git=Change("same")), LIKELY_WARM, "warm"),
    Row("10 edits, print mode", edited("2.1.267", "sdk-cli"), LIKELY_WARM, "warm"),
    Row("10 edits, no git", edited("2.1.267", branch=None), LIKELY_WARM, "warm"),
    Row("43 edits", edited("2.1.268"), WARM, "warm"),
    Row(
        "11 2.1.256",
        by("2.1.256", git=CHANGED, **SIGNED_IN),
        REBUILT,
        "promptInputsChanged overage",
    ),
    Row(
        "12 2.1.257, flags",
        by("2.1.257", git=CHANGED, **SIGNED_IN),
        LIKELY_WARM,
        "snapshotReplayed warm overage",
    ),
    Row(
        "12 2.1.267, flags",
        by("2.1.267", git=CHANGED, **SIGNED_IN),
        LIKELY_WARM,
        "snapshotReplayed warm overage",
    ),
    *(
        Row(f"12 {what}", by("2.1.268", **{what: CHANGED}), WARM, "snapshotReplayed warm")
        for what in ("git", "cwd", "project_files", "append_system_prompt", "added_directories")
    ),
    Row(
        "12 2.1.332",
        by("2.1.332", git=CHANGED, project_files=BY_TIME),
        WARM,
        "snapshotReplayed warm",
    ),
    Row(
        "12 terminal",
        by("2.1.332", program="cli", git=CHANGED),
        LIKELY_WARM,
        "snapshotReplayed warm",
    ),
    Row(
        "12 terminal, text",
        by("2.1.332", program="cli", append_system_prompt=CHANGED),
        WARM,
        "snapshotReplayed warm",
    ),
    Row(
        "12 nothing recorded",
        by("2.1.332", recorded=False, git=CHANGED),
        LIKELY_REBUILT,
        "promptInputsChanged",
    ),
    Row("13", by("2.1.332", append_system_prompt=CHANGED, replays=False), REBUILT, "snapshotOff"),
    Row("13 2.1.270", by("2.1.270", git=CHANGED, replays=False), REBUILT, "snapshotOff"),
    Row(
        "13 by a file's time",
        by("2.1.332", project_files=BY_TIME, replays=False),
        LIKELY_REBUILT,
        "snapshotOff",
    ),
    Row("13 nothing changed", by("2.1.332", replays=False), WARM, "warm"),
    Row(
        "13 another version",
        upgrade("2.1.331", "2.1.332", tool_set=SAME, replays=False),
        REBUILT,
        "snapshotOff",
    ),
]

ROWS = [*OFF, *BY_CLOCK, *COMPACTED, *VERSIONS, *INPUTS]
