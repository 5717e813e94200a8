"""Does a forecast's sentence say what it has to: one reason, one number, one doubt?"""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from forkpoint.cache.forecast import forecast
from forkpoint.cache.next_request import ToolSet
from forkpoint.cache.note_words import sentence_of
from forkpoint.cache.outcome import Asked, PriceStep
from forkpoint.cache.words import about_dollars, dollar_range, dollars, thousands
from tests.core.cache_questions import (
    CHANGED,
    HAIKU,
    NOTHING,
    OPUS,
    SONNET,
    asked,
    compacted,
    request,
    was,
)

PLAN = {"account": "subscription"}
POINT = was("4/58300/0/1200/900")
FIRST = was(first=request("3/21400/0/9000/50"))
MIXED = was("3/139000/900/3000/620", lifetime="mixed")
UNKNOWN_MODEL = was(model="glm-4.7")

NO_DOLLARS = r"^[^$]*$"
AT_API_PRICES = r"at API prices"

# What must be found in the sentence, in any order.
SAYS: dict[str, tuple[Asked, tuple[str, ...]]] = {
    "warm": (asked(), (r"(?i)warm for about 48 min", r"143k tokens.*read", r"\(\$0\.03\)")),
    "warm, plan": (asked(**PLAN), (r"\$0\.03 at API prices",)),
    "warm, no price": (asked(UNKNOWN_MODEL), (r"143k tokens", NO_DOLLARS)),
    "warm, under a cent": (
        asked(was("3/9000/0/100/20", model=HAIKU)),
        (r"9k tokens", r"less than \$0\.01"),
    ),
    "warm for a reason": (
        asked(append_system_prompt=CHANGED),
        (r"(?i)warm", r"\$0\.03", r"takes effect only after a compaction.*\.$"),
    ),
    "warm, and nothing to say": (asked(permission_mode=CHANGED), (r"read[^.]*\(\$0\.03\)\.$",)),
    "fork": (asked(action="fork"), (r"(?i)warm", r"reads the parent's cache\.$")),
    "rewind": (
        asked(action="rewind", point=POINT),
        (r"Keeps about 60k", r"drops about 83k", r"\$0\.02", r"48 min"),
    ),
    "rewind to the end": (
        asked(action="rewind"),
        (r"Keeps about 143k tokens in the cache for about 48 min \(",),
    ),
    "cold": (
        asked(minutes=180, floor=21_400),
        (r"Idle 3 h", r"1 h lifetime", r"144k tokens", r"about \$0\.98 to \$1\.15", r"may still"),
    ),
    "cold, plan": (asked(minutes=180, **PLAN), (r"\(about \$1\.15 at API prices\)",)),
    "cold, no price": (asked(UNKNOWN_MODEL, minutes=180), (r"144k tokens", NO_DOLLARS)),
    "cold, tools changed too": (asked(minutes=180, model=SONNET), (r"Idle 3 h", r"^((?!may).)*$")),
    "caching off": (
        asked(caching_off="DISABLE_PROMPT_CACHING"),
        (r"switched off \(DISABLE", r"144k tokens", r"full input price", r"\$0\.57"),
    ),
    "another model": (
        asked(model=SONNET),
        (r"claude-sonnet-5-5", r"144k tokens .* uncached", r"\$0\.57"),
    ),
    "fast mode": (
        asked(fast_mode=CHANGED, fast=True),
        (r"fast mode", r"144k tokens", r"once", r"\$2\.30"),
    ),
    "an upgrade": (
        asked(was(version="2.1.240", recorded=False), version="2.1.332"),
        (r"2\.1\.240 to 2\.1\.332", r"144k tokens", r"\$1\.15"),
    ),
    "other tools": (
        asked(was(version="2.1.300"), version="2.1.332", tool_set=ToolSet("changed", ("Monitor",))),
        (r"Monitor", r"144k tokens .* again"),
    ),
    "compact": (asked(action="compact"), (r"reads 143k tokens", r"about \$0\.09", r"summary\.$")),
    "compact, cold": (
        asked(action="compact", minutes=180),
        (r"process all 144k", r"about \$0\.63 to \$0\.78"),
    ),
    "compacted": (
        asked(compacted(), floor=21_400),
        (r"compacted to about 12k tokens", r"writes about 12k tokens", r"about \$0\.10"),
    ),
    "compacted, no size": (asked(compacted(None)), (r"compacted", r"cannot be known", NO_DOLLARS)),
    "images": (asked(was(images=95)), (r"images", r"cannot be known")),
    "clear": (
        asked(FIRST, "clear", floor=20_000),
        (r"new conversation", r"20k tokens are read", r"10k tokens written", r"about \$0\.09"),
    ),
    "the end alone": (asked(MIXED, minutes=20), (r"5 min", r"an hour", r"142k.*read", r"2k.*wri")),
    "either way": (
        asked(minutes=60),
        (r"about now", r"either way", r"144k tokens .*about \$1\.15", r"If not: about \$0\.03\.$"),
    ),
    "either way, plan": (asked(minutes=60, **PLAN), (r"about \$1\.15", r"\$0\.03 at API prices")),
    "either way, no price": (
        asked(UNKNOWN_MODEL, minutes=60),
        (r"If the cache is gone, about 144k tokens are sent again\.$", NO_DOLLARS),
    ),
    "tools unknown": (asked(version="2.1.340"), (r"2\.1\.340 may", r"about \$1\.15.*\$0\.03")),
    "no time": (asked(was(used=None)), (r"No record tells", r"If the cache is gone")),
    "no answer yet": (asked(NOTHING), (r"No request .* answered yet\.$",)),
    "a subagent": (
        asked(was("4/30000/2000/0/800", lifetime="5m"), minutes=20, of_agent=True),
        (r"Idle 20 min", r"(?i)subagents .*main conversation is not affected\.$"),
    ),
}


