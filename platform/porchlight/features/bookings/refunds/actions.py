"""Return a part of a payment: the guru's action, and what it would take from whom."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import lock_calendar
from porchlight.features.bookings.errors import PaymentDisputed, RefundTooLarge, require
from porchlight.features.bookings.facts import PaymentSnapshot
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.payments.amounts import refund_shares
from porchlight.features.bookings.payments.models import Refund
from porchlight.features.bookings.payments.queries import payments_of
from porchlight.features.bookings.refunds.schemas import RefundPreviewData
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from tenants.http.idempotency import content_digest
from tenants.kit.errors import KeyReused, NotFound


async def preview(session: AsyncSession, tenant_id: UUID, booking_id: UUID, amount_cents: int) -> RefundPreviewData:
    """Return where a refund of a booking's payment would come from.

    Raises NotFound without a payment, PaymentDisputed, RefundTooLarge.
    """
    payment = await _payment(session, tenant_id, booking_id)
    if payment.is_disputed:
        raise PaymentDisputed
    if amount_cents > payment.kept_cents:
        raise RefundTooLarge
    shares = refund_shares(payment, amount_cents)
    return RefundPreviewData(
        amount_cents=amount_cents,
        share_cents=amount_cents - shares.fee_cents,
        fee_cents=shares.fee_cents,
        kept_cents=payment.kept_cents,
    )


async def refund(
    session: AsyncSession,
    tenant_id: UUID,
    booking_id: UUID,
    *,
    amount_cents: int,
    kept_cents: int,
    words: str,
    key: str,
) -> None:
    """Return a part of a booking's payment as its guru. A resend under the same key changes nothing.

    Raises NotFound without a payment, KeyReused, PaymentDisputed, RefundChanged, RefundTooLarge.
    """
    await lock_calendar(session)
    digest = content_digest(str(booking_id), str(amount_cents), words)
    query = select(Refund).where(Refund.tenant_id == tenant_id, Refund.idempotency_key == key)
    sent = await session.scalar(query)
    if sent is not None:
        if sent.digest != digest:
            raise KeyReused
        return
    command = commands.RefundPayment(
        payment=await _payment(session, tenant_id, booking_id), amount_cents=amount_cents, actor=Actor.GURU,
        kept_cents=kept_cents, words=words, key=key, digest=digest,
    )  # fmt: skip
    require((await store.run_in(session, FactsQuery(ids=[booking_id]), command)).refusal)


async def _payment(session: AsyncSession, tenant_id: UUID, booking_id: UUID) -> PaymentSnapshot:
    booking = await find_booking(session, tenant_id, booking_id)
    payment = (await payments_of(session, [booking])).get(booking.id)
    if payment is None or payment.state != "paid":
        raise NotFound
    return payment.snapshot
