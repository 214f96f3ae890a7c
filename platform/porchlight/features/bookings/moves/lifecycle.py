"""Move bookings, and propose other times for them: decided without a database."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from porchlight.features.bookings.commands import EndProposal, Move, Propose, WantedSeats
from porchlight.features.bookings.draft import NO_PROPOSAL, CalendarDraft
from porchlight.features.bookings.emails.routing import EmailKind
from porchlight.features.bookings.facts import BookingSnapshot, ServiceSnapshot, SessionSnapshot
from porchlight.features.bookings.following.rest import digest_of, following_of, others_of_series
from porchlight.features.bookings.moves.answer_time import answer_until, is_open, is_proposable
from porchlight.features.bookings.packages.coverage import is_late
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.seats import take
from porchlight.features.bookings.states import Actor, Status
from porchlight.features.bookings.terms import AnyBooking, terms_at


def move(draft: CalendarDraft, command: Move) -> None:
    """Move bookings, all or none. New seats come first, but a session without other bookings ends with its own."""
    if command.is_counted:
        _check_moves(draft, command)
    else:
        _check_proposals(draft, command)
    reasons: dict[datetime, RefusalReason] = {}
    for id_, wanted in command.wanted.items():
        saved = draft.copy()
        try:
            _move_one(draft, draft.bookings[id_], wanted, is_counted=command.is_counted)
        except CommandRefused as refused:
            draft.restore(saved)
            reasons[wanted.starts_at] = refused.refusal
    if reasons:
        is_series = command.following or len(command.wanted) > 1
        raise CommandRefused(RefusalReason.PARTLY_GONE if is_series else next(iter(reasons.values())), reasons)


def _check_moves(draft: CalendarDraft, command: Move) -> None:
    """Refuse the moves of a person that the terms do not allow, or that are about other terms than they saw."""
    now, first = draft.facts.now, draft.bookings.get(command.first_id)
    if first is None:
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    if command.following:
        rest = following_of(first, draft.bookings.values(), now)
        if digest_of(rest, now) != command.terms_digest or not {one.id for one in rest} >= command.wanted.keys():
            raise CommandRefused(RefusalReason.TERMS_CHANGED)
        if not all(can_move(draft.bookings[id_], now) for id_ in command.wanted):
            raise CommandRefused(RefusalReason.MOVES_USED)
    elif refusal := move_refusal(first, now, command.terms_digest):
        raise CommandRefused(refusal)


def move_refusal(booking: AnyBooking, now: datetime, terms_digest: str) -> RefusalReason | None:
    """Return why a person may not move a booking now, or None. `terms_digest`: the terms that they saw."""
    if booking.status != Status.CONFIRMED or booking.starts_at <= now:
        return RefusalReason.BOOKING_CHANGED
    terms = terms_at(booking, now)
    if terms.digest != terms_digest:
        return RefusalReason.TERMS_CHANGED
    if terms.moves_left == 0:
        return RefusalReason.MOVES_USED
    return RefusalReason.MOVE_TOO_LATE if terms.move_until is None else None


def can_move(booking: AnyBooking, now: datetime) -> bool:
    """Return whether the terms allow the person to move a booking now."""
    return booking.status == Status.CONFIRMED and booking.starts_at > now and terms_at(booking, now).can_move


def _check_proposals(draft: CalendarDraft, command: Move) -> None:
    """Refuse to accept other proposals than those that are open now."""
    now, first = draft.facts.now, draft.bookings.get(command.first_id)
    if first is None or not is_open(first, now):
        raise CommandRefused(RefusalReason.PROPOSAL_ENDED)
    chosen = [first]
    if command.following:
        chosen = [
            one
            for one in draft.bookings.values()
            if one.series_id == first.series_id and one.person_id == first.person_id and is_open(one, now)
        ]
    found = {one.id: one.proposed_start for one in chosen}
    if found != {id_: wanted.starts_at for id_, wanted in command.wanted.items()}:
        raise CommandRefused(RefusalReason.TERMS_CHANGED if command.following else RefusalReason.PROPOSAL_ENDED)


def _move_one(draft: CalendarDraft, booking: BookingSnapshot, wanted: WantedSeats, *, is_counted: bool) -> None:
    facts = draft.facts
    # The guru has accepted the time that they proposed for a request.
    is_asked = booking.status is Status.REQUESTED and not is_counted
    if not (is_asked or booking.status is Status.CONFIRMED) or booking.starts_at <= facts.now:
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    left = draft.sessions[booking.appointment_id]
    if left.taken == booking.party and not left.fixed and not left.waiting:
        draft.end_session(left, is_canceled=False)
    service, session = take(draft, wanted, booking.party)
    if booking.person_id in session.seated:
        raise CommandRefused(RefusalReason.ALREADY_BOOKED)
    place, place_text = _place_after_move(booking, left, session, service)
    values: dict[str, Any] = {
        "appointment_id": session.id, "starts_at": session.starts_at, "ends_at": session.ends_at,
        "sequence": booking.sequence + 1, "place": place, "place_text": place_text,
    }  # fmt: skip
    if is_counted:
        values["moves"] = booking.moves + 1
        # A late cancellation costs the same after a move as before it.
        uses_up = booking.package_sessions > 0 and is_late(booking, facts.now)
        is_costly = uses_up or terms_at(booking, facts.now).owed_cents > 0
        if booking.late_since is None and is_costly:
            values["late_since"] = facts.now
    if place != "person":
        values["person_address"] = ""
    if booking.proposed_start is not None:
        values |= NO_PROPOSAL
    email = EmailKind.MOVED if is_counted else EmailKind.MOVE_ACCEPTED
    moved = draft.update(
        booking,
        values,
        event=EmailKind.MOVED,
        actor=Actor.PERSON,
        email=None if is_asked else email,
        details={"from": booking.starts_at, "to": session.starts_at},
    )
    if is_asked:
        draft.set_status(moved, Status.CONFIRMED, Actor.PERSON, confirmed_at=facts.now)


def _place_after_move(
    booking: BookingSnapshot, left: SessionSnapshot, session: SessionSnapshot, service: ServiceSnapshot
) -> tuple[str, str]:
    """Return where a moved booking takes place: at the new session's own place, if the guru gave it one.

    A booking that leaves a session of the guru's schedule with a place of its own gets the service's.
    """
    if session.place is not None:
        return session.place, session.place_text or ""
    if left.fixed and left.place is not None:
        return service.place, service.place_text
    return booking.place, booking.place_text


def propose(draft: CalendarDraft, command: Propose) -> None:
    """Propose other starts to the persons, each in an email."""
    now = draft.facts.now
    for seen, starts_at in command.starts:
        booking = draft.booking(seen.id)
        is_same = (booking.status, booking.starts_at, booking.proposals) == (
            seen.status, seen.starts_at, seen.proposals,
        )  # fmt: skip
        if not is_same or not is_proposable(booking, now):
            raise CommandRefused(RefusalReason.BOOKING_CHANGED)
        until = answer_until(booking, starts_at, now)
        if until is None:
            raise CommandRefused(RefusalReason.PROPOSAL_TOO_LATE)
        values = {
            "proposed_start": starts_at, "proposed_until": until, "proposed_reason": command.reason,
            "proposals": booking.proposals + 1,
        }  # fmt: skip
        if booking.expires_at is not None:
            # A request does not expire while the person has time to answer.
            values["expires_at"] = max(booking.expires_at, until)
        draft.update(
            booking,
            values,
            event=EmailKind.PROPOSED,
            actor=Actor.GURU,
            email=EmailKind.PROPOSED,
            details={"to": starts_at} | ({"reason": command.reason} if command.reason else {}),
        )


def end_proposal(draft: CalendarDraft, command: EndProposal) -> None:
    """Withdraw proposals of the guru, or end the one that the person accepted too late."""
    booking, now = draft.booking(command.id), draft.facts.now
    if command.lapsed_start is not None:
        if not is_open(booking, now) or booking.proposed_start != command.lapsed_start:
            raise CommandRefused(RefusalReason.PROPOSAL_ENDED)
        draft.end_proposal(booking, EmailKind.PROPOSAL_LAPSED, Actor.PERSON)
        return
    if not is_open(booking, now):
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    for one in [booking, *(others_of_series(booking, draft.bookings.values()) if command.whole_series else ())]:
        if is_open(one, now):
            draft.end_proposal(one, EmailKind.PROPOSAL_WITHDRAWN, Actor.GURU)
