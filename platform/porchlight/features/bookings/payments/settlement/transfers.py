"""Earnings of sessions: the guru's a day after the end, and then on their way to the account at Stripe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.features.bookings.payments.settlement.attempts import send_again
from porchlight.features.bookings.payments.settlement.ledger import post_delivered, post_transferred
from porchlight.money import posting
from porchlight.settlement.connected_accounts import ready_accounts
from porchlight.settlement.outbox import create_write
from porchlight.settlement.reconcile import findings
from porchlight.settlement.rules import Lookup, Refusal, Write
from tenants.db.rows import Connection, fetch_all, fetch_value, fetch_values
from tenants.kit.logs import log

KIND = "session_transfer"
MAX_PAYMENTS = 500  # of one run; the next run takes the others

# What the guru has of a payment `p` that people paid, after all that went back.
_SHARE = """(p.amount_cents - p.fee_cents - (p.refunded_cents - p.fee_returned_cents)
             - (p.disputed_cents - p.disputed_fee_cents) - p.used_cents)"""
# Whether a refund `r` failed and was not sent again since.
_IS_OPEN = """r.state = 'failed' AND NOT EXISTS (
  SELECT FROM refunds a
   WHERE a.tenant_id = r.tenant_id AND a.again_of = coalesce(r.again_of, r.id) AND a.state <> 'failed')"""
# A day after the session, so that the person can say that it did not take place. Locks payments in the order of their
# ids; one that a refund has locked is taken by the next run. After a refund that failed, the money stays where it is
# until staff have sent it again, or found another way to return it.
_DUE = f"""
SELECT p.tenant_id, p.id, p.booking_id, p.owner_id, {_SHARE} AS cents
  FROM payments p LEFT JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id
 WHERE p.state = 'paid' AND p.purpose = 'session' AND p.delivered_at IS NULL AND NOT p.disputed
   AND NOT EXISTS (SELECT FROM refunds r WHERE r.tenant_id = p.tenant_id AND r.payment_id = p.id AND {_IS_OPEN})
   AND coalesce(b.status NOT IN ('held', 'requested', 'confirmed'), true)
   AND coalesce(b.ends_at, p.paid_at) <= app.now() - interval '24 hours'
 ORDER BY p.id LIMIT %s FOR UPDATE OF p SKIP LOCKED"""  # noqa: S608 - constants only
_DELIVER = "UPDATE payments SET delivered_at = app.now() WHERE tenant_id = %s AND id = %s"
# Payments of which a part paid a debt instead of being transferred, and the debt is gone: a bank decided for the guru,
# or staff wrote it off. After a refund that failed, the money stays where it is, as above.
_REOPEN = f"""
UPDATE payments SET transfer_state = ''
 WHERE (tenant_id, id) IN (
   SELECT p.tenant_id, p.id FROM payments p
    WHERE p.delivered_at IS NOT NULL AND NOT p.disputed AND p.transfer_state IN ('done', 'netted')
      AND p.transferred_cents < {_SHARE}
      AND EXISTS (SELECT FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id
                   WHERE a.kind = 'guru_payable' AND a.user_id = p.owner_id
                   HAVING sum(b.credits - b.debits - b.reserved) > 0)
      AND NOT EXISTS (SELECT FROM payments o JOIN refunds r ON r.tenant_id = o.tenant_id AND r.payment_id = o.id
                       WHERE o.owner_id = p.owner_id AND {_IS_OPEN})
      FOR UPDATE SKIP LOCKED)"""  # noqa: S608 - constants only
_OWNERS = "SELECT DISTINCT owner_id FROM payments WHERE delivered_at IS NOT NULL AND transfer_state = ''"
_TO_TRANSFER = f"""
SELECT p.tenant_id, p.id, p.owner_id, p.group_id, p.charge_id,
       {_SHARE} - p.transferred_cents AS cents, p.transferred_cents,
       (SELECT count(*) FROM stripe_outbox o WHERE o.kind = 'session_transfer' AND o.subject_id = p.id) AS attempts
  FROM payments p
 WHERE p.delivered_at IS NOT NULL AND p.transfer_state = '' AND NOT p.disputed AND p.owner_id = ANY (%s)
 ORDER BY p.delivered_at, p.id LIMIT %s FOR UPDATE OF p SKIP LOCKED"""  # noqa: S608 - constants only
_TRANSFER = "UPDATE payments SET transfer_state = %s, transferred_cents = %s WHERE tenant_id = %s AND id = %s"
_SENT = """
UPDATE payments SET transfer_state = %(state)s, transfer_id = coalesce(nullif(%(transfer)s, ''), transfer_id),
       transferred_cents = transferred_cents - %(unsent)s
 WHERE id = %(id)s AND group_id = %(group)s AND transfer_state = 'requested' RETURNING owner_id"""


class _Delivered(NamedTuple):
    tenant_id: UUID
    id: UUID
    booking_id: UUID
    owner_id: UUID
    cents: int


class _Earned(NamedTuple):
    tenant_id: UUID
    id: UUID
    owner_id: UUID
    group_id: UUID
    charge_id: str
    cents: int
    transferred_cents: int
    attempts: int


def deliver(conn: Connection) -> int:
    """Make what is held for sessions that are over the guru's. Return the number of payments."""
    found = fetch_all(conn, _Delivered, _DUE, [MAX_PAYMENTS])
    for one in found:
        conn.execute(_DELIVER, [one.tenant_id, one.id])
    for one in found:
        if one.cents:
            post_delivered(conn, one.booking_id, one.owner_id, one.cents)
    return len(found)


