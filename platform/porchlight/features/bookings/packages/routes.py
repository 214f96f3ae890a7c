"""The packages of sessions that gurus gave to the user or that they bought, and what gurus sell."""

from __future__ import annotations

from fastapi import Request, Response, status

from porchlight.auth.authenticator import require_verified_email
from porchlight.dependencies import Context, CurrentUser, IdempotencyKey, own_origin
from porchlight.features.bookings.packages import purchase, queries
from porchlight.features.bookings.packages.schemas import (
    OwnPackageResponse,
    OwnPackagesResponse,
    PackagePurchaseResponse,
    PurchasePayload,
    SoldPackagesData,
    SoldPackagesResponse,
)
from porchlight.features.bookings.payments.actions import card_desk
from porchlight.features.bookings.payments.purchases import guru_takes_cards
from porchlight.money.fees import Fees
from porchlight.settlement.errors import PaymentsNotSetUp
from sites.context import Subdomain, cached_json
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import new_id, parse_id_or_404
from tenants.tenancy.current import current_tenant

router = FeatureRouter(prefix="/api", tags=["bookings"], route_class=StrictRoute)

SOLD_CACHE_SECONDS = 15.0  # each page of a guru's services asks for them


@router.get("/packages", operation_id="list_own_packages", summary="List my packages")
async def list_own_packages(context: Context, user: CurrentUser) -> OwnPackagesResponse:
    """Return the user's packages of sessions: those with which they can book first."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return OwnPackagesResponse(success=True, data=await queries.own_packages(session, user.user_id))


@router.get("/packages/{grant_id}", operation_id="get_own_package", summary="Get my package")
async def get_own_package(context: Context, user: CurrentUser, grant_id: str) -> OwnPackageResponse:
    """Return a package of the user, with its history and its bookings."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        data = await queries.own_package(session, user.user_id, parse_id_or_404(grant_id))
    return OwnPackageResponse(success=True, data=data)


@router.get(
    "/packages/purchases/{payment_id}", operation_id="get_package_purchase", summary="Get my purchase of a package"
)
async def get_package_purchase(context: Context, user: CurrentUser, payment_id: str) -> PackagePurchaseResponse:
    """Return a purchase: Stripe's page while it is open, and the package once it is paid."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        data = await queries.purchase(session, user.user_id, parse_id_or_404(payment_id))
    return PackagePurchaseResponse(success=True, data=data)


@router.get(
    "/gurus/{subdomain}/packages",
    response_model=SoldPackagesResponse,
    operation_id="list_sold_packages",
    summary="The packages that a guru sells",
)
async def list_sold_packages(request: Request, subdomain: Subdomain, context: Context) -> Response:
    """Return the packages that can be bought by card, by service; none while the guru can't take cards."""
    tenant = await current_tenant(request)
    data = SoldPackagesData(packages=[])
    if context.stripe is not None and await context.flags.on("booking", tenant.id):
        async with unit_of_work(context.db, tenant_id=tenant.id) as session:
            if await guru_takes_cards(session, Fees.of(context.settings).basis_points):
                data = await queries.sold_packages(session, tenant.id)
    body = SoldPackagesResponse(success=True, data=data).model_dump(by_alias=True)
    return cached_json(request, tenant, body, seconds=SOLD_CACHE_SECONDS)


@router.post(
    "/gurus/{subdomain}/packages/{package_id}/purchases",
    status_code=status.HTTP_201_CREATED,
    operation_id="buy_package",
    summary="Buy a package",
)
async def buy_package(
    request: Request,
    subdomain: Subdomain,
    package_id: str,
    payload: PurchasePayload,
    context: Context,
    user: CurrentUser,
    key: IdempotencyKey,
) -> PackagePurchaseResponse:
    """Open Stripe's page for a package. A resend changes nothing.

    The answer has its `url`, or the state `opening` while Stripe does not answer. 409 `package_price_changed`,
    `own_package`, `cards_unavailable`, `too_many_open_packages`, 429 `too_many_checkouts`.
    """
    tenant, wanted = await current_tenant(request), parse_id_or_404(package_id)
    if not await context.flags.on("booking", tenant.id):
        raise NotFound
    if context.stripe is None:
        raise PaymentsNotSetUp
    require_verified_email(user)
    desk = card_desk(context, user, own_origin(request))
    payment = await purchase.buy_package(
        context.db, desk, user.user_id, tenant.id, wanted, payload, key or str(new_id())
    )
    return PackagePurchaseResponse(success=True, data=queries.purchase_data(payment))
