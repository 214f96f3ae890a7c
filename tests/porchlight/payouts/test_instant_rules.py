"""The rules of instant payouts: every reason against one, its order, and amounts that no limit is exceeded by."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.payouts.money.errors import WORDS
from porchlight.features.payouts.money.instant_rules import (
    MIN_CENTS,
    Accepted,
    InstantLimits,
    PayoutFacts,
    Refused,
    StripeBalance,
    WantedPayout,
    decide,
    left_cents,
    offer_of,
    reason_against,
)
from porchlight.money.fees import PayoutPrice

NOW = datetime(2027, 6, 9, 18, tzinfo=UTC)
WEEK, CHANGE = timedelta(days=7), timedelta(hours=72)
LIMITS = InstantLimits(5, 250_000, 5_000_000, WEEK, CHANGE, 50_000, timedelta(minutes=30))
PRICE = PayoutPrice()
FACTS = PayoutFacts(
    account_id="acct_1", is_complete=True, is_enabled=True, destinations=["ba_1/Visa ending in 4242"],
    destinations_changed_at=None, held=0, debt=0, stripe_cents=100_000, ledger_cents=100_000, is_open=False,
    own_count=0, own_cents=0, all_cents=0, first_sale_at=None,
)  # fmt: skip
# From the last to the first: each one counts before all that stand above it.
AGAINST: list[tuple[str, dict[str, Any]]] = [
    ("platform_limit", {"all_cents": 5_000_000}),
    ("payout_limit", {"own_cents": 250_000}),
    ("payout_limit", {"own_count": 5}),
    ("destination_is_new", {"destinations_changed_at": NOW - CHANGE + timedelta(seconds=1)}),
    ("first_sale_is_new", {"first_sale_at": NOW - WEEK + timedelta(seconds=1)}),
    ("payout_in_progress", {"is_open": True}),
    ("balance_negative", {"stripe_cents": -1}),
    ("balance_negative", {"debt": 1}),
    ("payouts_paused", {"is_enabled": False}),
    ("not_connected_yet", {"is_complete": False}),
    ("not_connected_yet", {"account_id": None, "is_complete": None, "is_enabled": None}),
]
ALMOST: dict[str, Any] = {
    "all_cents": 4_999_999, "own_cents": 249_999, "own_count": 4, "destinations_changed_at": NOW - CHANGE,
    "first_sale_at": NOW - WEEK, "stripe_cents": 0,
}  # fmt: skip


def at_stripe(gross: int = 100_000) -> StripeBalance:
    return StripeBalance({"available": ((gross, "usd"),)}, gross, PRICE.net_of(gross), "ba_1")


def decision(cents: int | None = None, confirmed: int | None = None, signed_in: datetime = NOW, **facts: Any) -> Any:
    wanted = WantedPayout(cents, confirmed, signed_in)
    return decide(wanted, FACTS._replace(**facts), at_stripe(), PRICE, LIMITS, NOW)


def test_reason_against_payout_in_order() -> None:
    assert reason_against(FACTS._replace(**ALMOST), LIMITS, NOW) == ""
    facts = FACTS
    for reason, change in AGAINST:
        facts = facts._replace(**change)
        assert reason_against(facts, LIMITS, NOW) == reason
        assert reason_against(FACTS._replace(**change), LIMITS, NOW) == reason
        assert decision(1_000, **change) == Refused(reason)
        assert reason in WORDS


@pytest.mark.parametrize(
    ("facts", "net"),
    [({}, 98_522), ({"own_cents": 240_000}, 10_000), ({"all_cents": 4_999_800}, 200), ({"ledger_cents": 5_075}, 5_000)],
)
def test_offer_is_capped_by_limits_and_books(facts: dict[str, Any], net: int) -> None:
    offer = offer_of(FACTS._replace(**facts), at_stripe(), PRICE, LIMITS, NOW)
    assert (offer.reason, offer.net, offer.fee, offer.gross) == ("", net, PRICE.fee(net), net + PRICE.fee(net))
    assert offer.destination == "Visa ending in 4242"


def test_offer_names_what_stripe_lacks() -> None:
    def reason(balance: StripeBalance, **facts: Any) -> str:
        return offer_of(FACTS._replace(**facts), balance, PRICE, LIMITS, NOW).reason

    no_card = StripeBalance({"available": ()}, 0, 0, "")
    assert reason(no_card) == "no_instant_method"
    assert reason(no_card, is_open=True) == "no_instant_method"
    assert reason(no_card, debt=1) == "balance_negative"
    assert reason(StripeBalance({}, 100_000, PRICE.net_of(100_000) - 1, "ba_1")) == ""
    assert reason(StripeBalance({}, 100_000, PRICE.net_of(100_000) - 2, "ba_1")) == "price_differs"
    assert reason(at_stripe(), ledger_cents=149) == "amount_too_small"
    assert reason(at_stripe(), ledger_cents=150) == ""


def test_decision_accepts_what_was_confirmed() -> None:
    assert decision(1_000) == Accepted(1_000, 50, "ba_1", "4242")
    assert decision(1_000, 1_050) == Accepted(1_000, 50, "ba_1", "4242")
    assert decision(1_000, 1_049) == Refused("amounts_changed")
    assert decision(signed_in=NOW).net == 98_522
    assert decision(99) == Refused("amount_too_small")


def test_decision_names_what_is_possible() -> None:
    assert decision(98_523) == Refused("amount_too_large", 98_522)
    assert decision(10_001, own_cents=240_000) == Refused("payout_limit", 10_000)


def test_large_payout_needs_a_recent_sign_in() -> None:
    recent, old = NOW - timedelta(minutes=30), NOW - timedelta(minutes=30, seconds=1)
    assert decision(50_001, signed_in=recent).net == 50_001
    assert decision(50_001, signed_in=old) == Refused("sign_in_again")
    assert decision(50_000, signed_in=old).net == 50_000


@given(
    cents=st.none() | st.integers(0, 300_000),
    gross=st.integers(0, 300_000),
    ledger=st.integers(0, 300_000),
    own=st.integers(0, 260_000),
    others=st.integers(4_700_000, 5_010_000),
)
def test_accepted_payout_exceeds_nothing(cents: int | None, gross: int, ledger: int, own: int, others: int) -> None:
    facts = FACTS._replace(ledger_cents=ledger, own_cents=own, all_cents=others + own)
    decided = decide(WantedPayout(cents, None, NOW), facts, at_stripe(gross), PRICE, LIMITS, NOW)
    if isinstance(decided, Refused):
        assert decided.code in WORDS
        return
    assert decided.net == (cents or decided.net) >= MIN_CENTS
    assert decided.fee == PRICE.fee(decided.net)
    assert decided.net + decided.fee <= min(ledger, gross)
    assert decided.net <= left_cents(facts, LIMITS)
    assert own + decided.net <= LIMITS.daily_cents
    assert others + own + decided.net <= LIMITS.platform_daily_cents
