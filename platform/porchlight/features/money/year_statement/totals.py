"""The totals of a year statement, computed without a database: by month, and what each event of the ledger counts as.

Cash basis: money counts in the month in which it was paid or returned. Amounts are cents with the sign of what they
do to the guru's money; only `paid_out` is positive for what went to the bank.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from types import MappingProxyType
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from tenants.kit.zones import day_bounds

Column = Literal["paid", "refunds", "disputes", "tips", "other", "paid_out"]

# What the events that change a guru's money count as. What only moves between their accounts has no line.
COLUMNS: Mapping[str, Column] = MappingProxyType(
    {
        "paid": "paid",
        "gift_card_spent": "paid",
        "package_used": "paid",
        "package_expired": "paid",
        "refunded": "refunds",
        "refund_failed": "refunds",
        "gift_card_spend_reversed": "refunds",
        "package_use_reversed": "refunds",
        "package_expiry_reversed": "refunds",
        "dispute_opened": "disputes",
        "dispute_won": "disputes",
        "tip_paid": "tips",
        "tip_refunded": "tips",
        "tip_refund_failed": "tips",
        "payout": "paid_out",
        "payout_failed": "paid_out",
        # Their amount is the fee alone.
        "instant_payout_fee": "other",
        "instant_payout_fee_returned": "other",
        "negative_balance_covered": "other",
        "negative_balance_cover_returned": "other",
        "write_off": "other",
        "write_off_reversed": "other",
        "test_earnings": "other",
    }
)
# Events that move money between the accounts of a guru.
INTERNAL = frozenset({"delivered", "delivery_reversed", "transferred", "transfer_reversed"})


class EventSum(NamedTuple):
    """The sums in cents of an event's transactions in one month, which counts from 1. `fee` is the platform's part."""

    month: int
    event: str
    net: int
    fee: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Changes of a guru's money. `paid` to `other` are what people paid or got back; `fees` is negative."""

    paid: int = 0
    refunds: int = 0
    disputes: int = 0
    tips: int = 0
    other: int = 0
    fees: int = 0
    paid_out: int = 0

    @property
    def earned(self) -> int:
        """Return the net earnings: all but what was paid out."""
        return self.paid + self.refunds + self.disputes + self.tips + self.other + self.fees

    def __add__(self, more: Totals) -> Totals:
        return Totals(*(getattr(self, one.name) + getattr(more, one.name) for one in fields(Totals)))


@dataclass(frozen=True, slots=True)
class YearStatement:
    """The totals of the twelve months of a year, in a zone."""

    year: int
    zone: str
    months: Sequence[Totals]

    @property
    def total(self) -> Totals:
        """Return the totals of the year."""
        return sum(self.months, Totals())


def column_of(event: str) -> Column:
    """Return what an event counts as. An unknown one is a correction, so that the sums stay those of the ledger."""
    return COLUMNS.get(event, "other")


def totals_of(event: str, net: int, fee: int) -> Totals:
    """Return what the transactions of an event add to the totals. `net` is what they did to the guru's money."""
    column = column_of(event)
    if column == "paid_out":
        return Totals(paid_out=-(net + fee), fees=-fee)
    return Totals(**{column: net + fee}, fees=-fee)


def year_statement(year: int, zone: str, sums: Iterable[EventSum]) -> YearStatement:
    """Return the statement of a year from the sums of its events."""
    months = [Totals()] * 12
    for one in sums:
        months[one.month - 1] += totals_of(one.event, one.net, one.fee)
    return YearStatement(year, zone, months)


def month_starts(year: int, zone: str) -> list[datetime]:
    """Return the first instants of the twelve months of a year in a zone, and that of the next year."""
    starts = [date(year, month, 1) for month in range(1, 13)] + [date(year + 1, 1, 1)]
    return [day_bounds(ZoneInfo(zone), first)[0] for first in starts]


def years_between(first: datetime, last: datetime, zone: str) -> list[int]:
    """Return the years from one instant to another in a zone, the newest first."""
    first_year, last_year = (at.astimezone(ZoneInfo(zone)).year for at in (first, last))
    return list(range(last_year, first_year - 1, -1))
