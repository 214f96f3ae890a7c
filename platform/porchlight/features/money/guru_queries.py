"""The statement of a guru's accounts, from the ledger's own function, and its words for the ledger's events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.money.guru_schemas import StatementAccount
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed

PAGE_SIZE = 50
MAX_EXPORTED_LINES = 10_000  # the newest
EXPORT_PAGE_SIZE = 1_000
_MAX_SEQ = 2**63 - 1
_KINDS: Mapping[StatementAccount, str] = MappingProxyType(
    {"held": "guru_held", "earned": "guru_payable", "stripe": "guru_stripe"}
)
_OWNER = text("SELECT user_id FROM memberships WHERE tenant_id = :tenant_id")
_EXPORTED = "SELECT * FROM app.own_ledger_lines(%s, %s, %s)"
_LINES = text("SELECT * FROM app.own_ledger_lines(:kind, CAST(:before AS bigint), :most)")
CSV_HEADER = ("Date (UTC)", "Description", "In ($)", "Out ($)", "Balance ($)", "Reference")

# Every event of the ledger that can move a guru's money.
DESCRIPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "delivered": "Session took place",
        "delivery_reversed": "Session marked as not held",
        "dispute_opened": "Payment disputed at the bank",
        "dispute_won": "Dispute won",
        "gift_card_spend_reversed": "Gift card payment returned",
        "gift_card_spent": "Paid with a gift card",
        "instant_payout_fee": "Instant payout fee",
        "instant_payout_fee_returned": "Instant payout fee returned",
        "negative_balance_cover_returned": "Covered balance returned",
        "negative_balance_covered": "Negative balance covered by Porchlight",
        "package_use_reversed": "Package session returned",
        "package_expired": "Sessions left when a package ended",
        "package_expiry_reversed": "Sessions of a package returned",
        "package_used": "Session from a package",
        "paid": "Session paid",
        "payout": "Payout to your bank",
        "payout_failed": "Payout returned by your bank",
        "refund_failed": "Refund returned",
        "refunded": "Refund to the customer",
        "test_earnings": "Test earnings",
        "tip_paid": "Tip",
        "tip_refund_failed": "Tip refund returned",
        "tip_refunded": "Tip refunded",
        "transfer_reversed": "Moved back from your Stripe balance",
        "transferred": "Moved to your Stripe balance",
        "write_off": "Debt written off",
        "write_off_reversed": "Debt charged after all",
    }
)


class LedgerLine(NamedTuple):
    """A line as app.own_ledger_lines returns it. Amounts in cents."""

    seq: int
    at: datetime
    event: str
    subject_kind: str
    subject_id: str
    counterpart: str
    amount: int
    balance_after: int


def describe(line: LedgerLine) -> str:
    """Return what an event is for the guru."""
    return DESCRIPTIONS.get(line.event) or line.event.replace("_", " ").capitalize()


def _reference(line: LedgerLine) -> str:
    return f"{line.subject_kind.replace('_', ' ')} {line.subject_id}"


async def owner_of(db: Database, tenant_id: UUID) -> UUID:
    """Return the user who owns a guru site: the key of its accounts. Raises NotFound."""
    async with unit_of_work(db, tenant_id=tenant_id) as session:
        owner: UUID | None = await session.scalar(_OWNER, {"tenant_id": tenant_id})
    if owner is None:
        raise NotFound
    return owner


def parse_line_cursor(cursor: str | None) -> int | None:
    """Return the number of the last line on the previous page; None without a cursor. Raises ValidationFailed."""
    if not cursor:
        return None
    if not (cursor.isascii() and cursor.isdigit() and int(cursor) <= _MAX_SEQ):
        raise ValidationFailed(fields={"cursor": "This link to the list is no longer valid."})
    return int(cursor)


async def _lines(session: AsyncSession, account: StatementAccount, before: int | None) -> Sequence[LedgerLine]:
    rows = (await session.execute(_LINES, {"kind": _KINDS[account], "before": before, "most": PAGE_SIZE})).all()
    return [LedgerLine(*row) for row in rows]


async def statement_page(session: AsyncSession, account: StatementAccount, before: int | None) -> dict[str, Any]:
    """Return a page of the account of the session's user. Numbers have no gaps, so line 1 is the last."""
    lines = await _lines(session, account, before)
    return {
        "items": [
            {
                "number": line.seq,
                "at": clock.to_iso8601(line.at),
                "event": line.event,
                "description": describe(line),
                "reference": _reference(line),
                "amount": line.amount,
                "balanceAfter": line.balance_after,
            }
            for line in lines
        ],
        "nextCursor": str(lines[-1].seq) if lines and lines[-1].seq > 1 else None,
    }


async def exported_rows(db: Database, user_id: UUID, account: StatementAccount) -> AsyncIterator[list[tuple[str, ...]]]:
    """Yield the newest MAX_EXPORTED_LINES lines of the account as rows of CSV_HEADER, in pages."""
    before: int | None = None
    for _ in range(MAX_EXPORTED_LINES // EXPORT_PAGE_SIZE):
        params = [_KINDS[account], before, EXPORT_PAGE_SIZE]
        lines = await db.read(None, _EXPORTED, params, row=LedgerLine, user_id=user_id)
        yield [_csv_row(line) for line in lines]
        if len(lines) < EXPORT_PAGE_SIZE:
            return
        before = lines[-1].seq


def _csv_row(line: LedgerLine) -> tuple[str, ...]:
    at = clock.to_iso8601(line.at).replace("T", " ").removesuffix("Z")
    money_in = format_dollars(line.amount) if line.amount > 0 else ""
    money_out = format_dollars(-line.amount) if line.amount < 0 else ""
    return at, describe(line), money_in, money_out, format_dollars(line.balance_after), _reference(line)


def format_dollars(cents: int) -> str:
    """Return cents as a cell of a file that spreadsheets add up: -6500 -> "-65.00"."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{rest:02d}"
