"""What the agent deletes soon, and which setting says so, as it goes over the wire."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.common import iso_time
from forkpoint.protocol.wire.health import MOST, agent_of
from forkpoint.retention import Retention
from forkpoint.session_entry import SessionEntry
from forkpoint.worded import counted, say


def retention(
    within_days: int,
    expiring: Sequence[tuple[float, SessionEntry]],
    settings: Sequence[types.RetentionSetting],
    now_ms: float,
) -> types.Retention:
    """Write what goes soon.

    Args:
        within_days: what soon means.
        expiring: the sessions with the times (ms since 1970), those that go first before others.
        settings: what says so.
        now_ms: the time (ms since 1970).
    """
    overdue = sum(1 for ends, _ in expiring if ends <= now_ms)
    return types.Retention(
        within_days=within_days,
        soon=len(expiring),
        sessions=[
            types.ExpiringSession(
                session_id=entry.session_id, agent=agent_of(entry), expires_at=iso_time(ends)
            )
            for ends, entry in expiring[:MOST]
        ],
        settings=settings,
        sentence=_sentence(within_days, len(expiring), overdue),
    )


def _sentence(within_days: int, soon: int, overdue: int) -> str:
    days = counted(within_days, "{count} day", "{count} days")
    if not soon:
        return say("No session will be deleted within {days}.", days=days)
    one = "{count} session will be deleted within {days}"
    told = counted(soon, one, "{count} sessions will be deleted within {days}", days=days)
    if not overdue:
        return say("{told}.", told=told)
    return say(
        "{told}, {overdue} of them at the next start of the agent.", told=told, overdue=overdue
    )


def setting_below(root: Path, found: Retention) -> types.RetentionSetting:
    """Write how long transcripts below a config folder are kept."""
    return types.RetentionSetting(
        config_dir=file_uri(str(root)),
        agent="claude-code",
        days=found.days,
        source=found.source,
        file=file_uri(found.file) if found.file and found.source == "user" else None,
        session_id=None,
        sentence=say("{who}: {how_long}.", who=_WHO[found.source], how_long=_how_long(found.days)),
    )


def setting_of_project(root: Path, found: Retention, session_id: str) -> types.RetentionSetting:
    """Write that a project has more deleted than usual; the session was started in it."""
    return types.RetentionSetting(
        config_dir=file_uri(str(root)),
        agent="claude-code",
        days=found.days,
        source="project",
        file=None,
        session_id=session_id,
        sentence=say(
            "{who}: {how_long}. Once the agent is started there, that counts for the sessions "
            "of all projects.",
            who=_WHO["project"],
            how_long=_how_long(found.days),
        ),
    )


_WHO: dict[types.RetentionSource, str] = {
    "default": say("By the agent's own default (no setting cleanupPeriodDays)"),
    "user": say("By cleanupPeriodDays in the user's settings"),
    "project": say("By cleanupPeriodDays in the settings of a project"),
    "managed": say("By cleanupPeriodDays in the organisation's settings"),
}


def _how_long(days: int | None) -> str:
    if days is None:
        return say("transcripts are never deleted")
    kept = counted(days, "{count} day", "{count} days")
    return say(
        "transcripts are deleted {kept} after their last change, when the agent is started",
        kept=kept,
    )
