"""Risk levels and the validity of waivers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.contracts import RISK_LEVELS, OfferRisk, RiskLevel, supporting_reasons
from porchlight.features.waivers.levels import covers, expires_at, is_valid_at, needs_waiver

MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


@given(accepted_at=MOMENTS)
@pytest.mark.parametrize(("level", "days"), [("low", 90), ("medium", 90), ("high", 30), ("extreme", 30)])
def test_waiver_ends_exactly_after_its_days(level: RiskLevel, days: int, accepted_at: datetime) -> None:
    assert is_valid_at(level, accepted_at, accepted_at)
    assert is_valid_at(level, accepted_at, accepted_at + days * DAY - MINUTE)
    assert is_valid_at(level, accepted_at, accepted_at + days * DAY - timedelta(microseconds=1))
    assert not is_valid_at(level, accepted_at, accepted_at + days * DAY)
    assert not is_valid_at(level, accepted_at, accepted_at - MINUTE)
    assert expires_at(level, accepted_at) == accepted_at + days * DAY


def test_waiver_is_needed_for_high_and_extreme() -> None:
    assert [level for level in RISK_LEVELS if needs_waiver(level)] == ["high", "extreme"]


def test_waiver_covers_its_level_and_lower_ones() -> None:
    assert covers("high", "high")
    assert covers("extreme", "low")
    assert covers("medium", "low")
    assert not covers("high", "extreme")
    assert not covers("low", "medium")


LEVELS = st.sampled_from(RISK_LEVELS)


@given(level=LEVELS, ratings=st.lists(LEVELS, max_size=4))
def test_reasons_of_a_waiver_support_its_level(level: RiskLevel, ratings: list[RiskLevel]) -> None:
    risks = [OfferRisk(rating=one, requires_waiver=False, reasons=[f"It is {one}."], known=True) for one in ratings]
    expected = f"It is {level}." if level in ratings else f"This activity is rated {level} risk."
    assert supporting_reasons(level, risks) == [expected]
