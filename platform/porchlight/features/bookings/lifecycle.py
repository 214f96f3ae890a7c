"""The effect of each command on bookings: decided here alone, without a database and without a clock.

`app.booking_facts` returns the facts, and `app.apply_bookings` writes what was decided on them, under the lock of the
guru's calendar (`store`). Commands that take seats or answer for a time are in `hold_and_book`, `moves.lifecycle`,
`waitlist.lifecycle` and `customers.lifecycle`, check-ins in `passes.lifecycle`, packages in `packages.lifecycle`,
payments by card in `payments.lifecycle`,
answers to questions in `questions.lifecycle`. Who gets a freed seat is in `waitlist.offers`, which email goes out in
`emails.routing`, when something expires in `expiry`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from porchlight.features.bookings.changes import Change
from porchlight.features.bookings.commands import (
    AnswerRequest,
    Book,
    BookCustomer,
    Cancel,
    CancelSession,
    ChangeAddress,
    ChangeAnswers,
    ChangePlace,
    CheckIn,
    ClaimBookings,
    Command,
    Complete,
    ConfirmPayments,
    CoverBooking,
    DeclineInvitation,
    EndPayments,
    EndProposal,
    EndSession,
    Erase,
    Expire,
    ExtendPackage,
    FollowClocks,
    GiveUpPayment,
    GrantPackage,
    HoldSeats,
    JoinWaitlist,
    KeepCards,
    LeaveWaitlist,
    Move,
    OpenOffer,
    PayAgain,
    Propose,
    RecordAttendance,
    RefundPayment,
    Release,
    ReturnUnowed,
    TakeBackSessions,
    UndoCheckIn,
)
from porchlight.features.bookings.customers.lifecycle import book_customer, claim_bookings
from porchlight.features.bookings.draft import NO_PROPOSAL, CalendarDraft
from porchlight.features.bookings.emails.routing import EmailKind
from porchlight.features.bookings.expiry import ATTENDANCE
from porchlight.features.bookings.facts import BookingSnapshot, Facts
from porchlight.features.bookings.following.rest import digest_of, following_of, others_of_series, owed_for
from porchlight.features.bookings.hold_and_book import book, hold, release
from porchlight.features.bookings.moves.answer_time import is_open
from porchlight.features.bookings.moves.lifecycle import end_proposal, move, propose
from porchlight.features.bookings.packages.coverage import is_late
from porchlight.features.bookings.packages.lifecycle import (
    cover_booking,
    extend_package,
    grant_package,
    take_back_sessions,
)
from porchlight.features.bookings.passes.lifecycle import check_in, undo_check_in
from porchlight.features.bookings.payments import lifecycle as payments
from porchlight.features.bookings.questions.lifecycle import change_answers
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.states import Actor, Status
from porchlight.features.bookings.terms import share_cents, terms_at
from porchlight.features.bookings.waitlist.lifecycle import join_waitlist, leave_waitlist, open_offer

COMPLETED_AFTER = timedelta(hours=24)  # after the end
SAID_NO = "Answered “No” in the calendar."
MAX_ADDRESS_CHANGES = 10  # of a confirmed session, each with emails to both sides


@dataclass(frozen=True, slots=True)
class Decision:
    """The change that a command makes, or the reason why it is refused. A refused command still ends what is due.

    `reasons`: of a command that takes several starts, why each one is not possible, by its start. `booking_id` and
    `held_until` are of the booking or the hold that it is about.
    """

    change: Change
    refusal: RefusalReason | None = None
    reasons: dict[datetime, RefusalReason] = field(default_factory=dict)
    booking_id: UUID | None = None
    held_until: datetime | None = None


def decide(command: Command, facts: Facts) -> Decision:
    """Decide on a command. The change is empty if nothing is due, and the command is refused or was carried out."""
    draft = CalendarDraft(facts)
    draft.end_due()
    try:
        about = _DECIDE[type(command)](draft, command)
    except CommandRefused as refused:
        draft = CalendarDraft(facts)
        draft.end_due()
        return Decision(draft.finish(), refused.refusal, refused.reasons)
    change = draft.finish()
    held = draft.bookings.get(about) if about else None
    return Decision(change, booking_id=about, held_until=held.expires_at if held else None)


def _expire(_draft: CalendarDraft, _command: Expire) -> None:
    """Every decision begins with what is due."""


def _complete(draft: CalendarDraft, command: Complete) -> None:
    for id_ in command.ids:
        booking = draft.bookings.get(id_)
        if booking and booking.status is Status.CONFIRMED and booking.ends_at <= draft.facts.now - COMPLETED_AFTER:
            draft.set_status(booking, Status.COMPLETED, Actor.SYSTEM)


def _answer(draft: CalendarDraft, command: AnswerRequest) -> None:
    asked = draft.booking(command.id)
    if asked.status is not Status.REQUESTED:
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    others = others_of_series(asked, draft.bookings.values()) if command.whole_series else []
    for one in [asked, *others]:
        if one.status is not Status.REQUESTED:
            continue
        if command.accept:
            draft.set_status(one, Status.CONFIRMED, Actor.GURU, confirmed_at=draft.facts.now)
        else:
            draft.set_status(one, Status.DECLINED, Actor.GURU, reason=command.reason)


def _cancel(draft: CalendarDraft, command: Cancel) -> None:
    now = draft.facts.now
    first = draft.booking(command.id)
    if command.proposed_start is not None:
        chosen = _with_proposals(draft, first, command.proposed_start, whole_series=command.following)
    elif command.following:
        chosen = following_of(first, draft.bookings.values(), now)
        if command.actor is Actor.PERSON and digest_of(chosen, now) != command.terms_digest:
            raise CommandRefused(RefusalReason.TERMS_CHANGED)
    else:
        chosen = [first]
        _check_cancellation(first, command, now)
    for booking in chosen:
        _cancel_one(draft, booking, command)


def _check_cancellation(booking: BookingSnapshot, command: Cancel, now: datetime) -> None:
    if command.actor is Actor.GURU:
        if booking.status is not Status.CONFIRMED or booking.ends_at <= now:
            raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    elif not _is_open_at(booking, now):
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    elif command.actor is Actor.PERSON and _sees_other_terms(booking, command, now):
        raise CommandRefused(RefusalReason.TERMS_CHANGED)


def _sees_other_terms(booking: BookingSnapshot, command: Cancel, now: datetime) -> bool:
    return booking.status is Status.CONFIRMED and terms_at(booking, now).digest != command.terms_digest


def _cancel_one(draft: CalendarDraft, booking: BookingSnapshot, command: Cancel) -> None:
    if command.actor is Actor.GURU and booking.status is Status.REQUESTED:
        draft.set_status(booking, Status.DECLINED, Actor.GURU, reason=command.reason)
        return
    calendar = draft.facts.calendar
    is_blocked = calendar is not None and calendar.is_blocked  # after a block, both can end what they have for free
    is_free = command.actor is not Actor.PERSON or command.proposed_start is not None or is_blocked
    end_for_person = None
    if command.actor is Actor.STAFF:
        end_for_person = EmailKind.CANCELED  # also of a request: both sides learn who canceled
    elif command.actor is Actor.PERSON and booking.status is Status.CONFIRMED and is_open(booking, draft.facts.now):
        end_for_person = EmailKind.MOVE_DECLINED
    draft.set_status(
        booking,
        Status.CANCELED,
        command.actor,
        email=end_for_person,
        reason=command.reason,
        owed_cents=0 if is_free else owed_for(booking, draft.facts.now),
        sequence=booking.sequence + 1,
    )


def _decline_invitation(draft: CalendarDraft, command: DeclineInvitation) -> None:
    """Cancel where that is free for the person who says "No"; else ask them, because a click in a calendar is easy.

    A guru has to give a reason, so they are always asked. An answer to an invitation that was replaced is none.
    """
    booking, now = draft.booking(command.id), draft.facts.now
    if booking.status is not Status.CONFIRMED or booking.starts_at <= now:
        return
    if command.actor is Actor.GURU:
        draft.update(booking, {}, email=EmailKind.GURU_SAID_NO)
    elif command.sequence < booking.sequence:
        return
    elif (
        command.is_verified and not owed_for(booking, now) and not (booking.package_sessions and is_late(booking, now))
    ):
        reason = command.comment or SAID_NO
        _cancel_one(draft, booking, Cancel(id=booking.id, actor=Actor.PERSON, reason=reason))
    else:
        draft.update(booking, {}, email=EmailKind.PERSON_SAID_NO)


def _cancel_session(draft: CalendarDraft, command: CancelSession) -> None:
    session = draft.sessions.get(command.session_id)
    if session is None or not session.live or session.ends_at <= draft.facts.now:
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    # It ends first, because a live session would offer its seats to the waitlist.
    draft.end_session(session, is_canceled=True)
    for booking in list(draft.bookings.values()):
        if booking.appointment_id != session.id:
            continue
        if booking.status is Status.HELD:
            draft.set_status(booking, Status.EXPIRED, Actor.GURU)
        elif booking.status in (Status.REQUESTED, Status.CONFIRMED):
            _cancel_one(draft, booking, Cancel(id=booking.id, actor=Actor.GURU, reason=command.reason))


def _end_session(draft: CalendarDraft, command: EndSession) -> None:
    session = draft.sessions.get(command.session_id)
    if session is None or not session.live:
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    if session.taken:
        raise CommandRefused(RefusalReason.ALREADY_BOOKED)
    draft.end_session(session, is_canceled=True)


def _record_attendance(draft: CalendarDraft, command: RecordAttendance) -> None:
    booking, now = draft.booking(command.id), draft.facts.now
    payment = booking.payment
    if not booking.ends_at <= now < booking.ends_at + ATTENDANCE:
        raise CommandRefused(RefusalReason.ATTENDANCE_CLOSED)
    if booking.status not in ((Status.CONFIRMED, Status.COMPLETED) if command.missed else (Status.MISSED,)):
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    if command.missed:
        if booking.checked_in_at is not None:
            raise CommandRefused(RefusalReason.CHECKED_IN)
        if payment is not None and payment.mode == "hold" and payment.refunded_cents:
            raise CommandRefused(RefusalReason.CHARGE_RETURNED)
        owed_cents = share_cents(booking.price_cents, booking.terms["missed_percent"])
        draft.set_status(booking, Status.MISSED, Actor.GURU, owed_cents=owed_cents)
    elif payment is not None and payment.mode != "hold" and payment.refunded_cents:
        raise CommandRefused(RefusalReason.REFUNDED)
    else:
        status = Status.COMPLETED if now >= booking.ends_at + COMPLETED_AFTER else Status.CONFIRMED
        draft.set_status(booking, status, Actor.GURU, owed_cents=0)


def _change_place(draft: CalendarDraft, command: ChangePlace) -> None:
    session = draft.sessions.get(command.session_id)
    if session is None or not session.live or session.ends_at <= draft.facts.now:
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    booked = [
        one
        for one in draft.bookings.values()
        if one.appointment_id == session.id and one.status in (Status.HELD, Status.REQUESTED, Status.CONFIRMED)
    ]
    if command.place == "person" and any(one.place != "person" for one in booked):
        raise CommandRefused(RefusalReason.NO_ADDRESS)
    for one in booked:
        if (one.place, one.place_text) == (command.place, command.place_text):
            continue
        values: dict[str, Any] = {"place": command.place, "place_text": command.place_text}
        if command.place != "person":
            values["person_address"] = ""
        _tell_place(draft, one, values, Actor.GURU, EmailKind.PLACE_CHANGED)


def _change_address(draft: CalendarDraft, command: ChangeAddress) -> None:
    booking = draft.booking(command.id)
    is_current = booking.status in (Status.REQUESTED, Status.CONFIRMED) and booking.ends_at > draft.facts.now
    if not is_current or booking.place != "person":
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    if booking.person_address == command.address:
        return
    if command.changes >= MAX_ADDRESS_CHANGES:
        raise CommandRefused(RefusalReason.TOO_MANY_ADDRESSES)
    _tell_place(draft, booking, {"person_address": command.address}, Actor.PERSON, EmailKind.ADDRESS_CHANGED)


def _tell_place(
    draft: CalendarDraft, booking: BookingSnapshot, values: dict[str, Any], actor: Actor, kind: EmailKind
) -> None:
    """Change where a session takes place. Of a request, the email about its answer names the place."""
    if booking.status is not Status.CONFIRMED:
        draft.update(booking, values)
        return
    values["sequence"] = booking.sequence + 1
    draft.update(booking, values, event=EmailKind.PLACE_CHANGED, actor=actor, email=kind)


def _follow_clocks(draft: CalendarDraft, command: FollowClocks) -> None:
    for booking in list(draft.bookings.values()):
        is_open_there = booking.status in (Status.HELD, Status.REQUESTED, Status.CONFIRMED)
        if booking.appointment_id != command.session_id or not is_open_there:
            continue
        values: dict[str, Any] = {
            "starts_at": command.starts_at,
            "ends_at": command.ends_at,
            "sequence": booking.sequence + 1,
        }
        email = EmailKind.CLOCKS_CHANGED if booking.status is Status.CONFIRMED else None
        if booking.proposed_start is not None:
            values |= NO_PROPOSAL
        draft.update(booking, values, event=EmailKind.CLOCKS_CHANGED, actor=Actor.SYSTEM, email=email)


def _erase(draft: CalendarDraft, _command: Erase) -> None:
    now = draft.facts.now
    for booking in list(draft.bookings.values()):
        if booking.person_id != draft.facts.user_id:
            continue
        if booking.status is Status.HELD:
            draft.set_status(booking, Status.EXPIRED, Actor.PERSON)
        elif booking.status is Status.REQUESTED or (booking.status is Status.CONFIRMED and booking.starts_at > now):
            _cancel_one(draft, booking, Cancel(id=booking.id, actor=Actor.PERSON))


def _is_open_at(booking: BookingSnapshot, now: datetime) -> bool:
    return booking.status in (Status.REQUESTED, Status.CONFIRMED) and booking.starts_at > now


def _with_proposals(
    draft: CalendarDraft, booking: BookingSnapshot, starts_at: datetime, *, whole_series: bool
) -> list[BookingSnapshot]:
    """Return the booking, and with `whole_series` the others of its series, whose proposals are open."""
    if not is_open(booking, draft.facts.now) or booking.proposed_start != starts_at:
        raise CommandRefused(RefusalReason.PROPOSAL_ENDED)
    others = others_of_series(booking, draft.bookings.values()) if whole_series else []
    found = [booking, *(one for one in others if is_open(one, draft.facts.now))]
    return sorted(found, key=lambda one: (one.starts_at, one.id))


_Decider = Callable[[CalendarDraft, Any], UUID | None]
_DECIDE: dict[type[Any], _Decider] = {
    HoldSeats: hold,
    Release: release,
    Book: book,
    BookCustomer: book_customer,
    ClaimBookings: claim_bookings,
    Move: move,
    Propose: propose,
    EndProposal: end_proposal,
    JoinWaitlist: join_waitlist,
    LeaveWaitlist: leave_waitlist,
    OpenOffer: open_offer,
    Expire: _expire,
    Complete: _complete,
    AnswerRequest: _answer,
    Cancel: _cancel,
    CancelSession: _cancel_session,
    DeclineInvitation: _decline_invitation,
    EndSession: _end_session,
    RecordAttendance: _record_attendance,
    CheckIn: check_in,
    UndoCheckIn: undo_check_in,
    ChangePlace: _change_place,
    ChangeAddress: _change_address,
    ChangeAnswers: change_answers,
    FollowClocks: _follow_clocks,
    GrantPackage: grant_package,
    CoverBooking: cover_booking,
    ExtendPackage: extend_package,
    TakeBackSessions: take_back_sessions,
    PayAgain: payments.pay_again,
    GiveUpPayment: payments.give_up,
    ConfirmPayments: payments.confirm,
    KeepCards: payments.keep,
    EndPayments: payments.end,
    RefundPayment: payments.refund,
    ReturnUnowed: payments.return_unowed,
    Erase: _erase,
}
