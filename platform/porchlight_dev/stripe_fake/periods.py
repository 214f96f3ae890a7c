"""Billing periods: calendar arithmetic and proration (https://docs.stripe.com/billing/subscriptions/billing-cycle)."""

from __future__ import annotations

import calendar
import datetime

from porchlight_dev.stripe_fake.store import Json


def add(start: int, recurring: Json, anchor: int) -> int:
    """Return `start` plus one interval; a period that began on the 31st ends on the last day of shorter months."""
    moment = datetime.datetime.fromtimestamp(start, datetime.UTC)
    count = recurring["interval_count"]
    if recurring["interval"] in ("day", "week"):
        days = count * (7 if recurring["interval"] == "week" else 1)
        return int((moment + datetime.timedelta(days=days)).timestamp())
    months = moment.month - 1 + count * (12 if recurring["interval"] == "year" else 1)
    year, month = moment.year + months // 12, months % 12 + 1
    wanted = datetime.datetime.fromtimestamp(anchor, datetime.UTC).day
    day = min(wanted, calendar.monthrange(year, month)[1])
    return int(moment.replace(year=year, month=month, day=day).timestamp())


def share(cents: int, start: int, end: int, at: int) -> int:
    """Return what the rest of a period costs, to the second, rounded half up."""
    total, rest = max(1, end - start), max(0, end - at)
    return (cents * rest * 2 + total) // (2 * total)


def text(start: int, end: int) -> str:
    """Return a period as text."""
    return f"{_day(start)} – {_day(end)}"


def _day(at: int) -> str:
    return datetime.datetime.fromtimestamp(at, datetime.UTC).strftime("%b %-d, %Y")
