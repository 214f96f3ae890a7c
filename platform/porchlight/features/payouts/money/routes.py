"""PayoutBalance, instant payouts, history and schedule (SPEC 2.15, 7.2)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Response

from porchlight.dependencies import Context, IdempotencyKey, VerifiedUser, require_flag
from porchlight.features.payouts.money import history, instant, payout_facts, schedule, stripe_balance
from porchlight.features.payouts.money.errors import PayoutRefused, words
from porchlight.features.payouts.money.instant_rules import MIN_CENTS, InstantLimits, offer_of
from porchlight.features.payouts.money.schemas import (
    Amount,
    BalanceAmounts,
    BalanceResponse,
    InstantOffer,
    InstantPayoutPayload,
    InstantPayoutResponse,
    InstantPayoutResult,
    PayoutBalance,
    PayoutQuote,
    PayoutQuoteResponse,
    PayoutsResponse,
    SchedulePayload,
    ScheduleResponse,
)
from porchlight.money.fees import PayoutPrice
from porchlight.settlement.dependencies import Stripe
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.ids import new_id

router = FeatureRouter(prefix="/api/payouts", tags=["payouts"], route_class=StrictRoute)


@router.get(
    "/balance", response_model=BalanceResponse, operation_id="get_payout_balance", summary="Get my payout balance"
)
async def get_payout_balance(
    response: Response, context: Context, user: VerifiedUser, stripe: Stripe
) -> BalanceResponse:
    """Return the balance at Stripe now, and what an instant payout would bring."""
    response.headers["cache-control"] = "no-store"
    price = PayoutPrice.of(context.settings)
    facts = await payout_facts.facts_of(context.db, user.user_id)
    at_stripe = stripe_balance.EMPTY
    if facts.account_id is not None:
        at_stripe = await stripe_balance.balance_at_stripe(stripe, facts.account_id, price)
    offer = offer_of(facts, at_stripe, price, InstantLimits.of(context.settings), clock.now())
    left = at_stripe.available_dollars - facts.debt
    amounts = {
        kind: [Amount(amount=amount, currency=currency) for amount, currency in parts]
        for kind, parts in at_stripe.amounts.items()
    }
    return BalanceResponse(
        success=True,
        data=PayoutBalance(
            connected=facts.account_id is not None,
            balance=BalanceAmounts(**amounts),
            available_cents=max(left, 0),
            below_zero_cents=max(-left, 0),
            held=facts.held,
            debt=facts.debt,
            instant=InstantOffer(
                eligible=not offer.reason,
                reason=words(offer.reason, most_cents=offer.net) if offer.reason else None,
                gross=offer.gross,
                fee=offer.fee,
                net=offer.net,
                destination=offer.destination,
                minimum=MIN_CENTS,
                fee_basis_points=price.basis_points,
                fee_minimum=price.minimum_cents,
            ),
        ),
    )


@router.get(
    "/quote",
    response_model=PayoutQuoteResponse,
    operation_id="get_payout_quote",
    summary="Get what an instant payout takes",
    dependencies=[Depends(require_flag("instantPayouts"))],
)
async def get_payout_quote(
    context: Context, user: VerifiedUser, amount_cents: Annotated[int, Query(alias="amountCents", ge=0, le=2**53)]
) -> PayoutQuoteResponse:
    """Return the fee of an instant payout, and what leaves the balance. The balance may be too small for it."""
    if amount_cents < MIN_CENTS:
        raise PayoutRefused("amount_too_small")
    fee = PayoutPrice.of(context.settings).fee(amount_cents)
    return PayoutQuoteResponse(success=True, data=PayoutQuote(gross=amount_cents + fee, fee=fee, net=amount_cents))


@router.post(
    "/instant",
    response_model=InstantPayoutResponse,
    operation_id="create_instant_payout",
    summary="Take an instant payout",
    dependencies=[Depends(require_flag("instantPayouts"))],
)
async def create_instant_payout(
    context: Context, user: VerifiedUser, stripe: Stripe, payload: InstantPayoutPayload, key: IdempotencyKey
) -> InstantPayoutResponse:
    """Pay out now. Under the same key, a second request gets the first one's payout."""
    key = key or f"request-{new_id()}"
    request = instant.Request(user.user_id, payload.amount_cents, payload.total_cents, key, user.authenticated_at)
    outcome = await instant.request_payout(context.db, stripe, context.settings, request)
    return InstantPayoutResponse(
        success=True, ok=True, data=InstantPayoutResult(amount_cents=outcome.amount, status=outcome.status)
    )


@router.get("", response_model=PayoutsResponse, operation_id="list_payouts", summary="List my payouts")
async def list_payouts(
    response: Response,
    context: Context,
    user: VerifiedUser,
    cursor: Annotated[str | None, Query(max_length=64)] = None,
) -> PayoutsResponse:
    """Return a page of payouts, newest first."""
    response.headers["cache-control"] = "no-store"
    return PayoutsResponse(success=True, data=await history.payouts(context.db, user.user_id, cursor))


@router.get(
    "/schedule", response_model=ScheduleResponse, operation_id="get_payout_schedule", summary="Get my payout schedule"
)
async def get_payout_schedule(
    response: Response, context: Context, user: VerifiedUser, stripe: Stripe
) -> ScheduleResponse:
    """Return when available money goes to the bank."""
    response.headers["cache-control"] = "no-store"
    account_id = await _account_id(context, user)
    return ScheduleResponse(success=True, data=await schedule.schedule_at_stripe(stripe, account_id))


@router.put(
    "/schedule",
    response_model=ScheduleResponse,
    operation_id="update_payout_schedule",
    summary="Change my payout schedule",
)
async def update_payout_schedule(
    context: Context, user: VerifiedUser, stripe: Stripe, payload: SchedulePayload
) -> ScheduleResponse:
    """Change when available money goes to the bank."""
    account_id = await _account_id(context, user)
    return ScheduleResponse(success=True, data=await schedule.change_schedule(stripe, account_id, payload))


async def _account_id(context: Context, user: VerifiedUser) -> str:
    """Return the connected account of the user. Raises PayoutRefused."""
    facts = await payout_facts.facts_of(context.db, user.user_id)
    if facts.account_id is None:
        raise PayoutRefused("not_connected_yet")
    return facts.account_id
