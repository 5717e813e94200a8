"""Which day is it in a time zone?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.ledger import QUARTER_MS
from forkpoint.zones import UnknownZone, days_in, zone_of
from tests.disk.trees import needs_posix


def quarter(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp() * 1000) // QUARTER_MS


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        pytest.param("UTC", "2026-01-25T04:08:09+00:00", "2026-01-25", id="UTC"),
        pytest.param("America/Los_Angeles", "2026-01-25T04:08:09+00:00", "2026-01-24", id="west"),
        pytest.param("Asia/Tokyo", "2026-01-24T16:00:00+00:00", "2026-01-25", id="east"),
        pytest.param("Asia/Kathmandu", "2026-01-24T18:14:59+00:00", "2026-01-24", id="before 5:45"),
        pytest.param("Asia/Kathmandu", "2026-01-24T18:15:00+00:00", "2026-01-25", id="at +5:45"),
        # Clocks go forward at 01:00 UTC on 2026-03-29, back at 01:00 UTC on 2026-10-25.
        pytest.param("Europe/Berlin", "2026-03-28T22:59:59+00:00", "2026-03-28", id="winter still"),
        pytest.param("Europe/Berlin", "2026-03-28T23:00:00+00:00", "2026-03-29", id="a short day"),
        pytest.param("Europe/Berlin", "2026-03-29T21:59:59+00:00", "2026-03-29", id="its end"),
        pytest.param("Europe/Berlin", "2026-03-29T22:00:00+00:00", "2026-03-30", id="summer"),
        pytest.param("Europe/Berlin", "2026-10-24T22:00:00+00:00", "2026-10-25", id="a long day"),
        pytest.param("Europe/Berlin", "2026-10-25T22:59:59+00:00", "2026-10-25", id="its end, too"),
        pytest.param("Europe/Berlin", "2026-10-25T23:00:00+00:00", "2026-10-26", id="winter"),
    ],
)  # fmt: skip
def test_days(zone: str, moment: str, day: str) -> None:
    assert days_in(zone_of(zone))(quarter(moment)) == day


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        pytest.param("Europe/Berlin", "2026-03-29", 23, id="a short day"),
        pytest.param("Europe/Berlin", "2026-10-25", 25, id="a long day"),
        pytest.param("Australia/Lord_Howe", "2026-04-05", 24.5, id="half an hour"),
    ],
)
def test_days_of_other_lengths_have_all_their_hours(zone: str, day: str, hours: float) -> None:
    day_of, noon = days_in(zone_of(zone)), quarter(f"{day}T12:00:00+00:00")
    around = [day_of(each) for each in range(noon - 200, noon + 200)]
    assert around.count(day) / 4 == hours


@given(
    st.datetimes(datetime(1980, 1, 1), datetime(2100, 1, 1)),
    st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe"]),
)
def test_a_quarter_of_an_hour_lies_in_the_day_of_each_of_its_moments(
    moment: datetime, name: str
) -> None:
    zone = zone_of(name)
    there = moment.replace(tzinfo=zone_of("UTC")).astimezone(zone)
    assert days_in(zone)(quarter(there.isoformat())) == there.date().isoformat()


@pytest.mark.parametrize("far", [-(2**62) // QUARTER_MS, 2**62 // QUARTER_MS, 10**12])
def test_what_is_beyond_the_calendar_has_no_day(far: int) -> None:
    assert days_in(None)(far) is None
    assert days_in(zone_of("Asia/Tokyo"))(far) is None


@pytest.mark.parametrize("name", ["", "Nowhere/Land", "Europe", "../../etc/passwd", "/etc/passwd",
                                  "UTC\0", "x" * 5000])  # fmt: skip
def test_unknown_zones(name: str) -> None:
    with pytest.raises(UnknownZone):
        zone_of(name)


@pytest.fixture
def machine_in_tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@needs_posix
@pytest.mark.usefixtures("machine_in_tokyo")
def test_the_machines_own_zone() -> None:
    assert days_in(None)(quarter("2026-01-24T16:00:00+00:00")) == "2026-01-25"
