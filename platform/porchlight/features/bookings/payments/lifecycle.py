"""Payments of bookings by card: decided without a database.

A booking that is paid when it is made stays a hold while Stripe's page is open. It is booked once the payment has
arrived; if its seats are gone by then, the money goes back in full.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.features.bookings.commands import (
    ConfirmPayments,
    EndPayments,
    GiveUpPayment,
    KeepCards,
    PayAgain,
    RefundPayment,
    ReturnUnowed,
    WantedPayment,
    WantedSeats,
)
from porchlight.features.bookings.draft import CalendarDraft, refund_reason
from porchlight.features.bookings.emails.routing import EmailKind
from porchlight.features.bookings.expiry import request_until
from porchlight.features.bookings.facts import BookingSnapshot, PaymentSnapshot, SessionSnapshot
from porchlight.features.bookings.payments.amounts import (
    MAX_CARD_CENTS,
    begun_cents,
    payment_mode,
    quote,
    refund_for_end,
    refund_shares,
)
from porchlight.features.bookings.payments.changes import (
    BeginPayment,
    CardKept,
    CardReleased,
    PaymentEnded,
    PaymentPaid,
)
from porchlight.features.bookings.payments.owed import (
    ALREADY_KEPT,
    REASONS,
    may_be_paid,
    owed_cents,
    setup_page,
    state_without_payment,
)
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.seats import take
from porchlight.features.bookings.states import Actor, Status
from tenants.kit.ids import new_id
from tenants.kit.zones import day_bounds, local_time

# Stripe's page stays open for at least 30 minutes from when it is created, which takes a moment.
PAGE_OPEN = timedelta(minutes=33)
PAYMENT_HOLD = timedelta(minutes=35)  # a little longer than the page, so that news of a payment finds its hold
MAX_PAYMENTS = 3  # that begin for one booking
REFUNDED = "refunded"  # in the history of a booking, with the words of the guru or staff
MAX_OWED_PAYMENTS = 20  # that begin for what a person owes; they may come back to pay at any time


def begin(draft: CalendarDraft, booking_ids: Sequence[UUID], wanted: WantedPayment | None) -> None:
    """Begin the payment of holds that are paid together, and keep their seats while it lasts."""
    if wanted is None:
        raise CommandRefused(RefusalReason.CARDS_UNAVAILABLE)
    now = draft.facts.now
    bookings = [draft.bookings[id_] for id_ in booking_ids]
    if sum(begun_cents(one) for one in bookings) > MAX_CARD_CENTS:
        raise CommandRefused(RefusalReason.TOO_MUCH_FOR_CARD)
    group_id = new_id()
    until = int((now + PAGE_OPEN).timestamp())
    keeps_card = payment_mode(bookings[0]) == "hold"
    checkout: dict[str, Any] | None = (
        setup_page(group_id, wanted, until) if keeps_card else _checkout(bookings, group_id, wanted, until)
    )
    for booking in bookings:
        quoted = quote(begun_cents(booking), wanted.plan, wanted.fees)
        payment = PaymentSnapshot(
            id=group_id if checkout else new_id(), booking_id=booking.id, group_id=group_id,
            number=booking.payment.number + 1 if booking.payment else 1, state="opening",
            amount_cents=quoted.amount_cents, fee_cents=quoted.fee_cents, fee_bps=quoted.fee_bps,
            fee_minimum_cents=quoted.fee_minimum_cents, mode=payment_mode(booking) or "full",
        )  # fmt: skip
        draft.change.payments.append(
            BeginPayment(
                id=payment.id, booking_id=booking.id, group_id=group_id, number=payment.number, mode=payment.mode,
                amount_cents=payment.amount_cents, fee_cents=payment.fee_cents, fee_bps=payment.fee_bps,
                fee_minimum_cents=payment.fee_minimum_cents, expires_at=now + PAGE_OPEN, checkout=checkout,
            )
        )  # fmt: skip
        draft.bookings[booking.id] = replace(booking, payment=payment)
        checkout = None


def _checkout(bookings: Sequence[BookingSnapshot], group_id: UUID, wanted: WantedPayment, until: int) -> dict[str, Any]:
    """Return the parameters of Stripe's page. One line for each price, with the number of sessions."""
    prices: dict[tuple[int, str], int] = {}
    for booking in bookings:
        title = f"Deposit: {wanted.title}" if payment_mode(booking) == "deposit" else wanted.title
        line = (begun_cents(booking), title)
        prices[line] = prices.get(line, 0) + 1
    return _payment_page(prices, group_id, wanted, until)


