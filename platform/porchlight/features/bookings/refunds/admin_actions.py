"""Send refunds and transfers again that failed: acts of staff on findings."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.errors import require
from porchlight.features.bookings.payments.changes import RefundReason
from porchlight.features.bookings.payments.settlement.disputes import lock_payments
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from tenants.db.rows import Connection, fetch_one, fetch_value
from tenants.kit.errors import Conflict, NotFound

_REFUND = """
SELECT r.tenant_id, r.payment_id, p.group_id, r.amount_cents, r.reason,
       r.state = 'failed' AND NOT EXISTS (
         SELECT FROM refunds a
          WHERE a.tenant_id = r.tenant_id AND a.again_of = r.id AND a.state <> 'failed') AS is_failed
  FROM refunds r JOIN payments p ON p.tenant_id = r.tenant_id AND p.id = r.payment_id
 WHERE r.id = %s AND r.again_of IS NULL"""
_TRANSFER = """
UPDATE payments SET transfer_state = '' WHERE id = %s AND transfer_state = 'stuck'
RETURNING amount_cents - fee_cents AS cents"""
_PAYMENT = "SELECT id FROM payments WHERE id = %s"


class AlreadySentAgain(Conflict):
    """Another admin has sent it again, and it has not failed since."""

    code = "already_sent_again"
    message = "This was sent again already. If it fails again, it shows up here again."


class _FailedRefund(NamedTuple):
    tenant_id: UUID
    payment_id: UUID
    group_id: UUID
    amount_cents: int
    reason: RefundReason
    is_failed: bool


def send_refund_again(conn: Connection, actor: str, refund_id: UUID) -> None:
    """Return the amount of a refund that failed once more. It is reserved again.

    Raises NotFound, AlreadySentAgain, PaymentDisputed, and RefundTooLarge if less is left of the payment by now.
    """
    refund = fetch_one(conn, _FailedRefund, _REFUND, [refund_id])
    if refund is None:
        raise NotFound
    payments = lock_payments(conn, refund.tenant_id, refund.group_id)
    refund = fetch_one(conn, _FailedRefund, _REFUND, [refund_id])
    if refund is None or not refund.is_failed:
        raise AlreadySentAgain
    payment = next(one for one in payments if one.id == refund.payment_id)
    command = commands.RefundPayment(
        payment=payment, amount_cents=refund.amount_cents, actor=Actor.STAFF, reason=refund.reason, again_of=refund_id
    )  # fmt: skip
    require(store.run_on(conn, FactsQuery(ids=[payment.booking_id] if payment.booking_id else []), command).refusal)
    details = {"payment": str(payment.id), "cents": refund.amount_cents}
    record(conn, AuditEvent(actor, "money.refund_again", "refund", str(refund_id), details))


def send_transfer_again(conn: Connection, actor: str, payment_id: UUID) -> None:
    """Let the next run send the earnings of a payment that are stuck. Raises NotFound, AlreadySentAgain."""
    if fetch_value(conn, UUID, _PAYMENT, [payment_id]) is None:
        raise NotFound
    cents = fetch_value(conn, int, _TRANSFER, [payment_id])
    if cents is None:
        raise AlreadySentAgain
    record(conn, AuditEvent(actor, "money.transfer_again", "payment", str(payment_id), {"cents": cents}))
