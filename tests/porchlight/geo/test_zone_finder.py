"""The time zone of a point: that of the nearest ZIP code."""

from __future__ import annotations

import pytest

from porchlight.geo.gazetteer import Gazetteer


@pytest.mark.parametrize(
    ("point", "zone"),
    [
        ((39.74, -104.99), "America/Denver"),
        ((33.45, -112.07), "America/Phoenix"),
        ((40.71, -74.01), "America/New_York"),
        ((21.31, -157.86), "Pacific/Honolulu"),
        ((30.0, -140.0), None),  # the Pacific
        ((52.5, 13.4), None),  # Berlin
    ],
)
async def test_zone_finder_returns_zone_of_nearest_zip(point: tuple[float, float], zone: str | None) -> None:
    assert (await Gazetteer().zone_finder())(*point) == zone
