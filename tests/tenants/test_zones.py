"""Zones: the pinned rules, names and labels."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenants.kit.zones import canonical_zone, day_bounds, offered_zones, zone_label, zone_names

NAMES = st.sampled_from(sorted(zone_names()))


# Since 2026 these keep one offset all year. A machine with older files is an hour off.
@pytest.mark.parametrize(
    ("name", "summer", "winter"),
    [
        ("America/Vancouver", -7, -7),
        ("America/Edmonton", -6, -6),
        ("America/Winnipeg", -5, -5),
        ("Africa/Casablanca", 1, 0),
        ("America/Denver", -6, -7),
    ],
)
def test_offset_is_that_of_the_pinned_rules(name: str, summer: int, winter: int) -> None:
    moments = [datetime(2026, 7, 15, 12, tzinfo=ZoneInfo(name)), datetime(2026, 12, 15, 12, tzinfo=ZoneInfo(name))]
    assert [moment.utcoffset() for moment in moments] == [timedelta(hours=summer), timedelta(hours=winter)]


@pytest.mark.parametrize("module", ["tenants.kit.clock", "sites.hours.slots", "porchlight.cli.main", "porchlight.app"])
def test_every_process_reads_only_the_pinned_rules(module: str) -> None:
    code = f"import {module}, zoneinfo; print(zoneinfo.TZPATH)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "()"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Asia/Calcutta", "Asia/Kolkata"),
        ("Europe/Kiev", "Europe/Kyiv"),
        ("US/Pacific", "America/Los_Angeles"),
        ("Europe/Oslo", "Europe/Oslo"),
        ("CET", "Europe/Brussels"),
        ("EET", "Europe/Athens"),
        ("MET", "Europe/Brussels"),
        ("WET", "Europe/Lisbon"),
        ("Zulu", "UTC"),
        ("Etc/UTC", "UTC"),
        ("Etc/GMT+5", "Etc/GMT+5"),
        ("America/Buenos_Aires", "America/Argentina/Buenos_Aires"),
    ],
)
def test_canonical_zone_is_todays_name(name: str, expected: str) -> None:
    assert canonical_zone(name) == expected


@given(NAMES)
def test_canonical_zone_has_the_same_rules(name: str) -> None:
    canonical = canonical_zone(name)
    assert canonical_zone(canonical) == canonical
    for month in range(36):
        moment = datetime(2026 + month // 12, month % 12 + 1, 15, tzinfo=UTC)
        assert moment.astimezone(ZoneInfo(name)).utcoffset() == moment.astimezone(ZoneInfo(canonical)).utcoffset()


def test_canonical_zone_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError):
        canonical_zone("Mars/Olympus")


def test_offered_zones_are_known_and_have_regions() -> None:
    assert offered_zones() <= zone_names()
    assert {"Europe/Kyiv", "Asia/Kolkata", "UTC", "America/Denver"} <= offered_zones()
    assert not {"CET", "EST", "Asia/Calcutta", "US/Pacific", "Etc/GMT+5"} & offered_zones()


@pytest.mark.parametrize(
    ("zone", "moment", "label"),
    [
        ("America/Denver", "2026-12-01", "MST"),
        ("America/Denver", "2026-07-01", "MDT"),
        ("Asia/Kolkata", "2026-07-01", "GMT+5:30"),
        ("Europe/Dublin", "2026-07-01", "GMT+1"),
        ("Europe/London", "2026-12-01", "GMT"),
        ("Asia/Shanghai", "2026-07-01", "GMT+8"),
        ("America/Havana", "2024-12-01", "GMT-5"),
        ("America/Sao_Paulo", "2026-12-01", "GMT-3"),
        ("America/Panama", "2026-12-01", "EST"),
        ("Africa/Casablanca", "2026-12-01", "GMT"),
        ("UTC", "2026-12-01", "UTC"),
    ],
)
def test_zone_label_means_one_offset(zone: str, moment: str, label: str) -> None:
    assert zone_label(datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone))) == label


@given(NAMES, st.dates(date(2024, 1, 1), date(2032, 1, 1)), st.integers(1, 40))
def test_day_bounds_meet_and_contain_their_day(name: str, day: date, days: int) -> None:
    zone = ZoneInfo(name)
    start, end = day_bounds(zone, day, days)
    assert day_bounds(zone, day + timedelta(days=days))[0] == end
    assert start.astimezone(zone).date() == day
    assert (start - timedelta(seconds=1)).astimezone(zone).date() < day
    assert (end - timedelta(seconds=1)).astimezone(zone).date() == day + timedelta(days=days - 1)


def test_day_bounds_skipped_midnight_starts_at_the_change() -> None:
    start, end = day_bounds(ZoneInfo("Asia/Beirut"), date(2026, 3, 29))
    assert (start, end) == (datetime(2026, 3, 28, 22, tzinfo=UTC), datetime(2026, 3, 29, 21, tzinfo=UTC))
