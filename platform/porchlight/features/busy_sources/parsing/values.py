"""Values of properties: dates, times and durations (RFC 5545, section 3.3)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

_MOMENT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?Z?)?")
_DURATION = re.compile(r"([+-]?)P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?")


def local_of(value: str) -> datetime | None:
    """Return the date or the time that is written, without its zone, or None for another text."""
    match = _MOMENT.fullmatch(value.strip().upper())
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    try:
        return datetime(year, month, day, hour, minute, min(second, 59))  # noqa: DTZ001 - its zone is known elsewhere
    except ValueError:
        return None


def is_date(value: str) -> bool:
    """Return whether a value is a date without a time."""
    return "T" not in value.upper()


def is_utc(value: str) -> bool:
    """Return whether a value is a time in UTC."""
    return value.strip().upper().endswith("Z")


def duration_of(value: str) -> timedelta | None:
    """Return a length of time, or None for another text."""
    match = _DURATION.fullmatch(value.strip().upper())
    if match is None or not any(match.groups()[1:]):
        return None
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups()[1:])
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -length if match[1] == "-" else length
