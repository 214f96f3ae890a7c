"""The calendar events of bookings. One builder makes the files of emails and of downloads, so they have the same bytes.

The person's event is their booking. The guru's event is the session: the bookings of a class share one event, which
each new email updates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from porchlight.emails.invitations import Invitation, invitation_file
from porchlight.features.bookings.cancellation_text import format_cancellation
from porchlight.features.bookings.emails.facts import BookingFacts
from porchlight.features.bookings.emails.texts import Side
from porchlight.features.bookings.models import Booking
from porchlight.inbound_mail.addresses import calendar_address
from porchlight.personal_links import CustomerLink
from porchlight.ports import CalendarFile

BookedSession = Booking | BookingFacts
# The statuses of a booking whose event calendars keep.
IN_CALENDAR = ("confirmed", "completed", "missed")
# Entries of the history that change no calendar event. The newest of the others tells when the event last changed.
UNSEEN_EVENTS = ("proposed", "proposal_withdrawn", "proposal_expired", "proposal_lapsed", "completed", "missed")
_NO_ANSWERS = "We don't get the answers “Yes”, “No” and “Maybe” from your calendar."
_ANSWERS: dict[Side, str] = {
    "person": "Answer “No” in your calendar, and we cancel the session if that is free. Else we ask you first.",
    "guru": "Answer “No” in your calendar, and we ask you what to do.",
}
PLACES = {"guru": "At {guru}'s place", "person": "At {person}'s place", "online": "Online", "agreed": "To be agreed"}


@dataclass(frozen=True, slots=True)
class EventOrigin:
    """The installation that makes the events: links lead to `main_origin`, and the events' ids end in `base_host`.

    `reply_domain`: at which we receive the answers of calendar programs, "" if we receive no email.
    """

    main_origin: str
    base_host: str
    sender_address: str
    reply_domain: str = ""

    def organizer_address(self, tenant_id: UUID) -> str:
        """Return the address to which calendar programs send the answers to a guru's invitations."""
        return calendar_address(tenant_id, self.reply_domain) if self.reply_domain else self.sender_address

    def about_answers(self, side: Side) -> str:
        """Return the sentence about what an answer in the calendar does."""
        return _ANSWERS[side] if self.reply_domain else _NO_ANSWERS


@dataclass(frozen=True, slots=True)
class GuruSession:
    """A session as the guru's calendar shows it. `people`: name and seats of each confirmed booking."""

    id: UUID
    sequence: int
    capacity: int
    starts_at: datetime
    ends_at: datetime
    people: Sequence[tuple[str, int]]

    @property
    def is_class(self) -> bool:
        """Whether several people can book it, so that their bookings share one event."""
        return self.capacity > 1

    def event_id(self, booking: BookedSession) -> UUID:
        """Return the id of the event that a booking in this session belongs to."""
        return self.id if self.is_class else booking.id

    def stays(self, booking: BookedSession) -> bool:
        """Tell whether the event that a booking in this session belonged to still takes place."""
        if self.is_class:
            return bool(self.people)
        return booking.status == "confirmed" and booking.appointment_id == self.id


def person_or_neighbor(booking: BookedSession) -> str:
    """Return the name of the person, or "A neighbor" once the account is deleted."""
    return booking.person_name or "A neighbor"


def place_of(booking: BookedSession) -> str:
    """Return the address or link of a session in calendars, else what kind of place it is."""
    known = booking.person_address if booking.place == "person" else booking.place_text
    if known and booking.status in IN_CALENDAR:
        return known
    return PLACES[booking.place].format_map({"guru": booking.guru_name, "person": person_or_neighbor(booking)})


def person_event(booking: BookedSession, origin: EventOrigin, address: str, changed_at: datetime) -> CalendarFile:
    """Return the calendar file of a booking for its person, which removes the event if the booking is canceled.

    That of a customer without an account has no words of the guru, who typed the address: it goes out by email, too.
    """
    summary, location = f"{booking.service_name} with {booking.guru_name}", place_of(booking)
    bring = f"Bring: {booking.bring}\n\n" if booking.bring else ""
    url, attendee = f"{origin.main_origin}/sessions/{booking.id}", person_or_neighbor(booking)
    organizer, answers = booking.guru_name, origin.about_answers("person")
    costs = f"{_cancellation(booking)}\n" if booking.status in IN_CALENDAR else ""
    if booking.customer_token is not None:
        organizer = f"{booking.guru_label} on Porchlight"
        summary, location, bring, attendee = f"Session with {organizer}", "", "", ""
        url = CustomerLink(booking.tenant_id, booking.customer_token).url(origin.main_origin)
    return invitation_file(
        Invitation(
            event_id=booking.id,
            sequence=booking.sequence,
            method="cancel" if booking.status == "canceled" else "request",
            changed_at=changed_at,
            starts_at=booking.starts_at,
            ends_at=booking.ends_at,
            summary=summary,
            description=f"{bring}To move or cancel this session, open it on Porchlight: {url}\n{costs}\n{answers}",
            location=location,
            organizer_name=organizer,
            organizer_address=origin.organizer_address(booking.tenant_id),
            asks_for_answer=bool(origin.reply_domain),
            attendee_name=attendee,
            attendee_address=address,
            base_host=origin.base_host,
        )
    )


def _cancellation(booking: BookedSession) -> str:
    """Return what canceling costs, "" after a late move, whose cost only the page knows. It is the same at any time."""
    if booking.late_since is not None:
        return ""
    uses_package = bool(booking.package_sessions)
    return format_cancellation(booking.terms, booking.price_cents, uses_package=uses_package)


def guru_event(
    booking: BookedSession, session: GuruSession, origin: EventOrigin, address: str, changed_at: datetime
) -> CalendarFile:
    """Return the calendar file of a booking's session for the guru.

    It removes the event if no confirmed booking is left. `session` is the booking's session, or the one that it left.
    """
    url = f"{origin.main_origin}/guru/calendar?booking={booking.id}"
    summary, people = f"{booking.service_name} with {person_or_neighbor(booking)}", ""
    answers = origin.about_answers("guru")
    if session.is_class:
        seats = sum(party for _, party in session.people)
        summary = f"{booking.service_name}: {seats} of {session.capacity} spots booked"
        people = "".join(f"{name or 'A neighbor'}{_spots(party)}\n" for name, party in session.people)
    return invitation_file(
        Invitation(
            event_id=session.event_id(booking),
            sequence=session.sequence if session.is_class else booking.sequence,
            method="request" if session.stays(booking) else "cancel",
            changed_at=changed_at,
            starts_at=session.starts_at,
            ends_at=session.ends_at,
            summary=summary,
            description=f"{people}\nTo cancel or ask to move, open your calendar on Porchlight: {url}\n\n{answers}",
            location=place_of(booking),
            organizer_name="Porchlight",
            organizer_address=origin.organizer_address(booking.tenant_id),
            asks_for_answer=bool(origin.reply_domain),
            attendee_name=booking.guru_name,
            attendee_address=address,
            base_host=origin.base_host,
        )
    )


def _spots(party: int) -> str:
    return f" ({party} spots)" if party > 1 else ""
