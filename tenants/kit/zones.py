"""Names of time zones."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones


@cache
def zone_names() -> frozenset[str]:
    """Return the names of IANA's zones, read once: they are in many files."""
    return frozenset(available_timezones()) - {"Factory", "localtime"}
