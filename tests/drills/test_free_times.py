"""The free times of 200 random calendars around each change of the clock in 24 zones equal those of the oracle."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.figures import print_figure
from tests.sites.hours.cases import ZONES, change_days, slots_cases
from tests.sites.hours.oracle import expected_starts, offered_starts

CALENDARS = 200  # per zone and change


@pytest.mark.drill
@pytest.mark.parametrize(("zone", "change_day"), [(zone, day) for zone in ZONES for day in change_days(zone)])
def test_offer_of_many_calendars_matches_oracle(zone: str, change_day: date) -> None:
    starts: list[int] = []

    @settings(max_examples=CALENDARS, derandomize=False)
    @given(data=st.data())
    def compare(data: st.DataObject) -> None:
        case = data.draw(slots_cases(zone, change_day))
        expected = expected_starts(case)
        assert offered_starts(case) == expected
        starts.append(len(expected))

    compare()
    print_figure(
        f"free times, {zone}, {change_day}", len(starts), None, "cases", least=CALENDARS, note=f"{sum(starts)} starts"
    )
