"""Calendar files of other programs, written for tests."""

from __future__ import annotations

from datetime import UTC, datetime

from porchlight.features.busy_sources.parsing.busy import Period, SourceReading, busy_periods

AFTER, BEFORE = datetime(2026, 11, 1, tzinfo=UTC), datetime(2027, 12, 1, tzinfo=UTC)
OWN_HOST = "porchlight.example"


def calendar_file(*events: str, zones: str = "") -> bytes:
    """Return a calendar file with events, each of the lines within BEGIN and END, separated by ` | `.

    An event that begins with RECURRENCE-ID is a changed instance of the one before.
    """
    made = ""
    number = -1
    for event in events:
        number += not event.startswith("RECURRENCE-ID")
        made += f"BEGIN:VEVENT\nUID:{max(0, number)}@x\n{_lines(event)}END:VEVENT\n"
    return f"BEGIN:VCALENDAR\nVERSION:2.0\n{zones}{made}END:VCALENDAR\n".replace("\n", "\r\n").encode()


def _lines(event: str) -> str:
    return "".join(f"{line}\n" for line in event.split(" | "))


def read(*events: str, zones: str = "", zone: str = "America/Denver", **changes: object) -> list[str]:
    """Return the busy times of a file with events, as `11-30T16:00/17:00` in UTC."""
    return [shown(period) for period in busy_periods([calendar_file(*events, zones=zones)], reading(zone, **changes))]


def reading(zone: str = "America/Denver", **changes: object) -> SourceReading:
    """Return what a file is read for."""
    values = {"zone": zone, "after": AFTER, "before": BEFORE, "own_host": OWN_HOST} | changes
    return SourceReading(**values)  # type: ignore[arg-type]


def shown(period: Period) -> str:
    """Return a time as text: the start, and the end without its date if it is the same day."""
    start, end = period
    until = f"{end:%H:%M}" if end.date() == start.date() else f"{end:%m-%dT%H:%M}"
    return f"{start:%m-%dT%H:%M}/{until}"
