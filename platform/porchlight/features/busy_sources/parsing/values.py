"""Values of properties: dates, times and durations (RFC 5545, section 3.3)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

_MOMENT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?Z?)?")
_DURATION = re.compile(r"([+-]?)P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?")
# Programs write the first and the last time that they know for "always". A margin stays for zones.
_FIRST, _LAST = datetime(1, 1, 3), datetime(9999, 12, 29)  # noqa: DTZ001 - their zone is that of the value
_MIDNIGHT_HOUR = 24


def local_of(value: str) -> datetime | None:
    """Return the date or the time that is written, without its zone, or None for another text."""
    match = _MOMENT.fullmatch(value.strip().upper())
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    is_end_of_day = (hour, minute, second) == (_MIDNIGHT_HOUR, 0, 0)
    try:
        local = datetime(year, month, day, 0 if is_end_of_day else hour, minute, min(second, 59))  # noqa: DTZ001 - its zone is known elsewhere
    except ValueError:
        return None
    return min(max(local, _FIRST), _LAST) + timedelta(days=is_end_of_day)


def is_date(value: str) -> bool:
    """Return whether a value is a date without a time."""
    return "T" not in value.upper()


def is_utc(value: str) -> bool:
    """Return whether a value is a time in UTC."""
    return value.strip().upper().endswith("Z")


def duration_of(value: str) -> tuple[int, timedelta] | None:
    """Return a length of days, and of elapsed time in addition, or None for another text.

    A day may have 23 or 25 hours: P1D and PT24H differ when the clock changes (RFC 5545, section 3.3.6).
    """
    match = _DURATION.fullmatch(value.strip().upper())
    if match is None or not any(match.groups()[1:]):
        return None
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups()[1:])
    sign = -1 if match[1] == "-" else 1
    return sign * (7 * weeks + days), sign * timedelta(hours=hours, minutes=minutes, seconds=seconds)
