"""Whether a session can be tipped, and what is suggested, without a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.bookings.tips.decision import (
    MAX_TIP_CENTS,
    MIN_TIP_CENTS,
    TIP_PERIOD,
    TippedSession,
    TipState,
    suggested_tips,
    tip_state,
)

END = datetime(2027, 3, 3, 18, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def session(status: str = "completed", *, paid: int = 0, takes_cards: bool = True) -> TippedSession:
    return TippedSession(status=status, ends_at=END, paid_tips=paid, takes_cards=takes_cards)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (END - SECOND, TipState.CLOSED),
        (END, TipState.OPEN),
        (END + TIP_PERIOD - SECOND, TipState.OPEN),
        (END + TIP_PERIOD, TipState.CLOSED),
    ],
)
def test_tips_are_open_for_thirty_days(now: datetime, expected: TipState) -> None:
    assert tip_state(session(), now) is expected
    assert tip_state(session("confirmed"), now) is expected


@pytest.mark.parametrize("status", ["held", "requested", "declined", "canceled", "expired", "missed"])
def test_session_that_was_not_held_has_no_tips(status: str) -> None:
    assert tip_state(session(status), END + SECOND) is TipState.CLOSED


def test_limit_and_cards_decide_about_another_tip() -> None:
    assert tip_state(session(paid=2), END) is TipState.OPEN
    assert tip_state(session(paid=3), END) is TipState.FULL
    assert tip_state(session(takes_cards=False), END) is TipState.UNAVAILABLE


def test_suggestions_are_shares_of_a_price_from_20() -> None:
    assert [one.amount_cents for one in suggested_tips(1999, "USD")] == [500, 1000, 2000]
    assert [one.amount_cents for one in suggested_tips(5000, "EUR")] == [500, 1000, 2000]
    shares = [(one.percent, one.amount_cents) for one in suggested_tips(4501, "USD")]
    assert shares == [(10, 450), (15, 675), (20, 900)]


@given(st.integers(min_value=0, max_value=999_999_99))
def test_every_suggestion_can_be_tipped(price_cents: int) -> None:
    amounts = [one.amount_cents for one in suggested_tips(price_cents, "USD")]
    assert amounts == sorted(amounts)
    assert all(MIN_TIP_CENTS <= cents <= MAX_TIP_CENTS for cents in amounts)
