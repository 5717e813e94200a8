"""A break in one sentence."""

from __future__ import annotations

from forkpoint.cache.cause import Found
from forkpoint.cache.evidence import Evidence
from forkpoint.cache.idle import SECONDS
from forkpoint.cache.words import duration, tokens
from forkpoint.client_rules import cache_rules_for
from forkpoint.records.words import one_line
from forkpoint.worded import say

_PLAIN = {
    "compaction": say("The conversation was compacted"),
    "clearing": say("Old tool results were cleared"),
    "rewind": say("The conversation went on from an earlier point"),
    "tools": say("The tool definitions changed"),
    "system": say("The system prompt changed"),
    "messages": say("An earlier message changed"),
    "thinking": say("The thinking settings changed"),
    "fast": say("Fast mode was turned on"),
    "headers": say("The beta headers changed"),
    "server": say("Nothing had changed and the lifetime was not over, yet the cache was gone"),
    "cwd": say("The working directory changed, which this version's system prompt names"),
    "git": say("The git branch changed, which this version's system prompt names"),
    "resumeDefect": say("The client was started anew, and is known to lose the cache then"),
}


def sentence_of(found: Found, evidence: Evidence, lost: int) -> str:
    """Tell what happened, with about how many tokens were sent anew."""
    return say(
        "{what}: about {tokens} were sent anew.", what=_what(found, evidence), tokens=tokens(lost)
    )


def _what(found: Found, evidence: Evidence) -> str:
    before, after = evidence.before, evidence.after
    if found.cause == "model":
        return say(
            "The model changed{from_to}, and each has its own cache",
            from_to=_from_to(*evidence.models),
        )
    if found.cause == "effort":
        return say(
            "The effort level changed{from_to}", from_to=_from_to(before.effort, after.effort)
        )
    if found.cause == "upgrade":
        change = _from_to(before.version, after.version)
        return say("Claude Code changed{change}, and no system prompt was recorded", change=change)
    if found.cause == "upgradeTools":
        change = _from_to(before.version, after.version)
        return say("Claude Code changed{change}, which may offer other tools", change=change)
    if found.cause == "expired":
        return _idle_for(evidence)
    return _PLAIN.get(found.cause) or _unknown(evidence)


def _from_to(before: str | None, after: str | None) -> str:
    if before is None or after is None or before == after:
        return ""
    return say(" from {before} to {after}", before=one_line(before), after=one_line(after))


def _idle_for(evidence: Evidence) -> str:
    seconds = SECONDS.get(evidence.lifetimes[0])
    of = "" if seconds is None else say(" of {duration}", duration=duration(seconds))
    if evidence.idle == "past":
        return say(
            "Idle for {duration}, longer than the cache's lifetime{of}",
            duration=duration(evidence.idle_ms // 1000),
            of=of,
        )
    return say("The cache's lifetime{of} may have been over", of=of)


def _unknown(evidence: Evidence) -> str:
    before, after = (SECONDS.get(lifetime) for lifetime in evidence.lifetimes)
    if before is not None and after is not None and before != after:
        change = say(" from {before} to {after}", before=duration(before), after=duration(after))
        return say(
            "Nothing recorded says why, but the lifetime asked for changed{change}", change=change
        )
    if cache_rules_for(evidence.after.version).rebuilds_prompt:
        return say("Nothing recorded says why; each start of this version builds the prompt anew")
    return say("Nothing recorded says why")
