"""Import of Stripe's balance lines, and the postings that only a line tells of: fees and payouts of the platform.

Links: https://docs.stripe.com/reports/balance-transaction-types
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from porchlight.money import posting
from porchlight.money.posting import Leg, Posting, Subject
from tenants.db.rows import Connection

# Types whose movement an event of the ledger posts, or lines that cancel each other out.
KNOWN_TYPES = frozenset({
    "adjustment", "advance", "advance_funding", "application_fee", "application_fee_refund", "charge", "payment",
    "payment_failure_refund", "payment_refund", "payout", "payout_cancel", "payout_failure", "refund",
    "refund_failure", "reserve_transaction", "reserved_funds", "stripe_fee", "topup", "topup_reversal", "transfer",
    "transfer_cancel", "transfer_failure", "transfer_refund",
})  # fmt: skip
_INSERT = """
INSERT INTO stripe_balance_lines (account, id, type, amount, fee, net, source, object_id, created, available_on)
SELECT %s, l.id, l.type, l.amount, l.fee, l.net, l.source, l.object_id, to_timestamp(l.created),
       to_timestamp(l.available_on)
  FROM jsonb_to_recordset(%s) l (id text, type text, amount bigint, fee bigint, net bigint, source text, object_id text,
                                 created bigint, available_on bigint)
 ORDER BY l.id
ON CONFLICT (account, id) DO NOTHING RETURNING id"""
_AS_LISTED = ("id", "type", "amount", "fee", "net", "created", "available_on")
# The platform's own payouts, by type of line: event, debited and credited kind for money that leaves or returns.
_PLATFORM = {
    "payout": ("platform_payout", "platform_withdrawals", "bank_payouts"),
    "payout_failure": ("platform_payout_failed", "bank_payouts", "platform_withdrawals"),
    "payout_cancel": ("platform_payout_failed", "bank_payouts", "platform_withdrawals"),
    "topup": ("platform_topup", "bank_payouts", "platform_withdrawals"),
    "topup_reversal": ("platform_topup_failed", "platform_withdrawals", "bank_payouts"),
}


def object_of(line: Mapping[str, Any]) -> str:
    """Return the object that the ledger posts a line's movement for, which an expanded `source` may name."""
    source = line["source"]
    if not isinstance(source, Mapping):
        return str(source or line["id"])
    fee_source = source.get("fee_source") or {}
    for found in (
        source.get("source_transfer"),  # a payment that a transfer made on the connected account
        source.get("source_transfer_reversal"),
        fee_source.get("payout") if source.get("object") == "application_fee" else None,
    ):
        if found:
            return str(found["id"] if isinstance(found, Mapping) else found)
    return str(source["id"])


def row_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is stored of a line, without the source that it is listed with."""
    source = line["source"]
    source_id = source["id"] if isinstance(source, Mapping) else source or ""
    return {name: line[name] for name in _AS_LISTED} | {"source": source_id, "object_id": object_of(line)}


def save_lines(conn: Connection, account: str, rows: Sequence[Mapping[str, Any]]) -> int:
    """Store lines of an account that are new, and post what only they tell of. Return the number of new ones."""
    new = {line_id for (line_id,) in conn.execute(_INSERT, [account, json.dumps(rows)])}
    if not account:
        _post_platform_lines(conn, [row for row in rows if row["id"] in new])
    return len(new)


def _post_platform_lines(conn: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Post fees, the platform's own payouts, and lines of an unknown type to suspense."""
    accounts: dict[str, UUID] = {}

    def account(kind: str) -> UUID:
        if kind not in accounts:
            accounts[kind] = posting.get_or_create_account(conn, kind)
        return accounts[kind]

    postings = []
    for row in rows:
        if found := _ledger_event_of(row):
            event, debit, credit, cents = found
            # Below zero an amount goes the other way around.
            debited, credited = (debit, credit) if cents > 0 else (credit, debit)
            leg = Leg(account(debited), account(credited), abs(cents))
            postings.append(Posting(event, Subject("balance_line", row["id"]), [leg], row["object_id"]))
    posting.post_many(conn, postings)


def _ledger_event_of(row: Mapping[str, Any]) -> tuple[str, str, str, int] | None:
    """Return event, debited and credited kind and cents of what only a line of the platform tells of, or None."""
    kind, net = row["type"], row["net"]
    if kind in ("charge", "payment"):
        return ("processing_fee", "platform_fees", "processor_fees", row["fee"]) if row["fee"] else None
    if not net:
        return None
    if kind == "stripe_fee":
        event = "processing_fee" if net < 0 else "processing_fee_returned"
        return event, "platform_fees", "processor_fees", -net
    if kind in _PLATFORM:
        return (*_PLATFORM[kind], abs(net))
    return None if kind in KNOWN_TYPES else ("unknown_line", "suspense", "card_network", -net)
