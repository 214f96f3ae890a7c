"""The busy times of a calendar file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
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
# "Always" may be from the year 1 to the year 9999. More than this before or after today makes no difference.
_MAX_DAYS = 366 * 3_000
_FIRST, _LAST = datetime(1, 1, 3), datetime(9999, 12, 30)  # noqa: DTZ001 - local times


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
    """An event: its first local start, with its zone, and its length: days, and elapsed time in addition."""

    start: datetime
    zone: Zone
    is_all_day: bool
    days: int
    length: timedelta

    @property
    def span(self) -> timedelta:
        """How long an instance takes at most, about."""
        return self.length + _DAY * self.days


@dataclass(frozen=True, slots=True)
class _Start:
    """The start of an instance: its local time in the event's zone, and its instant. `length`: if it has its own."""

    local: datetime
    instant: datetime
    length: timedelta | None = None

    def period(self, event: _Event) -> Period:
        """Return the time of the instance."""
        if self.length is not None:
            end = self.instant + self.length
        elif event.days:
            end = event.zone.instant(_moved(self.local, _DAY * event.days)) + event.length
        else:
            end = self.instant + event.length
        return self.instant - event.zone.doubt, end + event.zone.doubt


@dataclass(slots=True)
class _Marks:
    """Instances that a series does not have (EXDATE), or has in another form (RECURRENCE-ID).

    Programs name them in other ways than DTSTART: all-day ones by a midnight, others by their day, or without a zone.
    """

    instants: set[datetime] = field(default_factory=set)
    days: set[datetime] = field(default_factory=set)
    midnights: set[datetime] = field(default_factory=set)
    without_zone: set[datetime] = field(default_factory=set)

    def add(self, value: str, zone: Zone, *, has_zone: bool) -> None:
        """Add an instance by what is written of it."""
        local = local_of(value)
        if local is None:
            return
        if is_date(value):
            self.days.add(local)
            return
        self.instants.add(zone.instant(local))
        if not has_zone:
            self.without_zone.add(local)
        if local == _day_of(local):
            self.midnights.add(local)

    def has(self, start: _Start, event: _Event) -> bool:
        """Return whether an instance is one of them."""
        return (
            start.instant in self.instants
            or start.local in self.without_zone
            or _day_of(start.local) in self.days
            or (event.is_all_day and _day_of(start.local) in self.midnights)
        )


@dataclass(frozen=True, slots=True)
class _LaterChange:
    """The instances from an instant on begin `shift` later, and take `length`. None of them is busy without `event`."""

    at: datetime
    shift: timedelta
    event: _Event | None


