"""The local times of a recurrence rule (RFC 5545, section 3.3.10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, time, timedelta
from itertools import takewhile
from types import MappingProxyType

from dateutil.rrule import rrulestr

from porchlight.features.busy_sources.parsing.content_lines import FileRefused
from porchlight.features.busy_sources.parsing.values import is_date, is_utc, local_of
from porchlight.features.busy_sources.parsing.zones import Zone

# With these, a later first time gives the same times from then on, so old events need no counting.
_STEPS: Mapping[str, timedelta] = MappingProxyType(
    {
        "SECONDLY": timedelta(seconds=1), "MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1),
        "DAILY": timedelta(days=1), "WEEKLY": timedelta(weeks=1),
    }
)  # fmt: skip
_SHORTEST_STEP = timedelta(hours=1)
# The numbers that a part may have, with a sign those that count from the end. The library does not check them: it looks
# for a thirteenth month until the year 9999.
_NUMBERS: Mapping[str, range] = MappingProxyType(
    {
        "INTERVAL": range(1, 100_000), "COUNT": range(1_000_000_000), "BYMONTH": range(1, 13), "BYHOUR": range(24),
        "BYMINUTE": range(60), "BYSECOND": range(60),
    }
)  # fmt: skip
_SIGNED_NUMBERS: Mapping[str, range] = MappingProxyType(
    {"BYMONTHDAY": range(1, 32), "BYYEARDAY": range(1, 367), "BYWEEKNO": range(1, 54), "BYSETPOS": range(1, 367)}
)
_TIMES = frozenset({"BYHOUR", "BYMINUTE", "BYSECOND"})
_KNOWN = frozenset({"FREQ", "UNTIL", "WKST", "BYDAY", "RSCALE", *_NUMBERS, *_SIGNED_NUMBERS})


def local_times(
    rule: str, start: datetime, zone: Zone, after: datetime, before: datetime, *, is_all_day: bool = False
) -> Iterator[datetime]:
    """Yield the local times of a rule from `start`, from about `after` until `before`.

    Nothing for a rule that is malformed, or counts by another calendar (RFC 7529). Raise FileRefused for one that
    repeats within the hour.
    """
    parts = _parts(rule)
    if is_all_day:
        parts = {name: value for name, value in parts.items() if name not in _TIMES}
    if parts.pop("RSCALE", "GREGORIAN") != "GREGORIAN" or not _are_numbers_valid(parts):
        return
    step = _STEPS.get(parts.get("FREQ", ""))
    if step is not None:
        step *= int(parts.get("INTERVAL", "1"))
        if step < _SHORTEST_STEP:
            raise FileRefused("too_frequent")
    until = parts.pop("UNTIL", "")
    first = start if step is None or "COUNT" in parts else _later_start(step, start, after)
    try:
        times = iter(rrulestr(";".join(f"{name}={value}" for name, value in parts.items()), dtstart=first))
        for local in takewhile(lambda local: local < before, times):
            if until and not _is_until(local, until, zone, is_all_day=is_all_day):
                return
            yield local
    except (ValueError, TypeError, OverflowError, KeyError, IndexError):
        return


def _parts(rule: str) -> dict[str, str]:
    """Return the parts of a rule by name. Unknown ones are left out, as RFC 5545 says of what it does not define."""
    pairs = (part.partition("=") for part in rule.strip().upper().split(";"))
    parts = {name.strip(): value.strip() for name, _, value in pairs}
    return {name: value for name, value in parts.items() if name in _KNOWN and value}


def _are_numbers_valid(parts: Mapping[str, str]) -> bool:
    try:
        return all(int(text) in numbers for name, numbers in _NUMBERS.items() for text in _list(parts, name)) and all(
            abs(int(text)) in numbers for name, numbers in _SIGNED_NUMBERS.items() for text in _list(parts, name)
        )
    except ValueError:
        return False


def _list(parts: Mapping[str, str], name: str) -> list[str]:
    return parts[name].split(",") if name in parts else []


def _later_start(step: timedelta, start: datetime, after: datetime) -> datetime:
    """Return a first time near `after` from which the rule gives the same times as from `start`."""
    return start + step * max(0, (after - start) // step - 1)


def _is_until(local: datetime, until: str, zone: Zone, *, is_all_day: bool) -> bool:
    """Return whether a time is not after UNTIL. One that is a date includes its whole day.

    Of all-day events, programs write that date as a midnight in UTC too.
    """
    last = local_of(until)
    if last is None:
        return True
    if is_date(until) or (is_all_day and last.time() == time()):
        return local.date() <= last.date()
    if is_utc(until):
        return zone.instant(local).replace(tzinfo=None) <= last
    return local <= last
