"""Worked examples of the prompt cache: another model, going back, compacting, forking; and history.

14, 19 to 23, 27, and 30 to 32, which look back.
"""

from __future__ import annotations

from tests.builders import line, uuid
from tests.e2e.cache_expectations import Example, PastExample, cold, note, usd, warm
from tests.e2e.cache_homes import (
    AGENT,
    BASE,
    HOUR,
    MAIN,
    MINUTE,
    OPUS,
    SONNET,
    Files,
    another,
    answer,
    compacted,
    in_file,
    long_talk,
    minutes,
    rows,
    with_agent,
)

ACTION_EXAMPLES = [
    *(
        Example(
            f"14 {action}",
            BASE,
            12 * MINUTE,
            {**cold("high", 143_673, usd(cold=0.57)), "priceModel": SONNET},
            "modelChanged",
            (r"(?i)model", r"(?i)own cache"),
            environment={"model": SONNET},
            params={"action": action},
        )
        for action in ("resume", "model")
    ),
    # A longer request read the entry again 25 minutes later: that this kept it is likely only.
    Example(
        "19",
        long_talk(),
        6 * MINUTE,
        {**warm("medium", 59_500, 904, usd(0.02, 0.48)), "droppedTokens": 83_269},
        "rewindKept",
        (r"59\.5k|60k", r"83k"),
        params={"action": "rewind", "prompt": uuid("u5")},
    ),
    Example(
        "20",
        compacted(answered=True),
        80 * MINUTE,
        cold("low", 60_404, usd(cold=0.48)),
        "rewindBehindBoundary",
        (r"80 min|1 h 20 min", r"(?i)last sent|sent last"),
        params={"action": "rewind", "prompt": uuid("u3")},
    ),
    Example(
        "21",
        {**compacted(answered=False), **another(21_400)},
        10 * MINUTE,
        note(
            "partial",
            "medium",
            readTokens=21_400,
            writeTokens=12_400,
            costUsd={"warm": 0.10, "coldHigh": 0.27, "expected": 0.10},
        ),
        "boundaryNewest",
        (r"(?i)compacted", r"12k"),
    ),
    # The summary is taken for 3,000 tokens, and its request for one of five minutes.
    Example(
        "22 warm",
        BASE,
        12 * MINUTE,
        note("partial", "high", contextTokens=143_673, costUsd=usd(0.09, expected=0.09)),
        "compactWarm",
        (r"(?i)summary", r"(?i)read", r"(?i)cache"),
        params={"action": "compact"},
    ),
    Example(
        "22 cold",
        BASE,
        3 * HOUR,
        note("cold", "high", contextTokens=143_673, costUsd=usd(0.09, (0.63, 0.78), 0.78)),
        "compactCold",
        (r"(?i)summary", r"144k|all"),
        params={"action": "compact"},
    ),
    Example(
        "23",
        with_agent(),
        20 * MINUTE,
        cold("high", 32_804, usd(cold=0.04)),
        "expired",
        (r"(?i)subagent", r"5 min", r"(?i)main conversation"),
        params={"agentId": AGENT},
    ),
    Example(
        "27",
        BASE,
        2 * MINUTE,
        warm("medium", 143_050, 623, usd(0.03, 1.15)),
        "forkShares",
        (r"(?i)copy", r"(?i)cache"),
        params={"action": "fork"},
    ),
]


def two_requests(numbers: str, gap: float, *kept: bytes) -> Files:
    """Two answers so many minutes apart; the prompt of the first had 150,000 tokens."""
    fields = {
        "a1": answer("10/100000/0/49990/10", requestRef="one"),
        "a2": answer(numbers, requestRef="two"),
    }
    times = minutes({"a1": -gap, "a2": 0})
    return in_file(b"".join(kept) + rows("u1 h1 a1 u2 a2", times, fields))


def kept_request(name: str, *messages: str) -> bytes:
    """A request as clients keep it from 2.1.300 on: hashes of all that was sent."""
    sent = {"shapeHash": "same", "params": {"model": OPUS}, "keep": 0, "tail": [*messages]}
    return line(type="api-request", id=name, sessionId=MAIN, **sent)


PAST_EXAMPLES = [
    PastExample(
        "30",
        two_requests(
            "5/21400/0/130000/100",
            4,
            kept_request("one", "m0", "m1", "m2", "m3"),
            kept_request("two", "m0", "m1", "other", "m3", "m4"),
        ),
        {
            "cause": "messages",
            "certainty": "certain",
            "expected": False,
            "lostTokens": 128_600,
            "costUsd": 1.00,
        },
        (r"(?i)earlier message changed", r"129k"),
    ),
    PastExample("31", two_requests("5/148900/0/3000/100", 4), None),
    PastExample("32", two_requests("5/150000/0/1000/100", 70), None),
]
