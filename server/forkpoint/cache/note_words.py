"""A forecast in one sentence: one reason, one number, one doubt."""

from __future__ import annotations

from forkpoint.cache.going_on import DECIDING_WARM
from forkpoint.cache.next_request import Account
from forkpoint.cache.outcome import Asked, Forecast
from forkpoint.cache.words import about_dollars, dollar_range, dollars, duration, tokens


def sentence_of(forecast: Forecast, asked: Asked) -> str:
    """Say what to expect; without amounts where no price is known."""
    words = [_SENTENCES[forecast.verdict](forecast, asked), _step(forecast, asked)]
    if asked.of_agent:
        words.append(_OF_AGENT)
    return " ".join(filter(None, words))


def _step(forecast: Forecast, asked: Asked) -> str:
    step = asked.price_step
    if step is None or forecast.verdict != "cold" or (forecast.context or 0) <= step.above:
        return ""
    above = f"Above {tokens(step.above)} the whole request costs"
    return f"{above} {step.times:g} times as much."


_OF_AGENT = "Subagents have a cache of their own; the main conversation is not affected."


def _reason(forecast: Forecast) -> str:
    return forecast.rulings[0].reason


def _paid(amount: str | None, account: Account) -> str:
    """An amount in parentheses; a subscription is not charged by it."""
    if amount is None:
        return ""
    return f" ({amount} at API prices)" if account == "subscription" else f" ({amount})"


# --- warm --------------------------------------------------------------------------------------


def _warm(forecast: Forecast, asked: Asked) -> str:
    cost = forecast.costs.warm
    paid = _paid(None if cost is None else dollars(cost), asked.next.account)
    if asked.next.action == "rewind":
        kept = f"Keeps about {tokens(forecast.read or 0)} in the cache"
        drops = f" and drops about {tokens(forecast.dropped)}" if forecast.dropped else ""
        return f"{kept}{_left(forecast)}{drops}{paid}."
    read = f"about {tokens(forecast.read or 0)} are read from the cache{paid}"
    why = f" {_reason(forecast)}." if forecast.rulings[0].code in DECIDING_WARM else ""
    return f"Still warm{_left(forecast)}: {read}.{why}"


def _left(forecast: Forecast) -> str:
    clock = forecast.clock
    return "" if clock is None else f" for about {duration(clock.left)}"


# --- cold --------------------------------------------------------------------------------------


def _cold(forecast: Forecast, asked: Asked) -> str:
    code = forecast.rulings[0].code
    size = tokens(forecast.context or 0)
    paid = _paid(_cold_amount(forecast), asked.next.account)
    if code == "cachingOff":
        return f"{_reason(forecast)}: each request sends {size} at the full input price{paid}."
    if code == "compactCold":
        return f"{_reason(forecast)}{paid}."
    if code == "fastMode":
        return f"Turning on fast mode sends about {size} anew once, at fast-mode prices{paid}."
    if code == "modelChanged":
        return f"{_reason(forecast)}: about {size} will be sent uncached{paid}."
    again = f"about {size} will be written again{paid}"
    if code == "expired":
        floor = f" {_FLOOR}" if forecast.layers[0] != "no" else ""
        return f"{_reason(forecast)}: {again}.{floor}"
    return f"{_reason(forecast)}: {again}."


_FLOOR = "The shared start (tools and system prompt) may still be warm."


def _cold_amount(forecast: Forecast) -> str | None:
    low, high = forecast.costs.cold_low, forecast.costs.cold_high
    if low is None or high is None:
        return None
    return dollar_range(low, high)


# --- in between --------------------------------------------------------------------------------


def _partial(forecast: Forecast, asked: Asked) -> str:
    cost = forecast.expected
    paid = _paid(None if cost is None else about_dollars(cost), asked.next.account)
    code = forecast.rulings[0].code
    written, read = tokens(forecast.written or 0), tokens(forecast.read or 0)
    if code == "compactWarm":
        reads = f"The summary request reads {read} from the cache{paid}"
        return f"{reads}; the next turn then writes only the summary."
    if forecast.written is None:
        return f"{_reason(forecast)}; how much is written again cannot be known."
    if code == "boundaryNewest":
        return f"{_reason(forecast)}; the next request writes about {written}{paid}."
    return f"{_reason(forecast)}: about {read} are read and about {written} written{paid}."


def _unknown(forecast: Forecast, asked: Asked) -> str:
    code = forecast.rulings[0].code
    reason = _reason(forecast)
    if code == "expiresNow" and forecast.clock is not None:
        reason = f"{reason}: this can go either way"
    if forecast.context is None:
        return f"{reason}."
    high, warm = forecast.costs.cold_high, forecast.costs.warm
    size = tokens(forecast.context)
    if high is None or warm is None:
        return f"{reason}. If the cache is gone, about {size} are sent again."
    at = " at API prices" if asked.next.account == "subscription" else ""
    gone = f"If the cache is gone, about {size} are sent again: {about_dollars(high)}"
    return f"{reason}. {gone}. If not: {about_dollars(warm)}{at}."


_SENTENCES = {"warm": _warm, "cold": _cold, "partial": _partial, "unknown": _unknown}
