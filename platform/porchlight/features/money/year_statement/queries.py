"""Reading the ledger for a year statement: sums by month and event, and every line as a page of a file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import text

from porchlight.features.money.guru_queries import DESCRIPTIONS, format_dollars
from porchlight.features.money.year_statement.totals import (
    EventSum,
    YearStatement,
    month_starts,
    year_statement,
    years_between,
)
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.ids import parse_id

LINES_OF_PAGE = 5_000
CSV_COLUMNS = ("Kind", "Service", "Amount ($)", "Fee ($)", "Net ($)", "Reference")
_ZONE = "SELECT zone FROM calendars WHERE tenant_id = %s"
_NAME = "SELECT character FROM gurus WHERE id = %s"
_NO_ZONE = "UTC"  # of a guru without a calendar
SLACK = timedelta(days=1)  # longer than any transaction
# The newest line of each account, and its oldest: numbers begin with 1.
_SPAN = """
SELECT min(l.at) AS first_at, max(l.at) AS last_at
  FROM unnest(%s::text[]) AS k (kind)
 CROSS JOIN LATERAL (
   SELECT at FROM app.own_ledger_lines(k.kind, NULL, 1) UNION ALL SELECT at FROM app.own_ledger_lines(k.kind, 2, 1)) l
HAVING count(*) > 0"""
_KINDS = ["guru_held", "guru_payable", "guru_stripe"]
_SUMS = """
SELECT width_bucket(c.at, %(starts)s::timestamptz[]) AS month, c.event, sum(c.net)::bigint AS net,
       sum(c.fee)::bigint AS fee
  FROM app.own_money_changes(%(from)s, %(until)s, %(slack)s) c GROUP BY 1, 2"""
_LINES = """
SELECT c.id, c.at, c.event, c.subject_kind, c.subject_id, c.net, c.fee
  FROM app.own_money_changes(%(from)s, %(until)s, %(slack)s) c
 WHERE %(after_id)s::uuid IS NULL OR (c.at, c.id) > (%(after_at)s, %(after_id)s)
 ORDER BY c.at, c.id LIMIT %(limit)s"""
_SERVICES = text("""
SELECT p.id AS id, coalesce(b.service_name, p.package ->> 'service_name', '') AS service_name FROM payments p
  LEFT JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
 WHERE p.tenant_id = :tenant AND p.id = ANY(:ids)
UNION ALL
SELECT r.id, b.service_name FROM refunds r
  JOIN payments p ON p.tenant_id = r.tenant_id AND p.id = r.payment_id
  JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
 WHERE r.tenant_id = :tenant AND r.id = ANY(:ids)
UNION ALL
SELECT b.id, b.service_name FROM bookings b WHERE b.tenant_id = :tenant AND b.id = ANY(:ids)""")


class _Span(NamedTuple):
    first_at: datetime
    last_at: datetime


class ChangeLine(NamedTuple):
    """A transaction that changed the guru's money, as app.own_money_changes returns it. Amounts in cents."""

    id: UUID
    at: datetime
    event: str
    subject_kind: str
    subject_id: str
    net: int
    fee: int


async def zone_of(db: Database, tenant_id: UUID) -> str:
    """Return the zone of a guru's calendar."""
    return await db.read_value(str, tenant_id, _ZONE, [tenant_id]) or _NO_ZONE


async def years(db: Database, user_id: UUID, zone: str) -> list[int]:
    """Return the years from the guru's first money to their last, the newest first."""
    spans = await db.read(None, _SPAN, [_KINDS], row=_Span, user_id=user_id)
    return years_between(spans[0].first_at, spans[0].last_at, zone) if spans else []


async def statement(db: Database, user_id: UUID, year: int, zone: str) -> YearStatement:
    """Return the statement of a year."""
    starts = month_starts(year, zone)
    params = {"starts": starts[:-1], "from": starts[0], "until": starts[-1], "slack": SLACK}
    return year_statement(year, zone, await db.read(None, _SUMS, params, row=EventSum, user_id=user_id))


async def csv_pages(
    db: Database, tenant_id: UUID, user_id: UUID, year: int, zone: str, *, acting: bool
) -> AsyncIterator[list[tuple[str, ...]]]:
    """Yield the lines of a year, the oldest first, as rows of CSV_COLUMNS after their date and time in the zone.

    Each page reads at most one month of the ledger. Without `acting`, services have no names: staff don't see sessions.
    """
    for first, until in pairwise(month_starts(year, zone)):
        last: ChangeLine | None = None
        while True:
            params = {
                "from": last.at if last else first, "until": until, "slack": SLACK, "limit": LINES_OF_PAGE,
                "after_at": last.at if last else None, "after_id": last.id if last else None,
            }  # fmt: skip
            lines = await db.read(None, _LINES, params, row=ChangeLine, user_id=user_id)
            names = await _service_names(db, tenant_id, lines) if acting else {}
            yield [_csv_row(line, names, zone) for line in lines]
            if len(lines) < LINES_OF_PAGE:
                break
            last = lines[-1]


async def _service_names(db: Database, tenant_id: UUID, lines: Sequence[ChangeLine]) -> Mapping[str, str]:
    """Return the names of the services that lines are about, by the id of their subject. Sessions may be gone."""
    ids = [found for found in _subject_ids(lines) if found is not None]
    if not ids:
        return {}
    async with unit_of_work(db, tenant_id=tenant_id, acting=True) as session:
        rows = (await session.execute(_SERVICES, {"tenant": tenant_id, "ids": ids})).all()
    return {str(row.id): row.service_name for row in rows}


def _subject_ids(lines: Iterable[ChangeLine]) -> Iterable[UUID | None]:
    return (parse_id(line.subject_id) for line in lines if line.subject_kind in ("payment", "refund", "booking"))


def _csv_row(line: ChangeLine, names: Mapping[str, str], zone: str) -> tuple[str, ...]:
    return (
        f"{line.at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M:%S}",
        DESCRIPTIONS.get(line.event) or line.event.replace("_", " ").capitalize(),
        names.get(line.subject_id, ""),
        format_dollars(line.net + line.fee),
        format_dollars(line.fee),
        format_dollars(line.net),
        f"{line.subject_kind.replace('_', ' ')} {line.subject_id}",
    )


def current_year(zone: str) -> int:
    """Return the year of now in a zone."""
    return clock.now().astimezone(ZoneInfo(zone)).year


async def guru_name(db: Database, tenant_id: UUID) -> str:
    """Return the name under which a guru works."""
    return await db.read_value(str, tenant_id, _NAME, [tenant_id]) or ""