def transfer(conn: Connection) -> int:
    """Send what was earned to the gurus' accounts, less what they owe. Return the number of transfers.

    What gurus earned whose account can't be paid yet waits. What is on its way is reserved, so that two transfers don't
    send the same money. What paid a debt that is gone is sent, too.
    """
    sent = 0
    conn.execute(_REOPEN)
    accounts = ready_accounts(conn, fetch_values(conn, UUID, _OWNERS))
    for one in fetch_all(conn, _Earned, _TO_TRANSFER, [list(accounts), MAX_PAYMENTS]) if accounts else ():
        payable = posting.get_or_create_account(conn, "guru_payable", user_id=one.owner_id)
        cents = min(one.cents, posting.balance(conn, payable).available)
        if cents <= 0:  # refunds of other sessions have used it
            state = "done" if one.transferred_cents else "netted"
            conn.execute(_TRANSFER, [state, one.transferred_cents, one.tenant_id, one.id])
            findings.close_failure(conn, "stuck_transfer", one.id)
            continue
        conn.execute(_TRANSFER, ["requested", one.transferred_cents + cents, one.tenant_id, one.id])
        hold = f"{one.id}-{one.attempts}" if one.attempts else str(one.id)  # a hold that was voided stays so
        posting.create_hold(conn, payable, cents, posting.Subject("transfer", hold))
        params = {
            "amount": cents, "currency": "usd", "destination": accounts[one.owner_id],
            "source_transaction": one.charge_id, "transfer_group": str(one.group_id),
            "metadata": {"payment": str(one.id), "group": str(one.group_id), "hold": hold},
        }  # fmt: skip
        create_write(conn, kind=KIND, subject_id=one.id, path="/v1/transfers", params=params)
        sent += 1
    return sent


class SendTransfer:
    """Earned money moves to the guru's account at Stripe."""

    kind = KIND

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Store and post the transfer."""
        owner_id = self._end(conn, write, "done", stripe_object["id"])
        if owner_id is not None:
            posting.post_hold(conn, _held_for(write))
            findings.close_failure(conn, "stuck_transfer", write.subject_id)
            post_transferred(conn, stripe_object["id"], owner_id, write.params["amount"])

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Leave the money with us. Staff see that it is stuck."""
        self._give_up(conn, write, refusal.code)

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Send the transfer again, because nothing moved; after the last attempt leave the money with us."""
        if not send_again(conn, write):
            self._give_up(conn, write, "absent")

    def lookup(self, write: Write) -> Lookup:
        """Return the transfers of the payment's group."""
        return Lookup("/v1/transfers", {"transfer_group": write.params["transfer_group"]})

    def _give_up(self, conn: Connection, write: Write, code: str) -> None:
        log.error("session_transfer_refused", payment=str(write.subject_id), code=code)
        if self._end(conn, write, "stuck") is not None:
            posting.void_hold(conn, _held_for(write))
            findings.open_failure(conn, "stuck_transfer", write.subject_id, write.params["amount"])

    @staticmethod
    def _end(conn: Connection, write: Write, state: str, transfer_id: str = "") -> UUID | None:
        group_id = write.params["transfer_group"]
        unsent = 0 if state == "done" else write.params["amount"]
        values = {
            "id": write.subject_id, "group": group_id, "state": state, "transfer": transfer_id, "unsent": unsent,
        }  # fmt: skip
        return fetch_value(conn, UUID, _SENT, values)


def _held_for(write: Write) -> posting.Subject:
    return posting.Subject("transfer", write.params["metadata"].get("hold") or str(write.subject_id))
