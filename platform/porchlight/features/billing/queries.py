"""Read the user's plan, how much of it is used, and what they pay for."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.billing.models import PlanInvoice
from porchlight.features.billing.plan_changes import CHANGE_FACTS, ChangeFacts
from porchlight.features.billing.schemas import (
    Billing,
    Card,
    FeatureLimit,
    InvoiceSummary,
    NextCharge,
    OpenChange,
    SubscriptionSummary,
)
from porchlight.plans.limits import LIMITS
from porchlight.plans.plans import PLANS_BY_SLUG, PlanSlug
from porchlight.plans.subscriptions import GRACE
from tenants.kit import clock

MAX_INVOICES = 60
PENDING_UPDATE_TTL = timedelta(hours=23)  # for as long Stripe waits for the payment of an upgrade

# A user without a right has a row as well. The usage is by the feature's name; without a site, of none.
_RIGHTS_AND_USAGE = text("""
SELECT r.plan, r.until, r.source, jsonb_build_object(
         'exchange_offers', (SELECT count(*) FROM skill_offers o
                              WHERE o.user_id = app.user_id() AND NOT 'price' = ANY (o.terms)),
         'priced_offers', (SELECT count(*) FROM skill_offers o
                            WHERE o.user_id = app.user_id() AND 'price' = ANY (o.terms)),
         'priced_services', (SELECT count(*) FROM services s WHERE s.tenant_id = app.tenant_id() AND s.price_cents > 0),
         'work_photos', (SELECT count(*) FROM listing_photos f WHERE f.user_id = app.user_id()),
         'listed_categories', (SELECT count(*) FROM guru_categories c
                                WHERE c.tenant_id = app.tenant_id() AND c.listed AND NOT c.over_limit)) AS usage
  FROM (VALUES (1)) one LEFT JOIN (SELECT plan, until, source FROM app.plan_rights(app.user_id()) LIMIT 1) r ON true""")
# The one that is current, or else the last one until its grace is over.
_SUBSCRIPTION = text("""
SELECT s.*, coalesce(nullif(s.card_brand, ''), b.card_brand, '') AS brand,
       coalesce(nullif(s.card_last4, ''), b.card_last4, '') AS last4
  FROM subscriptions s LEFT JOIN billing_customers b ON b.user_id = s.user_id
 WHERE s.user_id = app.user_id() AND s.sub_id IS NOT NULL
   AND (s.state IN ('incomplete', 'active', 'past_due', 'unpaid')
        OR s.state = 'canceled' AND s.right_until > app.now())
 ORDER BY s.state IN ('incomplete', 'active', 'past_due') DESC, s.created_at DESC LIMIT 1""")
_CHANGE = text("""
SELECT c.kind, c.plan, c.interval, c.state, c.payment_url
  FROM plan_changes c JOIN subscriptions s ON s.user_id = c.user_id AND s.id = c.subscription_id
 WHERE c.user_id = app.user_id() AND (c.state = 'requested' OR c.state = 'unpaid' AND c.created_at > :since
       AND s.state = 'active' AND (s.plan, s.interval) <> (c.plan, c.interval))
 ORDER BY c.created_at DESC LIMIT 1""")
# Stripe's times are whole seconds. Its numbers, which grow, order the invoices of one second.
_INVOICES = (  # built once, because that takes longer than the query
    select(PlanInvoice.id, PlanInvoice.number, PlanInvoice.issued_at, PlanInvoice.total_cents, PlanInvoice.state)
    .where(PlanInvoice.user_id == text("app.user_id()"), PlanInvoice.state != "draft")
    .order_by(PlanInvoice.issued_at.desc(), func.length(PlanInvoice.number).desc(), PlanInvoice.number.desc())
    .limit(MAX_INVOICES + 1)
)
_PREVIEW = text("""
SELECT b.customer_id, s.sub_id, s.item_id, p.price_id
  FROM subscriptions s JOIN billing_customers b ON b.user_id = s.user_id
 CROSS JOIN app.billing_object(:plan || '-' || :interval) p (price_id)
 WHERE s.user_id = app.user_id() AND s.state IN ('active', 'past_due') AND p.price_id IS NOT NULL""")


async def billing(session: AsyncSession, *, payments_available: bool) -> Billing:
    """Return the plan of the session's user, its limits with what is used, and what they pay for.

    The session's tenant is the guru that the user owns.
    """
    right = (await session.execute(_RIGHTS_AND_USAGE)).one()
    usage: dict[str, int] = right.usage or {}
    plan = PlanSlug(right.plan) if right.plan else PlanSlug.COMMUNITY
    subscription = (await session.execute(_SUBSCRIPTION)).one_or_none()
    invoices = await _invoices(session)
    return Billing(
        plan=plan,
        plan_name=PLANS_BY_SLUG[plan].name,
        until=_iso(right.until),
        source=right.source,
        limits=[
            FeatureLimit(
                feature=feature,
                included=bool(limit),
                limit=None if isinstance(limit, bool) else limit,
                used=usage.get(feature),
            )
            for feature, limit in LIMITS[plan].items()
        ],
        subscription=_summary(subscription) if subscription else None,
        change=await _open_change(session),
        invoices=invoices[:MAX_INVOICES],
        more_invoices=len(invoices) > MAX_INVOICES,
        payments_available=payments_available,
    )


async def own_subscription(session: AsyncSession) -> SubscriptionSummary | None:
    """Return what the session's user pays for, or None."""
    row = (await session.execute(_SUBSCRIPTION)).one_or_none()
    return _summary(row) if row else None


