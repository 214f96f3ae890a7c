"""The shares that sessions of a package take of its price: decided without a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.bookings.facts import GrantSnapshot, PaymentSnapshot
from porchlight.features.bookings.packages.sales import settled_after, unused_refund, used_share
from tenants.kit.ids import new_id

Step = tuple[Literal["use", "take_back", "bank"], int]
STEPS: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(st.sampled_from(["use", "take_back", "bank"]), st.integers(1, 8)), max_size=60
)


def paid(cents: int, used_cents: int = 0) -> PaymentSnapshot:
    """Return the payment of a package."""
    id_ = new_id()
    return PaymentSnapshot(
        id=id_, booking_id=None, group_id=id_, number=1, state="paid", amount_cents=cents, fee_cents=0, fee_bps=1000,
        fee_minimum_cents=50, purpose="package", used_cents=used_cents,
    )  # fmt: skip


def granted(payment: PaymentSnapshot | None, sessions: int, settled: int = 0) -> GrantSnapshot:
    """Return a package of which no session is booked."""
    return GrantSnapshot(
        id=new_id(), service_id=new_id(), person_id=new_id(), name="Lessons", granted=sessions,
        left_over=sessions - settled, expires_at=datetime(2027, 1, 1, tzinfo=UTC), settled=settled, payment=payment,
    )  # fmt: skip


@given(cents=st.integers(500, 1_000_000), fee_bps=st.integers(0, 2000), sessions=st.integers(2, 52), steps=STEPS)
def test_shares_are_the_price_to_the_cent(cents: int, fee_bps: int, sessions: int, steps: list[Step]) -> None:
    """However sessions are used and taken back, and what a bank takes: nothing is paid twice, and no cent is lost."""
    whole_fee = cents * fee_bps // 10_000
    grant = granted(paid(cents), sessions)
    payment, fees, bank = paid(cents), 0, 0
    for kind, number in steps:
        more = min(number, sessions - grant.settled)
        if kind == "use":
            share = used_share(payment, whole_fee, sessions=sessions, settled=grant.settled, more=more)
            assert 0 <= share.fee_cents <= share.cents <= payment.kept_cents
            payment, fees = replace(payment, used_cents=payment.used_cents + share.cents), fees + share.fee_cents
        elif kind == "take_back":
            refund = unused_refund(replace(grant, payment=payment), number)
            if refund is not None:
                assert (0 < refund.amount_cents <= payment.kept_cents, refund.fee_cents) == (True, 0)
                payment = replace(payment, refunded_cents=payment.refunded_cents + refund.amount_cents)
        else:
            taken = min(number, payment.kept_cents)
            payment, bank = replace(payment, disputed_cents=payment.disputed_cents + taken), bank + taken
            continue
        grant = replace(grant, settled=settled_after(grant, number))
    rest = used_share(payment, whole_fee, sessions=sessions, settled=grant.settled, more=sessions)
    assert payment.used_cents + payment.refunded_cents + bank + rest.cents == cents or grant.settled == sessions
    if bank == 0:
        assert payment.used_cents + payment.refunded_cents + rest.cents == cents
        assert fees + rest.fee_cents <= whole_fee


@pytest.mark.parametrize(
    ("settled", "sessions", "expected"),
    [(0, 1, 5000), (0, 4, 20_001), (3, 1, 5001), (3, 4, 5001), (4, 1, None)],
)
def test_unused_refund_is_the_share_of_its_sessions(settled: int, sessions: int, expected: int | None) -> None:
    used = 20_001 * settled // 4
    refund = unused_refund(granted(paid(20_001, used_cents=used), 4, settled), sessions)
    assert (refund.amount_cents if refund else None) == expected


def test_unused_refund_of_gift_is_nothing() -> None:
    assert unused_refund(granted(None, 4), 2) is None
