"""/api/connect (SPEC 7.2) and the payment provider's events."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Request, Response

from porchlight.logs import log
from porchlight.parts import Parts, Person, maybe_user, on_main_host, own_origin
from porchlight.payouts import actions, queries
from porchlight.payouts.models import PayoutAccount
from porchlight.payouts.schemas import Address, AddressAnswer, ConnectionAnswer, ConnectionStatus, Received
from porchlight.ports import BadSignature, PaymentsOutage, PaymentsRefusal, Payouts
from sites.parts import StrictRoute
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ProductError, Refused, Unauthenticated, Unavailable
from tenants.session import unit_of_work

router = APIRouter(prefix="/api", tags=["payouts"], route_class=StrictRoute)

RETURN_PATH = "/onboarding/payout"
_SIGNED_BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}


class PayoutsUnavailable(ProductError):
    """No payment provider is configured."""

    status = 503
    code = "payouts_unavailable"
    message = "Payouts are not available here yet. Please try again later."


class PaymentsAway(Unavailable):
    """The payment provider is out for the moment."""

    code = "payments_away"
    message = "Stripe does not answer at the moment. Please try again in a minute."


class NotConnectedYet(Conflict):
    """There is no dashboard before the provider knows whose it is."""

    code = "not_connected_yet"
    message = "Please finish setting up your payout method first."


async def sure_user(request: Request, parts: Parts) -> Person:
    """Who is signed in, and with a token whether it was revoked a moment ago: this is about money (DESIGN 7)."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return await parts.door.by_token(token.strip(), strict=True)
    person = await maybe_user(request, parts)
    if person is None:
        raise Unauthenticated
    return person


SureUser = Annotated[Person, Depends(sure_user)]


def _payments(parts: Parts) -> Payouts:
    if parts.payments is None:
        raise PayoutsUnavailable
    return parts.payments


Payments = Annotated[Payouts, Depends(_payments)]


@router.get(
    "/connect/status", response_model=ConnectionAnswer, operation_id="connect_status", summary="My payout connection"
)
async def read_status(response: Response, parts: Parts, person: SureUser) -> ConnectionAnswer:
    """As the provider says now while something is missing, else as it said last. If it is out, as it said last."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        account = await queries.payout_account(session, person.user_id)
    if account is not None and parts.payments is not None and queries.worth_asking(account, clock.now()):
        asked = clock.now()
        try:
            state = await parts.payments.state(account.account_id)
        except (PaymentsOutage, PaymentsRefusal) as fault:
            log.warning("payout_status_old", kind=type(fault).__name__)
        else:
            async with unit_of_work(parts.db, user_id=person.user_id) as session:
                await actions.remember(session, account.account_id, state, asked)
            async with unit_of_work(parts.db, user_id=person.user_id) as session:
                account = await queries.payout_account(session, person.user_id)
    return ConnectionAnswer(success=True, data=_status(account))


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
    "/connect/start", response_model=AddressAnswer, operation_id="connect_start", summary="Connect a payout method"
)
async def start(request: Request, parts: Parts, person: SureUser, payments: Payments) -> AddressAnswer:
    """A page of the provider where I say who I am; it leads back to /onboarding/payout."""
    origin = own_origin(request) or parts.settings.main_origin
    try:
        account = await actions.account_for(parts.db, payments, person.user_id, person.email)
        url = await payments.onboarding_url(
            account, return_url=origin + RETURN_PATH, refresh_url=f"{origin}{RETURN_PATH}?again=1"
        )
    except PaymentsOutage as fault:
        raise PaymentsAway(retry_after=30) from fault
    except PaymentsRefusal as fault:
        # It may have been given up at the provider: the next look tells, and then a new one is opened.
        raise Conflict("Stripe did not let us continue. Please reload this page and try again.") from fault
    return AddressAnswer(success=True, url=url, data=Address(url=url))


@router.post(
    "/connect/express-login", response_model=AddressAnswer, operation_id="connect_login", summary="My Stripe dashboard"
)
async def express_login(parts: Parts, person: SureUser, payments: Payments) -> AddressAnswer:
    """The provider's dashboard of my account."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        account = await queries.payout_account(session, person.user_id)
    if account is None or not account.connected:
        raise NotConnectedYet
    try:
        url = await payments.dashboard_url(account.account_id)
    except PaymentsOutage as fault:
        raise PaymentsAway(retry_after=30) from fault
    except PaymentsRefusal as fault:
        raise NotConnectedYet from fault
    return AddressAnswer(success=True, url=url, data=Address(url=url))


@router.post(
    "/stripe/webhooks",
    response_model=Received,
    operation_id="stripe_webhook",
    summary="Events of Stripe",
    dependencies=[Depends(on_main_host)],
    openapi_extra=_SIGNED_BODY,
)
async def receive_event(
    request: Request,
    parts: Parts,
    signature: Annotated[str, Header(alias="Stripe-Signature", max_length=2000)] = "",
) -> Received:
    """Signed by the provider; the same event counts once. What it is about is looked up by a job."""
    if parts.payments is None:
        raise NotFound  # nobody was given this address
    try:
        event = parts.payments.event(await request.body(), signature)
    except BadSignature:
        raise Refused(400, "bad_signature", "This is not a signed event.") from None
    await actions.keep_event(parts.db, event)
    return Received(received=True)
