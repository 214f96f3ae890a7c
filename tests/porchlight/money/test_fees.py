"""Fees on sessions and instant payouts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.money.fees import Fees, PayoutPrice, fee_cents
from porchlight.settings.environment import Settings
from porchlight_dev.stripe_fake import pricing


@pytest.mark.parametrize(
    ("price", "plan", "fee"),
    [
        (7500, "skill-sharer", 750),
        (7500, "premium-angel", 525),
        (499, "skill-sharer", 50),  # the minimum
        (505, "skill-sharer", 50),  # 50.5 is as near to 50 as to 51
        (515, "skill-sharer", 52),  # 51.5
        (525, "skill-sharer", 52),  # 52.5
        (50, "skill-sharer", 50),
        (20, "skill-sharer", 20),
        (0, "premium-angel", 0),
    ],
)
def test_fee_of_price_is_rounded_half_to_even(price: int, plan: str, fee: int) -> None:
    assert fee_cents(price, plan) == fee


@given(st.integers(1000, 10**12), st.sampled_from(["skill-sharer", "premium-angel"]))
def test_fee_of_any_price_equals_exact_rounding(price: int, plan: str) -> None:
    assert fee_cents(price, plan) == round(Fraction(price * Fees().basis_points[plan], 10_000))


@pytest.mark.parametrize(("price", "plan"), [(-1, "skill-sharer"), (100, "community"), (100, "")])
def test_fee_of_plan_without_payments_raises(price: int, plan: str) -> None:
    with pytest.raises(ValueError):
        fee_cents(price, plan)


def test_fees_of_settings_replace_the_defaults() -> None:
    settings = Settings(skill_sharer_fee_bps=500, minimum_fee_cents=10)
    assert fee_cents(1000, "skill-sharer", Fees.of(settings)) == 50
    assert Fees.of(Settings()) == Fees()


def test_price_of_payouts_is_that_of_the_settings() -> None:
    settings = Settings(instant_fee_bps=200, instant_fee_minimum_cents=75)
    assert PayoutPrice.of(settings) == PayoutPrice(200, 75)
    assert PayoutPrice.of(Settings()) == PayoutPrice()


@pytest.mark.parametrize(("net", "fee"), [(0, 0), (100, 50), (200, 50), (3333, 50), (3367, 51), (10_000, 150)])
def test_fee_of_payout_is_share_or_minimum(net: int, fee: int) -> None:
    assert PayoutPrice().fee(net) == fee


PRICES = st.builds(PayoutPrice, st.integers(0, 10_000), st.integers(0, 500))


@given(PRICES, st.integers(0, 10**7))
def test_net_of_balance_is_the_largest_that_it_covers(price: PayoutPrice, gross: int) -> None:
    net = price.net_of(gross)
    assert 0 <= net + price.fee(net) <= gross
    assert net + 1 + price.fee(net + 1) > gross


@given(PRICES, st.integers(1, 10**7))
def test_total_of_payout_tells_its_amount(price: PayoutPrice, net: int) -> None:
    """One confirmed total is enough: no two amounts have the same."""
    assert net + price.fee(net) < net + 1 + price.fee(net + 1)


class _Pricing:
    """The pricing of the Stripe fake, with the settings' price."""

    def __init__(self, price: PayoutPrice) -> None:
        self._values = {"instant_bps": price.basis_points, "instant_minimum": price.minimum_cents}
        self.store = self

    def setting(self, name: str, default: str) -> str:
        return str(self._values.get(name, default))


@given(PRICES, st.integers(1, 10**7))
def test_fee_shown_is_the_fee_that_stripe_takes(price: PayoutPrice, amount: int) -> None:
    context: Any = _Pricing(price)
    assert price.fee(amount) == pricing.platform_fee(context, amount)
