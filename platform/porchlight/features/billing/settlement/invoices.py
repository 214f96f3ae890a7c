"""Invoices of subscriptions: what a fetched invoice means, and the refund of those that were paid by mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from porchlight.features.billing.settlement import customers
from porchlight.features.billing.settlement.facts import SubscriptionFacts, id_of, moment
from porchlight.plans import subscriptions
from porchlight.settlement.outbox import create_write
from porchlight.settlement.rules import Source
from tenants.db.rows import Connection, fetch_value, fetch_values

REFUND = "plan_refund"

_SAVE = """
INSERT INTO plan_invoices AS i (user_id, id, in_id, sub_id, number, state, total_cents, paid_cents, failed,
  payment_intent, payment_url, issued_at, checked_at)
VALUES (%(user_id)s, %(id)s, %(in_id)s, %(sub_id)s, %(number)s, %(state)s, %(total_cents)s, %(paid_cents)s, %(failed)s,
  %(payment_intent)s, %(payment_url)s, %(issued_at)s, %(checked_at)s)
ON CONFLICT (in_id) DO UPDATE
   SET number = excluded.number, state = excluded.state, total_cents = excluded.total_cents,
       paid_cents = excluded.paid_cents, failed = excluded.failed, payment_intent = excluded.payment_intent,
       payment_url = excluded.payment_url, checked_at = excluded.checked_at
 WHERE i.checked_at < excluded.checked_at"""
_FIRST_FAILED = """
SELECT min(issued_at) FROM plan_invoices WHERE sub_id = %s AND failed AND state IN ('open', 'uncollectible')"""
_UNPAID = """
SELECT state, period_start, period_end FROM subscriptions
 WHERE sub_id = %s AND (state IN ('past_due', 'unpaid') OR state = 'canceled' AND past_due_since IS NOT NULL)"""
_STRAY_PAID = """
SELECT i.id, i.payment_intent FROM plan_invoices i JOIN subscriptions s ON s.sub_id = i.sub_id AND s.is_stray
 WHERE i.sub_id = %s AND i.state = 'paid' AND i.paid_cents > 0 AND i.payment_intent <> ''
   AND NOT EXISTS (SELECT FROM stripe_outbox o WHERE o.kind = 'plan_refund' AND o.subject_id = i.id) ORDER BY i.id"""
_OPEN = "SELECT in_id FROM plan_invoices WHERE state IN ('draft', 'open') AND checked_at < %s"


class InvoiceRule:
    """An invoice of a subscription, for the user's downloads, and since when a payment is missing."""

    events = frozenset(
        f"invoice.{change}"
        for change in (
            "created", "finalized", "paid", "payment_succeeded", "payment_failed", "payment_action_required", "updated",
            "voided", "marked_uncollectible",
        )
    )  # fmt: skip

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the invoice, if it is one of a subscription."""
        fetched = event["data"]["object"]
        return str(fetched["id"]) if _subscription_of(fetched) and not event.get("account") else None

    def path(self, object_id: str) -> str:
        """Return the invoice's path, with its payments."""
        return f"/v1/invoices/{object_id}?expand[]=payments"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Store the invoice unless a newer state is stored. A deleted draft stays as it was."""
        user_id = customers.user_of(conn, id_of(fetched.get("customer"))) if fetched is not None else None
        if fetched is None or user_id is None:
            return
        sub_id = _subscription_of(fetched)
        values = {
            "user_id": user_id, "id": subscriptions.row_id(object_id), "in_id": object_id, "sub_id": sub_id,
            "number": fetched.get("number") or "", "state": fetched["status"], "total_cents": fetched["total"],
            "paid_cents": fetched["amount_paid"], "failed": _is_failed(fetched),
            "payment_intent": _payment_intent(fetched), "payment_url": fetched.get("hosted_invoice_url") or "",
            "issued_at": moment(fetched["created"]), "checked_at": source.fetched_at,
        }  # fmt: skip
        if conn.execute(_SAVE, values).rowcount != 1:
            return
        for state, period_start, period_end in conn.execute(_UNPAID, [sub_id]).fetchall():
            since = _first_failed(conn, sub_id) or period_start
            subscriptions.save_past_due(conn, sub_id, since, subscriptions.right_until(state, since, period_end))
        refund_stray(conn, sub_id)

    def open_objects(self, conn: Connection, before: datetime) -> Iterable[tuple[str, str]]:
        """Return the invoices that are not paid yet."""
        return [("", in_id) for in_id in fetch_values(conn, str, _OPEN, [before])]


def past_due_since(conn: Connection, facts: SubscriptionFacts) -> datetime | None:
    """Return since when a subscription is unpaid: its first failed invoice, or else the start of its period."""
    if facts.state not in ("past_due", "unpaid") and not facts.ended_unpaid:
        return None
    return _first_failed(conn, facts.sub_id) or facts.period_start


def refund_stray(conn: Connection, sub_id: str) -> None:
    """Refund what was paid for a stray subscription, each invoice once."""
    for invoice_id, payment_intent in conn.execute(_STRAY_PAID, [sub_id]).fetchall():
        create_write(
            conn, kind=REFUND, subject_id=invoice_id, path="/v1/refunds",
            params={"payment_intent": payment_intent, "reason": "duplicate"},
        )  # fmt: skip


def _first_failed(conn: Connection, sub_id: str) -> datetime | None:
    return fetch_value(conn, datetime, _FIRST_FAILED, [sub_id])


def _subscription_of(invoice: Mapping[str, Any]) -> str:
    parent = invoice.get("parent") or {}
    return id_of((parent.get("subscription_details") or {}).get("subscription"))


def _is_failed(invoice: Mapping[str, Any]) -> bool:
    """Return whether a renewal was not paid. The invoice of an upgrade that was declined changes nothing."""
    is_renewal = invoice.get("billing_reason") == "subscription_cycle"
    return is_renewal and invoice["attempt_count"] > 0 and invoice["status"] in ("open", "uncollectible")


def _payment_intent(invoice: Mapping[str, Any]) -> str:
    payments = (invoice.get("payments") or {}).get("data") or []
    paid = [entry["payment"] for entry in payments if entry["status"] == "paid"]
    return id_of(paid[0].get("payment_intent")) if paid else ""
