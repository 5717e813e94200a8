"""Worked examples of the rule book of the prompt cache: a session goes on (1 to 18, 24 to 26 …)."""

from __future__ import annotations

from tests.builders import timestamp
from tests.e2e.cache_action_examples import ACTION_EXAMPLES
from tests.e2e.cache_expectations import Example, cold, either, note, usd, warm
from tests.e2e.cache_homes import (
    BASE,
    HAIKU,
    HOUR,
    LAST,
    MINUTE,
    MORE_TOOLS,
    OLDER_OPUS,
    OLDER_SONNET,
    ONE,
    another,
    beyond_the_plan,
    failed_later,
    searched,
    session,
    slow_answer,
)

FOUR = "6/88000/2400/0/410"
EIGHT = "2/180000/0/1500/700"
TEN = "8/52000/1200/0/300"

BY_KEY = {"account": "apiKey"}
BY_BEDROCK = {"provider": "bedrock", "account": "apiKey"}

ALL_AGAIN = cold("high", 143_673, usd(0.03, 1.15))
ALL_BUT_SHARED = cold("high", 143_673, usd(0.03, (0.98, 1.15)))

IN_TIME = [
    Example(
        "1",
        BASE,
        12 * MINUTE,
        warm("high", 143_050, 623, usd(0.03, 1.15)),
        "warm",
        (r"48 min", r"143k", r"\$0\.03"),
    ),
    Example(
        "2",
        {**BASE, **another(21_400)},
        3 * HOUR,
        ALL_BUT_SHARED,
        "expired",
        (r"3 h", r"1 h", r"144k", r"\$0\.98", r"\$1\.15"),
    ),
    Example(
        "3",
        slow_answer(),
        57.5 * MINUTE,
        {
            **either(143_673, usd(0.03, 1.15)),
            "ttlSeconds": 3600,
            "lastRequestAt": timestamp(LAST - 4.5 * MINUTE),
            "lastRequestBy": timestamp(LAST),
            "expiresAt": timestamp(LAST + 55.5 * MINUTE),
            "expiresBy": timestamp(LAST + HOUR),
        },
        "expiresNow",
        (r"about now", r"either"),
    ),
    Example(
        "4",
        session(FOUR, model=OLDER_SONNET, asked="5m"),
        4 * MINUTE,
        warm("high", 90_400, 416, usd(0.03, 0.34)),
        "warm",
        (r"1 min",),
        environment=BY_KEY,
    ),
    Example(
        "5",
        {**session(FOUR, model=OLDER_SONNET, asked="5m"), **another(19_000, model=OLDER_SONNET)},
        7 * MINUTE,
        cold("high", 90_816, usd(0.03, (0.28, 0.34))),
        "expired",
        (r"7 min", r"5 min", r"91k"),
        environment=BY_KEY,
    ),
    Example(
        "24",
        searched(),
        20 * MINUTE,
        note(
            "partial",
            "low",
            contextTokens=143_523,
            readTokens=142_000,
            writeTokens=1_523,
            costUsd=usd(0.03, expected=0.04),
        ),
        None,
        (r"5 min", r"(?i)an hour|1 h"),
        environment={"version": "2.1.300"},
    ),
    Example(
        "26 below",
        session("10/80000/9480/0/500", model=HAIKU, asked="5m"),
        10 * MINUTE,
        cold("high", 89_990, usd(cold=0.01)),
        "expired",
        (r"10 min", r"90k"),
        environment=BY_KEY,
    ),
    Example(
        "26 above",
        session("10/110000/9480/0/500", model=HAIKU, asked="5m"),
        10 * MINUTE,
        cold("high", 119_990, usd(cold=0.07)),
        "expired",
        (r"100k|100,000", r"(?i)five times|5 times"),
        environment=BY_KEY,
    ),
    Example(
        "28",
        {**failed_later(), **another(21_400)},
        70 * MINUTE,
        ALL_BUT_SHARED,
        "expired",
        (r"70 min|1 h 10 min", r"1 h", r"144k", r"\$0\.98", r"\$1\.15"),
    ),
    Example(
        "29",
        beyond_the_plan(),
        20 * MINUTE,
        cold("medium", 143_673, usd(cold=0.72)),
        None,
        (r"5 min", r"(?i)plan"),
        also=("overage",),
    ),
]

