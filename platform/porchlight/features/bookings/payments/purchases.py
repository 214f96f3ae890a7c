"""Purchases by card besides sessions: how one begins, with Stripe's page, the limit of an hour and its answer."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from psycopg.types.json import Jsonb
from sqlalchemy import distinct, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.packages.sales import SESSION_PURPOSE
from porchlight.features.bookings.payments.lifecycle import PAGE_OPEN
from porchlight.features.bookings.payments.models import Payment
from porchlight.settlement.waiting import wait_until_settled
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock, timeouts
from tenants.kit.errors import Conflict, KeyReused, Limited

MAX_CHECKOUTS = 5  # of a person within CHECKOUT_PERIOD, sessions included
CHECKOUT_PERIOD = timedelta(hours=1)

_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('checkouts ' || :user, 0))")
_TAKES_CARDS = text("SELECT app.tenant_plan(false) AS plan, app.guru_is_connected() AS is_connected")
_BEGIN = "SELECT app.begin_purchase(%(purchase)s)"


class TooManyCheckouts(Limited):
    """A person opened five of Stripe's pages within an hour."""

    code = "too_many_checkouts"
    message = "You have opened several payment pages in the last hour. Please try again later."


class NoCards(Conflict):
    """The guru can't take cards now."""

    code = "cards_unavailable"
    message = "This guru can't take card payments right now."


@dataclass(frozen=True, slots=True)
class Purchase:
    """A purchase to begin. `values`: the columns of the payment that its purpose has besides.

    `replaces`: an open payment that the person gives up for this one.
    """

    id: UUID
    purpose: str
    amount_cents: int
    title: str
    email: str
    success_url: str
    cancel_url: str
    key: str
    values: Mapping[str, Any]
    replaces: UUID | None = None

    def checkout(self, now: datetime) -> dict[str, Any]:
        """Return the parameters of Stripe's page."""
        metadata = {"payment": str(self.id)}
        price = {"currency": "usd", "unit_amount": self.amount_cents, "product_data": {"name": self.title}}
        return {
            "mode": "payment",
            "allowed_payment_method_types": ["card"],
            "customer_email": self.email,
            "client_reference_id": str(self.id),
            "line_items": [{"quantity": 1, "price_data": price}],
            "payment_intent_data": {
                "metadata": metadata, "description": self.title, "transfer_group": str(self.id),
            },
            "metadata": metadata,
            "success_url": self.success_url,
            "cancel_url": self.cancel_url,
            "expires_at": int((now + PAGE_OPEN).timestamp()),
        }  # fmt: skip


async def lock_checkouts(session: AsyncSession, user_id: UUID) -> None:
    """Let one purchase of a person after the other be decided. Before any other lock."""
    await session.execute(_LOCK, {"user": str(user_id)})


async def guru_takes_cards(session: AsyncSession, plans: Mapping[str, int]) -> bool:
    """Return whether the transaction's guru has one of `plans` and a payout account that is ready."""
    row = (await session.execute(_TAKES_CARDS)).one()
    return row.plan in plans and bool(row.is_connected)


async def sent_before(session: AsyncSession, tenant_id: UUID, user_id: UUID, key: str) -> Payment | None:
    """Return the payment that a request with the same key began, if there is one."""
    query = select(Payment).where(
        Payment.tenant_id == tenant_id, Payment.person_id == user_id, Payment.idempotency_key == key
    )
    found: Payment | None = await session.scalar(query)
    return found


def require_same(sent: Payment, purpose: str, amount_cents: int, subject_id: UUID) -> None:
    """Raise KeyReused unless a resend is about the same purchase: of a booking, or of a package."""
    subject = sent.package["package_id"] if sent.package else str(sent.booking_id)
    if (sent.purpose, sent.amount_cents, subject) != (purpose, amount_cents, str(subject_id)):
        raise KeyReused


async def require_checkouts_left(session: AsyncSession, user_id: UUID) -> None:
    """Raise TooManyCheckouts if the person opened too many of Stripe's pages within the hour."""
    since = clock.now() - CHECKOUT_PERIOD
    query = select(func.count(distinct(Payment.group_id))).where(
        Payment.person_id == user_id, Payment.created_at > since, Payment.purpose != SESSION_PURPOSE
    )
    if (await session.scalar(query) or 0) >= MAX_CHECKOUTS:
        raise TooManyCheckouts


async def begin(session: AsyncSession, purchase: Purchase) -> None:
    """Store the payment with the write that opens Stripe's page."""
    now = clock.now()
    values = dict(purchase.values) | {
        "id": purchase.id, "purpose": purchase.purpose, "amount_cents": purchase.amount_cents,
        "expires_at": now + PAGE_OPEN, "idempotency_key": purchase.key, "replaces": purchase.replaces,
        "checkout": purchase.checkout(now),
    }  # fmt: skip
    connection = await session.connection()
    await connection.exec_driver_sql(_BEGIN, {"purchase": Jsonb(values, dumps=orjson.dumps)})


async def wait_for_page(db: Database, user_id: UUID, payment_id: UUID) -> Payment:
    """Return a payment once Stripe's page is open, or is refused, or the time of a request is over."""

    async def read() -> Payment:
        async with unit_of_work(db, user_id=user_id) as session:
            query = select(Payment).where(Payment.person_id == user_id, Payment.id == payment_id)
            return (await session.scalars(query)).one()

    deadline = time.monotonic() + timeouts.current.billing_response_seconds
    return await wait_until_settled(read, lambda found: found.state == "opening", deadline)
