"""Time zones: one set of rules for every process, the names that people choose from, and the labels beside times.

The rules are those of the pinned package tzdata, not the machine's: a machine may be years behind, and two machines may
disagree. `tenants` calls `use_pinned_rules` when it is imported. PostgreSQL, V8 and browsers have tables of their own,
so SQL gets instants, and the webs get `main-web/shared/zones.gen.json`, which is written from the same package.

Source: the files tzdata.zi and zone.tab, https://data.iana.org/time-zones/theory.html
"""

from __future__ import annotations

import zoneinfo
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import tzdata

UTC_NAME = "UTC"
# Names that mean one offset to the readers of an American page. Elsewhere the same letters mean other times: IST is
# Indian, Irish and Israeli, CST also Chinese and Cuban.
_LABELS = {
    "UTC": 0, "GMT": 0, "NST": -210, "NDT": -150, "AST": -240, "ADT": -180, "EST": -300, "EDT": -240, "CST": -360,
    "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540, "AKDT": -480, "HST": -600,
}  # fmt: skip


def use_pinned_rules() -> None:
    """Let `zoneinfo` read the package tzdata only."""
    zoneinfo.reset_tzpath(to=[])
    ZoneInfo.clear_cache()


def rules_version() -> str:
    """Return IANA's version of the rules, like "2026f"."""
    return str(tzdata.IANA_VERSION)


@cache
def zone_names() -> frozenset[str]:
    """Return every known name: those that people choose from, and old and other names of the same zones."""
    return frozenset(zoneinfo.available_timezones()) - {"Factory", "localtime"}


@cache
def offered_zones() -> frozenset[str]:
    """Return the names that people choose from: one of each region and its own rules, by today's names, and UTC."""
    lines = _read("zone.tab").splitlines()
    return frozenset(line.split("\t")[2] for line in lines if line and not line.startswith("#")) | {UTC_NAME}


@cache
def canonical_zone(name: str) -> str:
    """Return today's name of a zone: Asia/Kolkata for Asia/Calcutta, Europe/Brussels for CET.

    A zone without a region, like Etc/GMT+5, keeps its name. Raise KeyError for an unknown name.
    """
    if name not in zone_names():
        raise KeyError(name)
    links = _links()
    found = name
    while found not in offered_zones() and found in links:
        found = links[found]
    if found == "Etc/UTC":
        return UTC_NAME
    return found if found in offered_zones() else name


@cache
def _links() -> dict[str, str]:
    """Return the target of each alias."""
    rows = (line.split() for line in _read("tzdata.zi").splitlines() if line.startswith("L "))
    return {alias: target for _, target, alias in rows}


def _read(name: str) -> str:
    return (Path(tzdata.__file__).parent / "zoneinfo" / name).read_text("utf-8")


def zone_label(moment: datetime) -> str:
    """Return the label of an aware time's zone: "MST", or "GMT+5:30" where letters would be unclear.

    `main-web/shared/zones.gen.json` has the same labels.
    """
    offset = moment.utcoffset()
    if offset is None:
        raise ValueError("a time without a zone has no label")
    minutes = round(offset.total_seconds() / 60)
    name = moment.tzname()
    if name is not None and _LABELS.get(name) == minutes:
        return name
    hours, rest = divmod(abs(minutes), 60)
    sign = "-" if minutes < 0 else "+"
    return f"GMT{sign}{hours}{f':{rest:02}' if rest else ''}" if minutes else "GMT"


def local_time(moment: datetime, zone: str) -> datetime:
    """Return an aware time by the clocks of a zone, without a zone: the column type `timestamp`."""
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def to_instant(local: datetime, zone: ZoneInfo) -> datetime:
    """Return the instant, in UTC, at which the clocks of a zone show a local time.

    A time that comes twice is the first one (RFC 5545, 3.3.5). One that is skipped is as long after the gap's start as
    the clocks would have shown: 2:30 is 3:30.
    """
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def day_bounds(zone: ZoneInfo, first: date, days: int = 1) -> tuple[datetime, datetime]:
    """Return the first instant of a local day and that of the day `days` later.

    A midnight that comes twice is the first one. For one that is skipped, the day starts where the gap ends.
    """
    return _midnight(zone, first), _midnight(zone, first + timedelta(days=days))


def _midnight(zone: ZoneInfo, day: date) -> datetime:
    # Of a skipped midnight, Python's offset is that of before the gap, which makes it the instant of the change.
    return datetime.combine(day, time(), zone).astimezone(UTC)
