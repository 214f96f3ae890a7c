"""The membership plans; buying, changing and paying for the plan of the signed-in user."""

from __future__ import annotations

from fastapi import Request, Response

from porchlight.dependencies import Context, CurrentUser, VerifiedUser, own_origin
from porchlight.features.billing import actions, queries
from porchlight.features.billing.schemas import (
    BillingResponse,
    ChangePayload,
    ChangePreviewResponse,
    ChangeResponse,
    CheckoutPayload,
    Interval,
    PlanList,
    PlanResponse,
    PlansResponse,
    PortalPayload,
    PricingTableSessionResponse,
    StripePage,
    StripePageResponse,
)
from porchlight.plans.plans import COMING_FEATURES, PLANS, PlanSlug
from porchlight.plans.points import plan_points
from porchlight.settlement.dependencies import Stripe
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id

router = FeatureRouter(prefix="/api", tags=["billing"], route_class=StrictRoute)


@router.get("/plans", response_model=PlansResponse, operation_id="list_plans", summary="List membership plans")
async def list_plans(response: Response) -> PlansResponse:
    """Return the membership plans with their prices and features (SPEC 6, SPEC 9)."""
    response.headers["cache-control"] = "public, max-age=300"
    plans = [
        PlanResponse(
            slug=plan.slug,
            name=plan.name,
            price_cents=plan.price_cents,
            yearly_price_cents=plan.yearly_price_cents,
            currency="USD",
            interval=plan.interval,
            features=list(plan.features),
            points=plan_points(plan.slug),
            coming=[feature for feature in plan.features if feature in COMING_FEATURES],
        )
        for plan in PLANS
    ]
    return PlansResponse(success=True, data=PlanList(plans=plans))


@router.get("/billing", response_model=BillingResponse, operation_id="get_billing", summary="Get my plan")
async def get_billing(response: Response, context: Context, user: CurrentUser) -> BillingResponse:
    """Return the user's plan, its limits with how much is used, and what they pay for."""
    response.headers["cache-control"] = "no-store"
    guru_id = user.owned_guru.tenant_id if user.owned_guru else None
    async with unit_of_work(context.db, user_id=user.user_id, tenant_id=guru_id) as session:
        data = await queries.billing(session, payments_available=context.stripe is not None)
    return BillingResponse(success=True, data=data)


@router.post(
    "/billing/checkout",
    response_model=StripePageResponse,
    operation_id="create_plan_checkout",
    summary="Buy a plan",
)
async def create_plan_checkout(
    request: Request, context: Context, user: VerifiedUser, _stripe: Stripe, payload: CheckoutPayload
) -> StripePageResponse:
    """Return the URL of Stripe's Checkout. The same purchase again, also in another tab, is the same checkout."""
    back = actions.return_url(_origin(request, context), payload.return_to)
    url = await actions.start_checkout(context.db, user.user_id, payload.plan, payload.interval, back)
    return StripePageResponse(success=True, data=StripePage(url=url))


@router.post(
    "/billing/portal",
    response_model=StripePageResponse,
    operation_id="create_billing_portal_link",
    summary="Open my cards and invoices at Stripe",
)
async def create_billing_portal_link(
    request: Request, context: Context, user: VerifiedUser, stripe: Stripe, payload: PortalPayload
) -> StripePageResponse:
    """Return the URL of Stripe's portal, where the user changes the card."""
    back = actions.return_url(_origin(request, context), payload.return_to)
    url = await actions.portal_url(context.db, stripe, user.user_id, back)
    return StripePageResponse(success=True, data=StripePage(url=url))


@router.post(
    "/billing/pricing-table-session",
    response_model=PricingTableSessionResponse,
    operation_id="create_pricing_table_session",
    summary="Start a session of the pricing table",
)
async def create_pricing_table_session(
    context: Context, user: VerifiedUser, stripe: Stripe
) -> PricingTableSessionResponse:
    """Return what ties a purchase in the embedded pricing table to the user."""
    data = await actions.pricing_table_session(context.db, stripe, user.user_id)
    return PricingTableSessionResponse(success=True, data=data)


@router.get(
    "/billing/invoices/{invoice_id}",
    response_model=StripePageResponse,
    operation_id="get_invoice_file",
    summary="Get the file of one of my invoices",
)
async def get_invoice_file(
    response: Response, context: Context, user: VerifiedUser, stripe: Stripe, invoice_id: str
) -> StripePageResponse:
    """Return the current address of an invoice as a file."""
    response.headers["cache-control"] = "no-store"
    url = await actions.invoice_url(context.db, stripe, user.user_id, parse_id(invoice_id))
    if url is None:
        raise NotFound
    return StripePageResponse(success=True, data=StripePage(url=url))


@router.get(
    "/billing/change",
    response_model=ChangePreviewResponse,
    operation_id="preview_plan_change",
    summary="Preview a change of my plan",
)
async def preview_plan_change(
    response: Response, context: Context, user: VerifiedUser, stripe: Stripe, plan: PlanSlug, interval: Interval
) -> ChangePreviewResponse:
    """Return when a change would take effect and what it would cost. Nothing changes."""
    response.headers["cache-control"] = "no-store"
    data = await actions.preview_change(context.db, stripe, user.user_id, plan, interval)
    return ChangePreviewResponse(success=True, data=data)


@router.post(
    "/billing/change",
    response_model=ChangeResponse,
    operation_id="change_plan",
    summary="Change, cancel or keep my plan",
)
async def change_plan(context: Context, user: VerifiedUser, _stripe: Stripe, payload: ChangePayload) -> ChangeResponse:
    """Change the plan: upgrades now and after their payment, all else when the paid period ends."""
    data = await actions.change_plan(context.db, user.user_id, payload.plan, payload.interval, payload.prorated_at)
    return ChangeResponse(success=True, data=data)


def _origin(request: Request, context: Context) -> str:
    return own_origin(request) or context.settings.main_origin
