"""Payout connections (SPEC 7.2)."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Depends, Request, Response

from porchlight.dependencies import Context, VerifiedUser, own_origin
from porchlight.features.payouts import actions, queries
from porchlight.features.payouts.models import PayoutAccount
from porchlight.features.payouts.schemas import (
    ConnectionResponse,
    ConnectionStatus,
    RedirectUrl,
    RedirectUrlResponse,
)
from porchlight.payment_ports import PaymentsOutage, PaymentsRefusal, Payouts
from porchlight.settlement.errors import PaymentsNotSetUp, PaymentsUnresponsive
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock, timeouts
from tenants.kit.errors import Conflict
from tenants.kit.logs import log

router = FeatureRouter(prefix="/api", tags=["payouts"], route_class=StrictRoute)

ONBOARDING_RETURN_PATH = "/onboarding/payout"


class NotConnectedYet(Conflict):
    """The user has no connected account, so there is no dashboard."""

    code = "not_connected_yet"
    message = "Please finish setting up your payout method first."


async def require_payments(context: Context) -> Payouts:
    """Return the payment provider. Raises PaymentsNotSetUp when none is configured."""
    if context.payments is None:
        raise PaymentsNotSetUp
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
    service_dsn = context.settings.overseer_database_url  # without it, only webhooks and the worker sync the account
    is_due = account is not None and queries.is_check_due(account, clock.now())
    if account is not None and is_due and service_dsn and context.payments is not None:
        checked_at = clock.now()
        try:
            state = await context.payments.state(account.account_id)
        except (PaymentsOutage, PaymentsRefusal) as error:
            log.warning("payout_status_not_synced", error=type(error).__name__)
        else:
            await asyncio.to_thread(actions.save_account, service_dsn, account.account_id, state, checked_at)
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
        async with asyncio.timeout(timeouts.current.payout_response_seconds):
            account = await actions.get_or_create_account(context.db, payments, user.user_id, user.email)
            url = await payments.onboarding_url(
                account,
                return_url=origin + ONBOARDING_RETURN_PATH,
                refresh_url=f"{origin}{ONBOARDING_RETURN_PATH}?again=1",
            )
    except (PaymentsOutage, TimeoutError) as error:
        raise PaymentsUnresponsive(retry_after=30) from error
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
        raise PaymentsUnresponsive(retry_after=30) from error
    except PaymentsRefusal as error:
        raise NotConnectedYet from error
    return RedirectUrlResponse(success=True, url=url, data=RedirectUrl(url=url))
