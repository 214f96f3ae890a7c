"""A connected account's balance at Stripe, and the facts of its instant payouts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.features.payouts.money.instant_rules import PayoutFacts, StripeBalance, is_other_price
from porchlight.money.fees import PayoutPrice
from porchlight.ports import PaymentsOutage, PaymentsRefusal, StripeApi
from porchlight.settlement.errors import PaymentsUnresponsive
from tenants.db.pool import Database
from tenants.kit import clock, timeouts
from tenants.kit.logs import log
from tenants.kit.zones import day_bounds

FACTS = "SELECT f.* FROM app.payout_facts(%s, %s) f"
_STRIPE_ZONE = ZoneInfo("America/Chicago")
_KINDS = ("available", "pending", "instant_available")
EMPTY = StripeBalance(dict.fromkeys(_KINDS, ()), 0, 0, "")


def day_start() -> datetime:
    """Return the first instant of Stripe's day, in which the daily limits count."""
    return day_bounds(_STRIPE_ZONE, clock.now().astimezone(_STRIPE_ZONE).date())[0]


async def facts_of(db: Database, user_id: UUID) -> PayoutFacts:
    """Return the facts of the user's payouts now."""
    (facts,) = await db.read(None, FACTS, [day_start(), False], row=PayoutFacts, user_id=user_id)
    return facts


async def balance_at_stripe(stripe: StripeApi, account_id: str, price: PayoutPrice) -> StripeBalance:
    """Fetch an account's balance. A fee at Stripe that is not our price is logged. Raises PaymentsUnresponsive."""
    try:
        async with asyncio.timeout(timeouts.current.payout_response_seconds):
            fetched = await stripe.fetch("/v1/balance", account_id, {"expand": ["instant_available.net_available"]})
    except (PaymentsOutage, PaymentsRefusal, TimeoutError) as error:
        raise PaymentsUnresponsive(retry_after=60) from error
    balance = EMPTY if fetched is None else parse_balance(fetched)
    if is_other_price(balance, price):
        log.error("instant_price_differs", gross=balance.gross, net=balance.net, expected=price.net_of(balance.gross))
    return balance


def parse_balance(fetched: Mapping[str, Any]) -> StripeBalance:
    """Return the parts of Stripe's balance object. Of several destinations the best one counts."""
    amounts = {
        kind: tuple((int(part["amount"]), str(part["currency"])) for part in fetched.get(kind) or []) for kind in _KINDS
    }
    gross, net, destination = 0, 0, ""
    for part in fetched.get("instant_available") or []:
        if part["currency"] != "usd":
            continue
        gross = int(part["amount"])
        for option in part.get("net_available") or []:
            if not destination or option["amount"] > net:
                net, destination = int(option["amount"]), str(option["destination"])
    return StripeBalance(amounts, gross, net, destination)
