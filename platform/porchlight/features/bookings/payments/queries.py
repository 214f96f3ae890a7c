"""Reading the payments of bookings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import and_, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.packages.models import PackageGrant
from porchlight.features.bookings.packages.sales import SoldPackage
from porchlight.features.bookings.payments.amounts import MIN_CHARGE_CENTS
from porchlight.features.bookings.payments.card_names import card_name
from porchlight.features.bookings.payments.models import Payment, Refund
from porchlight.features.bookings.payments.receipt import Receipt
from porchlight.features.bookings.payments.schemas import OrderData, OrderRefundData, OrdersData
from porchlight.features.bookings.schemas import PaymentData
from porchlight.features.bookings.terms import terms_at
from porchlight.features.bookings.tips.decision import can_tip
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.money import format_cents
from tenants.kit.pagination import encode_cursor, parse_cursor

PAGE_SIZE = 20
_OWING = ("canceled", "missed")
GONE = "A guru who has left"  # with their site, and its bookings
# A payment outlives its booking.
_WITH_BOOKING = select(Payment, Booking).outerjoin(
    Booking, and_(Booking.tenant_id == Payment.tenant_id, Booking.id == Payment.booking_id)
)
_ORDERED = ("session", "tip", "package")  # not what the sessions of a package took of its price
# What a kept card is charged, or was not: also while the person pays it on Stripe's page.
_IS_OWED = and_(
    Payment.mode == "hold",
    or_(
        Payment.state.in_(("charging", "unpaid")),
        and_(Payment.state.in_(("opening", "open")), Booking.status.in_(_OWING)),
    ),
)


async def payments_of(session: AsyncSession, bookings: Sequence[Booking]) -> dict[UUID, Payment]:
    """Return the latest payment of each booking that is paid by card."""
    paid = [one for one in bookings if one.terms.get("payment", "in_person") != "in_person"]
    if not paid:
        return {}
    query = (
        select(Payment)
        .where(Payment.tenant_id.in_({one.tenant_id for one in paid}), Payment.booking_id.in_([one.id for one in paid]))
        .where(Payment.purpose == "session")
        .order_by(Payment.number)
        .execution_options(populate_existing=True)
    )
    return {one.booking_id: one for one in (await session.scalars(query)).all() if one.booking_id}


async def payments_data(session: AsyncSession, bookings: Sequence[Booking]) -> dict[UUID, PaymentData]:
    """Return the payments of bookings in the form of the API."""
    payments = await payments_of(session, bookings)
    of_series = {payments[one.id].group_id for one in bookings if one.id in payments and one.series_id is not None}
    totals = {}
    if of_series:
        query = (
            select(Payment.group_id, func.sum(Payment.amount_cents).label("cents"))
            .where(Payment.group_id.in_(of_series))
            .group_by(Payment.group_id)
        )
        totals = {row.group_id: int(row.cents) for row in (await session.execute(query)).all()}
    return {
        one.id: payment_data(one, payments[one.id], totals.get(payments[one.id].group_id))
        for one in bookings
        if one.id in payments
    }


def payment_data(booking: Booking, payment: Payment, total_cents: int | None = None) -> PaymentData:
    """Return a payment in the form of the API. `total_cents` is that of the payments with which it is made, if any."""
    now = clock.now()
    is_owed = payment.mode == "hold" and booking.status in _OWING
    is_open = payment.state == "open" and (booking.status == "held" or is_owed) and payment.expires_at > now
    held_until = booking.expires_at if booking.status == "held" else None
    paid_at, ended_at = payment.paid_at, booking.ended_at
    return PaymentData(
        id=str(payment.id),
        mode=payment.mode,
        state=payment.state,
        amount_cents=payment.amount_cents,
        rest_cents=rest_cents(booking, payment),
        charge_cents=charge_now(booking, payment, now),
        total_cents=payment.amount_cents if total_cents is None else total_cents,
        refunded_cents=payment.refunded_cents,
        disputed=payment.disputed,
        bank_returned_cents=0 if payment.disputed else payment.disputed_cents,
        refund_cents=refund_now(booking, payment, now),
        url=payment.checkout_url if is_open else "",
        expires_at=clock.to_iso8601(payment.expires_at),
        seconds_left=max(int((held_until - now).total_seconds()), 0) if held_until else 0,
        card=card_name(payment.card_brand, payment.card_last4),
        paid_at=clock.to_iso8601(paid_at) if paid_at else None,
        is_late=booking.status == "expired" and paid_at is not None and ended_at is not None and paid_at >= ended_at,
    )


def refund_now(booking: Booking, payment: Payment, now: datetime) -> int:
    """Return what goes back to the card if the person cancels now. Nothing while the bank looks at the payment."""
    is_ahead = booking.status in ("requested", "confirmed") and booking.starts_at > now
    if payment.state != "paid" or payment.disputed or not is_ahead:
        return 0
    owed = terms_at(booking, now).owed_cents if booking.status == "confirmed" else 0
    return max(payment.snapshot.kept_cents - owed, 0)


def charge_now(booking: Booking, payment: Payment, now: datetime) -> int:
    """Return what a card that is kept is charged if the person cancels now."""
    is_ahead = booking.status == "confirmed" and booking.starts_at > now
    owed = terms_at(booking, now).owed_cents if is_ahead and payment.state == "kept" else 0
    return owed if owed >= MIN_CHARGE_CENTS else 0


def rest_cents(booking: Booking, payment: Payment) -> int:
    """Return what the person pays at the session, besides what they paid by card."""
    if booking.status not in ("held", "requested", "confirmed", "completed"):
        return 0
    return max(booking.price_cents - (0 if payment.mode == "hold" else payment.amount_cents), 0)


async def orders(session: AsyncSession, user_id: UUID, cursor: str | None) -> OrdersData:
    """Return a page of what a user paid, the latest first. Raises ValidationFailed for an unknown cursor."""
    query = _WITH_BOOKING.where(
        Payment.person_id == user_id, Payment.purpose.in_(_ORDERED), or_(Payment.state == "paid", _IS_OWED)
    )
    last_at, last_id = parse_cursor(cursor)
    if last_at is not None:
        query = query.where(tuple_(Payment.created_at, Payment.id) < (last_at, last_id))
    query = query.order_by(Payment.created_at.desc(), Payment.id.desc()).limit(PAGE_SIZE + 1)
    rows = (await session.execute(query)).all()
    page = rows[:PAGE_SIZE]
    refunds: dict[UUID, list[OrderRefundData]] = {}
    if page:
        paid = [payment for payment, _ in page]
        of_page = select(Refund).where(
            Refund.tenant_id.in_({one.tenant_id for one in paid}), Refund.payment_id.in_([one.id for one in paid])
        )
        for one in (await session.scalars(of_page.order_by(Refund.created_at, Refund.id))).all():
            refunds.setdefault(one.payment_id, []).append(_refund_data(one))
    grants = await _grants_of(session, [payment for payment, _ in page])
    last = next((payment for payment, _ in reversed(page)), None)
    return OrdersData(
        orders=[
            _order_data(payment, booking, grants.get(payment.id), refunds.get(payment.id, []))
            for payment, booking in page
        ],
        next_cursor=encode_cursor(last.created_at, last.id) if last and len(rows) > PAGE_SIZE else None,
    )


async def receipt(session: AsyncSession, user_id: UUID, payment_id: UUID) -> Receipt:
    """Return the content of the receipt of a user's payment, in the days of the session's zone. Raises NotFound."""
    query = _WITH_BOOKING.where(
        Payment.person_id == user_id, Payment.id == payment_id, Payment.purpose.in_(_ORDERED), Payment.state == "paid"
    )
    found = (await session.execute(query)).first()
    if found is None:
        raise NotFound
    payment, booking = found
    grant = (await _grants_of(session, [payment])).get(payment.id)
    zone = ZoneInfo(booking.zone if booking else grant.zone if grant else "UTC")
    about = _about(payment, booking)
    returned = select(Refund).where(
        Refund.tenant_id == payment.tenant_id, Refund.payment_id == payment.id, Refund.state != "failed"
    )
    refunds = (await session.scalars(returned.order_by(Refund.created_at, Refund.id))).all()
    return Receipt(
        number=receipt_number(payment.id),
        paid_on=(payment.paid_at or payment.created_at).astimezone(zone).date(),
        payer=booking.person_name if booking else grant.person_name if grant else "",
        guru=about.guru_name,
        service=_title(payment, about),
        purpose=payment.purpose,
        card=card_name(payment.card_brand, payment.card_last4),
        amount_cents=payment.amount_cents,
        what=_what(booking, payment),
        refunds=[(one.created_at.astimezone(zone).date(), one.amount_cents) for one in refunds],
    )


def receipt_number(payment_id: UUID) -> str:
    """Return the number of a payment's receipt."""
    return f"R-{payment_id.hex[-10:].upper()}"


