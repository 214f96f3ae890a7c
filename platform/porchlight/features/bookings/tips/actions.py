"""Tip a guru for a session. The worker opens Stripe's page; the request waits for it a few seconds."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.actions import own_booking
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.payments import purchases
from porchlight.features.bookings.payments.card_desk import CardDesk
from porchlight.features.bookings.payments.models import Payment
from porchlight.features.bookings.tips.decision import TippedSession, TipState, tip_state
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import Conflict
from tenants.kit.ids import new_id

PURPOSE = "tip"


class TipsClosed(Conflict):
    """The session did not take place, is ahead, or ended more than 30 days ago."""

    code = "tips_closed"
    message = "You can tip for 30 days after a session that took place."


class TipsFull(Conflict):
    """Three tips for the session were paid."""

    code = "tips_full"
    message = "You have tipped for this session three times. Thank you!"


_ERRORS: dict[TipState, type[Conflict]] = {
    TipState.CLOSED: TipsClosed,
    TipState.FULL: TipsFull,
    TipState.UNAVAILABLE: purchases.NoCards,
}


async def create_tip(
    db: Database, desk: CardDesk, user_id: UUID, booking_id: UUID, amount_cents: int, key: str
) -> Payment:
    """Begin a tip, and return it with Stripe's page. The same key again, or an open tip of the same amount, is the one.

    An open tip of another amount is given up for it. Raises NotFound, TipsClosed, TipsFull, NoCards, TooManyCheckouts,
    KeyReused.
    """
    async with unit_of_work(db, user_id=user_id) as session:
        await purchases.lock_checkouts(session, user_id)
        booking = await own_booking(session, user_id, booking_id)
        payment_id = await _find_or_begin(session, desk, booking, user_id, amount_cents, key)
    return await purchases.wait_for_page(db, user_id, payment_id)


async def _find_or_begin(
    session: AsyncSession, desk: CardDesk, booking: Booking, user_id: UUID, amount_cents: int, key: str
) -> UUID:
    sent = await purchases.sent_before(session, booking.tenant_id, user_id, key)
    if sent is not None:
        purchases.require_same(sent, PURPOSE, amount_cents, booking.id)
        return sent.id
    state = await session_tip_state(session, desk, booking)
    if state in _ERRORS:
        raise _ERRORS[state]
    open_one = await session.scalar(tips_of(booking).where(Payment.state.in_(("opening", "open"))))
    if open_one is not None and open_one.amount_cents == amount_cents and open_one.expires_at > clock.now():
        return open_one.id
    await purchases.require_checkouts_left(session, user_id)
    page = f"{desk.origin}/sessions/{booking.id}"
    purchase = purchases.Purchase(
        id=new_id(), purpose=PURPOSE, amount_cents=amount_cents, email=desk.email,
        title=f"Tip for {booking.guru_name}: {booking.service_name}", success_url=f"{page}?tip=done", cancel_url=page,
        key=key, values={"booking_id": booking.id}, replaces=open_one.id if open_one else None,
    )  # fmt: skip
    await purchases.begin(session, purchase)
    return purchase.id


async def session_tip_state(session: AsyncSession, desk: CardDesk, booking: Booking) -> TipState:
    """Return whether a booking can be tipped, in a transaction whose tenant is its guru."""
    paid = select(func.count()).select_from(tips_of(booking).where(Payment.state == "paid").subquery())
    facts = TippedSession(
        status=booking.status,
        ends_at=booking.ends_at,
        paid_tips=await session.scalar(paid) or 0,
        takes_cards=desk.is_open and await purchases.guru_takes_cards(session, desk.fees.basis_points),
    )
    return tip_state(facts, clock.now())


def tips_of(booking: Booking) -> Select[Payment]:
    """Return the query of the tips for a booking, the latest first."""
    return (
        select(Payment)
        .where(Payment.tenant_id == booking.tenant_id, Payment.booking_id == booking.id, Payment.purpose == PURPOSE)
        .order_by(Payment.number.desc())
    )
