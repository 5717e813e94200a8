"""Which day is it in a time zone?

Where the system keeps no table of zones, as on Windows, only the machine's own zone is known.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from forkpoint.ledger import QUARTER_MS, DayOf


class UnknownZone(Exception):
    """Nothing is known of a zone of this name here."""


def zone_of(name: str) -> tzinfo:
    """Return a zone by its name in the table that all systems share, as `Europe/Berlin`.

    Raises:
        UnknownZone: there is none of this name here.
    """
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError) as failure:  # ZoneInfoNotFoundError is a KeyError.
        raise UnknownZone(name) from failure


def days_in(zone: tzinfo | None) -> DayOf:
    """Return what tells the day in a zone; None stands for the machine's own."""

    def day_of(quarter: int) -> str | None:
        try:
            moment = _EPOCH + timedelta(milliseconds=quarter * QUARTER_MS)
            return moment.astimezone(zone).date().isoformat()
        except (OverflowError, ValueError, OSError):
            # Beyond the years that a calendar here goes to.
            return None

    return day_of


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
