"""Rules of payouts: a payout at the provider is a row of `payouts`, a hold and postings.

A payout's subject in the ledger is its row. Every path ends in `_apply`, so that the response to our request, an event
that overtakes it and the hourly fetch store and post the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.money import posting
from porchlight.settlement.rules import Lookup, Refusal, Source, Write
from tenants.db.rows import Connection, fetch_all, fetch_one, fetch_value
from tenants.kit.ids import new_id, parse_id
from tenants.kit.logs import log

WRITE_KIND = "payout"
# Stripe's status and ours: a payout that was submitted is `sent` until it is on its way to the bank.
STATES = {"pending": "sent", "in_transit": "in_transit", "paid": "paid", "failed": "failed", "canceled": "canceled"}
NOT_SENT = "not_sent"  # the failure code of a payout that Stripe never had
_ROWS = "SELECT user_id, id, account_id, amount, fee, state, po_id, checked_at FROM payouts WHERE "
_BY_ID = _ROWS + "id = %s FOR UPDATE"
_BY_OBJECT = _ROWS + "po_id = %s FOR UPDATE"
_OWNER = "SELECT user_id FROM payout_accounts WHERE account_id = %s"
_INSERT = """
INSERT INTO payouts (user_id, id, account_id, amount, method, automatic, destination, last4, state, po_id, created_at,
                     request_key, requested_cents)
SELECT %(user_id)s, %(id)s, %(account_id)s, %(amount)s, %(method)s, %(automatic)s, %(destination)s,
       coalesce((SELECT right(d, 4) FROM payout_accounts a, unnest(a.destinations) d
                  WHERE a.account_id = %(account_id)s AND starts_with(d, %(destination)s || '/') LIMIT 1), ''),
       %(state)s, %(po_id)s, %(created_at)s, %(request_key)s, %(requested_cents)s
ON CONFLICT (po_id) DO NOTHING"""
_SAVE = """
UPDATE payouts SET state = %(state)s, fee = %(fee)s, po_id = %(po_id)s, failure_code = %(failure_code)s,
       arrival_date = %(arrival_date)s, checked_at = %(checked_at)s, updated_at = app.now()
 WHERE user_id = %(user_id)s AND id = %(id)s"""
_FAIL = """
UPDATE payouts SET state = 'failed', failure_code = %s, updated_at = app.now()
 WHERE id = %s AND state = 'requested' AND po_id IS NULL"""
_OPEN = """
SELECT account_id, po_id FROM payouts
 WHERE state IN ('sent', 'in_transit') AND po_id IS NOT NULL AND (checked_at IS NULL OR checked_at < %s)
 ORDER BY checked_at NULLS FIRST LIMIT 1000"""


class OpenPayout(NamedTuple):
    """A payout on its way, and the account that it is of."""

    account_id: str
    po_id: str


class PayoutRow(NamedTuple):
    """A stored payout. `po_id` is None until the provider's object is known."""

    user_id: UUID
    id: UUID
    account_id: str
    amount: int
    fee: int
    state: str
    po_id: str | None
    checked_at: datetime | None


