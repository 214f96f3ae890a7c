"""The history of a guru's payouts."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from porchlight.features.payouts.money.schemas import PayoutItem, PayoutPage
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.pagination import PAGE_SIZE, encode_cursor, parse_cursor

_PAGE = """
SELECT id, amount, fee, method, automatic, last4, state, failure_code, arrival_date, created_at FROM payouts
 WHERE user_id = %(user_id)s
   AND (%(at)s::timestamptz IS NULL OR (created_at, id) < (%(at)s::timestamptz, %(id)s::uuid))
 ORDER BY created_at DESC, id DESC LIMIT %(limit)s"""


class _Payout(NamedTuple):
    id: UUID
    amount: int
    fee: int
    method: str
    automatic: bool
    last4: str
    state: str
    failure_code: str
    arrival_date: date | None
    created_at: datetime


async def payouts(db: Database, user_id: UUID, cursor: str | None) -> PayoutPage:
    """Return a page of the user's payouts, newest first. Raises ValidationFailed for an invalid cursor."""
    at, last_id = parse_cursor(cursor)
    values = {"user_id": user_id, "at": at, "id": last_id, "limit": PAGE_SIZE + 1}
    rows = await db.read(None, _PAGE, values, row=_Payout, user_id=user_id)
    page = rows[:PAGE_SIZE]
    more = encode_cursor(page[-1].created_at, page[-1].id) if len(rows) > PAGE_SIZE else None
    return PayoutPage(items=[_item(row) for row in page], next_cursor=more)


def _item(row: _Payout) -> PayoutItem:
    return PayoutItem(
        id=str(row.id), amount_cents=row.amount, fee_cents=row.fee, method=row.method, automatic=row.automatic,
        last4=row.last4, state=row.state, failure_code=row.failure_code,
        arrival_date=row.arrival_date.isoformat() if row.arrival_date else None,
        created_at=clock.to_iso8601(row.created_at),
    )  # fmt: skip
