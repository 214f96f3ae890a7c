"""Card that shows the invitation of an email, as calendar programs do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote

from icalendar import Calendar, Event

from porchlight.emails.templates import format_date

NO_BREAK_SPACE = "\u00a0"


@dataclass(frozen=True, slots=True)
class InvitationCard:
    """The texts of a card. `place`, `organizer` and `description` may be empty."""

    title: str
    period: str
    place: str
    organizer: str
    description: str
    is_canceled: bool


def read_invitation_card(invitation: str) -> InvitationCard:
    """Return the card of an iCalendar file with one event. Raises ValueError if it is broken or has no times of day."""
    calendar = Calendar.from_ical(invitation)
    (event,) = calendar.events
    starts_at, ends_at = event.start, event.end
    if not isinstance(starts_at, datetime) or not isinstance(ends_at, datetime):
        raise ValueError("the event lasts whole days")
    return InvitationCard(
        title=str(event.get("SUMMARY", "")),
        period=format_period(starts_at, ends_at),
        place=str(event.get("LOCATION", "")),
        organizer=_format_organizer(event),
        description=str(event.get("DESCRIPTION", "")),
        is_canceled=calendar.get("METHOD") == "CANCEL" or event.get("STATUS") == "CANCELLED",
    )


def format_period(starts_at: datetime, ends_at: datetime) -> str:
    """Return a period like "Tuesday, December 1, 2026, 9:00 AM to 10:00 AM UTC". Both times are in the same zone.

    A line can't break inside a time.
    """
    end = _format_time(ends_at)
    if ends_at.date() != starts_at.date():
        end = f"{_format_day(ends_at)}, {end}"
    return f"{_format_day(starts_at)}, {_format_time(starts_at)} to {end}{NO_BREAK_SPACE}{ends_at:%Z}"


def _format_day(moment: datetime) -> str:
    return f"{moment:%A}, {format_date(moment)}"


def _format_time(moment: datetime) -> str:
    return f"{moment.hour % 12 or 12}:{moment:%M}{NO_BREAK_SPACE}{moment:%p}"


def _format_organizer(event: Event) -> str:
    organizer = event.get("ORGANIZER")
    if organizer is None:
        return ""
    address = unquote(organizer.removeprefix("mailto:"))
    name = organizer.params.get("CN", "")
    return f"{name} ({address})" if name else address
