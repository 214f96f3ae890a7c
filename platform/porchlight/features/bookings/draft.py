"""The bookings and sessions of a calendar while a command changes them, and the change that comes of it.

It keeps the seats, the waitlists and the emails right for each step, so that a command says only what happens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.features.bookings.changes import BookingUpdate, Change, NewHold, WaitlistUpdate
from porchlight.features.bookings.emails.routing import BY_STATUS, ONE_PER_SERIES, EmailKind, email_about
from porchlight.features.bookings.expiry import offer_until
from porchlight.features.bookings.facts import (
    BookingSnapshot,
    Facts,
    GrantSnapshot,
    PaymentSnapshot,
    ServiceSnapshot,
    SessionSnapshot,
    WaitingPerson,
    WaitingStatus,
)
from porchlight.features.bookings.packages.coverage import can_cover, is_returned
from porchlight.features.bookings.payments.amounts import RefundShares, refund_for_end
from porchlight.features.bookings.payments.changes import NewRefund, PaymentCanceled, RefundReason
from porchlight.features.bookings.payments.owed import change_for_end, payment_after
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.states import OPEN, Actor, Status
from porchlight.features.bookings.waitlist.offers import next_in_line
from tenants.kit.ids import new_id

_STATE_FIELDS = frozenset(one.name for one in fields(BookingSnapshot))
NO_PROPOSAL: Mapping[str, Any] = {"proposed_start": None, "proposed_until": None, "proposed_reason": ""}
_NO_CHECK_IN: Mapping[str, Any] = {"checked_in_at": None, "checked_in_by": ""}
_ENDED = frozenset({Status.DECLINED, Status.CANCELED, Status.EXPIRED})
# By status and who ended it; None: anyone.
_REFUND_REASONS: Mapping[tuple[Status, str | None], RefundReason] = {
    (Status.CANCELED, Actor.PERSON): "canceled",
    (Status.CANCELED, None): "guru_canceled",
    (Status.DECLINED, None): "declined",
    (Status.EXPIRED, None): "not_answered",
    (Status.MISSED, None): "missed",
}


def refund_reason(status: Status, actor: str) -> RefundReason | None:
    """Return why money goes back when a booking ends, or None for a status that returns nothing."""
    return _REFUND_REASONS.get((status, actor)) or _REFUND_REASONS.get((status, None))


class CalendarDraft:
    """The state of a calendar after the steps so far. `change` is what they write."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.change = Change()
        self.bookings = {one.id: one for one in facts.bookings}
        self.sessions = {one.id: one for one in facts.sessions}
        self.grants = {one.id: one for one in facts.grants}
        self._canceled: set[UUID] = set()
        self._series_emails: set[tuple[UUID, UUID | None, EmailKind]] = set()

    def booking(self, id_: UUID) -> BookingSnapshot:
        """Return a booking. Raises CommandRefused if it is not among the facts."""
        found = self.bookings.get(id_)
        if found is None:
            raise CommandRefused(RefusalReason.BOOKING_CHANGED)
        return found

    def booking_of(self, payment: PaymentSnapshot) -> BookingSnapshot | None:
        """Return the booking that a payment is for, if it is among the facts. One for a package has none."""
        return self.bookings.get(payment.booking_id) if payment.booking_id else None

    def copy(self) -> CalendarDraft:
        """Return a draft in the same state, to which `restore` goes back."""
        saved = CalendarDraft(self.facts)
        saved._take_over(self)
        return saved

    def restore(self, saved: CalendarDraft) -> None:
        """Undo every step since the copy was made."""
        self._take_over(saved)

    def _take_over(self, other: CalendarDraft) -> None:
        self.bookings, self.sessions = dict(other.bookings), dict(other.sessions)
        self.grants = dict(other.grants)
        self.change = other.change.copy()
        self._canceled, self._series_emails = set(other._canceled), set(other._series_emails)

    def end_due(self) -> None:
        """End the holds, requests and proposals whose time has passed, then offer the seats that are free."""
        now = self.facts.now
        for booking in list(self.bookings.values()):
            # A request may expire with the guru's proposal for it. The guru then learns that the person did not answer.
            ended = booking
            if booking.proposed_until is not None and booking.proposed_until <= now:
                ended = self.end_proposal(booking, EmailKind.PROPOSAL_EXPIRED, Actor.SYSTEM)
            if booking.expires_at is not None and booking.expires_at <= now:
                self.set_status(ended, Status.EXPIRED, Actor.SYSTEM)
        self.offer_free_seats()

    def set_status(
        self, booking: BookingSnapshot, status: Status, actor: Actor, *, email: EmailKind | None = None, **values: Any
    ) -> None:
        """Give a booking another status, with other values. An email goes out as `emails.routing` says, or `email`."""
        is_end = status in _ENDED or status is Status.MISSED
        changes: dict[str, Any] = {
            "status": status, "expires_at": None, "ended_by": actor if is_end else "",
            "ended_at": self.facts.now if is_end else None,
        }  # fmt: skip
        if booking.proposed_start is not None:
            changes |= NO_PROPOSAL
        if status in _ENDED and not (booking.payment and booking.payment.is_open):  # it may arrive late
            changes["person_address"] = ""
        changes |= self._settle_package(booking, status, actor)
        kind = email or BY_STATUS.get((booking.status, status))
        self.update(booking, changes | values, event=status, actor=actor, email=kind)
        if booking.status is Status.HELD and booking.person_id is not None:
            self._settle_place(booking, is_taken=status in OPEN)
        self._settle_payment(booking, status, actor, int(values.get("owed_cents", 0)))

    def _settle_payment(self, booking: BookingSnapshot, status: Status, actor: Actor, owed_cents: int) -> None:
        """Return what the person paid and does not owe, when their booking ends. Charge or release a kept card.

        What a card was charged goes back if the person came after all.
        """
        payment = booking.payment
        reason = refund_reason(status, actor)
        if payment is not None and payment.mode == "hold" and booking.status is Status.MISSED:
            reason = "attended"
        if payment is None or reason is None:
            return
        if payment.is_open and actor is not Actor.SYSTEM:
            self.change.payments.append(PaymentCanceled(id=payment.id, close=payment.id == payment.group_id))
        elif change := change_for_end(payment, owed_cents):
            self.change.payments.append(change)
            self.bookings[booking.id] = replace(self.bookings[booking.id], payment=payment_after(payment, change))
        elif shares := refund_for_end(payment, owed_cents):
            self.refund(payment, shares, reason, actor)

    def refund(
        self,
        payment: PaymentSnapshot,
        shares: RefundShares,
        reason: RefundReason,
        actor: Actor,
        *,
        again_of: UUID | None = None,
        key: str = "",
        digest: bytes | None = None,
    ) -> UUID:
        """Return a part of what was paid, and the refund's id. The caller has computed the shares of what is left."""
        made = NewRefund(
            id=new_id(), payment_id=payment.id, amount_cents=shares.amount_cents, fee_cents=shares.fee_cents,
            reason=reason, actor=actor, again_of=again_of, idempotency_key=key, digest=digest,
        )  # fmt: skip
        self.change.payments.append(made)
        booking = self.booking_of(payment)
        if booking is not None and booking.payment is not None and booking.payment.id == payment.id:
            returned = replace(
                payment,
                refunded_cents=payment.refunded_cents + shares.amount_cents,
                fee_returned_cents=payment.fee_returned_cents + shares.fee_cents,
            )
            self.bookings[booking.id] = replace(booking, payment=returned)
        return made.id

    def use_package(self, booking: BookingSnapshot, grant: GrantSnapshot) -> None:
        """Use a package for a booking, which then costs nothing more. The caller has found that it covers it."""
        values = {
            "package_grant_id": grant.id, "package_sessions": booking.party, "package_name": grant.name,
            "price_cents": 0,
        }  # fmt: skip
        self.bookings[booking.id] = replace(booking, grant_id=grant.id)
        self.update(self.bookings[booking.id], values)
        self._count_package(grant.id, -booking.party)

    def _settle_package(self, booking: BookingSnapshot, status: Status, actor: Actor) -> dict[str, Any]:
        """Return the sessions of a package if its booking ends without them being used, or use them after all."""
        grant = self.grants.get(booking.grant_id) if booking.grant_id else None
        if grant is None:
            return {}
        if booking.package_sessions:
            if not is_returned(booking, status, actor, self.facts.now):
                return {}
            self._count_package(grant.id, booking.package_sessions)
            return {"package_sessions": 0}
        if booking.status is Status.MISSED and status is not Status.MISSED and can_cover(grant, booking):
            self._count_package(grant.id, -booking.party)
            return {"package_sessions": booking.party}
        return {}

    def _count_package(self, grant_id: UUID, sessions: int) -> None:
        grant = self.grants[grant_id]
        self.grants[grant_id] = replace(grant, left_over=grant.left_over + sessions)

    def end_proposal(self, booking: BookingSnapshot, kind: EmailKind, actor: Actor) -> BookingSnapshot:
        """End the guru's proposal of another time. The session stays as it is."""
        return self.update(booking, NO_PROPOSAL, event=kind, actor=actor, email=kind)

    def update(
        self,
        booking: BookingSnapshot,
        values: Mapping[str, Any],
        *,
        event: str = "",
        actor: Actor = Actor.SYSTEM,
        email: EmailKind | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> BookingSnapshot:
        """Change columns of a booking, with its entry in the history and its emails. Seats follow its status."""
        if booking.checked_in_at is not None and _ends_check_in(booking, values):
            values = {**values, **_NO_CHECK_IN}
        changed = replace(booking, **{name: value for name, value in values.items() if name in _STATE_FIELDS})
        self.bookings[booking.id] = changed
        self._count_seats(booking, changed)
        if email is not None and email in ONE_PER_SERIES and changed.series_id is not None:
            key = (changed.series_id, changed.person_id, email)
            email = None if key in self._series_emails else email
            self._series_emails.add(key)
        self.change.bookings.append(
            BookingUpdate(
                id=booking.id,
                was=booking.status,
                values=dict(values),
                event=event,
                actor=actor,
                details={**_details(values), **(details or {})},
                email=email_about(email, sequence=changed.sequence, proposals=changed.proposals) if email else None,
            )
        )
        return changed

    def add_hold(self, session: SessionSnapshot, service: ServiceSnapshot, hold: NewHold) -> BookingSnapshot:
        """Hold seats of a session. The caller has found that they are free."""
        like = self.bookings.get(hold.like) if hold.like else None
        made = BookingSnapshot(
            id=hold.id,
            appointment_id=session.id,
            service_id=service.id,
            person_id=hold.person_id,
            status=Status.HELD,
            party=hold.party,
            starts_at=session.starts_at,
            ends_at=session.ends_at,
            zone=session.zone,
            price_cents=like.price_cents if like else 0,
            currency=like.currency if like else "USD",
            approval="instant" if hold.customer_token else (like or service).approval,
            place=like.place if like else session.place or service.place,
            terms=like.terms if like else {},
            expires_at=hold.expires_at,
            is_customer=hold.customer_token is not None,
            is_offer=hold.address is None,
        )
        self.bookings[made.id] = made
        self.change.bookings.append(hold)
        self._take_seats(session.id, hold.party)
        self._seat(made)
        return made

    def add_session(self, session: SessionSnapshot, local_start: datetime) -> None:
        """Add a session of a service."""
        self.sessions[session.id] = session
        self.change.sessions.append((session, local_start))

    def end_session(self, session: SessionSnapshot, *, is_canceled: bool) -> None:
        """End a session before its bookings do. If the guru cancels it, its seats are not offered to those who wait."""
        self.sessions[session.id] = replace(session, live=False)
        self.change.ended.append(session.id)
        if is_canceled:
            self._canceled.add(session.id)
            self._close_waitlist(session, is_notified=session.starts_at > self.facts.now)

    def set_capacity(self, session: SessionSnapshot, capacity: int) -> SessionSnapshot:
        """Give a session more seats."""
        self.sessions[session.id] = replace(session, capacity=capacity)
        self.change.capacities[session.id] = capacity
        return self.sessions[session.id]

    def add_waiting(self, session: SessionSnapshot, person: WaitingPerson) -> None:
        """Add a person at the end of a waitlist."""
        self.sessions[session.id] = replace(session, waitlist=(*session.waitlist, person))

    def set_place(self, session_id: UUID, number: int, status: WaitingStatus, *, is_notified: bool = False) -> None:
        """Change a place on a waitlist."""
        session = self.sessions[session_id]
        places = tuple(replace(one, status=status) if one.number == number else one for one in session.waitlist)
        self.sessions[session_id] = replace(session, waitlist=places)
        self.change.waitlist.append(
            WaitlistUpdate(appointment_id=session_id, number=number, status=status, is_notified=is_notified)
        )

    def offer_free_seats(self) -> None:
        """Offer the free seats of each session to those who wait for it, each time to the next in line."""
        for session_id in self.sessions:
            if session_id in self._canceled:
                continue
            while (found := next_in_line(self.facts, self.sessions[session_id])) is not None:
                self._offer(session_id, *found)

    def finish(self) -> Change:
        """Offer what became free, and take everyone off the waitlists of sessions that have ended."""
        self.offer_free_seats()
        for session in list(self.sessions.values()):
            if not session.live:  # it ended with its last booking
                self._close_waitlist(session, is_notified=False)
        return self.change

    def _close_waitlist(self, session: SessionSnapshot, *, is_notified: bool) -> None:
        for one in session.waitlist:
            if one.status in ("waiting", "offered"):
                self.set_place(session.id, one.number, "lapsed", is_notified=is_notified)

    def _offer(self, session_id: UUID, service: ServiceSnapshot, person: WaitingPerson) -> None:
        session = self.sessions[session_id]
        if person.person_id in session.seated:
            self.set_place(session_id, person.number, "taken")
            return
        hold = NewHold(
            id=new_id(),
            appointment_id=session.id,
            person_id=person.person_id,
            party=person.party,
            expires_at=offer_until(self.facts.now, session.starts_at, session.zone),
            email=email_about(EmailKind.SPOT_FREE, sequence=0, proposals=0),
        )
        self.add_hold(session, service, hold)
        self.set_place(session_id, person.number, "offered")

    def _settle_place(self, booking: BookingSnapshot, *, is_taken: bool) -> None:
        """End the offer of which a hold was made; who booked without waiting for it waits no more, either."""
        session = self.sessions[booking.appointment_id]
        for one in session.waitlist:
            if one.person_id == booking.person_id and (
                one.status == "offered" or (one.status == "waiting" and is_taken)
            ):
                self.set_place(session.id, one.number, "taken" if is_taken else "lapsed")

    def _take_seats(self, session_id: UUID, seats: int) -> None:
        """Count seats as the trigger booking_seats does: without bookings, a session ends, unless it is fixed."""
        session = self.sessions[session_id]
        taken = session.taken + seats
        live = True if seats > 0 else session.live and (session.fixed or taken > 0)
        if session.live and not live:
            self.change.ended.append(session_id)  # so that a new session can begin in its time
        self.sessions[session_id] = replace(session, taken=taken, live=live)

    def _count_seats(self, before: BookingSnapshot, after: BookingSnapshot) -> None:
        was, now = (one.party if one.occupies_seats else 0 for one in (before, after))
        if (was, before.appointment_id) != (now, after.appointment_id):
            if was:
                self._take_seats(before.appointment_id, -was)
            if now:
                self._take_seats(after.appointment_id, now)
        if before.person_id is not None:
            session = self.sessions[before.appointment_id]
            self.sessions[session.id] = replace(session, seated=session.seated - {before.person_id})
        self._seat(after)

    def _seat(self, booking: BookingSnapshot) -> None:
        if booking.person_id is not None and booking.status in OPEN:
            session = self.sessions[booking.appointment_id]
            self.sessions[session.id] = replace(session, seated=session.seated | {booking.person_id})


def _ends_check_in(booking: BookingSnapshot, values: Mapping[str, Any]) -> bool:
    """Tell whether people who were checked in are not there any more: their booking has ended, or moved."""
    status, session = values.get("status", booking.status), values.get("appointment_id", booking.appointment_id)
    return status not in (Status.CONFIRMED, Status.COMPLETED) or session != booking.appointment_id


def _details(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the history says about new values: the words that were given, and what is owed."""
    found = {"reason": values.get("reason"), "owed_cents": values.get("owed_cents")}
    return {name: value for name, value in found.items() if value}
