"""Times of sessions in emails, with weekday, date and zone. A line can't break inside a time."""

from __future__ import annotations

from datetime import date, datetime

from porchlight.emails.templates import format_date
from tenants.kit.zones import zone_label

NO_BREAK_SPACE = "\u00a0"


def format_period(starts_at: datetime, ends_at: datetime) -> str:
    """Return a period like "Tuesday, December 1, 2026, 9:00 AM to 10:00 AM UTC". Both times are in the same zone."""
    end = _format_time(ends_at)
    if ends_at.date() != starts_at.date():
        end = f"{format_day(ends_at)}, {end}"
    return f"{format_day(starts_at)}, {_format_time(starts_at)} to {end}{NO_BREAK_SPACE}{zone_label(ends_at)}"


def format_moment(moment: datetime) -> str:
    """Return a time like "Tuesday, December 1, 2026, 9:00 AM MST"."""
    return f"{format_day(moment)}, {format_clock(moment)}"


def format_clock(moment: datetime) -> str:
    """Return a time of day like "9:00 AM MST"."""
    return f"{_format_time(moment)}{NO_BREAK_SPACE}{zone_label(moment)}"


def format_day(day: date) -> str:
    """Return a day like "Tuesday, December 1, 2026"."""
    return f"{day:%A}, {format_date(day)}"


def _format_time(moment: datetime) -> str:
    return f"{moment.hour % 12 or 12}:{moment:%M}{NO_BREAK_SPACE}{moment:%p}"