def _payment_page(
    prices: Mapping[tuple[int, str], int], group_id: UUID, wanted: WantedPayment, until: int
) -> dict[str, Any]:
    metadata = {"payment": str(group_id)}
    return {
        "mode": "payment",
        "allowed_payment_method_types": ["card"],
        "customer_email": wanted.email,
        "client_reference_id": str(group_id),
        "line_items": [
            {
                "quantity": count,
                "price_data": {"currency": "usd", "unit_amount": cents, "product_data": {"name": title}},
            }
            for (cents, title), count in prices.items()
        ],
        "payment_intent_data": {
            "metadata": metadata, "description": wanted.title, "transfer_group": str(group_id),
        },
        "metadata": metadata,
        "success_url": f"{wanted.return_url}?payment=done",
        "cancel_url": wanted.return_url,
        "expires_at": until,
    }  # fmt: skip


def pay_again(draft: CalendarDraft, command: PayAgain) -> UUID:
    """Begin another payment for a hold whose page could not be opened, and for those of its group.

    Or begin the payment of what the person owes of a booking that has ended, if their card was not charged.
    """
    if (ended := draft.bookings.get(command.id)) is not None and owed_cents(ended):
        return _pay_owed(draft, ended, command.payment)
    first = _waiting(draft, command.id)
    payment = first.payment
    if payment is None or payment.is_open:
        return first.id
    if payment.number >= MAX_PAYMENTS:
        raise CommandRefused(RefusalReason.CARDS_UNAVAILABLE)
    together = _group(draft, payment)
    for booking in together:
        draft.update(booking, {"expires_at": draft.facts.now + PAYMENT_HOLD})
    begin(draft, [one.id for one in together], command.payment)
    return first.id


def _pay_owed(draft: CalendarDraft, booking: BookingSnapshot, wanted: WantedPayment) -> UUID:
    """Begin the payment of what a person owes of a booking that has ended, with the fee of when the card was kept."""
    former = booking.payment
    if booking.person_id != draft.facts.user_id or former is None or former.mode != "hold":
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    if former.is_open:
        return booking.id
    if former.state != "unpaid":
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    if former.number >= MAX_OWED_PAYMENTS:
        raise CommandRefused(RefusalReason.CARDS_UNAVAILABLE)
    new = new_id()
    payment = replace(former, id=new, group_id=new, number=former.number + 1, state="opening")
    expires_at = draft.facts.now + PAGE_OPEN
    prices = {(payment.amount_cents, f"{REASONS[booking.status]}: {wanted.title}"): 1}
    draft.change.payments.append(
        BeginPayment(
            id=new, booking_id=booking.id, group_id=new, number=payment.number, mode="hold", is_owed=True,
            amount_cents=payment.amount_cents, fee_cents=payment.fee_cents, fee_bps=payment.fee_bps,
            fee_minimum_cents=payment.fee_minimum_cents, expires_at=expires_at,
            checkout=_payment_page(prices, new, wanted, int(expires_at.timestamp())),
        )
    )  # fmt: skip
    draft.bookings[booking.id] = replace(booking, payment=payment)
    return booking.id


def give_up(draft: CalendarDraft, command: GiveUpPayment) -> None:
    """Give up holds instead of paying for them. Stripe's page closes."""
    first = _waiting(draft, command.id)
    for booking in _group(draft, first.payment) if first.payment else [first]:
        draft.set_status(booking, Status.EXPIRED, Actor.PERSON)


