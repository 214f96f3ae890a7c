"""Tests of what is paid when a session is booked, and what a kept card can be charged."""

from __future__ import annotations

import json
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.bookings.facts import PaymentSnapshot
from porchlight.features.bookings.payments.amounts import (
    begun_cents,
    charge_fee_cents,
    deposit_cents,
    due_now_cents,
    most_owed_cents,
    payment_mode,
    quote,
    refund_for_end,
)
from porchlight.features.bookings.payments.changes import CardReleased, ChargeCard
from porchlight.features.bookings.payments.owed import change_for_end
from porchlight.features.bookings.terms import share_cents
from porchlight.money.fees import Fees
from tests.porchlight.bookings.states import TERMS, booking
from tests.porchlight.bookings.test_ways_to_pay import WAYS, payment

WAYS_OF_BOTH = json.loads((Path(__file__).parents[2] / "data" / "ways-to-pay.json").read_text())
prices = st.integers(0, 99_999_999)
percents = st.integers(0, 100)


def priced(way: str, cents: int, **terms: Any) -> Any:
    return booking(terms=TERMS | {"payment": way} | terms, price_cents=cents)


@pytest.mark.parametrize(
    ("cents", "percent", "expected"),
    [
        (6500, 30, 1950), (4501, 30, 1350), (1050, 5, 52), (1150, 5, 58), (1250, 50, 625), (10_001, 50, 5000),
        (10_003, 50, 5002), (99_999_999, 95, 94_999_999),
    ],
)  # fmt: skip
def test_deposit_is_rounded_half_to_even(cents: int, percent: int, expected: int) -> None:
    assert deposit_cents(cents, percent) == expected


@pytest.mark.parametrize(
    ("values", "mode", "now"),
    [
        ({"way": "deposit", "cents": 6500, "deposit_percent": 30}, "deposit", 1950),
        ({"way": "deposit", "cents": 2500, "deposit_percent": 20}, "deposit", 500),
        ({"way": "deposit", "cents": 2497, "deposit_percent": 20}, "full", 2497),  # less than a card takes
        ({"way": "deposit", "cents": 500, "deposit_percent": 95}, "full", 500),
        ({"way": "deposit", "cents": 499, "deposit_percent": 95}, None, 0),
        ({"way": "deposit", "cents": 0, "deposit_percent": 20}, None, 0),
        ({"way": "deposit", "cents": -6500, "deposit_percent": 20}, None, 0),
        ({"way": "hold", "cents": 6500}, "hold", 0),
        ({"way": "hold", "cents": 499}, None, 0),
        ({"way": "hold", "cents": 6500, "late_percent": 0, "missed_percent": 0}, None, 0),
        ({"way": "full", "cents": 6500}, "full", 6500),
        ({"way": "in_person", "cents": 6500}, None, 0),
    ],
)
def test_way_to_pay_follows_terms_and_price(values: dict[str, Any], mode: str | None, now: int) -> None:
    one = priced(**values)
    assert (payment_mode(one), due_now_cents(one)) == (mode, now)


@pytest.mark.parametrize("currency", ["EUR", "JPY", ""])
@pytest.mark.parametrize("way", ["full", "deposit", "hold"])
def test_other_currency_is_paid_in_person(way: Any, currency: str) -> None:
    assert payment_mode(booking(terms=WAYS[way], currency=currency)) is None


@given(cents=prices, percent=st.integers(5, 95))
def test_deposit_is_the_nearest_cent_below_the_price(cents: int, percent: int) -> None:
    exact = Decimal(cents) * percent / 100
    assert deposit_cents(cents, percent) == int(exact.quantize(Decimal(1), ROUND_HALF_EVEN))
    one = priced("deposit", cents, deposit_percent=percent)
    now = due_now_cents(one)
    assert begun_cents(one) == now <= cents
    # The condition by which the database checks the amount that a payment begins with.
    assert payment_mode(one) != "deposit" or (500 <= now < cents and abs(100 * now - cents * percent) < 100)


@given(cents=prices, late=percents, missed=percents)
def test_kept_card_begins_with_the_most_that_is_owed(cents: int, late: int, missed: int) -> None:
    one = priced("hold", cents, late_percent=late, missed_percent=missed)
    most = most_owed_cents(one)
    assert most == max(share_cents(cents, late), share_cents(cents, missed)) <= cents
    assert payment_mode(one) == ("hold" if cents >= 500 and most >= 50 else None)


@given(owed=prices, bps=st.integers(0, 3000), minimum=st.integers(0, 400))
def test_charge_is_what_is_owed_with_its_fee(owed: int, bps: int, minimum: int) -> None:
    kept = payment("hold", fee_bps=bps, fee_minimum_cents=minimum, amount_cents=max(owed, 1))
    change = change_for_end(kept, owed)
    if owed < 50:
        assert isinstance(change, CardReleased)
        return
    assert isinstance(change, ChargeCard)
    assert change.amount_cents == owed
    assert 0 <= change.fee_cents <= owed  # so that the guru's part is not below zero, and both sum to the charge
    assert change.fee_cents == charge_fee_cents(kept, owed)


@given(
    cents=st.integers(500, 99_999_999), percent=st.integers(5, 95), owed=prices, bps=st.integers(0, 3000),
)  # fmt: skip
def test_deposit_keeps_the_smaller_of_paid_and_owed(cents: int, percent: int, owed: int, bps: int) -> None:
    one = priced("deposit", cents, deposit_percent=percent)
    quoted = quote(due_now_cents(one), "own", Fees({"own": bps}, 50))
    paid: PaymentSnapshot = payment(
        "deposit", amount_cents=quoted.amount_cents, fee_cents=quoted.fee_cents, fee_bps=bps, fee_minimum_cents=50
    )
    shares = refund_for_end(paid, owed)
    returned, fee_returned = (shares.amount_cents, shares.fee_cents) if shares else (0, 0)
    kept = quoted.amount_cents - returned
    assert kept == min(quoted.amount_cents, owed)
    fee_kept = quoted.fee_cents - fee_returned
    assert 0 <= fee_kept <= kept  # the platform's part and the guru's sum to what is kept


@pytest.mark.parametrize("case", WAYS_OF_BOTH, ids=lambda case: case["case"])
def test_way_to_pay_is_that_of_the_web(case: dict[str, Any]) -> None:
    terms = case["terms"]
    one = priced(
        terms["payment"], case["priceCents"], deposit_percent=terms["depositPercent"],
        late_percent=terms["latePercent"], missed_percent=terms["missedPercent"],
    )  # fmt: skip
    assert (payment_mode(one) or "in_person", due_now_cents(one)) == (case["mode"], case["nowCents"])
