"""What a request costs, in US dollars at list prices or a user's own; unknown models have no price.

The list is `prices.json`: a row per model, by the part of its id that all providers share. Fast
mode has rows of its own. `prices_openai.json` has the models that Codex uses, by the whole id
without its date; what a rollout calls cached input is read from the cache, and reasoning is part of
the output. A list price is what the API takes: of a plan's tokens it is the equivalent.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from forkpoint.records.record import Usage


class Price(msgspec.Struct, frozen=True):
    """US dollars per million tokens.

    Attributes:
        above: size of the prompt in tokens above which `beyond` counts for the whole request.
        beyond: the row above that size.
        as_of: the month in which the row was compared with its source; None of a user's own.
        source: where the row is from.
    """

    input: float
    output: float
    cache_read: float
    cache_write_5m: float
    cache_write_1h: float
    above: int | None = None
    beyond: Price | None = None
    as_of: str | None = None
    source: str | None = None


class Prices(msgspec.Struct, frozen=True):
    """The list prices, with those laid over them that a user gave.

    Attributes:
        own: a user's prices by lower-case id of a model, whole (`claude-opus-5-5`,
            `us.anthropic.claude-opus-5-5-v1:0`) or as the list names it (`opus-5-5`), with `-fast`
            behind it for fast mode. The whole id goes first.
    """

    own: dict[str, Price] = {}

    def cost(self, model: str | None, usage: Usage, fast: bool = False) -> float | None:
        """Return what a response cost; None if the model has no known price."""
        price = self.price_for(model, usage, fast)
        if price is None:
            return None
        dollars = (
            usage.input * price.input
            + usage.output * price.output
            + usage.cache_read * price.cache_read
            + usage.cache_write_5m * price.cache_write_5m
            + usage.cache_write_1h * price.cache_write_1h
        )
        return dollars / 1_000_000

    def price_for(self, model: str | None, usage: Usage, fast: bool = False) -> Price | None:
        """Return the price that counts for a response, by the size of its prompt."""
        prompt = usage.input + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h
        return self.for_size(model, prompt, fast)

    def for_size(self, model: str | None, prompt_tokens: int, fast: bool = False) -> Price | None:
        """Return the price that counts for a prompt of a size."""
        price = self.price_of(model, fast)
        if price is None or price.above is None or price.beyond is None:
            return price
        return price.beyond if prompt_tokens > price.above else price

    def price_of(self, model: str | None, fast: bool = False) -> Price | None:
        """Return the price of a model by its id, with or without a date or a provider's prefix.

        Args:
            model: the id.
            fast: in fast mode; a model without such a row has no price there.
        """
        names = _names_of(model or "", fast)
        if self.own:
            given = next((self.own[name] for name in names if name in self.own), None)
            if given is not None:
                return given
        return _list().get(names[-1])


@cache
def _list() -> dict[str, Price]:
    found: dict[str, Price] = {}
    for name in ("prices.json", "prices_openai.json"):
        text = Path(__file__).with_name(name).read_bytes()
        found |= msgspec.json.decode(text, type=dict[str, Price])
    return found


@lru_cache(maxsize=1000)
def _names_of(model: str, fast: bool) -> tuple[str, ...]:
    """Return the names under which a model may have a price; the last one is that of the list."""
    whole = model.lower()
    ending = _FAST if fast or whole.endswith(_FAST) else ""
    names = [whole.removesuffix(_FAST)]
    if listed := _listed(whole):
        names += [f"claude-{listed}", listed]
    elif of_openai := _OF_OPENAI.fullmatch(whole):
        names.append(_with_a_point(of_openai["name"]))
    return tuple(name + ending for name in names)


def _listed(model: str) -> str | None:
    """Return how the list names a model; some gateways write versions with a point."""
    if match := _OLD.search(model):
        return match[0].replace(".", "-")
    match = _MODEL.search(model)
    if match is None:
        return None
    # Opus 4 is `claude-opus-4-0`, too.
    return match["major"] if match["minor"] in (None, "0") else f"{match['major']}-{match['minor']}"


def _with_a_point(name: str) -> str:
    """Return how the list names a model; some write `gpt-5-1`."""
    return re.sub(r"^gpt-(\d)-(\d)(?!\d)", r"gpt-\1.\2", name)


_FAST = "-fast"

_OF_OPENAI = re.compile(
    r"(?:.*/)?(?P<name>(?:gpt|o\d|codex)[-.\w]*?)(?:-\d{4}-\d{2}-\d{2}|-latest)?"
)
"""With or without the provider, the day of the release or `latest`."""

_MODEL = re.compile(
    r"(?P<major>(?:opus|sonnet|haiku|fable)-\d{1,2})(?!\d)(?:[-.](?P<minor>\d{1,2})(?!\d))?"
)

_OLD = re.compile(r"3[-.][57]-(?:sonnet|haiku)|3-opus")
"""Until version 3 the version stood before the family."""
