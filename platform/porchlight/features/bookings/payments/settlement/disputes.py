"""Disputes of paid sessions: what the bank takes back, and the guru's answer.

The calendar of the guru is locked before the payments: a refund that is decided meanwhile finds them disputed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.types.json import Jsonb

from porchlight.features.bookings import store
from porchlight.features.bookings.commands import ReturnUnowed
from porchlight.features.bookings.disputes.parts import DisputePart, split
from porchlight.features.bookings.facts import PaymentSnapshot
from porchlight.features.bookings.payments.settlement import packages
from porchlight.features.bookings.payments.settlement.attempts import send_again
from porchlight.features.bookings.payments.settlement.ledger import post_dispute, post_dispute_fee
from porchlight.features.bookings.store import FactsQuery
from porchlight.settlement.disputes import DisputeFacts
from porchlight.settlement.rules import Lookup, Refusal, Source, Write
from tenants.db.rows import Connection, fetch_all, fetch_one, fetch_values
from tenants.kit.ids import new_id
from tenants.kit.logs import log

_FIRST = "SELECT tenant_id, group_id, owner_id, person_id FROM payments WHERE charge_id = %s ORDER BY id LIMIT 1"
_LOCK_CALENDAR = "SELECT FROM app.lock_calendar()"
_PAYMENTS = """
SELECT p.id, p.booking_id, p.group_id, p.number, p.mode, p.state, p.amount_cents, p.fee_cents, p.fee_bps,
       p.fee_minimum_cents, p.refunded_cents, p.fee_returned_cents, p.disputed_cents, p.disputed_fee_cents,
       p.disputed AS is_disputed, p.delivered_at IS NOT NULL AS is_delivered, p.purpose, p.used_cents
  FROM payments p
 WHERE p.tenant_id = %(tenant)s AND p.group_id = %(group)s AND (%(charge)s = '' OR p.charge_id = %(charge)s)
 ORDER BY p.id FOR UPDATE"""
_STORED = """
SELECT id, state, parts, withdrawn, returned FROM session_disputes WHERE tenant_id = %s AND dp_id = %s FOR UPDATE"""
_INSERT = """
INSERT INTO session_disputes (tenant_id, id, group_id, dp_id, amount_cents, reason, state, due_by, opened_at,
                              checked_at)
VALUES (%(tenant)s, %(id)s, %(group)s, %(dp)s, %(amount)s, %(reason)s, %(state)s, %(due_by)s, %(opened_at)s,
        '-infinity')"""
_SAVE = """
UPDATE session_disputes
   SET amount_cents = %(amount)s, bank_fee_cents = %(fee)s, reason = %(reason)s, state = %(state)s, due_by = %(due_by)s,
       checked_at = %(checked_at)s, words = CASE WHEN %(is_decided)s THEN '' ELSE words END,
       customer_words = CASE WHEN %(is_decided)s THEN '' ELSE customer_words END,
       answer_state = CASE WHEN %(is_answered)s AND answer_state <> 'requested' THEN 'sent' ELSE answer_state END
 WHERE tenant_id = %(tenant)s AND dp_id = %(dp)s AND checked_at < %(checked_at)s RETURNING state"""
# Stripe refuses what it has not taken yet, because the charge is disputed. If it took it after all, the guru owes it.
_UNSENT = """
UPDATE refunds SET after_delivery = true
 WHERE tenant_id = %s AND payment_id = ANY (%s) AND state = 'requested' AND refund_id = ''
