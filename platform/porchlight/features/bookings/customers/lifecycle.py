"""Book a session for a customer without an account: decided without a database."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from porchlight.features.bookings.changes import NewHold
from porchlight.features.bookings.commands import BookCustomer
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.facts import CalendarSnapshot, ServiceSnapshot, SessionSnapshot
from porchlight.features.bookings.hold_and_book import resent_booking
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.seats import ends_at_of, new_session, session_at
from porchlight.features.bookings.states import Actor, Status

MAX_CUSTOMERS = 100  # within a day, because each may be emailed
MAX_OF_CUSTOMER = 10  # sessions for one email address, within a day
CUSTOMER_HOLD = timedelta(minutes=1)  # it is booked in the same transaction


def book_customer(draft: CalendarDraft, command: BookCustomer) -> UUID:
    """Book a session for a customer. The guru's notice, horizon and hours don't limit it."""
    facts, wanted, booked = draft.facts, command.seats, command.booked
    if (resent := resent_booking(draft, booked)) is not None:
        return resent
    if command.recent >= MAX_CUSTOMERS or command.recent_of_address >= MAX_OF_CUSTOMER:
        raise CommandRefused(RefusalReason.TOO_MANY_CUSTOMERS)
    calendar, service = facts.calendar, facts.service(wanted.service_id)
    if calendar is None or not calendar.is_active or service is None or service.minutes is None:
        raise CommandRefused(RefusalReason.SLOT_GONE)
    if ends_at_of(service, wanted.starts_at) <= facts.now:
        raise CommandRefused(RefusalReason.SLOT_GONE)
    session = _session(draft, calendar, service, command)
    held = draft.add_hold(
        session,
        service,
        NewHold(
            id=command.id, appointment_id=session.id, person_id=command.person_id, party=command.party,
            expires_at=facts.now + CUSTOMER_HOLD, customer_token=command.token,
        ),
    )  # fmt: skip
    draft.set_status(
        held,
        Status.CONFIRMED,
        Actor.GURU,
        confirmed_at=facts.now,
        person_name=booked.name,
        participants=list(booked.participants),
        note=booked.note,
        person_address=booked.address if held.place == "person" else "",
        customer_email=command.email,
        idempotency_key=booked.key,
        digest=booked.digest,
    )
    return held.id


def _session(
    draft: CalendarDraft, calendar: CalendarSnapshot, service: ServiceSnapshot, command: BookCustomer
) -> SessionSnapshot:
    """Return the session with seats for the party. A full one gets as many more, if the guru wants that."""
    session = session_at(draft, command.seats)
    if session is not None and session.waiting:
        raise CommandRefused(RefusalReason.OTHERS_WAIT)
    if command.party > (session.free if session else service.capacity) and not command.over_capacity:
        raise CommandRefused(RefusalReason.SESSION_FULL)
    if session is None:
        return new_session(draft, calendar, service, command.seats, max(service.capacity, command.party))
    return session if session.free >= command.party else draft.set_capacity(session, session.taken + command.party)
