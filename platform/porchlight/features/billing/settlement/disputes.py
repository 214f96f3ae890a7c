"""Disputes of plans' charges: the bank takes the money back, with a fee, until it has decided.

Links: https://docs.stripe.com/disputes/how-disputes-work
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from porchlight.features.billing.settlement import customers
from porchlight.features.billing.settlement.facts import id_of, moment
from porchlight.money.posting import Leg, Subject, get_or_create_account, post
from porchlight.settlement.rules import Source
from tenants.db.rows import Connection, fetch_values
from tenants.kit.ids import new_id

# A bank that only inquires has not taken any money.
STATES: Mapping[str, str] = {
    "warning_needs_response": "inquiry",
    "warning_under_review": "inquiry",
    "warning_closed": "closed",
    "needs_response": "open",
    "under_review": "under_review",
    "won": "won",
    "lost": "lost",
    "prevented": "closed",
}

_SAVE = """
INSERT INTO plan_disputes AS d (user_id, id, dp_id, charge_id, amount, fee, reason, state, due_by, opened_at,
  checked_at)
VALUES (%(user_id)s, %(id)s, %(dp_id)s, %(charge_id)s, %(amount)s, %(fee)s, %(reason)s, %(state)s, %(due_by)s,
  %(opened_at)s, %(checked_at)s)
ON CONFLICT (dp_id) DO UPDATE
   SET amount = excluded.amount, fee = excluded.fee, reason = excluded.reason, state = excluded.state,
       due_by = excluded.due_by, checked_at = excluded.checked_at
 WHERE d.checked_at < excluded.checked_at"""
_OPEN = "SELECT dp_id FROM plan_disputes WHERE state IN ('inquiry', 'open', 'under_review') AND checked_at < %s"


class DisputeRule:
    """A dispute of a plan's charge, for the staff, who send the evidence in Stripe's dashboard."""

    events = frozenset(
        f"charge.dispute.{change}" for change in ("created", "updated", "closed", "funds_withdrawn", "funds_reinstated")
    )

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the dispute."""
        return str(event["data"]["object"]["id"]) if not event.get("account") else None

    def path(self, object_id: str) -> str:
        """Return the dispute's path, with its charge."""
        return f"/v1/disputes/{object_id}?expand[]=charge"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Post what its balance lines moved, and store its state unless a newer one is stored."""
        charge = fetched.get("charge") if fetched is not None else None
        if fetched is None or not isinstance(charge, Mapping):
            return
        user_id = customers.user_of(conn, id_of(charge.get("customer")))
        if user_id is None:
            return
        _post_lines(conn, object_id, fetched["balance_transactions"])
        due_by = (fetched.get("evidence_details") or {}).get("due_by")
        values = {
            "user_id": user_id, "id": new_id(), "dp_id": object_id, "charge_id": charge["id"],
            "amount": fetched["amount"], "fee": sum(line["fee"] for line in fetched["balance_transactions"]),
            "reason": fetched["reason"], "state": STATES[fetched["status"]],
            "due_by": moment(due_by) if due_by else None,
            "opened_at": moment(fetched["created"]), "checked_at": source.fetched_at,
        }  # fmt: skip
        conn.execute(_SAVE, values)

    def open_objects(self, conn: Connection, before: datetime) -> Iterable[tuple[str, str]]:
        """Return the disputes that the bank has not decided."""
        return [("", dp_id) for dp_id in fetch_values(conn, str, _OPEN, [before])]


def _post_lines(conn: Connection, dispute_id: str, lines: Iterable[Mapping[str, Any]]) -> None:
    """Post the withdrawal and, of a dispute that was won, the return: a line each, maybe with a fee."""
    card_network, revenue, losses, processor = (
        get_or_create_account(conn, kind)
        for kind in ("card_network", "subscription_revenue", "losses", "processor_fees")
    )
    subject = Subject("dispute", dispute_id)
    for line in lines:
        amount, fee = line["amount"], line["fee"]
        postings = (
            ("dispute_opened", revenue, card_network, -amount),
            ("dispute_won", card_network, revenue, amount),
            ("dispute_fee", losses, processor, fee),
            ("dispute_fee_returned", processor, losses, -fee),
        )
        for event, debit, credit, cents in postings:
            if cents > 0:
                post(conn, event, subject, [Leg(debit, credit, cents)], stripe_object=dispute_id)
