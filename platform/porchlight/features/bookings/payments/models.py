"""Payments by card, and their refunds: rows of two parties (`tenants.db.rls.PARTY_ROWS`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any
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
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.features.bookings.facts import PaymentSnapshot
from tenants.tenancy.models import Base


class Payment(Base):
    """A payment by card, from the moment in which its Checkout is asked for. Amounts are in cents.

    `purpose`: it pays for a booking (`session`), thanks the guru for one (`tip`), or buys a package of sessions
    (`package`, without a booking). A purchase besides sessions has the `idempotency_key` of the request that began it.

    `package` are the terms of a package as it was bought (`packages.sales.SoldPackage`). Each of its sessions that took
    place takes its share: a row `package_session` with its booking, or without one for those that were left at the end.
    `used_cents` of the package are in such rows, and the fees are theirs.

    `mode`: the price (`full`), a part of it (`deposit`), or nothing yet (`hold`): the card is kept, with its customer
    and payment method at Stripe, and charged once, if the person owes something when the booking ends. Then the amount
    is what they owe, and before, the most that they can owe. `unpaid`: the bank did not pay it. `released`: nothing is
    owed of it.

    A booking has one payment for the session that is open; `number` counts those that came to nothing before. Bookings
    that are made together are paid together: their payments have the same `group_id`, that of the first, and the same
    objects at Stripe. `fee_cents` of the amount is the platform's, by the share and the minimum that applied then.
    `expires_at` is when Stripe's page closes. `delivered_at` is when the money became the guru's: a tip at once, a
    session a day after its end.

    `disputed` while the person's bank decides on it; `disputed_cents` are what the bank has taken back of it, and
    `disputed_fee_cents` of it from the platform's fee.

    `owner_id` is the user who owned the guru's site then: the money is theirs. `transferred_cents` of it have reached
    their account at Stripe, or will with `transfer_state` `requested`.

    Kept when the guru or the person is deleted: it is a fact about money, without words. The app role can only read it.
    """

    __tablename__ = "payments"
    __table_args__ = (
        UniqueConstraint("tenant_id", "booking_id", "purpose", "number"),
        CheckConstraint("purpose IN ('session', 'tip', 'package', 'package_session')", name="purpose"),
        CheckConstraint("purpose NOT IN ('tip', 'package') OR fee_cents = 0", name="no_fee"),
        CheckConstraint("purpose IN ('package', 'package_session') OR booking_id IS NOT NULL", name="booking_id"),
        CheckConstraint("(purpose = 'package') = (package IS NOT NULL)", name="package"),
        CheckConstraint(
            "used_cents = 0 OR purpose = 'package' AND used_cents BETWEEN 0 AND amount_cents - refunded_cents",
            name="used",
        ),
        CheckConstraint("amount_cents > 0", name="amount"),
        CheckConstraint("fee_cents BETWEEN 0 AND amount_cents", name="fee"),
        CheckConstraint("refunded_cents BETWEEN 0 AND amount_cents", name="refunded"),
        CheckConstraint("fee_returned_cents BETWEEN 0 AND least(fee_cents, refunded_cents)", name="fee_returned"),
        CheckConstraint("disputed_cents BETWEEN 0 AND amount_cents", name="disputed"),
        CheckConstraint("disputed_fee_cents BETWEEN 0 AND least(fee_cents, disputed_cents)", name="disputed_fee"),
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
            postgresql_where=text("purpose = 'session' AND state IN ('opening', 'open')"),
        ),
        Index(
            "uq_payments_tenant_id_person_id_idempotency_key", "tenant_id", "person_id", "idempotency_key", unique=True,
            postgresql_where=text("idempotency_key IS NOT NULL"),
        ),
        Index(
            "ix_payments_open_packages", "id",
            postgresql_where=text("purpose = 'package' AND state = 'paid' AND delivered_at IS NULL"),
        ),
        Index("ix_payments_kept", "group_id", postgresql_where=text("method_id <> ''")),
        Index("ix_payments_owner_id", "owner_id", "created_at"),
        Index("ix_payments_charge_id", "charge_id", postgresql_where=text("charge_id <> ''")),
        Index("ix_payments_undelivered", "id", postgresql_where=text("state = 'paid' AND delivered_at IS NULL")),
        Index(
            "ix_payments_untransferred", "delivered_at",
            postgresql_where=text("delivered_at IS NOT NULL AND transfer_state = ''"),
        ),
        Index(
            "ix_payments_netted", "owner_id",
            postgresql_where=text(
                "delivered_at IS NOT NULL AND NOT disputed AND transfer_state IN ('done', 'netted')"
                " AND transferred_cents < amount_cents - fee_cents - (refunded_cents - fee_returned_cents)"
                " - (disputed_cents - disputed_fee_cents) - used_cents"
            ),
        ),
        # Staff's list of all payments: the newest first, by state, and by ids.
        Index("ix_payments_id", "id"),
        Index("ix_payments_pending", "id", postgresql_where=text("state IN ('opening', 'open', 'charging')")),
        Index("ix_payments_returned", "id", postgresql_where=text("refunded_cents > 0")),
        Index("ix_payments_disputed", "id", postgresql_where=text("disputed")),
        Index("ix_payments_stuck", "id", postgresql_where=text("transfer_state = 'stuck'")),
        Index("ix_payments_on_way", "id", postgresql_where=text("transfer_state = 'requested'")),
        Index(
            "ix_payments_paid_at", "paid_at", postgresql_where=text("paid_at IS NOT NULL"),
            postgresql_include=["fee_cents"],
        ),
        Index("ix_payments_booking_id", "booking_id"),
        *(
            Index(f"ix_payments_{column}", column, postgresql_where=text(f"{column} <> ''"))
            for column in ("checkout_id", "intent_id", "charge_id", "transfer_id")
        ),
    )  # fmt: skip

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    booking_id: Mapped[UUID | None]
    person_id: Mapped[UUID]
    owner_id: Mapped[UUID]
    group_id: Mapped[UUID]
    purpose: Mapped[str] = mapped_column(server_default="session")
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
    package: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    used_cents: Mapped[int] = mapped_column(BigInteger, server_default="0")
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
    disputed_cents: Mapped[int] = mapped_column(BigInteger, server_default="0")
    disputed_fee_cents: Mapped[int] = mapped_column(BigInteger, server_default="0")
    expires_at: Mapped[datetime]
    paid_at: Mapped[datetime | None]
    delivered_at: Mapped[datetime | None]
    transfer_state: Mapped[str] = mapped_column(server_default="")
    transfer_id: Mapped[str] = mapped_column(server_default="")
    transferred_cents: Mapped[int] = mapped_column(BigInteger, server_default="0")
    checked_at: Mapped[datetime | None]
    idempotency_key: Mapped[str | None] = mapped_column(info={"private": True})
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())

    @property
    def snapshot(self) -> PaymentSnapshot:
        """Return the payment as decisions know it."""
        return PaymentSnapshot(
            id=self.id, booking_id=self.booking_id, group_id=self.group_id, number=self.number, state=self.state,
            amount_cents=self.amount_cents, fee_cents=self.fee_cents, fee_bps=self.fee_bps,
            fee_minimum_cents=self.fee_minimum_cents, refunded_cents=self.refunded_cents,
            fee_returned_cents=self.fee_returned_cents, disputed_cents=self.disputed_cents,
            disputed_fee_cents=self.disputed_fee_cents, is_disputed=self.disputed,
            is_delivered=self.delivered_at is not None, purpose=self.purpose, used_cents=self.used_cents,
        )  # fmt: skip


class Refund(Base):
    """Money that goes back to the person's card. `fee_cents` of it is the platform's part, the rest the guru's.

    `reason`: why (`payments.changes.RefundReason`). `after_delivery`: the guru's part comes from what they have earned,
    otherwise from what is held. The amount is reserved in the payment while the refund is not `failed`. `again_of`: the
    first refund that staff sent again with this one. The app role can only read it.
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
        Index("ix_refunds_created_at", "created_at", postgresql_include=["amount_cents", "fee_cents", "state"]),
        Index("ix_refunds_requested", "id", postgresql_where=text("state = 'requested'")),
        Index("ix_refunds_failed", "payment_id", postgresql_where=text("state = 'failed'")),
        Index("ix_refunds_refund_id", "refund_id", postgresql_where=text("refund_id <> ''")),
        Index("ix_refunds_of_fee", "tenant_id", "payment_id", postgresql_where=text("fee_cents = amount_cents")),
        Index("ix_refunds_again_of", "again_of", postgresql_where=text("again_of IS NOT NULL")),
        Index(
            "uq_refunds_tenant_id_idempotency_key", "tenant_id", "idempotency_key", unique=True,
            postgresql_where=text("idempotency_key <> ''"),
        ),
    )  # fmt: skip

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    payment_id: Mapped[UUID]
    person_id: Mapped[UUID]
    amount_cents: Mapped[int] = mapped_column(BigInteger)
    fee_cents: Mapped[int] = mapped_column(BigInteger)
    reason: Mapped[str]
    actor: Mapped[str]
    after_delivery: Mapped[bool]
    again_of: Mapped[UUID | None]
    idempotency_key: Mapped[str] = mapped_column(server_default="")
    digest: Mapped[bytes | None]
    state: Mapped[str] = mapped_column(server_default="requested")
    refund_id: Mapped[str] = mapped_column(server_default="")
    error_code: Mapped[str] = mapped_column(server_default="")
    checked_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
