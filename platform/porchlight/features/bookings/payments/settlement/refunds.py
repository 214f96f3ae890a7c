"""Refunds of paid sessions: sent, arrived, and failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.features.bookings.payments.settlement.attempts import send_again
from porchlight.features.bookings.payments.settlement.ledger import post_refund_failed, post_refunded
from porchlight.settlement.reconcile import findings
from porchlight.settlement.rules import Lookup, Refusal, Source, Write
from tenants.db.rows import Connection, fetch_one, fetch_values
from tenants.kit.logs import log

# Locks the payment before its refund.
_LOCK = """
SELECT p.id FROM payments p
 WHERE (p.tenant_id, p.id) = (SELECT r.tenant_id, r.payment_id FROM refunds r WHERE r.id = %s) FOR UPDATE"""
_REFUND = """
SELECT r.id, coalesce(r.again_of, r.id) AS first_id, p.owner_id, p.person_id, r.amount_cents, r.fee_cents,
       r.after_delivery, r.state, p.purpose
  FROM refunds r JOIN payments p ON p.tenant_id = r.tenant_id AND p.id = r.payment_id WHERE r.id = %s FOR UPDATE OF r"""
_SAVE = """
UPDATE refunds SET state = %(state)s, refund_id = coalesce(nullif(%(stripe_id)s, ''), refund_id),
       error_code = %(code)s, checked_at = app.now() WHERE id = %(id)s"""
_RELEASE = """
UPDATE payments p
   SET refunded_cents = p.refunded_cents - r.amount_cents, fee_returned_cents = p.fee_returned_cents - r.fee_cents
  FROM refunds r WHERE r.id = %s AND p.tenant_id = r.tenant_id AND p.id = r.payment_id"""
_OPEN = "SELECT refund_id FROM refunds WHERE state = 'requested' AND refund_id <> '' AND checked_at < %s"
_FAILED = ("failed", "canceled")


class _RefundRow(NamedTuple):
    id: UUID
    first_id: UUID
    owner_id: UUID
    person_id: UUID
    amount_cents: int
    fee_cents: int
    after_delivery: bool
    state: str
    purpose: str


class SendRefund:
    """A refund is sent to the person's card."""

    kind = "session_refund"

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Store and post the refund."""
        _apply(conn, write.subject_id, stripe_object)

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Release what the refund reserved, and tell staff. Nothing moved."""
        log.error("session_refund_refused", refund=str(write.subject_id), code=refusal.code)
        _fail(conn, write.subject_id, refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Send the refund again, because nothing moved; after the last attempt release what it reserved."""
        if not send_again(conn, write):
            log.error("session_refund_absent", refund=str(write.subject_id))
            _fail(conn, write.subject_id, "absent")

    def lookup(self, write: Write) -> Lookup:
        """Return the refunds of the payment."""
        return Lookup("/v1/refunds", {"payment_intent": write.params["payment_intent"]})


class SessionRefundRule:
    """A refund of a session: done, or failed later, because the bank sent it back."""

    events = frozenset({"refund.created", "refund.updated", "refund.failed", "charge.refund.updated"})

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the refund, if it is of a session."""
        refund = event["data"]["object"]
        return str(refund["id"]) if (refund.get("metadata") or {}).get("refund") and not event.get("account") else None

    def path(self, object_id: str) -> str:
        """Return the refund's path."""
        return f"/v1/refunds/{object_id}"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Store and post what became of the refund."""
        if fetched is not None:
            _apply(conn, UUID(fetched["metadata"]["refund"]), fetched)

    def open_objects(self, conn: Connection, before: datetime) -> Iterable[tuple[str, str]]:
        """Return the refunds that the bank has yet to take."""
        return [("", refund_id) for refund_id in fetch_values(conn, str, _OPEN, [before])]


def _apply(conn: Connection, refund_id: UUID, stripe_object: Mapping[str, Any]) -> None:
    refund = _locked(conn, refund_id)
    if refund is None or refund.state == "failed":
        return
    has_failed = stripe_object["status"] in _FAILED
    # Stripe takes the amount from the balance at once, and gives it back if the refund fails.
    post_refunded(conn, refund, stripe_object["id"])
    if has_failed:
        post_refund_failed(conn, refund, stripe_object["id"])
        conn.execute(_RELEASE, [refund.id])
        findings.open_failure(conn, "failed_refund", refund.first_id, refund.amount_cents)
        log.error("session_refund_failed", refund=str(refund.id))
    is_done = stripe_object["status"] == "succeeded"
    if is_done:
        findings.close_failure(conn, "failed_refund", refund.first_id)
    state = "failed" if has_failed else "done" if is_done else "requested"
    code = (stripe_object.get("failure_reason") or "") if has_failed else ""
    conn.execute(_SAVE, {"id": refund.id, "state": state, "stripe_id": stripe_object["id"], "code": code})


def _fail(conn: Connection, refund_id: UUID, code: str) -> None:
    refund = _locked(conn, refund_id)
    if refund is not None and refund.state == "requested":
        conn.execute(_RELEASE, [refund_id])
        findings.open_failure(conn, "failed_refund", refund.first_id, refund.amount_cents)
        conn.execute(_SAVE, {"id": refund_id, "state": "failed", "stripe_id": "", "code": code})


def _locked(conn: Connection, refund_id: UUID) -> _RefundRow | None:
    conn.execute(_LOCK, [refund_id])
    return fetch_one(conn, _RefundRow, _REFUND, [refund_id])
