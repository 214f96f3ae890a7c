"""Response schemas of membership plans and of the user's own plan."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from porchlight.plans.limits import PlanFeature
from porchlight.plans.plans import PlanSlug
from tenants.kit.schemas import Payload, ResponseModel

ChangeKind = Literal["upgrade", "downgrade", "cancel", "keep"]
Interval = Literal["month", "year"]
AnyPlan = Literal[PlanSlug.COMMUNITY, PlanSlug.SKILL_SHARER, PlanSlug.PREMIUM_ANGEL]
PaidPlan = Literal[PlanSlug.SKILL_SHARER, PlanSlug.PREMIUM_ANGEL]
# A path of this site: not //host, and no characters that browsers rewrite.
ReturnPath = Annotated[str, Field(max_length=500, pattern=r"^/(?:[^/\\\s\x00-\x1f\x7f][^\\\s\x00-\x1f\x7f]*)?$")]


class PlanResponse(ResponseModel):
    """A plan. `interval`: null for a free plan. Prices in US cents, `price_cents` per interval.

    `points`: what it has beyond the plan below, by the limits. `coming`: those of the features that are not built yet.
    """

    slug: str
    name: str
    price_cents: int
    yearly_price_cents: int
    currency: str
    interval: Literal["month"] | None
    features: list[str]
    points: list[str]
    coming: list[str]


class PlanList(ResponseModel):
    """All plans, cheapest first."""

    plans: list[PlanResponse]


class PlansResponse(ResponseModel):
    """The response of GET /api/plans."""

    success: bool
    data: PlanList


class FeatureLimit(ResponseModel):
    """A feature of the user's plan. `limit`: null without a number; `used`: null for what is not counted."""

    feature: PlanFeature
    included: bool
    limit: int | None
    used: int | None


class NextCharge(ResponseModel):
    """The next charge, in US cents, and its time."""

    cents: int
    at: str


class Card(ResponseModel):
    """The card that is charged."""

    brand: str
    last4: str


class OpenChange(ResponseModel):
    """A change on its way, or one that waits for its payment at `payment_url`."""

    kind: ChangeKind
    plan: PlanSlug
    interval: Interval
    state: Literal["requested", "unpaid"]
    payment_url: str | None


class InvoiceSummary(ResponseModel):
    """An invoice. `total_cents`: in US cents."""

    id: str
    number: str
    issued_at: str
    total_cents: int
    state: Literal["open", "paid", "uncollectible", "void"]


class SubscriptionSummary(ResponseModel):
    """The subscription of a user. `next_plan`, `next_interval`: what it changes to when the paid period ends.

    `grace_until`: until when the extras keep working after a failed payment, a cancellation or a smaller plan.
    """

    plan: PlanSlug
    plan_name: str
    interval: Interval
    state: Literal["incomplete", "active", "past_due", "unpaid", "canceled"]
    period_end: str
    cancel_at_end: bool
    next_plan: PlanSlug | None
    next_interval: Interval | None
    next_charge: NextCharge | None
    payment_failed_at: str | None
    grace_until: str | None
    card: Card | None


class Billing(ResponseModel):
    """The user's plan and what they pay for.

    `until`: null while nothing ends it. `source`: a grant or a subscription, null for the free plan.
    `subscription`: null without one and after its grace.
    """

    plan: PlanSlug
    plan_name: str
    until: str | None
    source: Literal["grant", "subscription"] | None
    limits: list[FeatureLimit]
    subscription: SubscriptionSummary | None
    change: OpenChange | None
    invoices: list[InvoiceSummary]
    more_invoices: bool
    payments_available: bool


class BillingResponse(ResponseModel):
    """The response of GET /api/billing."""

    success: bool
    data: Billing


class CheckoutPayload(Payload):
    """A plan to buy. `return_to`: the path of this site to come back to."""

    plan: PaidPlan
    interval: Interval
    return_to: ReturnPath = "/pricing"


class PortalPayload(Payload):
    """`return_to`: the path of this site to come back to."""

    return_to: ReturnPath = "/account/plan"


class StripePage(ResponseModel):
    """A page of the payment provider."""

    url: str


class StripePageResponse(ResponseModel):
    """The response with a page of the payment provider."""

    success: bool
    data: StripePage


class PricingTableSession(ResponseModel):
    """The session of the embedded pricing table whose purchase belongs to the user. Valid for half an hour."""

    client_secret: str
    client_reference_id: str


class PricingTableSessionResponse(ResponseModel):
    """The response of POST /api/billing/pricing-table-session."""

    success: bool
    data: PricingTableSession


class ChangePreview(ResponseModel):
    """The effects of a change. `due_now_cents`: charged at once, null unless it is an upgrade.

    `effective_at`: null for now. `prorated_at`: the time that the charge is computed for; a change with it costs that.
    """

    kind: ChangeKind
    plan: PlanSlug
    interval: Interval
    due_now_cents: int | None
    prorated_at: str | None
    effective_at: str | None
    next_charge: NextCharge | None
    grace_until: str | None


class ChangePreviewResponse(ResponseModel):
    """The response of GET /api/billing/change."""

    success: bool
    data: ChangePreview


class ChangePayload(Payload):
    """The plan to change to: `community` cancels, and the current one takes a planned change back."""

    plan: AnyPlan
    interval: Interval
    prorated_at: Annotated[AwareDatetime, Field(strict=False)] | None = None


class ChangeResult(ResponseModel):
    """The result of a change. `unpaid`: it waits for its payment at `payment_url`. `requested`: Stripe is slow."""

    state: Literal["done", "unpaid", "requested"]
    payment_url: str | None


class ChangeResponse(ResponseModel):
    """The response of POST /api/billing/change."""

    success: bool
    data: ChangeResult
