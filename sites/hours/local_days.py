"""The days of a calendar by its wall clock, and the instants at which their hours begin and end.

Wall times follow RFC 5545 3.3.5: one that occurs twice is its first instant. One that the clock skips has the offset
before the change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

MINUTES_PER_DAY: Final = 1440

_SECONDS_PER_DAY: Final = 86_400

MinuteRange = tuple[int, int]
"""Start and end (not included) of a range of hours, in wall minutes after midnight, from 0 to 1440."""


class OpenRange(NamedTuple):
    """A joined range of hours, and the wall minutes of its starts.

    `closes` is the instant at which it ends, or the range of the next day that it continues in.
    """

    start: int
    end: int
    starts: range
    closes: float


class LocalDay(NamedTuple):
    """A local day. `midnight` is the instant of 0:00; a plain day has 24 hours and no change of the clock."""

    date: date
    midnight: float
    is_plain: bool
    ranges: Sequence[OpenRange]


def local_days(
    zone: ZoneInfo, ranges_on: Callable[[date], Sequence[MinuteRange]], step: int, first_day: date, days: int
) -> list[LocalDay]:
    """Return the days with the ranges of each, of which `ranges_on` returns the joined ones in order.

    They are built from the last to the first, because a range may continue in the next day's.
    """
    prepared: list[LocalDay] = []
    next_midnight = _midnight(zone, first_day + timedelta(days=days + 1))
    next_ranges: Sequence[OpenRange] = ()
    for offset in range(days, -1, -1):
        day = first_day + timedelta(days=offset)
        midnight = _midnight(zone, day)
        is_plain = _has_no_change(midnight, next_midnight)
        ranges: list[OpenRange] = []
        for start, end in ranges_on(day):
            if end == MINUTES_PER_DAY and next_ranges and next_ranges[0].start == 0:
                closes = next_ranges[0].closes
            else:
                closes = midnight + 60 * end if is_plain else _instant(zone, day, end)
            ranges.append(OpenRange(start, end, range(start, end, step), closes))
        prepared.append(LocalDay(day, midnight, is_plain, ranges))
        next_midnight, next_ranges = midnight, ranges
    return prepared[:0:-1]


def _has_no_change(midnight: float, next_midnight: float) -> bool:
    """Whether a day has 24 hours. Since 1970, no zone has changed its clock twice within one day."""
    return next_midnight - midnight == _SECONDS_PER_DAY


def minute_of(local: datetime) -> float:
    """Return the wall minutes after midnight, with the seconds as a fraction."""
    return 60 * local.hour + local.minute + local.second / 60 + local.microsecond / 60_000_000


def wall_time(zone: ZoneInfo, day: date, minute: float) -> datetime:
    """Return a local time. Python's sum is by the wall clock, and its result is the first of two instants."""
    return datetime.combine(day, time.min, zone) + timedelta(minutes=minute)


def exists(local: datetime) -> bool:
    """Whether the clock shows a local time, rather than skip it. Datetimes of one zone are equal by the wall clock."""
    return datetime.fromtimestamp(local.timestamp(), local.tzinfo) == local


@lru_cache(maxsize=4_000)  # the days of many gurus are the same
def _midnight(zone: ZoneInfo, day: date) -> float:
    return _instant(zone, day, 0)


def _instant(zone: ZoneInfo, day: date, minute: int) -> float:
    """Return the instant of a wall time, as seconds since 1970. 1440 is 0:00 of the next day."""
    return wall_time(zone, day, minute).timestamp()
