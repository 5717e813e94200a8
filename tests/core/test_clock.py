"""When does a cache entry expire, and which lifetime counts (cache-rules.md 7.2 and 7.3)?"""

from __future__ import annotations

import pytest

from forkpoint.cache.clock import clock_of
from forkpoint.cache.idle import Moment
from forkpoint.cache.outcome import Asked
from forkpoint.cache.timing import clock_at, next_lifetime
from forkpoint.cache.words import duration
from tests.core.cache_questions import SENT, asked, compacted, was

# Lifetime, sent between 0 and so many seconds, now -> state, idle and left in seconds. Within 30
# seconds of either end of the bracket plus a lifetime nothing is certain.
STATES: list[tuple[str, float, float, str, float, float]] = [
    ("1h", 0, 720, "within", 720, 2880),
    ("1h", 0, 0, "within", 0, 3600),
    ("1h", 0, 3569, "within", 3569, 31),
    ("1h", 0, 3570, "around", 3570, 30),
    ("1h", 0, 3600, "around", 3600, 0),
    ("1h", 0, 3630, "around", 3630, 0),
    ("1h", 0, 3631, "past", 3631, 0),
    ("5m", 0, 269, "within", 269, 31),
    ("5m", 0, 270, "around", 270, 30),
    ("5m", 0, 330, "around", 330, 0),
    ("5m", 0, 331, "past", 331, 0),
    # An answer that took 270 seconds: the request was sent before it, nobody knows when.
    ("1h", 270, 3500, "within", 3500, 100),
    ("1h", 270, 3720, "around", 3720, 0),
    ("1h", 270, 3900, "around", 3900, 0),
    ("1h", 270, 3901, "past", 3901, 0),
    ("mixed", 0, 240, "within", 240, 60),
    ("mixed", 0, 300, "around", 300, 0),
    ("mixed", 0, 331, "tailPast", 331, 0),
    ("mixed", 0, 3569, "tailPast", 3569, 0),
    ("mixed", 0, 3600, "around", 3600, 0),
    ("mixed", 0, 3631, "past", 3631, 0),
    ("1h", 0, -1, "backwards", 0, 3601),
    ("1h", 270, -1, "backwards", 0, 3601),
    ("1h", 270, 100, "within", 100, 3500),
]


@pytest.mark.parametrize(("lifetime", "took", "now", "state", "idle", "left"), STATES)
def test_state(
    lifetime: str, took: float, now: float, state: str, idle: float, left: float
) -> None:
    used = Moment(SENT, SENT + round(took * 1000))
    clock = clock_of(used, lifetime, SENT + round(now * 1000), "", assumed=False)  # type: ignore[arg-type]
    assert (clock.state, clock.idle, clock.left) == (state, idle, left)


@pytest.mark.parametrize(
    ("lifetime", "seconds", "longest"),
    [("5m", 300, 300), ("1h", 3600, 3600), ("mixed", 300, 3600)],
)
def test_it_expires_within_a_bracket(lifetime: str, seconds: int, longest: int) -> None:
    clock = clock_of(Moment(SENT, SENT + 4500), lifetime, SENT, "", assumed=False)  # type: ignore[arg-type]
    assert (clock.seconds, clock.longest) == (seconds, longest)
    assert clock.expires == Moment(SENT + seconds * 1000, SENT + seconds * 1000 + 4500)


def test_a_clock_before_the_last_request_tells_no_end() -> None:
    clock = clock_of(Moment(SENT, SENT + 4500), "1h", SENT - 1, "", assumed=False)
    assert clock.expires is None


# --- the lifetime that counts ------------------------------------------------------------------

UNTOLD = was(lifetime=None, lifetime_source="")
OFF = was(lifetime="off")
KEY, PLAN = "apiKey", "subscription"

# Of what the next request writes: the current policy goes before what was (7.3, last sentence).
NEXT: dict[str, tuple[Asked, str]] = {
    "as before": (asked(), "1h"),
    "as before, whatever the account": (asked(account=KEY), "1h"),
    "as settings say": (asked(lifetime="5m"), "5m"),
    "as settings say, longer": (asked(was(lifetime="5m"), lifetime="1h"), "1h"),
    "mixed stays mixed": (asked(was(lifetime="mixed")), "mixed"),
    "beyond the plan it stays short": (
        asked(was(lifetime="5m", was_longer=True), lifetime="1h", account=PLAN),
        "5m",
    ),
    "usual of a plan": (asked(UNTOLD, account=PLAN), "1h"),
    "usual of a key": (asked(UNTOLD, account=KEY), "5m"),
    "usual of who knows": (asked(UNTOLD), "5m"),
    "on again, plan": (asked(OFF, account=PLAN), "1h"),
    "on again, key": (asked(OFF, account=KEY), "5m"),
}


@pytest.mark.parametrize(("question", "lifetime"), NEXT.values(), ids=NEXT)
def test_lifetime_of_the_next_write(question: Asked, lifetime: str) -> None:
    assert next_lifetime(question.point, question.next) == lifetime


# Of the entry that is there -> lifetime, whether it is assumed, what says so.
THERE: dict[str, tuple[Asked, tuple[str, bool, str]]] = {
    "as written": (asked(), ("1h", False, "promptCacheRequested")),
    "settings come too late": (asked(lifetime="5m"), ("1h", False, "promptCacheRequested")),
    "by what was written": (
        asked(was(lifetime="5m", lifetime_source="usage.cache_creation"), lifetime="1h"),
        ("5m", False, "usage.cache_creation"),
    ),
    "untold, set": (asked(UNTOLD, lifetime="1h"), ("1h", False, "settings")),
    "untold, plan": (
        asked(UNTOLD, account=PLAN),
        ("1h", True, "usual for this kind of account"),
    ),
    "untold, key": (asked(UNTOLD, account=KEY), ("5m", True, "usual for this kind of account")),
    "switched off, plan": (
        asked(OFF, account=PLAN),
        ("1h", True, "usual for this kind of account"),
    ),
}


@pytest.mark.parametrize(("question", "expected"), THERE.values(), ids=THERE)
def test_lifetime_of_the_entry(question: Asked, expected: tuple[str, bool, str]) -> None:
    clock = clock_at(question.point, question.next)
    assert clock is not None
    assert (clock.lifetime, clock.assumed, clock.source) == expected


def test_a_compaction_used_the_cache_last() -> None:
    earlier = Moment(SENT - 9_000_000, SENT - 9_000_000)
    question = asked(compacted(used=earlier))
    clock = clock_at(question.point, question.next)
    assert clock is not None and clock.used == Moment(SENT, SENT)


def test_no_time_no_clock() -> None:
    question = asked(was(used=None))
    assert clock_at(question.point, question.next) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "1 min"), (29, "1 min"), (89, "1 min"), (91, "2 min"), (3599, "1 h"), (3600, "1 h"),
        (4200, "70 min"), (7140, "119 min"), (7200, "2 h"), (10_800, "3 h"), (47 * 3600, "47 h"),
        (48 * 3600, "2 days"), (240 * 3600, "10 days"),
    ],
)  # fmt: skip
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words
