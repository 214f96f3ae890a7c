"""Granted plans and subscriptions. Requests can read their user's rows; only the service role writes them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import UserOwned
from tenants.tenancy.models import Base

_PAID_PLANS = "('skill-sharer', 'premium-angel')"


class PlanGrant(UserOwned, Base):
    """A plan that a user has without paying, until a time. Of several, the best one counts."""

    __tablename__ = "plan_grants"
    __table_args__ = (CheckConstraint(f"plan IN {_PAID_PLANS}", name="plan"),)

    id: Mapped[UUID] = mapped_column(primary_key=True, server_default=text("gen_random_uuid()"), sort_order=-1)
    plan: Mapped[str]
    until: Mapped[datetime]
    reason: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class Subscription(Base):
    """A paid plan. `sub_id` is its id at Stripe, None until Stripe knows it.

    `past_due_since`: the first failed charge. `period_end`: until when it is paid. `right_until`: until when one that
    does not renew confers the plan (`subscriptions.right_until`). A subscription that confers nothing, such as a
    refunded second one, is `gone`. No money table cascades from users.
    """

    __tablename__ = "subscriptions"
    __table_args__ = (
        CheckConstraint(f"plan IN {_PAID_PLANS}", name="plan"),
        CheckConstraint(f"next_plan IN {_PAID_PLANS}", name="next_plan"),
        CheckConstraint("interval IN ('month', 'year')", name="interval"),
        CheckConstraint("next_interval IN ('month', 'year')", name="next_interval"),
        CheckConstraint(
            "state IN ('incomplete', 'active', 'past_due', 'unpaid', 'canceled', 'gone')",
            name="state",
        ),
        CheckConstraint("(state = 'past_due') <= (past_due_since IS NOT NULL)", name="past_due"),
        Index(
            "uq_subscriptions_current",
            "user_id",
            unique=True,
            postgresql_where=text("state IN ('incomplete', 'active', 'past_due')"),
        ),
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id"), primary_key=True)
    id: Mapped[UUID] = mapped_column(primary_key=True)
    plan: Mapped[str]
    interval: Mapped[str]
    sub_id: Mapped[str | None] = mapped_column(unique=True)
    state: Mapped[str] = mapped_column(server_default="incomplete")
    period_end: Mapped[datetime | None]
    cancel_at_end: Mapped[bool] = mapped_column(server_default=text("false"))
    next_plan: Mapped[str | None]
    next_interval: Mapped[str | None]
    past_due_since: Mapped[datetime | None]
    right_until: Mapped[datetime | None]
    checked_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    period_start: Mapped[datetime | None]
    item_id: Mapped[str] = mapped_column(server_default="")  # of its price at Stripe
    schedule_id: Mapped[str] = mapped_column(server_default="")  # of a planned change at Stripe
    card_brand: Mapped[str] = mapped_column(server_default="")
    card_last4: Mapped[str] = mapped_column(server_default="")
    is_stray: Mapped[bool] = mapped_column(server_default=text("false"))  # a second one: canceled and refunded