RETURNING payment_id, amount_cents, fee_cents"""
_TAKE = """
UPDATE payments SET disputed_cents = disputed_cents + %(cents)s, disputed_fee_cents = disputed_fee_cents + %(fee)s
 WHERE tenant_id = %(tenant)s AND id = %(id)s"""
_MARK_WITHDRAWN = "UPDATE session_disputes SET withdrawn = true, parts = %s WHERE tenant_id = %s AND dp_id = %s"
_MARK_RETURNED = "UPDATE session_disputes SET returned = true WHERE tenant_id = %s AND dp_id = %s"
_MARK_PAYMENTS = """
UPDATE payments p SET disputed = EXISTS (
         SELECT FROM session_disputes d
          WHERE d.tenant_id = p.tenant_id AND d.group_id = p.group_id AND d.state IN ('open', 'under_review')
            AND (d.parts = '[]' OR d.parts @> jsonb_build_array(jsonb_build_object('payment', p.id))))
 WHERE p.tenant_id = %s AND p.group_id = %s AND p.charge_id = %s"""
_TELL = "SELECT app.enqueue('bookings:send_dispute_email', %s, NULL)"
_OPEN = """
SELECT dp_id FROM session_disputes WHERE state IN ('inquiry', 'open', 'under_review') AND checked_at < %s"""
_ANSWERED = """
UPDATE session_disputes SET answer_state = %(state)s,
       answered_at = CASE WHEN %(state)s = 'failed' THEN NULL ELSE answered_at END
 WHERE id = %(id)s AND answer_state = 'requested'"""
_DECIDED = ("won", "lost", "closed")


class _Paid(NamedTuple):
    tenant_id: UUID
    group_id: UUID
    owner_id: UUID
    person_id: UUID


class _Unsent(NamedTuple):
    payment_id: UUID
    amount_cents: int
    fee_cents: int


class _Stored(NamedTuple):
    id: UUID
    state: str
    parts: list[dict[str, Any]]
    withdrawn: bool
    returned: bool


class SessionDisputes:
    """Disputes of charges for sessions."""

    def apply_dispute(self, conn: Connection, dispute: DisputeFacts, source: Source) -> bool:
        """Post what the bank took and gave back, each once, and store the state unless a newer one is stored."""
        paid = fetch_one(conn, _Paid, _FIRST, [dispute.charge["id"]])
        if paid is None:
            return False
        payments = lock_payments(conn, paid.tenant_id, paid.group_id, dispute.charge["id"])
        stored = fetch_one(conn, _Stored, _STORED, [paid.tenant_id, dispute.id])
        values: dict[str, Any] = {
            "tenant": paid.tenant_id, "id": new_id(), "group": paid.group_id, "dp": dispute.id,
            "amount": dispute.amount_cents, "fee": dispute.fee_cents - dispute.fee_returned_cents,
            "reason": dispute.reason, "state": dispute.state, "due_by": dispute.due_by,
            "opened_at": dispute.opened_at, "checked_at": source.fetched_at, "is_answered": dispute.is_answered,
            "is_decided": dispute.state in _DECIDED,
        }  # fmt: skip
        if stored is None:
            conn.execute(_INSERT, values)
            stored = _Stored(values["id"], "", [], withdrawn=False, returned=False)
        parts = [DisputePart.of(one) for one in stored.parts]
        if dispute.taken_cents and not stored.withdrawn:
            parts = _withdraw(conn, paid, dispute, payments)
        if dispute.returned_cents and not stored.returned:
            _give_back(conn, paid, dispute, parts)
        if conn.execute(_SAVE, values).rowcount and dispute.state != stored.state:
            _tell(conn, paid.tenant_id, stored, dispute.state)
        conn.execute(_MARK_PAYMENTS, [paid.tenant_id, paid.group_id, dispute.charge["id"]])
        if dispute.state in _DECIDED and stored.state not in _DECIDED:
            ids = [one.booking_id for one in payments if one.booking_id and one.purpose == "session"]
            store.run_on(conn, FactsQuery(ids=ids), ReturnUnowed(booking_ids=ids))
            if dispute.state == "lost":
                packages.take_back_lost(conn, [one.id for one in payments if one.purpose == "package"])
        return True

    def open_disputes(self, conn: Connection, before: datetime) -> Iterable[str]:
        """Return the disputes that the bank has not decided."""
        return fetch_values(conn, str, _OPEN, [before])


class SendAnswer:
    """The guru's answer to a dispute is sent to the bank."""

    kind = "dispute_answer"

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Record that it was sent."""
        conn.execute(_ANSWERED, {"id": write.subject_id, "state": "sent"})

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Let the guru send it again. Their words are kept."""
        log.error("dispute_answer_refused", dispute=str(write.subject_id), code=refusal.code)
        conn.execute(_ANSWERED, {"id": write.subject_id, "state": "failed"})

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Send it again, because the bank never had it; after the last attempt let the guru do so."""
        if not send_again(conn, write):
            conn.execute(_ANSWERED, {"id": write.subject_id, "state": "failed"})

    def lookup(self, write: Write) -> Lookup:
        """Return the disputes of the charge, which are older than the answer."""
        return Lookup("/v1/disputes", {"charge": write.params["metadata"]["charge"], "created": {"gte": 0}})


def lock_payments(conn: Connection, tenant_id: UUID, group_id: UUID, charge_id: str = "") -> list[PaymentSnapshot]:
    """Lock the calendar of a guru, and then what was paid together. Return the payments in the order of their ids.

    With `charge_id`, only those of that charge: a card that is kept for a series is charged for each session by itself.
    """
    conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tenant_id)])
    conn.execute(_LOCK_CALENDAR)
    return fetch_all(conn, PaymentSnapshot, _PAYMENTS, {"tenant": tenant_id, "group": group_id, "charge": charge_id})


def _withdraw(
    conn: Connection, paid: _Paid, dispute: DisputeFacts, payments: Sequence[PaymentSnapshot]
) -> list[DisputePart]:
    """Take the amount back from the payments, post it, and return the parts."""
    parts = split(dispute.taken_cents, _without_unsent(conn, paid.tenant_id, payments))
    for part in parts:
        values = {"tenant": paid.tenant_id, "id": part.payment_id, "cents": part.cents, "fee": part.fee_cents}
        conn.execute(_TAKE, values)
    stored = Jsonb([part.json() for part in parts])
    conn.execute(_MARK_WITHDRAWN, [stored, paid.tenant_id, dispute.id])
    post_dispute(conn, "dispute_opened", dispute.id, paid.owner_id, paid.person_id, parts, dispute.taken_cents)
    post_dispute_fee(conn, "dispute_fee", dispute.id, dispute.fee_cents)
    return parts


def _give_back(conn: Connection, paid: _Paid, dispute: DisputeFacts, parts: Sequence[DisputePart]) -> None:
    for part in parts:
        values = {"tenant": paid.tenant_id, "id": part.payment_id, "cents": -part.cents, "fee": -part.fee_cents}
        conn.execute(_TAKE, values)
    conn.execute(_MARK_RETURNED, [paid.tenant_id, dispute.id])
    post_dispute(conn, "dispute_won", dispute.id, paid.owner_id, paid.person_id, parts, dispute.returned_cents)
    post_dispute_fee(conn, "dispute_fee_returned", dispute.id, dispute.fee_returned_cents)


def _without_unsent(conn: Connection, tenant_id: UUID, payments: Sequence[PaymentSnapshot]) -> list[PaymentSnapshot]:
    """Return the payments without the refunds that Stripe has not taken yet."""
    found = {one.id: one for one in payments}
    for one in fetch_all(conn, _Unsent, _UNSENT, [tenant_id, list(found)]):
        payment = found[one.payment_id]
        found[one.payment_id] = replace(
            payment,
            refunded_cents=payment.refunded_cents - one.amount_cents,
            fee_returned_cents=payment.fee_returned_cents - one.fee_cents,
        )
    return list(found.values())


def _tell(conn: Connection, tenant_id: UUID, stored: _Stored, state: str) -> None:
    """Queue the guru's email about a dispute that is new, or that the bank has decided."""
    event = "decided" if state in _DECIDED else "inquiry" if state == "inquiry" else "opened"
    if event == "opened" and stored.state in ("open", "under_review"):
        return
    values = {"tenant_id": str(tenant_id), "dispute_id": str(stored.id), "event": event}
    conn.execute(_TELL, [Jsonb(values)])
