"""The time zone of a ZIP code."""

from __future__ import annotations

from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.geo.zones import zone_of_zip


@pytest.mark.parametrize(
    ("zip_code", "zone"),
    [
        ("80202", "America/Denver"),
        ("80302-1234", "America/Denver"),
        ("00501", "America/New_York"),
        ("00901", "America/Puerto_Rico"),
        ("10001", "America/New_York"),
        ("32501", "America/Chicago"),  # Pensacola, Florida
        ("37201", "America/Chicago"),  # Nashville, Tennessee
        ("37902", "America/New_York"),  # Knoxville, Tennessee
        ("46402", "America/Chicago"),  # Gary, Indiana
        ("60601", "America/Chicago"),
        ("79901", "America/Denver"),  # El Paso, Texas
        ("83702", "America/Denver"),  # Boise, Idaho
        ("83814", "America/Los_Angeles"),  # Coeur d'Alene, Idaho
        ("85001", "America/Phoenix"),
        ("89101", "America/Los_Angeles"),
        ("96813", "Pacific/Honolulu"),
        ("97201", "America/Los_Angeles"),
        ("99501", "America/Anchorage"),
    ],
)
def test_zip_code_has_zone_of_its_area(zip_code: str, zone: str) -> None:
    assert zone_of_zip(zip_code) == zone


@pytest.mark.parametrize("zip_code", ["", "802", "SW1A 1AA", "٨٠٢٠٢", "00000"])
def test_zip_code_without_area_has_no_zone(zip_code: str) -> None:
    assert zone_of_zip(zip_code) is None


@given(st.integers(501, 99_999))
def test_every_zip_code_has_known_zone(number: int) -> None:
    assert zone_of_zip(f"{number:05}") in available_timezones()
