"""A connected account's balance at Stripe, and what an instant payout of it would bring."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from psycopg.types.json import Jsonb

from porchlight.features.payouts.money.errors import StripeOutage, words
from porchlight.money.fees import PayoutPrice
from porchlight.ports import PaymentsOutage, PaymentsRefusal, StripeApi
from porchlight.settings.environment import Settings
from tenants.db.pool import Database
from tenants.kit import clock, timeouts
from tenants.kit.logs import log
from tenants.kit.zones import day_bounds

# One response takes at most this time, with everything that it asks Stripe.
MIN_CENTS = 100
# Reasons that come before a missing card: no card would help.
_BEFORE_METHOD = ("not_connected_yet", "payouts_paused", "balance_negative")
_STANDING = """
SELECT account_id, reason, left_cents, ledger_cents, held, debt, destinations FROM app.instant_standing(%s)"""
_STRIPE_ZONE = ZoneInfo("America/Chicago")
# Stripe may round a share differently.
_ROUNDING_CENTS = 1
_KINDS = ("available", "pending", "instant_available")


class InstantStanding(NamedTuple):
    """The result of our own rules for instant payouts (app.instant_standing)."""

    account_id: str | None
    reason: str
    left_cents: int
    ledger_cents: int
    held: int
    debt: int
    destinations: list[str] | None


@dataclass(frozen=True, slots=True)
class StripeBalance:
    """Amounts by kind, and the dollars that can be paid out instantly: before and after the fee, and where to."""

    amounts: Mapping[str, Sequence[tuple[int, str]]]
    gross: int
    net: int
    destination: str

    @property
    def available_dollars(self) -> int:
        """Return the available US dollars, in cents."""
        return sum(amount for amount, currency in self.amounts["available"] if currency == "usd")


@dataclass(frozen=True, slots=True)
class Offer:
    """An instant payout of everything that is possible now. `reason`: why there is none, or empty."""

    reason: str
    gross: int
    fee: int
    net: int
    destination: str

    @property
    def sentence(self) -> str | None:
        """Return the reason in words."""
        return words(self.reason, most_cents=self.net) if self.reason else None


EMPTY = StripeBalance(dict.fromkeys(_KINDS, ()), 0, 0, "")


def limits_of(settings: Settings) -> Jsonb:
    """Return the limits that the database checks. Their days are those of Stripe."""
    day = clock.now().astimezone(_STRIPE_ZONE).date()
    return Jsonb({
        "day_start": day_bounds(_STRIPE_ZONE, day)[0].isoformat(),
        "daily_count": settings.instant_daily_count,
        "daily_cents": settings.instant_daily_cents,
        "platform_daily_cents": settings.instant_platform_daily_cents,
        "first_sale_days": settings.instant_first_sale_days,
        "change_hours": settings.instant_change_hours,
    })  # fmt: skip


async def standing_of(db: Database, user_id: UUID, settings: Settings) -> InstantStanding:
    """Return the user's standing."""
    (standing,) = await db.read(None, _STANDING, [limits_of(settings)], row=InstantStanding, user_id=user_id)
    return standing


async def balance_at_stripe(stripe: StripeApi, account_id: str) -> StripeBalance:
    """Fetch an account's balance. Raises StripeOutage."""
    try:
        async with asyncio.timeout(timeouts.current.payout_response_seconds):
            fetched = await stripe.fetch("/v1/balance", account_id, {"expand": ["instant_available.net_available"]})
    except (PaymentsOutage, PaymentsRefusal, TimeoutError) as error:
        raise StripeOutage(retry_after=60) from error
    return EMPTY if fetched is None else parse_balance(fetched)


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


def offer_of(standing: InstantStanding, balance: StripeBalance, price: PayoutPrice) -> Offer:
    """Return the instant payout of everything. There is none while Stripe's price is not the one of the settings."""
    net = max(min(balance.net, standing.left_cents, price.net_of(standing.ledger_cents)), 0)
    fee = price.fee(net)
    reason = standing.reason
    if not balance.destination and reason not in _BEFORE_METHOD:
        reason = "no_instant_method"
    elif not reason and abs(price.net_of(balance.gross) - balance.net) > _ROUNDING_CENTS:
        log.error("instant_price_differs", gross=balance.gross, net=balance.net, expected=price.net_of(balance.gross))
        reason = "price_differs"
    elif not reason and net < MIN_CENTS:
        reason = "amount_too_small"
    label = label_of(standing.destinations, balance.destination)
    return Offer(reason, net + fee, fee, net, label)


def label_of(destinations: Sequence[str] | None, destination: str) -> str:
    """Return how a bank account or card is shown: "Visa ending in 4242"."""
    for stored in destinations or ():
        found, _, label = stored.partition("/")
        if found == destination:
            return label
    return ""
