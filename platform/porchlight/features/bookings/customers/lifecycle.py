"""Book a session for a customer without an account, who may claim it later: decided without a database."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import timedelta
from uuid import UUID

from porchlight.features.bookings.changes import NewHold
from porchlight.features.bookings.commands import BookCustomer, ClaimBookings
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.emails.routing import EmailKind
from porchlight.features.bookings.facts import CalendarSnapshot, ServiceSnapshot, SessionSnapshot
from porchlight.features.bookings.hold_and_book import resent_booking
from porchlight.features.bookings.packages.lifecycle import use_package
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.seats import ends_at_of, new_session, session_at
from porchlight.features.bookings.states import OPEN, Actor, Status

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
    if command.is_seated:
        raise CommandRefused(RefusalReason.ALREADY_BOOKED)
    session = _session(draft, calendar, service, command)
    held = draft.add_hold(
        session,
        service,
        NewHold(
            id=command.id, appointment_id=session.id, person_id=command.person_id, party=command.party,
            expires_at=facts.now + CUSTOMER_HOLD, customer_token=command.token,
            client_id=command.client_id or command.person_id,
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
        answers=[asdict(one) for one in booked.answers],
        person_address=booked.address if held.place == "person" else "",
        customer_email=command.email,
        idempotency_key=booked.key,
        digest=booked.digest,
    )
    if command.package is not None:
        use_package(draft, command.package, [held.id])
    return held.id


def claim_bookings(draft: CalendarDraft, command: ClaimBookings) -> UUID:
    """Give a customer's booking to the user, with the others that pass with it. Return the id of the first.

    Those in whose session the user has a spot already stay with the customer's link. What the user has claimed before
    stays as it is. The guru gets one email.
    """
    user_id = draft.facts.user_id
    named = draft.booking(command.id)
    if user_id is not None and named.person_id == user_id and not named.is_customer:
        return named.id  # the same request, sent again
    if user_id is None or not named.is_customer:
        raise CommandRefused(RefusalReason.CLAIMED)
    others = [draft.bookings[id_] for id_ in command.ids if id_ in draft.bookings and id_ != named.id]
    for one in (named, *others):
        is_open = one.status in OPEN
        if not one.is_customer or (is_open and user_id in draft.sessions[one.appointment_id].seated):
            if one.id == named.id:
                raise CommandRefused(RefusalReason.ALREADY_BOOKED)
            continue
        draft.update(
            replace(one, is_customer=False),
            {"person_id": user_id, "customer_token": None, "customer_email": ""},
            event="claimed",
            actor=Actor.PERSON,
            email=EmailKind.CLAIMED if one.id == named.id else None,
            details={"name": command.name} if command.name else {},
        )
    return named.id


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
