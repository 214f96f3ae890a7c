"""Distances as people see them: in whole miles. The database and the grid count in kilometers."""

from __future__ import annotations

KM_PER_MILE = 1.609344


def to_whole_miles(km: float | None) -> int | None:
    """Return a distance in whole miles, at least 1, because positions are approximate. None stays None."""
    return None if km is None else max(1, round(km / KM_PER_MILE))