class PayoutWriteRule:
    """An instant payout that a guru asked for."""

    kind = WRITE_KIND

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Store and post the payout. A repeated request gets the first response, so any fetch is newer."""
        row = _row(conn, _BY_ID, write.subject_id)
        if row is None:
            raise LookupError(f"no payout {write.subject_id}")
        _apply(conn, row, stripe_object, None)

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Release the money: it is still in the balance."""
        self._release(conn, write, refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Release the money: the provider never had the request."""
        self._release(conn, write, NOT_SENT)

    def lookup(self, write: Write) -> Lookup:
        """Return the account's payouts since the request."""
        return Lookup("/v1/payouts", {})

    def _release(self, conn: Connection, write: Write, code: str) -> None:
        if conn.execute(_FAIL, [code, write.subject_id]).rowcount == 1:
            posting.void_hold(conn, _subject(write.subject_id))


class PayoutObjectRule:
    """A payout of a connected account: ours, an automatic one, or one made in the owner's dashboard."""

    events = frozenset({
        "payout.created",
        "payout.updated",
        "payout.paid",
        "payout.failed",
        "payout.canceled",
        "payout.reconciliation_completed",
    })  # fmt: skip

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the payout; payouts of the platform itself are not a guru's."""
        return event["data"]["object"]["id"] if event.get("account") else None

    def path(self, object_id: str) -> str:
        """Return the payout's path."""
        return f"/v1/payouts/{object_id}"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Store and post the payout as of now. Payouts of unknown accounts are not ours."""
        if fetched is None:
            raise LookupError(f"Stripe has no payout {object_id}")
        row = _row(conn, _BY_OBJECT, object_id) or _requested(conn, fetched, source) or _insert(conn, fetched, source)
        if row is None:
            log.warning("payout_of_unknown_account", payout=object_id, account=source.account)
            return
        _apply(conn, row, fetched, source.fetched_at)

    def open_objects(self, conn: Connection, before: datetime) -> Iterable[tuple[str, str]]:
        """Return the payouts on their way."""
        return fetch_all(conn, OpenPayout, _OPEN, [before])


def _row(conn: Connection, query: str, value: object) -> PayoutRow | None:
    return fetch_one(conn, PayoutRow, query, [value])


def _subject(payout_id: UUID) -> posting.Subject:
    return posting.Subject("payout", str(payout_id))


def _requested(conn: Connection, fetched: Mapping[str, Any], source: Source) -> PayoutRow | None:
    """Return the row of a payout that we asked for, before the response to the request was recorded."""
    payout_id = parse_id(str((fetched.get("metadata") or {}).get("payout", "")))
    row = None if payout_id is None else _row(conn, _BY_ID, payout_id)
    is_this = row is not None and row.account_id == source.account and row.po_id in (None, fetched["id"])
    return row if is_this else None


def _insert(conn: Connection, fetched: Mapping[str, Any], source: Source) -> PayoutRow | None:
    """Add a payout that the account's schedule or its owner made, or one that we sent and a restored backup lost."""
    user_id = fetch_value(conn, UUID, _OWNER, [source.account])
    if user_id is None:
        return None
    metadata = fetched.get("metadata") or {}
    lost_id = parse_id(str(metadata.get("payout", "")))
    if lost_id is not None and _row(conn, _BY_ID, lost_id) is not None:
        lost_id = None
    cents = metadata.get("requested_cents")
    values = {
        "user_id": user_id, "id": lost_id or new_id(), "account_id": source.account, "amount": fetched["amount"],
        "method": fetched["method"], "automatic": lost_id is None, "destination": fetched.get("destination") or "",
        "state": STATES[fetched["status"]], "po_id": fetched["id"],
        "created_at": datetime.fromtimestamp(fetched["created"], UTC),
        # The same request again is answered with this payout.
        "request_key": metadata.get("request_key", "") if lost_id else "",
        "requested_cents": int(cents) if lost_id and cents else None,
    }  # fmt: skip
    conn.execute(_INSERT, values)
    return _row(conn, _BY_OBJECT, fetched["id"])


def _apply(conn: Connection, row: PayoutRow, fetched: Mapping[str, Any], checked_at: datetime | None) -> None:
    """Post a payout, its fee and its failure, and store its state unless a newer one is stored. None: the oldest."""
    if row.state == "requested" and row.po_id is None:
        posting.post_hold(conn, _subject(row.id))
    if row.checked_at is not None and (checked_at is None or row.checked_at >= checked_at):
        return
    _post(conn, row, fetched)
    if row.state == "requested" and row.fee != (fetched.get("application_fee_amount") or 0):
        log.error(
            "payout_fee_differs", payout=str(row.id), confirmed=row.fee, taken=fetched.get("application_fee_amount")
        )
    arrives = fetched.get("arrival_date")
    values = {
        "user_id": row.user_id, "id": row.id, "state": STATES[fetched["status"]], "po_id": fetched["id"],
        "fee": fetched.get("application_fee_amount") or 0, "failure_code": fetched.get("failure_code") or "",
        "arrival_date": datetime.fromtimestamp(arrives, UTC).date() if arrives else None, "checked_at": checked_at,
    }  # fmt: skip
    conn.execute(_SAVE, values)


def _post(conn: Connection, row: PayoutRow, fetched: Mapping[str, Any]) -> None:
    stripe = posting.get_or_create_account(conn, "guru_stripe", user_id=row.user_id)
    bank = posting.get_or_create_account(conn, "bank_payouts")
    payout_id, subject = str(fetched["id"]), _subject(row.id)
    paid = posting.post(
        conn, "payout", subject, [posting.Leg(stripe, bank, fetched["amount"])], stripe_object=payout_id
    )
    if fee := fetched.get("application_fee_amount"):
        fees = posting.get_or_create_account(conn, "platform_fees")
        leg = posting.Leg(stripe, fees, fee)
        posting.post(conn, "instant_payout_fee", subject, [leg], stripe_object=payout_id)
    if fetched["status"] in ("failed", "canceled"):
        posting.reverse(conn, paid, "payout_failed", subject, stripe_object=payout_id)