def _title(payment: Payment, about: _About) -> str:
    """Return what a payment was for, on its receipt."""
    return f"Tip for {about.name}" if payment.purpose == "tip" else about.name


class _About(NamedTuple):
    """The subject of a payment: a session, or a package."""

    name: str
    guru_label: str
    guru_name: str


def _about(payment: Payment, booking: Booking | None) -> _About:
    if payment.package is not None:
        terms = SoldPackage.of(payment.package)
        if not terms.guru_name:  # the account is deleted
            return _About("A package", "", GONE)
        return _About(terms.title, terms.guru_label, terms.guru_name)
    if booking is None:
        return _About("A session", "", GONE)
    return _About(booking.service_name, booking.guru_label, booking.guru_name)


async def _grants_of(session: AsyncSession, payments: Sequence[Payment]) -> dict[UUID, PackageGrant]:
    """Return what the user has of the packages that some of their payments bought."""
    bought = [one for one in payments if one.purpose == "package"]
    if not bought:
        return {}
    query = select(PackageGrant).where(
        PackageGrant.tenant_id.in_({one.tenant_id for one in bought}),
        PackageGrant.payment_id.in_([one.id for one in bought]),
    )
    return {one.payment_id: one for one in (await session.scalars(query)).all() if one.payment_id}


