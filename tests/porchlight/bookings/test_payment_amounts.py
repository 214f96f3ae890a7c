"""The price of a booking by card, the platform's fee of it, and refunds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.bookings.disputes.parts import split
from porchlight.features.bookings.facts import PaymentSnapshot
from porchlight.features.bookings.payments.amounts import is_paid_by_card, quote, refund_for_end, refund_shares
from porchlight.money.fees import Fees
from tests.porchlight.bookings.states import TERMS, booking

CARD = TERMS | {"payment": "full"}


def payment(cents: int = 7500, fee: int = 750, bps: int = 1000, **values: object) -> PaymentSnapshot:
    """Return a payment that arrived."""
    own: dict[str, object] = {
        "id": UUID(int=50), "booking_id": UUID(int=30), "group_id": UUID(int=50), "number": 1, "state": "paid",
        "amount_cents": cents, "fee_cents": fee, "fee_bps": bps, "fee_minimum_cents": 50,
    }  # fmt: skip
    return PaymentSnapshot(**own | values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"terms": CARD}, True),
        ({"terms": TERMS}, False),
        ({"terms": TERMS | {"payment": "in_person"}}, False),
        ({"terms": CARD, "price_cents": 500}, True),
        ({"terms": CARD, "price_cents": 499}, False),
        ({"terms": CARD, "price_cents": 0}, False),
        ({"terms": CARD, "currency": "JPY"}, False),
    ],
)
def test_payment_by_card_needs_terms_price_and_dollars(values: dict[str, Any], expected: bool) -> None:
    assert is_paid_by_card(booking(**values)) is expected


def test_quote_has_fee_of_the_plan() -> None:
    assert quote(7500, "skill-sharer", Fees()).fee_cents == 750
    assert quote(7500, "premium-angel", Fees()).fee_cents == 525
    assert quote(500, "premium-angel", Fees()).fee_cents == 50
    with pytest.raises(ValueError, match="no fee"):
        quote(7500, "community", Fees())


@pytest.mark.parametrize(
    ("owed", "expected"), [(0, (7500, 750)), (3750, (3750, 375)), (7499, (1, 0)), (7500, None), (9000, None)]
)
def test_refund_returns_what_is_not_owed(owed: int, expected: tuple[int, int] | None) -> None:
    shares = refund_for_end(payment(), owed)
    assert (shares and (shares.amount_cents, shares.fee_cents)) == expected


def test_refund_of_disputed_payment_waits_for_bank() -> None:
    assert refund_for_end(payment(is_disputed=True), 0) is None


@pytest.mark.parametrize("amount", [0, -1, 7501])
def test_refund_beyond_what_is_left_is_refused(amount: int) -> None:
    with pytest.raises(ValueError, match="cannot be refunded"):
        refund_shares(payment(), amount)


@given(
    cents=st.integers(500, 99_999_999),
    bps=st.integers(0, 3000),
    minimum=st.integers(0, 400),
    parts=st.lists(st.integers(1, 99_999_999), min_size=1, max_size=8),
)
def test_refunds_keep_shares_of_both_sides(cents: int, bps: int, minimum: int, parts: list[int]) -> None:
    """However a payment is returned, no side returns more than it had, and all together is all that was paid."""
    quoted = quote(cents, "own", Fees({"own": bps}, minimum))
    paid = replace(payment(cents, quoted.fee_cents, bps), fee_minimum_cents=minimum)
    for part in [*parts, cents]:
        if not paid.kept_cents:
            break
        shares = refund_shares(paid, min(part, paid.kept_cents))
        assert 0 <= shares.fee_cents <= shares.amount_cents
        paid = replace(
            paid,
            refunded_cents=paid.refunded_cents + shares.amount_cents,
            fee_returned_cents=paid.fee_returned_cents + shares.fee_cents,
        )
        fee_left = paid.fee_cents - paid.fee_returned_cents
        assert 0 <= fee_left <= paid.kept_cents  # so that the guru keeps the rest, which is not below zero
    assert (paid.kept_cents, paid.fee_cents - paid.fee_returned_cents) == (0, 0)


@given(
    cents=st.integers(500, 99_999_999),
    bps=st.integers(0, 3000),
    minimum=st.integers(0, 400),
    steps=st.lists(st.tuples(st.sampled_from(["refund", "dispute", "won"]), st.integers(1, 99_999_999)), max_size=8),
)
def test_refunds_and_disputes_keep_shares(cents: int, bps: int, minimum: int, steps: list[tuple[str, int]]) -> None:
    """In any sequence, what both sides gave and keep is what was paid, and no side keeps less than nothing."""
    quoted = quote(cents, "own", Fees({"own": bps}, minimum))
    paid = replace(payment(cents, quoted.fee_cents, bps), fee_minimum_cents=minimum)
    taken: list[tuple[int, int]] = []
    for step, wanted in steps:
        if step == "refund" and paid.kept_cents:
            shares = refund_shares(paid, min(wanted, paid.kept_cents))
            paid = replace(
                paid,
                refunded_cents=paid.refunded_cents + shares.amount_cents,
                fee_returned_cents=paid.fee_returned_cents + shares.fee_cents,
            )
        elif step == "dispute":
            for part in split(wanted, [paid]):
                assert 0 <= part.fee_cents <= part.cents <= min(wanted, paid.kept_cents)
                taken.append((part.cents, part.fee_cents))
                paid = _with_disputed(paid, part.cents, part.fee_cents)
        elif step == "won" and taken:
            back, fee = taken.pop()
            paid = _with_disputed(paid, -back, -fee)
        assert paid.refunded_cents + paid.disputed_cents + paid.kept_cents == cents
        assert paid.fee_returned_cents + paid.disputed_fee_cents + paid.fee_left_cents == quoted.fee_cents
        assert 0 <= paid.fee_left_cents <= paid.kept_cents or not paid.kept_cents


def _with_disputed(paid: PaymentSnapshot, cents: int, fee: int) -> PaymentSnapshot:
    return replace(paid, disputed_cents=paid.disputed_cents + cents, disputed_fee_cents=paid.disputed_fee_cents + fee)


@given(amounts=st.lists(st.integers(500, 9_999_999), min_size=1, max_size=6), wanted=st.integers(1, 70_000_000))
def test_dispute_is_split_in_order_to_the_cent(amounts: list[int], wanted: int) -> None:
    payments = [replace(payment(one, one // 10), id=UUID(int=number)) for number, one in enumerate(amounts)]
    parts = split(wanted, payments)
    assert sum(part.cents for part in parts) == min(wanted, sum(amounts))
    # Each is taken in full before the next one.
    assert [part.cents for part in parts[:-1]] == amounts[: len(parts) - 1]
    assert [part.payment_id for part in parts] == [one.id for one in payments[: len(parts)]]
