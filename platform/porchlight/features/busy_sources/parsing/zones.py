"""The zones of a calendar file: from the local time of a value to its instant.

A name with a continent is that of the time zone database, even if the file defines it too. Other names are Windows'
names, or names of the file's own rules: "MST" with daylight saving is one that programs write.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from porchlight.features.busy_sources.parsing.content_lines import Component
from porchlight.features.busy_sources.parsing.values import local_of

MAX_ONSETS = 2_000  # of a zone's rules
_OFFSET = re.compile(r"([+-])(\d{2})(\d{2})(\d{2})?")
_DISPLAY_NAME = re.compile(r"\((?:UTC|GMT)([+-]\d{2}:?\d{2})?\)\s*(.*)")
# Of names that Windows shows to people. Others have the offset that they begin with, and count an hour more at both
# ends, because their daylight saving is not known.
_DISPLAYED = {
    "Eastern Time (US & Canada)": "America/New_York",
    "Central Time (US & Canada)": "America/Chicago",
    "Mountain Time (US & Canada)": "America/Denver",
    "Pacific Time (US & Canada)": "America/Los_Angeles",
    "Arizona": "America/Phoenix",
    "Alaska": "America/Anchorage",
    "Hawaii": "Pacific/Honolulu",
    "Dublin, Edinburgh, Lisbon, London": "Europe/London",
    "Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna": "Europe/Berlin",
    "Brussels, Copenhagen, Madrid, Paris": "Europe/Paris",
}
Expand = Callable[[str, datetime], list[datetime]]


class Zone:
    """A zone by its rules. `doubt`: by how much its instants may be wrong in either direction."""

    def __init__(self, rules: tzinfo, doubt: timedelta = timedelta(0)) -> None:
        self._rules = rules
        self.doubt = doubt

    def instant(self, local: datetime) -> datetime:
        """Return the instant of a local time: the first of two, and by the offset before a gap (RFC 5545, 3.3.5)."""
        return local.replace(tzinfo=self._rules, fold=0).astimezone(UTC)


@dataclass(frozen=True, slots=True, order=True)
class _Onset:
    """From the local time `at` of the offset before, another offset holds."""

    at: datetime
    before: timedelta
    after: timedelta


class OwnRules(Zone):
    """The zone of a VTIMEZONE of the file."""

    def __init__(self, onsets: list[_Onset]) -> None:
        super().__init__(UTC)
        self._onsets = sorted(onsets)
        # A time that the clock skips has the offset before; see `Zone.instant`.
        self._starts = [onset.at + max(timedelta(0), onset.after - onset.before) for onset in self._onsets]

    def instant(self, local: datetime) -> datetime:
        """Return the instant of a local time."""
        index = bisect_right(self._starts, local) - 1
        offset = self._onsets[index].after if index >= 0 else self._onsets[0].before
        return (local - offset).replace(tzinfo=UTC)


class Zones:
    """The zones of one calendar of a file. `floating` is that of values without a zone."""

    def __init__(self, calendar: Component, floating: str, expand: Expand) -> None:
        self.floating = Zone(ZoneInfo(floating))
        self.utc = Zone(UTC)
        self._expand = expand
        self._own: Mapping[str, Component] = {
            _name_of(component): component for component in calendar.inner if component.name == "VTIMEZONE"
        }
        self._found: dict[str, Zone] = {}

    def get(self, name: str) -> Zone:
        """Return the zone of a TZID."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str) -> Zone:
        known = _database_name(name) or WINDOWS_TO_OLSON.get(name)
        if known is not None:
            return Zone(ZoneInfo(known))
        own = self._own.get(name)
        if own is not None:
            location = own.first("X-LIC-LOCATION")
            if location is not None and (known := _database_name(location.value)):
                return Zone(ZoneInfo(known))
            if onsets := self._onsets(own):
                return OwnRules(onsets)
        return _by_display_name(name) or _by_short_name(name) or self.floating

    def _onsets(self, component: Component) -> list[_Onset]:
        onsets: list[_Onset] = []
        for rules in component.inner:
            start = rules.first("DTSTART")
            offsets = [_offset(rules.text(name)) for name in ("TZOFFSETFROM", "TZOFFSETTO")]
            first = local_of(start.value) if start else None
            if first is None or offsets[0] is None or offsets[1] is None:
                continue
            times = {first}
            for rule in rules.properties.get("RRULE", ()):
                times.update(self._expand(rule.value, first)[:MAX_ONSETS])
            for dates in rules.properties.get("RDATE", ()):
                times.update(found for value in dates.value.split(",")[:MAX_ONSETS] if (found := local_of(value)))
            onsets += [_Onset(at, offsets[0], offsets[1]) for at in times]
        return onsets


def _name_of(component: Component) -> str:
    name = component.first("TZID")
    return name.value.strip().strip('"') if name else ""


@cache
def _database_name(name: str) -> str | None:
    """Return a name with a continent as the time zone database has it, or None. Some programs put a path before it."""
    if name.upper() in ("UTC", "GMT", "ETC/UTC", "Z"):
        return "UTC"
    parts = name.split("/")
    for size in (3, 2):
        candidate = "/".join(parts[-size:])
        if "/" in candidate and len(parts) >= size and _exists(candidate):
            return candidate
    return None


def _exists(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def _by_display_name(name: str) -> Zone | None:
    match = _DISPLAY_NAME.fullmatch(name)
    if match is None:
        return None
    if match[2] in _DISPLAYED:
        return Zone(ZoneInfo(_DISPLAYED[match[2]]))
    offset = _offset((match[1] or "+0000").replace(":", ""))
    return Zone(timezone(offset), timedelta(hours=1)) if offset is not None else None


def _by_short_name(name: str) -> Zone | None:
    return Zone(ZoneInfo(name)) if name.isalnum() and _exists(name) else None


def _offset(text: str) -> timedelta | None:
    match = _OFFSET.fullmatch(text)
    if match is None:
        return None
    seconds = 3600 * int(match[2]) + 60 * int(match[3]) + int(match[4] or 0)
    length = timedelta(seconds=-seconds if match[1] == "-" else seconds)
    return length if abs(length) < timedelta(hours=24) else None
