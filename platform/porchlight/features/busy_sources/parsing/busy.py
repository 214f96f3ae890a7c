"""The busy times of a calendar file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from porchlight.features.busy_sources.parsing.content_lines import Component, FileRefused, Property, read_components
from porchlight.features.busy_sources.parsing.recurrences import local_times
from porchlight.features.busy_sources.parsing.values import duration_of, is_date, is_utc, local_of
from porchlight.features.busy_sources.parsing.zones import Zone, Zones

MAX_INSTANCES: Final = 20_000
Period = tuple[datetime, datetime]
_DAY = timedelta(days=1)
# Local times are within a day of UTC's; a day more covers what moves with a change of the clock.
_MARGIN = timedelta(days=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReading:
    """The purpose of a reading: times between two instants. Values without a zone are in `zone`.

    Events whose id ends in `own_host` are the product's own. One that an attendee among `addresses` declined is not
    busy. Without `all_day_blocks`, an event without times is not.
    """

    zone: str
    after: datetime
    before: datetime
    own_host: str
    all_day_blocks: bool = True
    addresses: frozenset[str] = frozenset()


def busy_periods(files: Iterable[bytes], reading: SourceReading) -> list[Period]:
    """Return when someone is busy by their calendar files: joined, in order and within the times of the reading.

    Raise FileRefused for files that are not read.
    """
    periods: list[Period] = []
    components = 0
    for content in files:
        calendars = read_components(content)
        components += sum(1 + len(calendar.inner) for calendar in calendars)
        if components > MAX_INSTANCES:
            raise FileRefused("too_large")
        for calendar in calendars:
            for period in _Calendar(calendar, reading).periods():
                periods.append(period)
                if len(periods) > MAX_INSTANCES:
                    raise FileRefused("too_many_events")
    return _joined(periods, reading)


def _joined(periods: Iterable[Period], reading: SourceReading) -> list[Period]:
    joined: list[Period] = []
    for period_start, period_end in sorted(periods):
        start, end = max(period_start, reading.after), min(period_end, reading.before)
        if start >= end:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


@dataclass(frozen=True, slots=True)
class _Event:
    """An event: its first local start, with its zone, and its length: of elapsed time, or of days without times."""

    component: Component
    start: datetime
    zone: Zone
    is_all_day: bool
    length: timedelta
    days: int

    def period(self, local: datetime) -> Period:
        """Return the time of the instance that starts at a local time."""
        start = self.zone.instant(local)
        end = self.zone.instant(local + _DAY * self.days) + self.length if self.days else start + self.length
        return start - self.zone.doubt, end + self.zone.doubt

    @property
    def span(self) -> timedelta:
        """How long an instance takes at most, about."""
        return self.length + _DAY * self.days


class _Calendar:
    """A calendar of a file, with its zones and what it is read for."""

    def __init__(self, calendar: Component, reading: SourceReading) -> None:
        self._reading = reading
        self._zones = Zones(calendar, reading.zone, self._expand_zone)
        self._components = calendar.inner
        self._after = reading.after.replace(tzinfo=None) - _MARGIN
        self._before = reading.before.replace(tzinfo=None) + _MARGIN

    def periods(self) -> Iterator[Period]:
        """Yield the busy times of all events."""
        by_id: defaultdict[str, list[Component]] = defaultdict(list)
        for number, component in enumerate(self._components):
            if component.name == "VEVENT":
                named = component.first("UID")
                by_id[named.value if named else str(number)].append(component)
            elif component.name == "VFREEBUSY":
                yield from self._free_busy(component)
        for event_id, components in by_id.items():
            if not event_id.lower().endswith(f"@{self._reading.own_host}"):
                yield from self._event_periods(components)

    def _event_periods(self, components: Sequence[Component]) -> Iterator[Period]:
        """Yield the times of an event and of its instances that were changed (RECURRENCE-ID)."""
        replaced: set[datetime] = set()
        moves: list[tuple[datetime, timedelta]] = []
        for component in components:
            mark = component.first("RECURRENCE-ID")
            at = self._instant(mark)
            if mark is None or at is None:
                continue
            replaced.add(at)
            event = self._event(component)
            if event is None:
                continue
            if self._is_busy(component, event):
                yield from self._within([event.start], event)
            if mark.parameters.get("RANGE", "").upper() == "THISANDFUTURE":
                moves.append((at, event.zone.instant(event.start) - at))
        for component in components:
            if component.first("RECURRENCE-ID") is None:
                yield from self._series_periods(component, replaced, moves)

    def _series_periods(
        self, component: Component, replaced: Set[datetime], moves: Sequence[tuple[datetime, timedelta]]
    ) -> Iterator[Period]:
        """Yield the times of an event without those of its instances that others replace.

        Of an event whose later instances move, the old times stay busy too: what else was changed is not known.
        """
        event = self._event(component)
        if event is None or not self._is_busy(component, event):
            return
        for dates in component.properties.get("RDATE", ()):
            yield from self._written_periods(dates)
        for start, end in self._within(self._local_times(component, event), event):
            if start + event.zone.doubt not in replaced:
                yield start, end
                yield from ((start + moved, end + moved) for first, moved in moves if start >= first)

    def _within(self, times: Iterable[datetime], event: _Event) -> Iterator[Period]:
        for local in times:
            if self._after - event.span <= local < self._before:
                yield event.period(local)

    def _local_times(self, component: Component, event: _Event) -> Iterator[datetime]:
        """Yield the local start times of an event. Each comes once; DTSTART is the first, even off the rule."""
        excluded = set(self._instants(component.properties.get("EXDATE", ())))
        excluded_days = {
            local.date()
            for found in component.properties.get("EXDATE", ())
            for value in found.value.split(",")
            if is_date(value) and (local := local_of(value))
        }
        for rule in component.properties.get("EXRULE", ()):
            excluded.update(map(event.zone.instant, self._rule_times(rule.value, event)))
        seen: set[datetime] = set()
        for local in self._all_times(component, event):
            if local in seen:
                continue
            seen.add(local)
            if len(seen) > MAX_INSTANCES:
                raise FileRefused("too_many_events")
            if local.date() not in excluded_days and event.zone.instant(local) not in excluded:
                yield local

    def _all_times(self, component: Component, event: _Event) -> Iterator[datetime]:
        yield event.start
        for rule in component.properties.get("RRULE", ()):
            yield from self._rule_times(rule.value, event)
        for dates in component.properties.get("RDATE", ()):
            for value in dates.value.split(","):
                start = local_of(value)  # none for a time with an end of its own
                if start is not None:
                    yield self._in_zone(start, value, dates, event)

    def _in_zone(self, local: datetime, value: str, found: Property, event: _Event) -> datetime:
        """Return a local time of another zone as one of the event's zone, which it has in nearly all files."""
        zone = self._zone_of(value, found)
        if event.is_all_day or zone is event.zone:
            return local
        difference = zone.instant(local) - event.zone.instant(local)
        return local + difference

    def _rule_times(self, rule: str, event: _Event) -> Iterator[datetime]:
        after = self._after - event.span
        return local_times(rule, event.start, event.zone, after, self._before)

    def _expand_zone(self, rule: str, start: datetime) -> list[datetime]:
        """Return the onsets of a zone's rule, in UTC's stead: how exactly it ends does not matter."""
        after = self._after - timedelta(days=366)
        return list(local_times(rule, start, Zone(UTC), after, self._before))

    def _event(self, component: Component) -> _Event | None:
        start = component.first("DTSTART")
        local = local_of(start.value) if start else None
        if start is None or local is None:
            return None
        is_all_day = is_date(start.value)
        zone = self._zones.floating if is_all_day else self._zone_of(start.value, start)
        length, days = self._length(component, local, zone, is_all_day=is_all_day)
        if length <= timedelta(0) and days <= 0:
            return None
        return _Event(component, local, zone, is_all_day, length, days)

    def _length(self, component: Component, start: datetime, zone: Zone, *, is_all_day: bool) -> tuple[timedelta, int]:
        end = component.first("DTEND")
        local = local_of(end.value) if end else None
        if end is not None and local is not None:
            if is_all_day:
                return timedelta(0), max(1, (local.date() - start.date()).days)
            if is_date(end.value):
                return self._zones.floating.instant(local) - zone.instant(start), 0
            return self._zone_of(end.value, end).instant(local) - zone.instant(start), 0
        duration = component.first("DURATION")
        length = duration_of(duration.value) if duration else None
        if length is None:
            return timedelta(0), 1 if is_all_day else 0
        days = max(0, length.days)
        return (timedelta(0), max(1, days)) if is_all_day else (length - _DAY * days, days)

    def _is_busy(self, component: Component, event: _Event) -> bool:
        if component.text("STATUS") == "CANCELLED" or component.text("TRANSP") == "TRANSPARENT":
            return False
        if component.text("X-MICROSOFT-CDO-BUSYSTATUS") == "FREE":
            return False
        if event.is_all_day and not self._reading.all_day_blocks:
            return False
        return not any(
            attendee.parameters.get("PARTSTAT", "").upper() == "DECLINED"
            and attendee.value.strip().lower().removeprefix("mailto:") in self._reading.addresses
            for attendee in component.properties.get("ATTENDEE", ())
        )

    def _free_busy(self, component: Component) -> Iterator[Period]:
        """Yield the times of a VFREEBUSY."""
        for found in component.properties.get("FREEBUSY", ()):
            if found.parameters.get("FBTYPE", "BUSY").upper() != "FREE":
                yield from self._written_periods(found)

    def _written_periods(self, found: Property) -> Iterator[Period]:
        """Yield the times of values that have a start and an end or a length."""
        for value in found.value.split(","):
            start_text, _, end_text = value.partition("/")
            local, local_end, length = local_of(start_text), local_of(end_text), duration_of(end_text)
            if local is None or (local_end is None and length is None):
                continue
            start = self._zone_of(start_text, found).instant(local)
            end = self._zone_of(end_text, found).instant(local_end) if local_end else start + (length or timedelta(0))
            yield start, end

    def _instants(self, properties: Iterable[Property]) -> Iterator[datetime]:
        for found in properties:
            for value in found.value.split(","):
                local = local_of(value)
                if local is not None and not is_date(value):
                    yield self._zone_of(value, found).instant(local)

    def _instant(self, found: Property | None) -> datetime | None:
        local = local_of(found.value) if found else None
        if found is None or local is None:
            return None
        return (self._zones.floating if is_date(found.value) else self._zone_of(found.value, found)).instant(local)

    def _zone_of(self, value: str, found: Property) -> Zone:
        if is_utc(value):
            return self._zones.utc
        name = found.parameters.get("TZID", "")
        return self._zones.get(name) if name else self._zones.floating
