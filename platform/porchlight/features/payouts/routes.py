"""Payout connections (SPEC 7.2) and the payment provider's webhook."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Request, Response

from porchlight.dependencies import AuthenticatedUser, Context, optional_user, own_origin, require_main_host
from porchlight.features.payouts import actions, queries
from porchlight.features.payouts.models import PayoutAccount
from porchlight.features.payouts.schemas import (
    ConnectionResponse,
    ConnectionStatus,
    RedirectUrl,
    RedirectUrlResponse,
    WebhookResponse,
)
from porchlight.ports import BadSignature, PaymentsOutage, PaymentsRefusal, Payouts
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import StrictRoute
from tenants.kit import clock
from tenants.kit.errors import ApiError, Conflict, NotFound, ProductError, Unauthenticated, Unavailable
from tenants.kit.logs import log

router = APIRouter(prefix="/api", tags=["payouts"], route_class=StrictRoute)

ONBOARDING_RETURN_PATH = "/onboarding/payout"
_SIGNED_BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}


class PayoutsUnavailable(ProductError):
    """No payment provider is configured."""

    status = 503
    code = "payouts_unavailable"
    message = "Payouts aren't available yet. Please try again later."


class PaymentsUnavailable(Unavailable):
    """The payment provider does not respond."""

    code = "payments_unavailable"
    message = "Stripe isn't responding right now. Please try again in a minute."


class NotConnectedYet(Conflict):
    """The user has no connected account, so there is no dashboard."""

    code = "not_connected_yet"
    message = "Please finish setting up your payout method first."


async def require_verified_user(request: Request, context: Context) -> AuthenticatedUser:
    """Return the signed-in user. Check a token for revocation now, because of the money (ARCHITECTURE 7)."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return await context.authenticator.by_token(token.strip(), strict=True)
    user = await optional_user(request, context)
    if user is None:
        raise Unauthenticated
    return user


VerifiedUser = Annotated[AuthenticatedUser, Depends(require_verified_user)]


async def require_payments(context: Context) -> Payouts:
    """Return the payment provider. Raises PayoutsUnavailable when none is configured."""
    if context.payments is None:
        raise PayoutsUnavailable
    return context.payments


Payments = Annotated[Payouts, Depends(require_payments)]


@router.get(
    "/connect/status",
    response_model=ConnectionResponse,
    operation_id="get_payout_connection",
    summary="Get my payout connection",
)
async def get_payout_connection(response: Response, context: Context, user: VerifiedUser) -> ConnectionResponse:
    """Return the connection's state: fetched now while it is incomplete, else as last synced."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        account = await queries.payout_account(session, user.user_id)
    if account is not None and context.payments is not None and queries.is_check_due(account, clock.now()):
        checked_at = clock.now()
        try:
            state = await context.payments.state(account.account_id)
        except (PaymentsOutage, PaymentsRefusal) as error:
            log.warning("payout_status_not_synced", error=type(error).__name__)
        else:
            async with unit_of_work(context.db, user_id=user.user_id) as session:
                await actions.save_account(session, account.account_id, state, checked_at)
            async with unit_of_work(context.db, user_id=user.user_id) as session:
                account = await queries.payout_account(session, user.user_id)
    return ConnectionResponse(success=True, data=_status(account))


def _status(account: PayoutAccount | None) -> ConnectionStatus:
    if account is None:
        return ConnectionStatus(
            connected=False, charges_enabled=False, payouts_enabled=False, details_submitted=False, currently_due=[]
        )
    return ConnectionStatus(
        connected=account.connected,
        charges_enabled=account.charges_enabled,
        payouts_enabled=account.payouts_enabled,
        details_submitted=account.details_submitted,
        currently_due=account.currently_due,
    )


@router.post(
    "/connect/start",
    response_model=RedirectUrlResponse,
    operation_id="create_payout_onboarding_link",
    summary="Connect a payout method",
)
async def create_payout_onboarding_link(
    request: Request, context: Context, user: VerifiedUser, payments: Payments
) -> RedirectUrlResponse:
    """Return the URL of the provider's onboarding page, which leads back to /onboarding/payout."""
    origin = own_origin(request) or context.settings.main_origin
    try:
        account = await actions.get_or_create_account(context.db, payments, user.user_id, user.email)
        url = await payments.onboarding_url(
            account, return_url=origin + ONBOARDING_RETURN_PATH, refresh_url=f"{origin}{ONBOARDING_RETURN_PATH}?again=1"
        )
    except PaymentsOutage as error:
        raise PaymentsUnavailable(retry_after=30) from error
    except PaymentsRefusal as error:
        # The account may have been closed at the provider. The next sync finds out, then a new one can be created.
        raise Conflict("Something went wrong with Stripe. Please reload this page and try again.") from error
    return RedirectUrlResponse(success=True, url=url, data=RedirectUrl(url=url))


@router.post(
    "/connect/express-login",
    response_model=RedirectUrlResponse,
    operation_id="create_payout_dashboard_link",
    summary="Open my Stripe dashboard",
)
async def create_payout_dashboard_link(context: Context, user: VerifiedUser, payments: Payments) -> RedirectUrlResponse:
    """Return the URL of the provider's dashboard of the user's account."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        account = await queries.payout_account(session, user.user_id)
    if account is None or not account.connected:
        raise NotConnectedYet
    try:
        url = await payments.dashboard_url(account.account_id)
    except PaymentsOutage as error:
        raise PaymentsUnavailable(retry_after=30) from error
    except PaymentsRefusal as error:
        raise NotConnectedYet from error
    return RedirectUrlResponse(success=True, url=url, data=RedirectUrl(url=url))


@router.post(
    "/stripe/webhooks",
    response_model=WebhookResponse,
    operation_id="receive_stripe_event",
    summary="Receive a Stripe event",
    dependencies=[Depends(require_main_host)],
    openapi_extra=_SIGNED_BODY,
)
async def receive_stripe_event(
    request: Request,
    context: Context,
    signature: Annotated[str, Header(alias="Stripe-Signature", max_length=2000)] = "",
) -> WebhookResponse:
    """Record a signed event of the provider, once. A job then syncs the account."""
    if context.payments is None:
        raise NotFound
    try:
        event = context.payments.event(await request.body(), signature)
    except BadSignature:
        raise ApiError(400, "bad_signature", "This event isn't signed.") from None
    await actions.record_event(context.db, event)
    return WebhookResponse(received=True)
