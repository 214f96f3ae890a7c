"""The history of a guru's payouts."""

from __future__ import annotations

from typing import Any
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


async def payouts(db: Database, user_id: UUID, cursor: str | None) -> PayoutPage:
    """Return a page of the user's payouts, newest first. Raises ValidationFailed for an invalid cursor."""
    at, last_id = parse_cursor(cursor)
    values = {"user_id": user_id, "at": at, "id": last_id, "limit": PAGE_SIZE + 1}
    rows = await db.read(None, _PAGE, values, user_id=user_id)
    page = rows[:PAGE_SIZE]
    more = encode_cursor(page[-1][9], page[-1][0]) if len(rows) > PAGE_SIZE else None
    return PayoutPage(items=[_item(row) for row in page], next_cursor=more)


def _item(row: tuple[Any, ...]) -> PayoutItem:
    payout_id, amount, fee, method, automatic, last4, state, failure_code, arrival_date, created_at = row
    return PayoutItem(
        id=str(payout_id), amount_cents=amount, fee_cents=fee, method=method, automatic=automatic, last4=last4,
        state=state, failure_code=failure_code, arrival_date=arrival_date.isoformat() if arrival_date else None,
        created_at=clock.to_iso8601(created_at),
    )  # fmt: skip