def confirm(draft: CalendarDraft, command: ConfirmPayments) -> None:
    """Book what was paid for, or return the money. A payment that was recorded before changes nothing."""
    for payment in command.payments:
        booking = draft.booking_of(payment)
        current = booking.payment if booking else None
        if current is not None and current.id == payment.id:
            payment = current
        if payment.state == "paid":
            continue
        draft.change.payments.append(
            PaymentPaid(
                id=payment.id, intent_id=command.intent_id, charge_id=command.charge_id,
                card_brand=command.card_brand, card_last4=command.card_last4, checked_at=command.checked_at,
            )
        )  # fmt: skip
        paid = replace(payment, state="paid")
        if booking is None or current is None or current.id != payment.id:
            _return_all(draft, booking, paid)
        elif paid.mode == "hold":
            _settle_owed(draft, booking, paid)
        elif not _book(draft, booking, paid):
            _return_all(draft, booking, paid)


def _settle_owed(draft: CalendarDraft, booking: BookingSnapshot, paid: PaymentSnapshot) -> None:
    """Take what a person owes of a booking that has ended, and return what they do not owe any more."""
    owed = owed_cents(booking)
    draft.bookings[booking.id] = booking = replace(booking, payment=paid)
    if shares := refund_for_end(paid, owed):
        draft.refund(paid, shares, "attended", Actor.SYSTEM)
    if owed:
        draft.update(draft.bookings[booking.id], {}, email=EmailKind.CHARGED)


def keep(draft: CalendarDraft, command: KeepCards) -> None:
    """Book what a card is kept for, or let go of the card. A card that was recorded before changes nothing."""
    for payment in command.payments:
        booking = draft.booking_of(payment)
        current = booking.payment if booking else None
        if current is not None and current.id == payment.id:
            payment = current
        if payment.state in ALREADY_KEPT:
            continue
        draft.change.payments.append(
            CardKept(
                id=payment.id, customer_id=command.customer_id, method_id=command.method_id,
                card_brand=command.card_brand, card_last4=command.card_last4, checked_at=command.checked_at,
            )
        )  # fmt: skip
        kept = replace(payment, state="kept")
        if booking is None or current is None or current.id != payment.id or not _book(draft, booking, kept):
            draft.change.payments.append(CardReleased(id=payment.id))


def end(draft: CalendarDraft, command: EndPayments) -> None:
    """End payments that will not come. A hold whose page could not be opened stays, so that the person tries again."""
    for payment in command.payments:
        booking = draft.booking_of(payment)
        current = booking.payment if booking else None
        if booking is None or current is None or current.id != payment.id or not may_be_paid(current):
            if may_be_paid(payment):
                draft.change.payments.append(
                    PaymentEnded(id=payment.id, state=command.state, error_code=command.error_code)
                )
            continue
        state = state_without_payment(booking, current, command.state)
        draft.change.payments.append(PaymentEnded(id=payment.id, state=state, error_code=command.error_code))
        booking = replace(booking, payment=replace(current, state=state))
        draft.bookings[booking.id] = booking
        if current.state == "charging" and state == "unpaid":
            draft.update(booking, {}, email=EmailKind.CHARGE_FAILED)
        if command.state == "expired" and booking.status is Status.HELD:
            draft.set_status(booking, Status.EXPIRED, Actor.SYSTEM)
        elif booking.status is Status.EXPIRED and booking.person_address:
            draft.update(booking, {"person_address": ""})


def refund(draft: CalendarDraft, command: RefundPayment) -> None:
    """Return a part of a payment, unless the bank decides on it, or less is left than was seen."""
    payment = command.payment
    booking = draft.booking_of(payment)
    if booking is not None and booking.payment is not None and booking.payment.id == payment.id:
        payment = booking.payment
    if payment.is_disputed:
        raise CommandRefused(RefusalReason.PAYMENT_DISPUTED)
    if command.kept_cents is not None and command.kept_cents != payment.kept_cents:
        raise CommandRefused(RefusalReason.REFUND_CHANGED)
    if command.amount_cents > payment.kept_cents:
        raise CommandRefused(RefusalReason.REFUND_TOO_LARGE)
    shares = refund_shares(payment, command.amount_cents)
    made = draft.refund(
        payment, shares, command.reason, command.actor, again_of=command.again_of, key=command.key,
        digest=command.digest,
    )  # fmt: skip
    if booking is not None and command.again_of is None:
        details = {"refund": made, "cents": shares.amount_cents}
        draft.update(
            draft.bookings[booking.id], {}, event=REFUNDED, actor=command.actor,
            details=details | ({"reason": command.words} if command.words else {}),
        )  # fmt: skip


