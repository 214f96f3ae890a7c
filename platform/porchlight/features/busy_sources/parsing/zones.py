"""The zones of a calendar file: from the local time of a value to its instant.

A name with a continent is that of the time zone database, even if the file defines it too. Other names are Windows'
names, or names of the file's own rules: programs write "MST" with daylight saving, and "GMT" with British summer time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from porchlight.features.busy_sources.parsing.content_lines import Component
from porchlight.features.busy_sources.parsing.values import local_of

MAX_ONSETS = 2_000  # of a zone's rules
_OFFSET = re.compile(r"([+-])(\d{2})(\d{2})(\d{2})?")
_UTC_NAMES = frozenset({"UTC", "Z", "TZONE://MICROSOFT/UTC"})
_DISPLAY_NAME = re.compile(r"\(?(?:UTC|GMT)\s?(?:([+-])(\d{1,2}):?(\d{2})?)?\)?(.*)")
# Of names that Windows shows to people, with "&" for "and". Others have the offset that they begin with, and count an
# hour more at both ends, because their daylight saving is not known.
_DISPLAYED = {
    "Aleutian Islands": "America/Adak",
    "Hawaii": "Pacific/Honolulu",
    "Alaska": "America/Anchorage",
    "Baja California": "America/Tijuana",
    "Pacific Time (US & Canada)": "America/Los_Angeles",
    "Arizona": "America/Phoenix",
    "Mountain Time (US & Canada)": "America/Denver",
    "Central America": "America/Guatemala",
    "Central Time (US & Canada)": "America/Chicago",
    "Guadalajara, Mexico City, Monterrey": "America/Mexico_City",
    "Saskatchewan": "America/Regina",
    "Bogota, Lima, Quito, Rio Branco": "America/Bogota",
    "Eastern Time (US & Canada)": "America/New_York",
    "Havana": "America/Havana",
    "Indiana (East)": "America/Indiana/Indianapolis",
    "Atlantic Time (Canada)": "America/Halifax",
    "Santiago": "America/Santiago",
    "Newfoundland": "America/St_Johns",
    "Brasilia": "America/Sao_Paulo",
    "City of Buenos Aires": "America/Argentina/Buenos_Aires",
    "Azores": "Atlantic/Azores",
    "Coordinated Universal Time": "UTC",
    "Dublin, Edinburgh, Lisbon, London": "Europe/London",
    "Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna": "Europe/Berlin",
    "Belgrade, Bratislava, Budapest, Ljubljana, Prague": "Europe/Budapest",
    "Brussels, Copenhagen, Madrid, Paris": "Europe/Paris",
    "Sarajevo, Skopje, Warsaw, Zagreb": "Europe/Warsaw",
    "Athens, Bucharest": "Europe/Bucharest",
    "Beirut": "Asia/Beirut",
    "Cairo": "Africa/Cairo",
    "Harare, Pretoria": "Africa/Johannesburg",
    "Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius": "Europe/Kyiv",
    "Jerusalem": "Asia/Jerusalem",
    "Istanbul": "Europe/Istanbul",
    "Kuwait, Riyadh": "Asia/Riyadh",
    "Moscow, St. Petersburg": "Europe/Moscow",
    "Nairobi": "Africa/Nairobi",
    "Abu Dhabi, Muscat": "Asia/Dubai",
    "Chennai, Kolkata, Mumbai, New Delhi": "Asia/Kolkata",
    "Kathmandu": "Asia/Kathmandu",
    "Bangkok, Hanoi, Jakarta": "Asia/Bangkok",
    "Beijing, Chongqing, Hong Kong, Urumqi": "Asia/Shanghai",
    "Kuala Lumpur, Singapore": "Asia/Singapore",
    "Perth": "Australia/Perth",
    "Taipei": "Asia/Taipei",
    "Osaka, Sapporo, Tokyo": "Asia/Tokyo",
    "Seoul": "Asia/Seoul",
    "Adelaide": "Australia/Adelaide",
    "Darwin": "Australia/Darwin",
    "Brisbane": "Australia/Brisbane",
    "Canberra, Melbourne, Sydney": "Australia/Sydney",
    "Hobart": "Australia/Hobart",
    "Lord Howe Island": "Australia/Lord_Howe",
    "Auckland, Wellington": "Pacific/Auckland",
    "Chatham Islands": "Pacific/Chatham",
}
Expand = Callable[[str, datetime, timedelta], Iterator[datetime]]


class Zone:
    """A zone by its rules. `doubt`: by how much its instants may be wrong in either direction."""

    def __init__(self, rules: tzinfo, doubt: timedelta = timedelta(0)) -> None:
        self._rules = rules
        self.doubt = doubt

    def instant(self, local: datetime) -> datetime:
        """Return the instant of a local time: the first of two, and by the offset before a gap (RFC 5545, 3.3.5)."""
        return local.replace(tzinfo=self._rules, fold=0).astimezone(UTC)

    def local(self, instant: datetime) -> datetime:
        """Return the local time of an instant."""
        return instant.astimezone(self._rules).replace(tzinfo=None, fold=0)


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

    def local(self, instant: datetime) -> datetime:
        """Return the local time of an instant."""
        moment = instant.replace(tzinfo=None)
        index = bisect_right(self._onsets, moment, key=lambda onset: onset.at - onset.before) - 1
        return moment + (self._onsets[index].after if index >= 0 else self._onsets[0].before)


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
                # The last ones: some programs let the rules of all zones begin in the year 1.
                times.update(deque(self._expand(rule.value, first, offsets[0]), MAX_ONSETS))
            for dates in rules.properties.get("RDATE", ()):
                times.update(found for value in dates.value.split(",")[-MAX_ONSETS:] if (found := local_of(value)))
            onsets += [_Onset(at, offsets[0], offsets[1]) for at in times]
        return onsets


def _name_of(component: Component) -> str:
    name = component.first("TZID")
    return name.value.strip().strip('"') if name else ""


@cache
def _database_name(name: str) -> str | None:
    """Return a name with a continent as the time zone database has it, or None. Some programs put a path before it."""
    if name.upper() in _UTC_NAMES:
        return "UTC"
    parts = name.split("/")
    for size in (3, 2):
        candidate = "/".join(parts[-size:])
        if "/" in candidate and len(parts) >= size:
            if _exists(candidate):
                return candidate
            if known := _names_in_lower_case().get(candidate.lower().replace(" ", "_")):
                return known
    return None


@cache
def _names_in_lower_case() -> Mapping[str, str]:
    return {name.lower(): name for name in available_timezones()}


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
    shown = match[4].strip().replace(" and ", " & ").replace("&amp;", "&")
    if shown in _DISPLAYED:
        return Zone(ZoneInfo(_DISPLAYED[shown]))
    offset = _offset(f"{match[1] or '+'}{(match[2] or '0').zfill(2)}{match[3] or '00'}")
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
