"""Wait for a seat, give it up, or take the one that was offered: decided without a database."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from porchlight.features.bookings.changes import Joined
from porchlight.features.bookings.commands import JoinWaitlist, LeaveWaitlist, OpenOffer
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.facts import WaitingPerson
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.states import Actor, Status

MAX_WAITING = 100  # people for one session
MAX_WAITLISTS = 20  # of one person
WAITING_ENDS = timedelta(minutes=15)  # before the start


def join_waitlist(draft: CalendarDraft, command: JoinWaitlist) -> UUID:
    """Wait for seats of a full session. Return the id of the session."""
    facts = draft.facts
    service, calendar = facts.service(command.service_id), facts.calendar
    session = next(
        (
            one
            for one in draft.sessions.values()
            if one.live and one.service_id == command.service_id and one.starts_at == command.starts_at
        ),
        None,
    )
    is_offered = service is not None and service.open and calendar is not None and calendar.is_active
    if not is_offered or session is None or facts.user_id is None or service is None:
        raise CommandRefused(RefusalReason.SLOT_GONE)
    if session.starts_at <= facts.now + WAITING_ENDS:
        raise CommandRefused(RefusalReason.SLOT_GONE)
    if any(one.person_id == facts.user_id and one.status in ("waiting", "offered") for one in session.waitlist):
        return session.id
    if facts.user_id in session.seated:
        raise CommandRefused(RefusalReason.ALREADY_BOOKED)
    if session.capacity == 1:
        raise CommandRefused(RefusalReason.SLOT_TAKEN)
    if command.party > min(service.party_max, session.capacity):
        raise CommandRefused(RefusalReason.PARTY_TOO_LARGE)
    if not session.waiting and command.party <= session.free:
        raise CommandRefused(RefusalReason.SESSION_HAS_SPOTS)
    if len(session.waiting) >= MAX_WAITING:
        raise CommandRefused(RefusalReason.WAITLIST_FULL)
    if command.waits_for >= MAX_WAITLISTS:
        raise CommandRefused(RefusalReason.TOO_MANY_WAITLISTS)
    number = (session.last_number or 0) + 1
    draft.change.joined.append(Joined(appointment_id=session.id, number=number, party=command.party))
    person = WaitingPerson(number=number, person_id=facts.user_id, party=command.party, status="waiting")
    draft.add_waiting(session, person)  # a seat may be free that is too little for those before
    return session.id


def leave_waitlist(draft: CalendarDraft, command: LeaveWaitlist) -> None:
    """Leave a waitlist, and give up what was offered."""
    session, user_id = draft.sessions.get(command.session_id), draft.facts.user_id
    if session is None:
        return
    for place in session.waitlist:
        if place.person_id != user_id or place.status not in ("waiting", "offered"):
            continue
        draft.set_place(session.id, place.number, "left")
        for booking in list(draft.bookings.values()):
            is_own = booking.appointment_id == session.id and booking.person_id == user_id
            if place.status == "offered" and is_own and booking.status is Status.HELD:
                draft.set_status(booking, Status.EXPIRED, Actor.PERSON)


def open_offer(draft: CalendarDraft, command: OpenOffer) -> UUID:
    """Give the hold that was offered to the user a token. Return its id."""
    session, user_id = draft.sessions.get(command.session_id), draft.facts.user_id
    offered = session is not None and any(
        one.person_id == user_id and one.status == "offered" for one in session.waitlist
    )
    for booking in list(draft.bookings.values()):
        is_own = booking.appointment_id == command.session_id and booking.person_id == user_id
        if offered and is_own and booking.status is Status.HELD:
            draft.update(booking, {"hold_hash": command.token})
            return booking.id
    raise CommandRefused(RefusalReason.HOLD_EXPIRED)
