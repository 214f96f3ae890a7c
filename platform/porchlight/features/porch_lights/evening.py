"""The end of an evening: when a porch light goes out."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

END_OF_EVENING = time(22)
# A light that is turned on late shines at least this long.
MIN_DURATION = timedelta(hours=2)


def evening_end(now: datetime, zone: ZoneInfo) -> datetime:
    """Return 10 PM of today in `zone`, or two hours from `now` if that is later, in UTC."""
    today = now.astimezone(zone).date()
    end = datetime.combine(today, END_OF_EVENING, zone).astimezone(UTC)
    return max(end, now.astimezone(UTC) + MIN_DURATION)
