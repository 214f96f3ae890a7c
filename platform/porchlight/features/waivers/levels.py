"""The risk levels of waivers: which ones need a waiver, and how long a waiver is valid."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from porchlight.contracts import RISK_LEVELS, RiskLevel

# SPEC 9: 30 days for high risk, 90 days for medium and low risk. Extreme counts as high.
VALIDITY_DAYS: Mapping[RiskLevel, int] = {"low": 90, "medium": 90, "high": 30, "extreme": 30}


def needs_waiver(level: RiskLevel) -> bool:
    """Return whether activities of this level require a waiver (SPEC 3)."""
    return level in ("high", "extreme")


def covers(waiver: RiskLevel, activity: RiskLevel) -> bool:
    """Return whether a waiver of one level is enough for an activity of another level."""
    return RISK_LEVELS.index(waiver) >= RISK_LEVELS.index(activity)


def expires_at(level: RiskLevel, accepted_at: datetime) -> datetime:
    """Return the first instant at which a waiver is no longer valid. A day is 24 hours."""
    return accepted_at + timedelta(days=VALIDITY_DAYS[level])


def is_valid_at(level: RiskLevel, accepted_at: datetime, at: datetime) -> bool:
    """Return whether a waiver that was accepted at `accepted_at` is valid at `at`."""
    return accepted_at <= at < expires_at(level, accepted_at)
