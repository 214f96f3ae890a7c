"""The local times of a recurrence rule (RFC 5545, section 3.3.10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import takewhile
from types import MappingProxyType

from dateutil.rrule import rrulestr

from porchlight.features.busy_sources.parsing.content_lines import FileRefused
from porchlight.features.busy_sources.parsing.values import is_date, is_utc, local_of
from porchlight.features.busy_sources.parsing.zones import Zone

# With these, a later first time gives the same times from then on, so old events need no counting.
_STEPS: Mapping[str, timedelta] = MappingProxyType(
    {"HOURLY": timedelta(hours=1), "DAILY": timedelta(days=1), "WEEKLY": timedelta(weeks=1)}
)
_TOO_FREQUENT = frozenset({"SECONDLY", "MINUTELY"})


def local_times(rule: str, start: datetime, zone: Zone, after: datetime, before: datetime) -> Iterator[datetime]:
    """Yield the local times of a rule from `start`, from about `after` until `before`.

    Nothing for a rule that is malformed, or counts by another calendar (RFC 7529). Raise FileRefused for one that
    repeats within the hour.
    """
    parts = _parts(rule)
    if parts.get("FREQ") in _TOO_FREQUENT:
        raise FileRefused("too_frequent")
    if parts.pop("RSCALE", "GREGORIAN") != "GREGORIAN" or parts.pop("SKIP", "OMIT") != "OMIT":
        return
    until = parts.pop("UNTIL", "")
    try:
        first = _later_start(parts, start, after)
        times = iter(rrulestr(";".join(f"{name}={value}" for name, value in parts.items()), dtstart=first))
        yield from takewhile(lambda local: local < before and _is_until(local, until, zone), times)
    except (ValueError, TypeError, OverflowError, KeyError, IndexError):
        return


def _parts(rule: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in rule.strip().upper().split(";") if part)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _later_start(parts: Mapping[str, str], start: datetime, after: datetime) -> datetime:
    """Return a first time near `after` from which the rule gives the same times as from `start`."""
    step = _STEPS.get(parts.get("FREQ", ""))
    if step is None or "COUNT" in parts or after <= start:
        return start
    step *= max(1, int(parts.get("INTERVAL", "1")))
    return start + step * max(0, (after - start) // step - 1)


def _is_until(local: datetime, until: str, zone: Zone) -> bool:
    """Return whether a time is not after UNTIL. One that is a date includes its whole day."""
    last = local_of(until) if until else None
    if last is None:
        return True
    if is_date(until):
        return local.date() <= last.date()
    if is_utc(until):
        return zone.instant(local).replace(tzinfo=None) <= last
    return local <= last
