"""Card that shows the invitation of an email, as calendar programs do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote

from icalendar import Calendar, Event

from porchlight.emails.session_times import format_period


@dataclass(frozen=True, slots=True)
class InvitationCard:
    """The texts of a card. `place`, `organizer` and `description` may be empty."""

    title: str
    period: str
    place: str
    organizer: str
    description: str
    is_canceled: bool


def read_invitation_cards(invitation: str) -> list[InvitationCard]:
    """Return a card for each event of the calendars in a file.

    Raises ValueError if it is broken, or an event has no times of day.
    """
    calendars = Calendar.from_ical(invitation, multiple=True)
    if not calendars or not all(calendar.events for calendar in calendars):
        raise ValueError("a calendar has no event")
    cards = []
    for calendar in calendars:
        is_canceled = calendar.get("METHOD") == "CANCEL"
        cards += [_read_card(event, is_canceled=is_canceled) for event in calendar.events]
    return cards


def _read_card(event: Event, *, is_canceled: bool) -> InvitationCard:
    starts_at, ends_at = event.start, event.end
    if not isinstance(starts_at, datetime) or not isinstance(ends_at, datetime):
        raise ValueError("the event lasts whole days")
    return InvitationCard(
        title=str(event.get("SUMMARY", "")),
        period=format_period(starts_at, ends_at),
        place=str(event.get("LOCATION", "")),
        organizer=_format_organizer(event),
        description=str(event.get("DESCRIPTION", "")),
        is_canceled=is_canceled or event.get("STATUS") == "CANCELLED",
    )


def _format_organizer(event: Event) -> str:
    organizer = event.get("ORGANIZER")
    if organizer is None:
        return ""
    address = unquote(organizer.removeprefix("mailto:"))
    name = organizer.params.get("CN", "")
    return f"{name} ({address})" if name else address
