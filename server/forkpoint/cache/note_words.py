"""A forecast in one sentence: one reason, one number, one doubt."""

from __future__ import annotations

from forkpoint.cache.going_on import DECIDING_WARM
from forkpoint.cache.next_request import Account
from forkpoint.cache.outcome import Asked, Forecast
from forkpoint.cache.words import about_dollars, dollar_range, dollars, duration, tokens
from forkpoint.worded import joined, say


def sentence_of(forecast: Forecast, asked: Asked) -> str:
    """Say what to expect; without amounts where no price is known."""
    words = [_SENTENCES[forecast.verdict](forecast, asked), _step(forecast, asked)]
    if asked.of_agent:
        words.append(_OF_AGENT)
    return joined(words)


def _step(forecast: Forecast, asked: Asked) -> str:
    step = asked.price_step
    if step is None or forecast.verdict != "cold" or (forecast.context or 0) <= step.above:
        return ""
    return say(
        "Above {tokens} the whole request costs {times:g} times as much.",
        tokens=tokens(step.above),
        times=step.times,
    )


_OF_AGENT = say("Subagents have a cache of their own; the main conversation is not affected.")


def _reason(forecast: Forecast) -> str:
    return forecast.rulings[0].reason


def _sentence(forecast: Forecast) -> str:
    return say("{reason}.", reason=_reason(forecast))


def _paid(amount: str | None, account: Account) -> str:
    """An amount in parentheses; a subscription is not charged by it."""
    if amount is None:
        return ""
    return (
        say(" ({amount} at API prices)", amount=amount)
        if account == "subscription"
        else say(" ({amount})", amount=amount)
    )


# --- warm --------------------------------------------------------------------------------------


def _warm(forecast: Forecast, asked: Asked) -> str:
    cost = forecast.costs.warm
    paid = _paid(None if cost is None else dollars(cost), asked.next.account)
    if asked.next.action == "rewind":
        kept = say("Keeps about {tokens} in the cache", tokens=tokens(forecast.read or 0))
        drops = (
            say(" and drops about {tokens}", tokens=tokens(forecast.dropped))
            if forecast.dropped
            else ""
        )
        left = _left(forecast)
        return say("{kept}{left}{drops}{paid}.", kept=kept, left=left, drops=drops, paid=paid)
    read = say(
        "about {tokens} are read from the cache{paid}", tokens=tokens(forecast.read or 0), paid=paid
    )
    still = say("Still warm{left}: {read}.", left=_left(forecast), read=read)
    return joined([still, _sentence(forecast) if forecast.rulings[0].code in DECIDING_WARM else ""])


def _left(forecast: Forecast) -> str:
    clock = forecast.clock
    return "" if clock is None else say(" for about {duration}", duration=duration(clock.left))


# --- cold --------------------------------------------------------------------------------------


def _cold(forecast: Forecast, asked: Asked) -> str:
    code = forecast.rulings[0].code
    size = tokens(forecast.context or 0)
    paid = _paid(_cold_amount(forecast), asked.next.account)
    if code == "cachingOff":
        return say(
            "{reason}: each request sends {size} at the full input price{paid}.",
            reason=_reason(forecast),
            size=size,
            paid=paid,
        )
    if code == "compactCold":
        return say("{reason}{paid}.", reason=_reason(forecast), paid=paid)
    if code == "fastMode":
        return say(
            "Turning on fast mode sends about {size} anew once, at fast-mode prices{paid}.",
            size=size,
            paid=paid,
        )
    if code == "modelChanged":
        return say(
            "{reason}: about {size} will be sent uncached{paid}.",
            reason=_reason(forecast),
            size=size,
            paid=paid,
        )
    again = say("about {size} will be written again{paid}", size=size, paid=paid)
    if code == "expired":
        said = say("{reason}: {again}.", reason=_reason(forecast), again=again)
        return joined([said, _FLOOR if forecast.layers[0] != "no" else ""])
    return say("{reason}: {again}.", reason=_reason(forecast), again=again)


_FLOOR = say("The shared start (tools and system prompt) may still be warm.")


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
        reads = say("The summary request reads {read} from the cache{paid}", read=read, paid=paid)
        return say("{reads}; the next turn then writes only the summary.", reads=reads)
    if forecast.written is None:
        return say("{reason}; how much is written again cannot be known.", reason=_reason(forecast))
    if code == "boundaryNewest":
        return say(
            "{reason}; the next request writes about {written}{paid}.",
            reason=_reason(forecast),
            written=written,
            paid=paid,
        )
    return say(
        "{reason}: about {read} are read and about {written} written{paid}.",
        reason=_reason(forecast),
        read=read,
        written=written,
        paid=paid,
    )


def _unknown(forecast: Forecast, asked: Asked) -> str:
    code = forecast.rulings[0].code
    reason = _reason(forecast)
    if code == "expiresNow" and forecast.clock is not None:
        reason = say("{reason}: this can go either way", reason=reason)
    if forecast.context is None:
        return say("{reason}.", reason=reason)
    high, warm = forecast.costs.cold_high, forecast.costs.warm
    size = tokens(forecast.context)
    if high is None or warm is None:
        gone = say("If the cache is gone, about {size} are sent again.", size=size)
        return joined([say("{reason}.", reason=reason), gone])
    at = say(" at API prices") if asked.next.account == "subscription" else ""
    gone = say(
        "If the cache is gone, about {size} are sent again: {dollars}.",
        size=size,
        dollars=about_dollars(high),
    )
    kept = say("If not: {dollars}{at}.", dollars=about_dollars(warm), at=at)
    return joined([say("{reason}.", reason=reason), gone, kept])


_SENTENCES = {"warm": _warm, "cold": _cold, "partial": _partial, "unknown": _unknown}
