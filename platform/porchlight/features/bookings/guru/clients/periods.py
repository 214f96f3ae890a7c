"""Since when a guru has not seen a client, and when a month began: by the days of the guru's calendar."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

UNSEEN_DAYS = 60


def unseen_before(now: datetime, zone: str) -> datetime:
    """Return the start of the day, 59 days ago: a client who came last before it has not been seen for 60 days."""
    return _start_of_day(_local_day(now, zone) - timedelta(days=UNSEEN_DAYS - 1), zone)


def month_start(now: datetime, zone: str) -> datetime:
    """Return the start of the current month."""
    return _start_of_day(_local_day(now, zone).replace(day=1), zone)


def _local_day(now: datetime, zone: str) -> date:
    return now.astimezone(ZoneInfo(zone)).date()


def _start_of_day(day: date, zone: str) -> datetime:
    """Return the first instant of a local day. Where the clocks skip midnight, that is when they do."""
    return datetime.combine(day, time(), ZoneInfo(zone))
