"""A connected account's balance at Stripe."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from porchlight.features.payouts.money.instant_rules import StripeBalance, is_other_price
from porchlight.money.fees import PayoutPrice
from porchlight.payment_ports import PaymentsOutage, PaymentsRefusal, StripeApi
from porchlight.settlement.errors import PaymentsUnresponsive
from tenants.kit import timeouts
from tenants.kit.logs import log

_KINDS = ("available", "pending", "instant_available")
EMPTY = StripeBalance(dict.fromkeys(_KINDS, ()), 0, 0, "")


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
