"""Disputes of plans' charges, for the staff, who send the evidence in Stripe's dashboard."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from porchlight.features.billing.settlement import customers
from porchlight.features.billing.settlement.facts import id_of
from porchlight.money.posting import Leg, Subject, get_or_create_account, post
from porchlight.settlement.disputes import DisputeFacts
from porchlight.settlement.rules import Source
from tenants.db.rows import Connection, fetch_values
from tenants.kit.ids import new_id

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


class PlanDisputes:
    """Disputes of charges for plans, which name their user as the customer."""

    def apply_dispute(self, conn: Connection, dispute: DisputeFacts, source: Source) -> bool:
        """Post what its balance lines moved, and store its state unless a newer one is stored."""
        user_id = customers.user_of(conn, id_of(dispute.charge.get("customer")))
        if user_id is None:
            return False
        _post(conn, dispute)
        values = {
            "user_id": user_id, "id": new_id(), "dp_id": dispute.id, "charge_id": dispute.charge["id"],
            "amount": dispute.amount_cents, "fee": dispute.fee_cents - dispute.fee_returned_cents,
            "reason": dispute.reason, "state": dispute.state, "due_by": dispute.due_by,
            "opened_at": dispute.opened_at, "checked_at": source.fetched_at,
        }  # fmt: skip
        conn.execute(_SAVE, values)
        return True

    def open_disputes(self, conn: Connection, before: datetime) -> Iterable[str]:
        """Return the disputes that the bank has not decided."""
        return fetch_values(conn, str, _OPEN, [before])


def _post(conn: Connection, dispute: DisputeFacts) -> None:
    """Post the withdrawal and, of a dispute that was won, the return; and their fees."""
    card_network, revenue, losses, processor = (
        get_or_create_account(conn, kind)
        for kind in ("card_network", "subscription_revenue", "losses", "processor_fees")
    )
    postings = (
        ("dispute_opened", revenue, card_network, dispute.taken_cents),
        ("dispute_won", card_network, revenue, dispute.returned_cents),
        ("dispute_fee", losses, processor, dispute.fee_cents),
        ("dispute_fee_returned", processor, losses, dispute.fee_returned_cents),
    )
    for event, debit, credit, cents in postings:
        if cents:
            post(conn, event, Subject("dispute", dispute.id), [Leg(debit, credit, cents)], stripe_object=dispute.id)
