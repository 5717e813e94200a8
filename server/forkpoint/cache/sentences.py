"""A break in one sentence."""

from __future__ import annotations

from forkpoint.cache.cause import Found
from forkpoint.cache.evidence import Evidence
from forkpoint.cache.idle import SECONDS
from forkpoint.cache.words import duration, tokens
from forkpoint.client_rules import cache_rules_for
from forkpoint.records.words import one_line

_PLAIN = {
    "compaction": "The conversation was compacted",
    "clearing": "Old tool results were cleared",
    "rewind": "The conversation went on from an earlier point",
    "tools": "The tool definitions changed",
    "system": "The system prompt changed",
    "messages": "An earlier message changed",
    "thinking": "The thinking settings changed",
    "fast": "Fast mode was turned on",
    "headers": "The beta headers changed",
    "server": "Nothing had changed and the lifetime was not over, yet the cache was gone",
    "cwd": "The working directory changed, which this version's system prompt names",
    "git": "The git branch changed, which this version's system prompt names",
    "resumeDefect": "The client was started anew, and is known to lose the cache then",
}


def sentence_of(found: Found, evidence: Evidence, lost: int) -> str:
    """Tell what happened, with about how many tokens were sent anew."""
    return f"{_what(found, evidence)}: about {tokens(lost)} were sent anew."


def _what(found: Found, evidence: Evidence) -> str:
    before, after = evidence.before, evidence.after
    if found.cause == "model":
        return f"The model changed{_from_to(*evidence.models)}, and each has its own cache"
    if found.cause == "effort":
        return f"The effort level changed{_from_to(before.effort, after.effort)}"
    if found.cause == "upgrade":
        change = _from_to(before.version, after.version)
        return f"Claude Code changed{change}, and no system prompt was recorded"
    if found.cause == "upgradeTools":
        change = _from_to(before.version, after.version)
        return f"Claude Code changed{change}, which may offer other tools"
    if found.cause == "expired":
        return _idle_for(evidence)
    return _PLAIN.get(found.cause) or _unknown(evidence)


def _from_to(before: str | None, after: str | None) -> str:
    if before is None or after is None or before == after:
        return ""
    return f" from {one_line(before)} to {one_line(after)}"


def _idle_for(evidence: Evidence) -> str:
    seconds = SECONDS.get(evidence.lifetimes[0])
    of = "" if seconds is None else f" of {duration(seconds)}"
    if evidence.idle == "past":
        return (
            f"Idle for {duration(evidence.idle_ms // 1000)}, longer than the cache's lifetime{of}"
        )
    return f"The cache's lifetime{of} may have been over"


def _unknown(evidence: Evidence) -> str:
    before, after = (SECONDS.get(lifetime) for lifetime in evidence.lifetimes)
    if before is not None and after is not None and before != after:
        change = f"from {duration(before)} to {duration(after)}"
        return f"Nothing recorded says why, but the lifetime asked for changed {change}"
    if cache_rules_for(evidence.after.version).rebuilds_prompt:
        return "Nothing recorded says why; each start of this version builds the prompt anew"
    return "Nothing recorded says why"
