"""Whether a person can tip a guru for a session, how much, and what to suggest: decided without a database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from porchlight.features.bookings.states import Status

MIN_TIP_CENTS, MAX_TIP_CENTS = 100, 500_00
MAX_TIPS = 3  # that are paid for one session
TIP_PERIOD = timedelta(days=30)  # after the end of a session
_AMOUNTS = (500, 1000, 2000)
_PERCENT = (10, 15, 20)
_LEAST_PRICE_OF_SHARES = 2000  # of a session: shares of less are small change


class TipState(StrEnum):
    """Whether a session can be tipped: `open`, or why not. `closed`: it did not take place, is ahead or long ago."""

    OPEN = "open"
    CLOSED = "closed"
    FULL = "full"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class TippedSession:
    """A session as a tip sees it. `paid_tips`: how many tips were paid. `takes_cards`: the guru can take cards."""

    status: str
    ends_at: datetime
    paid_tips: int
    takes_cards: bool


@dataclass(frozen=True, slots=True)
class SuggestedTip:
    """An amount to choose: a share of the price in percent, None for a round amount."""

    percent: int | None
    amount_cents: int


def can_tip(status: str, ends_at: datetime, now: datetime) -> bool:
    """Return whether a session took place and its time for tips is not over."""
    return status in (Status.CONFIRMED, Status.COMPLETED) and ends_at <= now < tip_until(ends_at)


def tip_state(session: TippedSession, now: datetime) -> TipState:
    """Return whether a session can be tipped."""
    if not can_tip(session.status, session.ends_at, now):
        return TipState.CLOSED
    if session.paid_tips >= MAX_TIPS:
        return TipState.FULL
    return TipState.OPEN if session.takes_cards else TipState.UNAVAILABLE


def tip_until(ends_at: datetime) -> datetime:
    """Return until when a session that ends at `ends_at` can be tipped."""
    return ends_at + TIP_PERIOD


def suggested_tips(price_cents: int, currency: str) -> list[SuggestedTip]:
    """Return three amounts to choose from: shares of the price, rounded to 25 cents, or round amounts."""
    if currency != "USD" or price_cents < _LEAST_PRICE_OF_SHARES:
        return [SuggestedTip(None, cents) for cents in _AMOUNTS]
    shares = [(percent, _rounded(price_cents * percent)) for percent in _PERCENT]
    return [SuggestedTip(percent, min(cents, MAX_TIP_CENTS)) for percent, cents in shares]


def _rounded(hundredths: int) -> int:
    return max((hundredths + 1250) // 2500 * 25, MIN_TIP_CENTS)
