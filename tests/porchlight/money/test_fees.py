"""Fees on sessions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.money.fees import Fees, fee_cents
from porchlight.settings.environment import Settings


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
