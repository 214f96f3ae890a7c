"""Write main-web/shared/zones.gen.json: the rules of all time zones for the webs, from the pinned package tzdata.

Usage: python -m porchlight_dev.zone_table

Browsers and V8 have tables of their own, of whichever age. With this one, a page shows the time that the API means.

The file holds `years` (the first and the last one), `types` (offset in minutes and label), `rules`, `zones` (the number
of each zone's rules, by name), `hidden` (names without a region, which are no choice), and `aliases`. A rule is the
number of its first type, then pairs of the time of a change, in half hours since the one before (the first since
1970), and the number of the type from then on. The webs take other years for the nearest of these.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from porchlight_dev.environment import ROOT
from tenants.kit.zones import canonical_zone, offered_zones, rules_version, zone_label, zone_names

FILE = ROOT / "main-web/shared/zones.gen.json"
LOOK_BACK, LOOK_AHEAD = 2, 5
_HALF_HOUR = timedelta(minutes=30)
_WEEK = timedelta(weeks=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Type = tuple[int, str]


def zone_table() -> dict[str, Any]:
    """Return the table's content."""
    year = int(rules_version()[:4])
    first, last = datetime(year - LOOK_BACK, 1, 1, tzinfo=UTC), datetime(year + LOOK_AHEAD + 1, 1, 1, tzinfo=UTC)
    types: dict[Type, int] = {}
    rules: dict[tuple[int, ...], int] = {}
    zones: dict[str, int] = {}
    # Zones without a region are no choice, but browsers report them.
    own = {name for name in zone_names() if canonical_zone(name) == name}
    for name in sorted(own):
        found = [
            number
            for at, kind in _changes(ZoneInfo(name), first, last)
            for number in (at, types.setdefault(kind, len(types)))
        ]
        zones[name] = rules.setdefault(tuple(found[1:]), len(rules))
    return {
        "version": rules_version(),
        "years": [first.year, last.year - 1],
        "types": [list(kind) for kind in types],
        "rules": [list(rule) for rule in rules],
        "zones": zones,
        "hidden": sorted(own - offered_zones()),
        "aliases": {name: canonical_zone(name) for name in sorted(zone_names() - own)},
    }


def _changes(zone: ZoneInfo, first: datetime, last: datetime) -> list[tuple[int, Type]]:
    """Return each type with the time from which it holds, in half hours after the time before."""
    found = [(0, _type(zone, first))]
    week, before = first, _EPOCH
    while week < last:
        if _type(zone, week) != _type(zone, week + _WEEK):
            steps = bisect_left(range(_WEEK // _HALF_HOUR), True, key=_differs(zone, week))
            at = week + steps * _HALF_HOUR
            found.append(((at - before) // _HALF_HOUR, _type(zone, at)))
            before = at
        week += _WEEK
    return found


def _differs(zone: ZoneInfo, start: datetime) -> Callable[[int], bool]:
    """Return whether the type so many half hours after `start` is another one. No zone changes twice within a week."""
    return lambda steps: _type(zone, start + steps * _HALF_HOUR) != _type(zone, start)


def _type(zone: ZoneInfo, at: datetime) -> Type:
    local = at.astimezone(zone)
    offset = local.utcoffset()
    if offset is None:
        raise ValueError(zone)
    return round(offset.total_seconds() / 60), zone_label(local)


def text() -> str:
    """Return the content of the file."""
    return json.dumps(zone_table(), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
