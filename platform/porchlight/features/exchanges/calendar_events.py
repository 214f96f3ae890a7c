"""The calendar event of an exchange, for each of the two people."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from porchlight.emails.invitations import Invitation, invitation_file
from porchlight.features.exchanges.queries import ExchangeRow
from porchlight.ports import CalendarFile

_PLACES = {
    "teacher": "At {teacher}'s place", "learner": "At {learner}'s place", "online": "Online",
    "agreed": "To be agreed",
}  # fmt: skip
_NO_ANSWERS = "We don't get the answers “Yes”, “No” and “Maybe” from your calendar."


@dataclass(frozen=True, slots=True)
class ExchangeOrigin:
    """The installation that makes the events: links lead to `main_origin`, and the events' ids end in `base_host`."""

    main_origin: str
    base_host: str
    sender_address: str


def place_text(row: ExchangeRow, user_id: UUID, own_name: str) -> str:
    """Return where the two meet, in words that hold for both: with names."""
    teaches = row.side(user_id) == "teacher"
    teacher, learner = (own_name, row.other_name) if teaches else (row.other_name, own_name)
    return _PLACES[row.place].format(teacher=teacher, learner=learner)


def exchange_event(
    row: ExchangeRow, user_id: UUID, origin: ExchangeOrigin, own_name: str, address: str
) -> CalendarFile:
    """Return the calendar file of an agreed session for one of the two, which removes the event if it was canceled."""
    if row.starts_at is None or row.ends_at is None:
        raise ValueError("only an agreed session has a calendar file")
    url = f"{origin.main_origin}/exchanges/{row.id}"
    return invitation_file(
        Invitation(
            event_id=row.id,
            sequence=row.sequence,
            method="cancel" if row.status == "canceled" else "request",
            changed_at=row.changed_at,
            starts_at=row.starts_at,
            ends_at=row.ends_at,
            summary=f"{row.skill or 'Session'} with {row.other_name}",
            description=f"To cancel this session, open it on Porchlight: {url}\n\n{_NO_ANSWERS}",
            location=place_text(row, user_id, own_name),
            organizer_name="Porchlight",
            organizer_address=origin.sender_address,
            attendee_name=own_name,
            attendee_address=address,
            base_host=origin.base_host,
        )
    )