@pytest.mark.parametrize(("question", "patterns"), SAYS.values(), ids=SAYS)
def test_sentence(question: Asked, patterns: tuple[str, ...]) -> None:
    sentence = sentence_of(forecast(question), question)
    for pattern in patterns:
        assert re.search(pattern, sentence), sentence
    assert sentence[0].isupper() and sentence.endswith(".")
    assert "\n" not in sentence and ".." not in sentence and "None" not in sentence
    # The rule book: "never 'will be free'", and nobody is charged by these numbers.
    assert not re.search(r"(?i)\bfree\b|\bcharge", sentence)


@pytest.mark.parametrize(
    "name", ["warm", "cold", "either way", "compact", "compacted", "caching off", "rewind", "clear"]
)
@pytest.mark.parametrize("account", ["subscription", "apiKey", "unknown"])
def test_amounts_of_a_plan_are_no_charge(name: str, account: str) -> None:
    question, _ = SAYS[name]
    following = msgspec.structs.replace(question.next, account=account)
    question = msgspec.structs.replace(question, next=following)
    sentence = sentence_of(forecast(question), question)
    assert "$" in sentence
    assert (AT_API_PRICES in sentence) is (account == "subscription")


STEP = PriceStep(above=100_000, times=5)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (asked(was("10/110000/9480/0/500"), minutes=70), True),
        (asked(was("10/80000/9480/0/500"), minutes=70), False),
        (asked(was("0/90520/9480/0/0"), minutes=70), False),
        (asked(was("10/110000/9480/0/500")), False),
    ],
    ids=["above", "below", "exactly", "warm"],
)
def test_a_price_step_is_told_where_it_is_crossed(question: Asked, told: bool) -> None:
    question = msgspec.structs.replace(question, price_step=STEP)
    sentence = sentence_of(forecast(question), question)
    assert ("Above 100k tokens the whole request costs 5 times as much." in sentence) is told


def test_one_line_whatever_files_say() -> None:
    odd: dict[str, Any] = {"model": f"{OPUS}\nsonnet\t3", "gateway": "a\nb", "caching_off": None}
    question = asked(was(model="x\ny"), **odd)
    assert "\n" not in sentence_of(forecast(question), question)


@pytest.mark.parametrize(
    ("amount", "alone", "about"),
    [
        (1.149, "$1.15", "about $1.15"),
        (0.005, "$0.01", "about $0.01"),
        (0.004999, "less than $0.01", "less than $0.01"),
        (0, "less than $0.01", "less than $0.01"),
        (12, "$12.00", "about $12.00"),
    ],
)
def test_dollars(amount: float, alone: str, about: str) -> None:
    assert (dollars(amount), about_dollars(amount)) == (alone, about)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.98, 1.15, "about $0.98 to $1.15"),
        (1.148, 1.149, "about $1.15"),
        (0.001, 0.02, "less than $0.01 to $0.02"),
        (0.001, 0.002, "less than $0.01"),
    ],
)
def test_range(low: float, high: float, words: str) -> None:
    assert dollar_range(low, high) == words


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0"), (999, "999"), (1000, "1k"), (1499, "1k"), (1500, "2k"), (143_673, "144k")],
)
def test_thousands(count: int, words: str) -> None:
    assert thousands(count) == words
