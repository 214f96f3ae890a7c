"""Tables of billing. Requests can read their user's rows; SQL functions and the service role write them.

No table of money cascades from users: amounts stay after an account is deleted.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("billing_catalog",)


class BillingCustomer(Base):
    """A user as Stripe's customer. `customer_id` is None until Stripe knows it.

    `request_id`: the subject of the write that creates the customer; a new one replaces a customer that is gone.
    The card is the one that Stripe charges when the subscription has none of its own.
    """

    __tablename__ = "billing_customers"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id"), primary_key=True)
    request_id: Mapped[UUID] = mapped_column(server_default=text("gen_random_uuid()"))
    customer_id: Mapped[str | None] = mapped_column(unique=True)
    card_brand: Mapped[str] = mapped_column(server_default="")
    card_last4: Mapped[str] = mapped_column(server_default="")
    checked_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class PlanCheckout(Base):
    """A purchase on Stripe's Checkout. A user has one open at a time, however many tabs are open.

    `waiting`: Stripe has not returned its page yet. `replaced`: another one was opened instead.
    """

    __tablename__ = "plan_checkouts"
    __table_args__ = (
        CheckConstraint("plan IN ('skill-sharer', 'premium-angel')", name="plan"),
        CheckConstraint("interval IN ('month', 'year')", name="interval"),
        CheckConstraint("state IN ('waiting', 'open', 'complete', 'expired', 'replaced', 'refused')", name="state"),
        Index("uq_plan_checkouts_open", "user_id", unique=True, postgresql_where=text("state IN ('waiting', 'open')")),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id"), primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    plan: Mapped[str]
    interval: Mapped[str]
    return_url: Mapped[str]
    state: Mapped[str] = mapped_column(server_default="waiting")
    session_id: Mapped[str | None] = mapped_column(unique=True)
    url: Mapped[str] = mapped_column(server_default="")
    expires_at: Mapped[datetime | None]
    checked_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class PlanChange(Base):
    """A change of a subscription that its user asked for. One at a time.

    `unpaid`: Stripe keeps the plan until the payment of the upgrade succeeds, at `payment_url`.
    """

    __tablename__ = "plan_changes"
    __table_args__ = (
        CheckConstraint("kind IN ('upgrade', 'downgrade', 'cancel', 'keep')", name="kind"),
        CheckConstraint("state IN ('requested', 'done', 'unpaid', 'refused')", name="state"),
        Index("uq_plan_changes_requested", "user_id", unique=True, postgresql_where=text("state = 'requested'")),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id"), primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    subscription_id: Mapped[UUID]
    kind: Mapped[str]
    plan: Mapped[str]
    interval: Mapped[str]
    prorated_at: Mapped[datetime | None]
    state: Mapped[str] = mapped_column(server_default="requested")
    payment_url: Mapped[str] = mapped_column(server_default="")
    error_code: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class PlanInvoice(Base):
    """An invoice of a subscription, for the user's downloads. Amounts in cents."""

    __tablename__ = "plan_invoices"
    __table_args__ = (
        Index("ix_plan_invoices_sub_id", "sub_id"),
        CheckConstraint("state IN ('draft', 'open', 'paid', 'uncollectible', 'void')", name="state"),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id"), primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    in_id: Mapped[str] = mapped_column(unique=True)
    sub_id: Mapped[str]
    number: Mapped[str]
    state: Mapped[str]
    total_cents: Mapped[int]
    paid_cents: Mapped[int]
    failed: Mapped[bool]  # a charge was tried and did not succeed
    payment_intent: Mapped[str]
    payment_url: Mapped[str]
    issued_at: Mapped[datetime]
    checked_at: Mapped[datetime]


class PlanDispute(Base):
    """A dispute of a plan's charge: the user's bank takes the amount back. Amounts in cents; `fee` is Stripe's.

    `inquiry`: the bank only asks, and no money has moved. `closed`: it ended without a decision. `due_by`: until when
    evidence counts.
    """

    __tablename__ = "plan_disputes"
    __table_args__ = (
        CheckConstraint("state IN ('inquiry', 'open', 'under_review', 'won', 'lost', 'closed')", name="state"),
        Index("ix_plan_disputes_id", "id"),
        Index(
            "ix_plan_disputes_open", "opened_at", postgresql_where=text("state IN ('inquiry', 'open', 'under_review')")
        ),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id"), primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    dp_id: Mapped[str] = mapped_column(unique=True)
    charge_id: Mapped[str]
    amount: Mapped[int]
    fee: Mapped[int]
    reason: Mapped[str]
    state: Mapped[str]
    due_by: Mapped[datetime | None]
    opened_at: Mapped[datetime]
    checked_at: Mapped[datetime]


class PlanNotice(Base):
    """A reminder of a failed payment that was sent: on days 0, 5 and 12."""

    __tablename__ = "plan_notices"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id"), primary_key=True)
    subscription_id: Mapped[UUID] = mapped_column(primary_key=True)
    past_due_since: Mapped[datetime] = mapped_column(primary_key=True)
    day: Mapped[int] = mapped_column(primary_key=True)
    sent_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