@dataclass(slots=True)
class _Changes:
    """The changed instances of an event."""

    replaced: _Marks = field(default_factory=_Marks)
    later: list[_LaterChange] = field(default_factory=list)


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
        series: list[tuple[Component, _Event]] = []
        changed: list[tuple[Property, Component, _Event | None]] = []
        for component in components:
            event = self._event(component)
            mark = component.first("RECURRENCE-ID")
            if mark is not None:
                changed.append((mark, component, event))
            elif event is not None:
                series.append((component, event))
        changes = _Changes()
        for mark, component, event in changed:
            self._add_change(changes, mark, component, event, series)
            if event is not None and self._is_busy(component, event):
                yield from self._within([_Start(event.start, event.zone.instant(event.start))], event)
        for component, event in series:
            if self._is_busy(component, event):
                yield from self._series_periods(component, event, changes)

    def _add_change(
        self,
        changes: _Changes,
        mark: Property,
        component: Component,
        event: _Event | None,
        series: Sequence[tuple[Component, _Event]],
    ) -> None:
        """Add the change of an instance, or of it and the later ones."""
        at = local_of(mark.value)
        if at is None:
            return
        zone = self._zone_of(mark.value, mark)
        changes.replaced.add(mark.value, zone, has_zone="TZID" in mark.parameters or is_utc(mark.value))
        if mark.parameters.get("RANGE", "").upper() != "THISANDFUTURE" or not series:
            return
        _, whole = series[0]
        instant = zone.instant(at)
        if event is None or not self._is_busy(component, event):
            changes.later.append(_LaterChange(instant, timedelta(0), None))
        else:
            shift = whole.zone.local(event.zone.instant(event.start)) - whole.zone.local(instant)
            changes.later.append(_LaterChange(instant, shift, replace(whole, days=event.days, length=event.length)))

    def _series_periods(self, component: Component, event: _Event, changes: _Changes) -> Iterator[Period]:
        """Yield the times of an event without those of its instances that others replace."""
        later = sorted(changes.later, key=lambda change: change.at, reverse=True)
        reach = max([event.span, *(change.event.span + abs(change.shift) for change in later if change.event)])
        for start in self._starts(component, event, reach):
            if changes.replaced.has(start, event):
                continue
            change = next((one for one in later if one.at < start.instant), None)
            if change is None:
                yield from self._within([start], event)
            elif change.event is not None:
                local = _moved(start.local, change.shift)
                yield from self._within([_Start(local, event.zone.instant(local))], change.event)

    def _within(self, starts: Iterable[_Start], event: _Event) -> Iterator[Period]:
        for start in starts:
            span = event.span if start.length is None else start.length
            if _moved(self._after, -span) <= start.local < self._before:
                yield start.period(event)

    def _starts(self, component: Component, event: _Event, reach: timedelta) -> Iterator[_Start]:
        """Yield the starts of an event, for times up to `reach` later. DTSTART is the first, even off the rule."""
        excluded = _Marks()
        for found in component.properties.get("EXDATE", ()):
            for value in found.value.split(","):
                has_zone = "TZID" in found.parameters or is_utc(value)
                excluded.add(value, self._zone_of(value, found), has_zone=has_zone)
        for rule in component.properties.get("EXRULE", ()):
            excluded.instants.update(map(event.zone.instant, self._rule_times(rule.value, event, reach)))
        seen: set[tuple[datetime, timedelta | None]] = set()
        for start in self._all_starts(component, event, reach):
            key = (start.instant, start.length)
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > MAX_INSTANCES:
                raise FileRefused("too_many_events")
            if not excluded.has(start, event):
                yield start

    def _all_starts(self, component: Component, event: _Event, reach: timedelta) -> Iterator[_Start]:
        yield _Start(event.start, event.zone.instant(event.start))
        for rule in component.properties.get("RRULE", ()):
            for local in self._rule_times(rule.value, event, reach):
                yield _Start(local, event.zone.instant(local))
        for dates in component.properties.get("RDATE", ()):
            for value in dates.value.split(","):
                yield from self._added_start(value, dates, event)

    def _added_start(self, value: str, dates: Property, event: _Event) -> Iterator[_Start]:
        """Yield the start in a value of an RDATE, which may have another zone than the event, or an end."""
        written, _, end = value.partition("/")
        local = local_of(written)
        if local is None:
            return
        if is_date(written):  # of an event with times: at its time of the day
            local = datetime.combine(local, event.start.time())
            yield _Start(local, event.zone.instant(local))
            return
        zone = self._zone_of(written, dates)
        instant = zone.instant(local)
        length = self._end_of(end, dates, local, zone) - instant if end else None
        yield _Start(local if zone is event.zone else event.zone.local(instant), instant, length)

    def _rule_times(self, rule: str, event: _Event, reach: timedelta) -> Iterator[datetime]:
        after = _moved(self._after, -reach)
        return local_times(rule, event.start, event.zone, after, self._before, is_all_day=event.is_all_day)

    def _expand_zone(self, rule: str, start: datetime, offset: timedelta) -> Iterator[datetime]:
        """Yield the onsets of a zone's rule, which are local times at the offset before them."""
        after = self._after - timedelta(days=366)
        return local_times(rule, start, Zone(timezone(offset)), after, self._before)

    def _event(self, component: Component) -> _Event | None:
        start = component.first("DTSTART")
        local = local_of(start.value) if start else None
        if start is None or local is None:
            return None
        is_all_day = is_date(start.value)
        zone = self._zones.floating if is_all_day else self._zone_of(start.value, start)
        days, length = self._length(component, local, zone, is_all_day=is_all_day)
        if length + _DAY * days <= timedelta(0):
            return None
        return _Event(local, zone, is_all_day, days, length)

    def _length(self, component: Component, start: datetime, zone: Zone, *, is_all_day: bool) -> tuple[int, timedelta]:
        end = component.first("DTEND")
        local = local_of(end.value) if end else None
        if end is not None and local is not None:
            if is_all_day:
                return min(max(1, (local.date() - start.date()).days), _MAX_DAYS), timedelta(0)
            end_zone = self._zone_of(end.value, end)
            length = end_zone.instant(local) - zone.instant(start)
            # A time within the hour that the clock skips may have the instant of a later one: the length is as written.
            if length <= timedelta(0) and end_zone is zone:
                length = local - start
            return 0, min(length, _DAY * _MAX_DAYS)
        duration = component.first("DURATION")
        days, length = (duration_of(duration.value) if duration else None) or (0, timedelta(0))
        if is_all_day:
            return max(1, days + length // _DAY), timedelta(0)
        return days, length

    def _is_busy(self, component: Component, event: _Event) -> bool:
        if component.text("STATUS") == "CANCELLED" or component.text("TRANSP") == "TRANSPARENT":
            return False
        if component.text("X-MICROSOFT-CDO-BUSYSTATUS") == "FREE":
            return False
        if event.is_all_day and not self._reading.all_day_blocks:
            return False
        return not any(
            attendee.parameters.get("PARTSTAT", "").upper() == "DECLINED"
            and not self._reading.addresses.isdisjoint(
                map(_address, (attendee.value, attendee.parameters.get("EMAIL", "")))
            )
            for attendee in component.properties.get("ATTENDEE", ())
        )

    def _free_busy(self, component: Component) -> Iterator[Period]:
        """Yield the times of a VFREEBUSY."""
        for found in component.properties.get("FREEBUSY", ()):
            if found.parameters.get("FBTYPE", "BUSY").upper() == "FREE":
                continue
            for value in found.value.split(","):
                written, _, end = value.partition("/")
                local = local_of(written)
                if local is not None:
                    zone = self._zone_of(written, found)
                    yield zone.instant(local), self._end_of(end, found, local, zone)

    def _end_of(self, text: str, found: Property, start: datetime, zone: Zone) -> datetime:
        """Return the end of a period, which is written as a time or as a length. Any other text is the start."""
        local, duration = local_of(text), duration_of(text)
        if local is not None:
            return self._zone_of(text, found).instant(local)
        days, length = duration or (0, timedelta(0))
        return zone.instant(_moved(start, _DAY * days)) + length

    def _zone_of(self, value: str, found: Property) -> Zone:
        if is_utc(value):
            return self._zones.utc
        name = found.parameters.get("TZID", "")
        return self._zones.get(name) if name and not is_date(value) else self._zones.floating


def _moved(local: datetime, by: timedelta) -> datetime:
    """Return a local time that is later, or earlier, within the years that exist."""
    if by > timedelta(0):
        return local + min(by, _LAST - local)
    return local - min(-by, local - _FIRST)


def _day_of(local: datetime) -> datetime:
    return local.replace(hour=0, minute=0, second=0)


def _address(text: str) -> str:
    return text.strip().lower().removeprefix("mailto:")
