"""The webs' table of time zones is that of the pinned tzdata."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from porchlight_dev.zone_table import FILE, text, zone_table
from tenants.kit.zones import zone_label

TABLE = zone_table()


def offset_and_label(name: str, at: datetime) -> list[object]:
    """Return what the table says, as the webs read it."""
    number, *changes = TABLE["rules"][TABLE["zones"][name]]
    since = 0
    for half_hours, changed in zip(changes[::2], changes[1::2], strict=True):
        since += half_hours
        if at.timestamp() >= since * 1800:
            number = changed
    found: list[object] = TABLE["types"][number]
    return found


def test_zone_table_is_current() -> None:
    assert FILE.read_text("utf-8") == text(), "run `make zones` and commit main-web/shared/zones.gen.json"


@pytest.mark.parametrize("name", ["America/Denver", "America/Vancouver", "Africa/Casablanca", "Australia/Lord_Howe"])
def test_zone_table_agrees_with_rules_each_hour(name: str) -> None:
    zone, start = ZoneInfo(name), datetime(2026, 1, 1, tzinfo=UTC)
    for hour in range(2 * 366 * 24):
        at = start + timedelta(hours=hour)
        local = at.astimezone(zone)
        offset = local.utcoffset()
        assert offset is not None
        assert offset_and_label(name, at) == [offset.total_seconds() / 60, zone_label(local)], at
