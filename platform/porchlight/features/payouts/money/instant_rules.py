"""Whether a guru can take an instant payout, how much, and what it costs: decided here alone, without a database.

`app.payout_facts` returns the facts under the lock of payouts, and `app.create_payout` stores what was decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from porchlight.money.fees import PayoutPrice
from porchlight.settings.environment import Settings

MIN_CENTS = 100
# Stripe may round a share differently.
ROUNDING_CENTS = 1
# Reasons that come before a missing card: no card would help.
_BEFORE_METHOD = ("not_connected_yet", "payouts_paused", "balance_negative")


@dataclass(frozen=True, slots=True)
class InstantLimits:
    """The limits of instant payouts: per day for one guru and for all, and the waiting times."""

    daily_count: int
    daily_cents: int
    platform_daily_cents: int
    after_first_sale: timedelta
    after_change: timedelta
    sign_in_cents: int
    sign_in_age: timedelta

    @classmethod
    def of(cls, settings: Settings) -> InstantLimits:
        """Return the limits of the settings."""
        return cls(
            settings.instant_daily_count,
            settings.instant_daily_cents,
            settings.instant_platform_daily_cents,
            timedelta(days=settings.instant_first_sale_days),
            timedelta(hours=settings.instant_change_hours),
            settings.instant_sign_in_cents,
            timedelta(minutes=settings.instant_sign_in_minutes),
        )


class PayoutFacts(NamedTuple):
    """The row of `app.payout_facts`. `account_id` is None, and so are the account's facts, without a connected one."""

    account_id: str | None
    is_complete: bool | None
    is_enabled: bool | None
    destinations: Sequence[str] | None
    destinations_changed_at: datetime | None
    held: int
    debt: int
    stripe_cents: int
    ledger_cents: int
    is_open: bool
    own_count: int
    own_cents: int
    all_cents: int
    first_sale_at: datetime | None


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
    """An instant payout of everything that is possible now. `reason`: the code of why there is none, or empty."""

    reason: str
    gross: int
    fee: int
    net: int
    destination: str


@dataclass(frozen=True, slots=True)
class WantedPayout:
    """An amount that a guru asks for, in cents: None for everything. `confirmed`: the total that they saw."""

    cents: int | None
    confirmed: int | None
    authenticated_at: datetime


@dataclass(frozen=True, slots=True)
class Accepted:
    """A payout to store: `net` cents reach `destination`, and the fee leaves the balance too."""

    net: int
    fee: int
    destination: str
    last4: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The code of why a payout is refused, and what is possible instead, in cents."""

    code: str
    most_cents: int = 0


def reason_against(facts: PayoutFacts, limits: InstantLimits, now: datetime) -> str:
    """Return the code of our first rule against any instant payout, or "". Stripe's balance decides the rest."""
    if facts.account_id is None or not facts.is_complete:
        return "not_connected_yet"
    if not facts.is_enabled:
        return "payouts_paused"
    if facts.debt > 0 or facts.stripe_cents < 0:
        return "balance_negative"
    if facts.is_open:
        return "payout_in_progress"
    if facts.first_sale_at is not None and facts.first_sale_at > now - limits.after_first_sale:
        return "first_sale_is_new"
    if facts.destinations_changed_at is not None and facts.destinations_changed_at > now - limits.after_change:
        return "destination_is_new"
    if facts.own_count >= limits.daily_count or facts.own_cents >= limits.daily_cents:
        return "payout_limit"
    if facts.all_cents >= limits.platform_daily_cents:
        return "platform_limit"
    return ""


def left_cents(facts: PayoutFacts, limits: InstantLimits) -> int:
    """Return what today's limits leave, of the guru and of the platform."""
    return max(min(limits.daily_cents - facts.own_cents, limits.platform_daily_cents - facts.all_cents), 0)


def offer_of(
    facts: PayoutFacts, balance: StripeBalance, price: PayoutPrice, limits: InstantLimits, now: datetime
) -> Offer:
    """Return the instant payout of everything. There is none while Stripe's price is not the one of the settings."""
    net = max(min(balance.net, left_cents(facts, limits), price.net_of(facts.ledger_cents)), 0)
    fee = price.fee(net)
    reason = reason_against(facts, limits, now)
    if not balance.destination and reason not in _BEFORE_METHOD:
        reason = "no_instant_method"
    elif not reason and is_other_price(balance, price):
        reason = "price_differs"
    elif not reason and net < MIN_CENTS:
        reason = "amount_too_small"
    return Offer(reason, net + fee, fee, net, label_of(facts.destinations, balance.destination))


def decide(
    wanted: WantedPayout,
    facts: PayoutFacts,
    balance: StripeBalance,
    price: PayoutPrice,
    limits: InstantLimits,
    now: datetime,
) -> Accepted | Refused:
    """Decide on an instant payout. What is stored is what the guru saw and confirmed, or nothing."""
    if wanted.cents is not None and wanted.cents < MIN_CENTS:
        return Refused("amount_too_small")
    offer = offer_of(facts, balance, price, limits, now)
    if offer.reason:
        return Refused(offer.reason)
    net = offer.net if wanted.cents is None else wanted.cents
    if net > offer.net:
        return Refused("payout_limit" if left_cents(facts, limits) <= offer.net else "amount_too_large", offer.net)
    fee = price.fee(net)
    if wanted.confirmed not in (None, net + fee):
        return Refused("amounts_changed")
    if net > limits.sign_in_cents and wanted.authenticated_at < now - limits.sign_in_age:
        return Refused("sign_in_again")
    return Accepted(net, fee, balance.destination, offer.destination[-4:])


def is_other_price(balance: StripeBalance, price: PayoutPrice) -> bool:
    """Return whether Stripe takes another fee than the settings say."""
    return abs(price.net_of(balance.gross) - balance.net) > ROUNDING_CENTS


def label_of(destinations: Sequence[str] | None, destination: str) -> str:
    """Return how a bank account or card is shown: "Visa ending in 4242"."""
    for stored in destinations or ():
        found, _, label = stored.partition("/")
        if found == destination:
            return label
    return ""
