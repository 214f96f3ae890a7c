"""Payments of bookings by card, and their refunds: rows of two parties (`tenants.db.rls.PARTY_ROWS`)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class Payment(Base):
    """The payment of one booking, from the moment in which its Checkout is asked for. Amounts are in cents.

    `mode`: the price (`full`), a part of it (`deposit`), or nothing yet (`hold`): the card is kept, with its customer
    and payment method at Stripe, and charged once, if the person owes something when the booking ends. Then the amount
    is what they owe, and before, the most that they can owe. `unpaid`: the bank did not pay it. `released`: nothing is
    owed of it.

    A booking has one payment that is open; `number` counts those that came to nothing before. Bookings that are made
    together are paid together: their payments have the same `group_id`, that of the first, and the same objects at
    Stripe. `fee_cents` of the amount is the platform's, by the share and the minimum that applied then. `expires_at` is
    when Stripe's page closes. `delivered_at` is when the money became the guru's, a day after the session.

    `owner_id` is the user who owned the guru's site then: the money is theirs. `transferred_cents` of it have reached
    their account at Stripe, or will with `transfer_state` `requested`.

    Kept when the guru or the person is deleted: it is a fact about money, without words. The app role can only read it.
    """

    __tablename__ = "payments"
    __table_args__ = (
        UniqueConstraint("tenant_id", "booking_id", "number"),
        CheckConstraint("amount_cents > 0", name="amount"),
        CheckConstraint("fee_cents BETWEEN 0 AND amount_cents", name="fee"),
        CheckConstraint("refunded_cents BETWEEN 0 AND amount_cents", name="refunded"),
        CheckConstraint("fee_returned_cents BETWEEN 0 AND least(fee_cents, refunded_cents)", name="fee_returned"),
        CheckConstraint("mode IN ('full', 'deposit', 'hold')", name="mode"),
        CheckConstraint(
            "state IN ('opening', 'open', 'paid', 'expired', 'failed', 'canceled')"
            " OR mode = 'hold' AND state IN ('kept', 'charging', 'unpaid', 'released')",
            name="state",
        ),
        CheckConstraint("state = 'paid' OR refunded_cents = 0 AND delivered_at IS NULL", name="unpaid"),
        CheckConstraint("(state = 'paid') = (paid_at IS NOT NULL)", name="paid"),
        CheckConstraint("transfer_state IN ('', 'requested', 'done', 'netted', 'stuck')", name="transfer_state"),
        CheckConstraint("transferred_cents BETWEEN 0 AND amount_cents - fee_cents", name="transferred"),
        Index("ix_payments_person_id", "person_id", "created_at"),
        Index("ix_payments_group_id", "group_id"),
        Index(
            "uq_payments_tenant_id_booking_id_open", "tenant_id", "booking_id", unique=True,
            postgresql_where=text("state IN ('opening', 'open')"),
        ),
        Index("ix_payments_kept", "group_id", postgresql_where=text("method_id <> ''")),
        Index("ix_payments_owner_id", "owner_id", "created_at"),
        Index("ix_payments_undelivered", "id", postgresql_where=text("state = 'paid' AND delivered_at IS NULL")),
        Index(
            "ix_payments_untransferred", "delivered_at",
            postgresql_where=text("delivered_at IS NOT NULL AND transfer_state = ''"),
        ),
    )  # fmt: skip

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    booking_id: Mapped[UUID]
    person_id: Mapped[UUID]
    owner_id: Mapped[UUID]
    group_id: Mapped[UUID]
    number: Mapped[int] = mapped_column(SmallInteger)
    mode: Mapped[str] = mapped_column(server_default="full")
    amount_cents: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str]
    fee_cents: Mapped[int] = mapped_column(BigInteger)
    fee_bps: Mapped[int] = mapped_column(SmallInteger)
    fee_minimum_cents: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[str] = mapped_column(server_default="opening")
    refunded_cents: Mapped[int] = mapped_column(BigInteger, server_default="0")
    fee_returned_cents: Mapped[int] = mapped_column(BigInteger, server_default="0")
    checkout_id: Mapped[str] = mapped_column(server_default="")
    checkout_url: Mapped[str] = mapped_column(server_default="", info={"private": True})
    customer_id: Mapped[str] = mapped_column(server_default="", info={"private": True})
    method_id: Mapped[str] = mapped_column(server_default="", info={"private": True})
    intent_id: Mapped[str] = mapped_column(server_default="")
    charge_id: Mapped[str] = mapped_column(server_default="")
    card_brand: Mapped[str] = mapped_column(server_default="")
    card_last4: Mapped[str] = mapped_column(server_default="")
    error_code: Mapped[str] = mapped_column(server_default="")
    disputed: Mapped[bool] = mapped_column(server_default=text("false"))
    expires_at: Mapped[datetime]
    paid_at: Mapped[datetime | None]
    delivered_at: Mapped[datetime | None]
    transfer_state: Mapped[str] = mapped_column(server_default="")
    transfer_id: Mapped[str] = mapped_column(server_default="")
    transferred_cents: Mapped[int] = mapped_column(BigInteger, server_default="0")
    checked_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class Refund(Base):
    """Money that goes back to the person's card. `fee_cents` of it is the platform's part, the rest the guru's.

    `reason`: why (`payments.changes.RefundReason`). `after_delivery`: the guru's part comes from what they have earned,
    otherwise from what is held. The amount is reserved in the payment while the refund is not `failed`. The app role
    can only read it.
    """

    __tablename__ = "refunds"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "payment_id"], ["payments.tenant_id", "payments.id"]),
        CheckConstraint("amount_cents > 0", name="amount"),
        CheckConstraint("fee_cents BETWEEN 0 AND amount_cents", name="fee"),
        CheckConstraint("state IN ('requested', 'done', 'failed')", name="state"),
        CheckConstraint("actor IN ('person', 'guru', 'staff', 'system')", name="actor"),
        Index("ix_refunds_person_id", "person_id"),
        Index("ix_refunds_tenant_id_payment_id", "tenant_id", "payment_id"),
        Index("ix_refunds_id", "id"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    payment_id: Mapped[UUID]
    person_id: Mapped[UUID]
    amount_cents: Mapped[int] = mapped_column(BigInteger)
    fee_cents: Mapped[int] = mapped_column(BigInteger)
    reason: Mapped[str]
    actor: Mapped[str]
    after_delivery: Mapped[bool]
    state: Mapped[str] = mapped_column(server_default="requested")
    refund_id: Mapped[str] = mapped_column(server_default="")
    error_code: Mapped[str] = mapped_column(server_default="")
    checked_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