def _order_data(
    payment: Payment, booking: Booking | None, grant: PackageGrant | None, refunds: list[OrderRefundData]
) -> OrderData:
    about = _about(payment, booking)
    return OrderData(
        id=str(payment.id),
        purpose=payment.purpose,
        booking_id=str(booking.id) if booking else None,
        grant_id=str(grant.id) if grant else None,
        guru_label=about.guru_label,
        guru_name=about.guru_name,
        service_name=about.name,
        mode=payment.mode,
        state=payment.state if payment.state in ("paid", "charging") else "unpaid",
        reason=booking.status if booking and payment.mode == "hold" and booking.status in _OWING else "",
        rest_cents=rest_cents(booking, payment) if booking and payment.mode == "deposit" else 0,
        amount_cents=payment.amount_cents,
        refunded_cents=payment.refunded_cents,
        currency=payment.currency,
        card=card_name(payment.card_brand, payment.card_last4),
        paid_at=clock.to_iso8601(payment.paid_at or payment.created_at),
        disputed=payment.disputed,
        bank_returned_cents=0 if payment.disputed else payment.disputed_cents,
        can_tip=payment.purpose == "session"
        and booking is not None
        and can_tip(booking.status, booking.ends_at, clock.now()),
        refunds=refunds,
    )


def _refund_data(refund: Refund) -> OrderRefundData:
    return OrderRefundData(
        amount_cents=refund.amount_cents,
        reason=refund.reason,
        state=refund.state,
        created_at=clock.to_iso8601(refund.created_at),
    )


def _what(booking: Booking | None, payment: Payment) -> str:
    """Return what a payment was for besides the whole price, for its receipt."""
    if payment.mode == "deposit":
        rest = rest_cents(booking, payment) if booking else 0
        return f"Deposit. {format_cents(rest)} is paid at the session." if rest else "Deposit."
    if payment.mode != "hold" or booking is None:
        return ""
    reasons = {"canceled": "Charged because the session was canceled late.", "missed": "Charged for a missed session."}
    return reasons.get(booking.status, "")
