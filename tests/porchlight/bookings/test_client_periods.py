"""Since when a client has not been seen, by the days of the guru's calendar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.bookings.guru.clients.periods import month_start, unseen_before

ZONES = ("UTC", "America/Denver", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu", "Asia/Beirut",
         "America/Havana", "Australia/Lord_Howe", "Pacific/Apia")  # fmt: skip
# Twenty years of minutes.
NOW = st.integers(0, 20 * 365 * 24 * 60).map(
    lambda minutes: datetime(2015, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)


@pytest.mark.parametrize(
    ("now", "zone", "last", "is_unseen"),
    [
        # Denver: 1 March, just before and after midnight there.
        ("2027-03-02T06:59:00Z", "America/Denver", "2027-01-01T06:59:00Z", True),  # 31 December, 60 days before
        ("2027-03-02T06:59:00Z", "America/Denver", "2027-01-01T07:00:00Z", False),  # 1 January
        ("2027-03-02T07:00:00Z", "America/Denver", "2027-01-01T07:00:00Z", True),
        # Across the change of the clocks on 14 March, the days are local ones.
        ("2027-05-01T06:00:00Z", "America/Denver", "2027-03-03T06:59:00Z", True),
        ("2027-05-01T06:00:00Z", "America/Denver", "2027-03-03T07:00:00Z", False),
        # It is tomorrow in Kiritimati already, and still yesterday in Pago Pago.
        ("2027-03-01T10:00:00Z", "Pacific/Kiritimati", "2027-01-01T09:59:00Z", True),
        ("2027-03-01T10:00:00Z", "Pacific/Kiritimati", "2027-01-01T10:00:00Z", False),
        ("2027-03-01T10:59:00Z", "Pacific/Pago_Pago", "2026-12-31T10:59:00Z", True),
        ("2027-03-01T10:59:00Z", "Pacific/Pago_Pago", "2026-12-31T11:00:00Z", False),
        # In Beirut, 28 March begins at 1 AM.
        ("2027-05-26T12:00:00Z", "Asia/Beirut", "2027-03-27T21:59:00Z", True),
        ("2027-05-26T12:00:00Z", "Asia/Beirut", "2027-03-27T22:00:00Z", False),
    ],
)
def test_unseen_before_follows_local_days(now: str, zone: str, last: str, is_unseen: bool) -> None:
    assert (datetime.fromisoformat(last) < unseen_before(datetime.fromisoformat(now), zone)) is is_unseen


@given(
    now=NOW,
    before=st.timedeltas(timedelta(days=57), timedelta(days=63)),
    zone=st.sampled_from(ZONES),
)
def test_unseen_is_sixty_dates_apart(now: datetime, before: timedelta, zone: str) -> None:
    last = now - before
    dates = [one.astimezone(ZoneInfo(zone)).date() for one in (last, now)]
    assert (last < unseen_before(now, zone)) is ((dates[1] - dates[0]).days >= 60)


@given(
    now=NOW,
    before=st.timedeltas(timedelta(0), timedelta(days=32)),
    zone=st.sampled_from(ZONES),
)
def test_month_start_is_in_the_local_month(now: datetime, before: timedelta, zone: str) -> None:
    earlier = now - before
    months = [(one.year, one.month) for one in (at.astimezone(ZoneInfo(zone)) for at in (earlier, now))]
    assert (earlier >= month_start(now, zone)) is (months[0] == months[1])