AFTER_AN_UPGRADE = [
    Example(
        "6",
        session("5/212000/0/3100/900", model=OLDER_OPUS, asked=None, version="2.1.240", tools=None),
        3 * MINUTE,
        cold("high", 216_005, usd(cold=2.16)),
        "versionNoSnapshot",
        (r"(?i)record", r"2\.1\.240", r"2\.1\.332", r"216k"),
    ),
    Example(
        "7",
        {**session("2/64000/0/900/350", version="2.1.331"), **another(0)},
        10 * MINUTE,
        warm("medium", 64_900, 352, usd(0.02, 0.52)),
        "toolSetSame",
        (r"2\.1\.332", r"(?i)prompt", r"(?i)tool", r"(?i)match|same"),
    ),
    Example(
        "8",
        {**session(EIGHT, asked=None, version="2.1.300"), **another(0, tools=MORE_TOOLS)},
        5 * MINUTE,
        cold("medium", 182_202, usd(cold=1.46)),
        "toolSetDiffers",
        (r"2\.1\.332", r"Monitor", r"182k"),
    ),
    Example(
        "9",
        {**session(EIGHT, asked=None, version="2.1.300"), **another(0, tools=MORE_TOOLS)},
        5 * MINUTE,
        either(182_202, usd(0.04, 1.46)),
        "toolSetUnknown",
        (r"2\.1\.340", r"(?i)prompt", r"(?i)tools"),
        environment={"version": "2.1.340"},
    ),
    Example(
        "10",
        session(TEN, model=OLDER_OPUS, asked=None, version="2.1.260", tools=None),
        2 * MINUTE,
        cold("high", 53_508, usd(cold=0.33)),
        "versionNoSnapshot",
        (r"2\.1\.260", r"2\.1\.261", r"(?i)prompt"),
        environment={**BY_BEDROCK, "version": "2.1.261"},
    ),
    Example(
        "11",
        session(TEN, model=OLDER_OPUS, asked=None, version="2.1.290"),
        2 * MINUTE,
        either(53_508, usd(0.03, 0.33)),
        "toolSetUnknown",
        (r"2\.1\.291", r"(?i)prompt", r"(?i)tools"),
        environment={**BY_BEDROCK, "version": "2.1.291"},
    ),
]

WITH_SOMETHING_CHANGED = [
    Example(
        "12",
        session(ONE, entrypoint="sdk-cli"),
        12 * MINUTE,
        warm("high", 143_050, 623, usd(0.03, 1.15)),
        None,
        (r"(?i)compact", r"(?i)new conversation"),
        also=("snapshotReplayed",),
        environment={"appendSystemPrompt": "changed"},
    ),
    Example(
        "13",
        session(ONE, entrypoint="sdk-cli"),
        12 * MINUTE,
        ALL_AGAIN,
        "snapshotOff",
        (r"(?i)rebuil|anew", r"(?i)differ|chang"),
        environment={"appendSystemPrompt": "changed", "snapshot": "off"},
    ),
    Example(
        "15",
        session("5/96000/0/1500/500", model=OLDER_OPUS, effort="high"),
        5 * MINUTE,
        cold("medium", 98_005, usd(cold=0.98)),
        "effortChanged",
        (r"(?i)effort", r"(?i)opus.4.8"),
        environment={"effort": "low"},
    ),
    Example(
        "16",
        session(ONE, effort="medium"),
        12 * MINUTE,
        warm("medium", 143_050, 623, usd(0.03, 1.15)),
        None,
        (r"(?i)effort", r"(?i)opus.5.5"),
        also=("effortKept",),
        environment={"effort": "high"},
    ),
    Example(
        "17",
        session(FOUR, model=OLDER_SONNET, asked=None, version="2.1.240", tools=None),
        2 * MINUTE,
        cold("high", 90_816, usd(cold=0.34)),
        "promptInputsChanged",
        (r"(?i)git", r"(?i)prompt"),
        environment={**BY_KEY, "version": "2.1.240", "git": "changed"},
    ),
    *(
        Example(
            f"18 {entrypoint}",
            session(ONE, entrypoint=entrypoint),
            12 * MINUTE,
            note("warm", confidence, contextTokens=143_673, costUsd=usd(0.03, 1.15)),
            None,
            (r"(?i)repository|git", r"CLAUDE\.md", r"(?i)replay|sent again|recorded"),
            also=("snapshotReplayed",),
            environment={
                "git": "changed",
                "projectFiles": "changed",
                "cwd": "/home/dev/shop-other",
            },
        )
        for entrypoint, confidence in (("sdk-cli", "high"), ("cli", "medium"))
    ),
    Example(
        "25 by settings",
        {**BASE, "settings.json": b'{"env": {"DISABLE_PROMPT_CACHING": "1"}}'},
        12 * MINUTE,
        {**cold("high", 143_673, usd(0.57, 0.57)), "ttlSeconds": None},
        "cachingOff",
        (r"(?i)switched off|turned off", r"(?i)settings"),
    ),
    Example(
        "25 by request",
        BASE,
        12 * MINUTE,
        {**cold("high", 143_673, usd(0.57, 0.57)), "ttlSeconds": None},
        "cachingOff",
        (r"(?i)switched off|turned off",),
        environment={"caching": "off"},
    ),
    Example(
        "33",
        BASE,
        12 * MINUTE,
        cold("medium", 143_673, usd(cold=2.30)),
        "fastMode",
        (r"(?i)fast mode", r"144k", r"(?i)once"),
        environment={"fastMode": "changed"},
    ),
]

EXAMPLES = [*IN_TIME, *AFTER_AN_UPGRADE, *WITH_SOMETHING_CHANGED, *ACTION_EXAMPLES]
