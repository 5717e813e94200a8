"""What does the clock say about the next request (cache-rules.md rows 3 to 5, 24, 29, 39)?"""

from __future__ import annotations

from forkpoint.cache.clock import Clock, clock_of
from forkpoint.cache.next_request import NextRequest
from forkpoint.cache.outcome import Asked
from forkpoint.cache.requests import Lifetime
from forkpoint.cache.ruling import Case, Confidence, Ruling
from forkpoint.cache.standing import Standing
from forkpoint.cache.words import duration
from forkpoint.worded import say


def next_lifetime(standing: Standing, after: NextRequest) -> Lifetime:
    """Return the lifetime of what the next request writes: as settings say, as before, as usual.

    Where it fell in mid-conversation the plan's limit may be reached: it stays where it fell to.
    """
    if standing.was_longer and standing.lifetime is not None:
        return standing.lifetime
    if after.lifetime is not None:
        return after.lifetime
    if standing.lifetime in ("5m", "1h", "mixed"):
        return standing.lifetime
    return "1h" if after.account == "subscription" else "5m"


def clock_at(standing: Standing, after: NextRequest) -> Clock | None:
    """Return the age of the entry; None where no row has a time."""
    used = standing.used
    if standing.compacted is not None and standing.compacted.asked is not None:
        used = standing.compacted.asked
    if used is None:
        return None
    if standing.lifetime not in (None, "off"):
        source = standing.lifetime_source
        return clock_of(used, standing.lifetime, after.now, source, assumed=False)
    lifetime = next_lifetime(standing, after)
    is_set = after.lifetime is not None
    source = "settings" if is_set else say("usual for this kind of account")
    return clock_of(used, lifetime, after.now, source, assumed=not is_set)


def rulings_of_time(asked: Asked, clock: Clock | None) -> list[Ruling]:
    """Return what the clock says, the deciding ruling first."""
    if clock is None:
        return [_UNTIMED]
    if clock.state == "past":
        expired = _overage(clock) if asked.point.was_longer else _expired(clock)
        return [_LIVE, expired] if asked.next.live else [expired]
    if clock.state == "tailPast":
        return [_tail_past(clock)]
    return [_within(clock, asked)] if clock.state == "within" else [_around(clock)]


def _expired(clock: Clock) -> Ruling:
    lifetime = duration(clock.longest)
    return Ruling(
        code="expired",
        certainty="likely" if clock.assumed else "certain",
        reason=say(
            "Idle {duration}, longer than the {lifetime} lifetime",
            duration=duration(clock.idle),
            lifetime=lifetime,
        ),
        evidence=say("lifetime from {source}", source=clock.source),
        confidence="medium" if clock.assumed else "high",
    )


def _overage(clock: Clock) -> Ruling:
    return Ruling(
        code="overage",
        certainty="likely",
        reason=say(
            "Idle {duration}, and the last requests used the {lifetime} lifetime (for example "
            "beyond the plan's limit)",
            duration=duration(clock.idle),
            lifetime=duration(clock.seconds),
        ),
        evidence=say("requests before them used 1 h"),
        confidence="medium",
    )


def _tail_past(clock: Clock) -> Ruling:
    return Ruling(
        code="expired",
        certainty="likely",
        reason=say(
            "The end of the conversation had a {duration} lifetime, the rest {rest}",
            duration=duration(clock.seconds),
            rest=_an(duration(clock.longest)),
        ),
        evidence=say("the last answer wrote both"),
        confidence="low",
    )


def _an(span: str) -> str:
    return say("an hour") if span == "1 h" else span


def _around(clock: Clock) -> Ruling:
    if clock.state == "backwards":
        return Ruling(
            code="expiresNow",
            certainty="unknowable",
            reason=say("The last request lies in the future of this clock"),
            evidence=say("times of the records"),
        )
    return Ruling(
        code="expiresNow",
        certainty="unknowable",
        reason=say("The cache expires about now"),
        evidence=say("the request's time is known within a bracket, and lifetimes are not exact"),
    )


def _within(clock: Clock, asked: Asked) -> Ruling:
    """Clients that build the prompt anew may differ in ways that nothing here shows."""
    rebuilds = Case(asked.point, asked.next).rules.rebuilds_prompt
    confidence: Confidence = "medium" if clock.assumed or rebuilds else "high"
    if rebuilds and asked.point.edited_before:
        confidence = "low"
    doubt = say("; this version builds the system prompt at each start") if rebuilds else ""
    lifetime = duration(clock.seconds)
    return Ruling(
        code="warm",
        certainty="likely",
        reason=say(
            "Used {duration} ago, within the {lifetime} lifetime{doubt}",
            duration=duration(clock.idle),
            lifetime=lifetime,
            doubt=doubt,
        ),
        evidence=say("lifetime from {source}", source=clock.source),
        confidence=confidence,
    )


_UNTIMED = Ruling(
    code="expiresNow",
    certainty="unknowable",
    reason=say("No record tells when the last request was sent"),
    evidence=say("no times in the transcript"),
)
_LIVE = Ruling(
    code="liveProcess",
    certainty="unknowable",
    reason=say("The session is open, and its process may keep the cache warm without a trace"),
    evidence=say("a running client"),
    confidence="medium",
)