def return_unowed(draft: CalendarDraft, command: ReturnUnowed) -> None:
    """Return what was paid for bookings that have ended and is not owed, if no bank decides on it any more.

    Nothing went back when they ended, because the bank was deciding then.
    """
    for id_ in command.booking_ids:
        booking = draft.bookings.get(id_)
        payment = booking.payment if booking else None
        if booking is None or payment is None or payment.state != "paid":
            continue
        reason = refund_reason(booking.status, booking.ended_by)
        if payment.mode == "hold" and booking.status is Status.COMPLETED:
            reason = "attended"
        if reason and (shares := refund_for_end(payment, owed_cents(booking))):
            draft.refund(payment, shares, reason, Actor.SYSTEM)


def _waiting(draft: CalendarDraft, booking_id: UUID) -> BookingSnapshot:
    """Return a hold of the user that waits for its payment. Raises CommandRefused."""
    booking = draft.booking(booking_id)
    is_own = booking.person_id == draft.facts.user_id
    if booking.status is not Status.HELD or not booking.is_sent or not is_own:
        raise CommandRefused(RefusalReason.HOLD_EXPIRED)
    return booking


def _group(draft: CalendarDraft, payment: PaymentSnapshot) -> list[BookingSnapshot]:
    return [
        one
        for one in draft.bookings.values()
        if one.payment and one.payment.group_id == payment.group_id and one.status is Status.HELD
    ]


def _book(draft: CalendarDraft, booking: BookingSnapshot, paid: PaymentSnapshot) -> bool:
    """Book a hold whose payment arrived, also one that expired if its seats are free. Return False if they are not."""
    now = draft.facts.now
    if booking.starts_at <= now or not booking.is_sent or begun_cents(booking) != paid.amount_cents:
        return False
    values: dict[str, Any] = {}
    if booking.status is Status.EXPIRED and booking.ended_by == Actor.SYSTEM:
        session = _retake(draft, booking)
        if session is None:
            return False
        values["appointment_id"] = session.id
    elif booking.status is not Status.HELD:
        return False
    is_request = booking.approval == "request"
    booking = replace(booking, payment=paid)
    draft.bookings[booking.id] = booking
    draft.set_status(
        booking,
        Status.REQUESTED if is_request else Status.CONFIRMED,
        Actor.PERSON,
        expires_at=request_until(now, booking.starts_at) if is_request else None,
        confirmed_at=None if is_request else now,
        **values,
    )
    return True


def _retake(draft: CalendarDraft, booking: BookingSnapshot) -> SessionSnapshot | None:
    """Return a session with the seats of a hold that expired, or None if someone else has them, or the guru's time."""
    calendar = draft.facts.calendar
    if calendar is None:
        return None
    local = local_time(booking.starts_at, calendar.zone)
    wanted = WantedSeats(
        service_id=booking.service_id, starts_at=booking.starts_at, local_start=local.replace(tzinfo=None),
        day=day_bounds(ZoneInfo(calendar.zone), local.date()), rules_version=calendar.rules_version,
    )  # fmt: skip
    try:
        _, session = take(draft, wanted, booking.party)
    except CommandRefused:
        return None
    is_same = session.ends_at == booking.ends_at and booking.person_id not in session.seated
    return session if is_same else None


def _return_all(draft: CalendarDraft, booking: BookingSnapshot | None, paid: PaymentSnapshot) -> None:
    gave_up = booking is not None and booking.ended_by == Actor.PERSON
    shares = refund_shares(paid, paid.kept_cents)
    draft.refund(paid, shares, "canceled" if gave_up else "seat_lost", Actor.SYSTEM)