async def change_facts(session: AsyncSession, plan: PlanSlug, interval: str) -> ChangeFacts | None:
    """Return what decides whether the session's user can change to a plan; None without a subscription."""
    connection = await session.connection()
    rows = await connection.exec_driver_sql(CHANGE_FACTS, {"plan": plan.value, "interval": interval})
    found = rows.mappings().one_or_none()
    return ChangeFacts(**found) if found is not None else None


async def preview_values(session: AsyncSession, plan: PlanSlug, interval: str) -> Row[Any] | None:
    """Return customer, subscription, item and price for the preview of an upgrade; None without prices."""
    return (await session.execute(_PREVIEW, {"plan": plan, "interval": interval})).one_or_none()


async def invoice_at_stripe(session: AsyncSession, invoice_id: Any) -> str | None:
    """Return the id at Stripe of one of the user's invoices, or None."""
    found: str | None = await session.scalar(
        select(PlanInvoice.in_id).where(PlanInvoice.id == invoice_id, PlanInvoice.user_id == text("app.user_id()"))
    )
    return found


def price_cents(plan: PlanSlug, interval: str) -> int:
    """Return the price of a plan per interval, in US cents."""
    found = PLANS_BY_SLUG[plan]
    return found.price_cents if interval == "month" else found.yearly_price_cents


def _summary(row: Row[Any]) -> SubscriptionSummary:
    plan = PlanSlug(row.plan)
    next_plan = PlanSlug(row.next_plan) if row.next_plan else None
    renews = row.state == "active" and not row.cancel_at_end
    charge = price_cents(next_plan or plan, row.next_interval or row.interval)
    return SubscriptionSummary(
        plan=plan,
        plan_name=PLANS_BY_SLUG[plan].name,
        interval=row.interval,
        state=row.state,
        period_end=clock.to_iso8601(row.period_end),
        cancel_at_end=row.cancel_at_end,
        next_plan=next_plan,
        next_interval=row.next_interval,
        next_charge=NextCharge(cents=charge, at=clock.to_iso8601(row.period_end)) if renews else None,
        payment_failed_at=_iso(row.past_due_since),
        grace_until=_iso(_grace_until(row)),
        card=Card(brand=row.brand, last4=row.last4) if row.last4 else None,
    )


def _grace_until(row: Row[Any]) -> datetime | None:
    start: datetime | None = row.past_due_since
    if start is None and (row.cancel_at_end or row.state == "canceled" or row.next_plan not in (None, row.plan)):
        start = row.period_end
    return start + GRACE if start is not None else None


async def _open_change(session: AsyncSession) -> OpenChange | None:
    row = (await session.execute(_CHANGE, {"since": clock.now() - PENDING_UPDATE_TTL})).one_or_none()
    if row is None:
        return None
    return OpenChange(
        kind=row.kind,
        plan=PlanSlug(row.plan),
        interval=row.interval,
        state=row.state,
        payment_url=row.payment_url or None,
    )


async def _invoices(session: AsyncSession) -> list[InvoiceSummary]:
    return [
        InvoiceSummary(
            id=str(row.id),
            number=row.number,
            issued_at=clock.to_iso8601(row.issued_at),
            total_cents=row.total_cents,
            state=row.state,
        )
        for row in await session.execute(_INVOICES)
    ]


def _iso(moment: datetime | None) -> str | None:
    return clock.to_iso8601(moment) if moment is not None else None
