"""Acts of staff on payments: return a part of one, and send refunds and transfers again that failed."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from porchlight.contracts import Staff
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.errors import require
from porchlight.features.bookings.payments.changes import RefundReason
from porchlight.features.bookings.payments.settlement.disputes import lock_payments
from porchlight.features.bookings.refunds.schemas import StaffRefundPayload
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from porchlight.money.adjustment_rules import NamedKeyRequired
from tenants.db.rows import Connection, fetch_one, fetch_value
from tenants.http.idempotency import content_digest
from tenants.kit.errors import Conflict, KeyReused, NotFound

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


_REFUNDABLE = """
SELECT p.tenant_id, p.group_id, p.purpose, p.state, p.booking_id FROM payments p WHERE p.id = %s"""
_SENT = "SELECT digest FROM refunds WHERE tenant_id = %s AND idempotency_key = %s"


class PackageRefund(Conflict):
    """The payment bought a package, whose sessions and money have to stay together."""

    code = "package_refund"
    message = "A package is refunded by its sessions: the guru takes back those that are left."


class _Refundable(NamedTuple):
    tenant_id: UUID
    group_id: UUID
    purpose: str
    state: str
    booking_id: UUID | None


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


def refund_payment(conn: Connection, staff: Staff, payment_id: UUID, payload: StaffRefundPayload, key: str) -> int:
    """Return a part of a payment to the card. Return what is left of it. A resend under the same key changes nothing.

    Raises NotFound, NamedKeyRequired for a shared key, KeyReused, PackageRefund, PaymentDisputed, RefundChanged and
    RefundTooLarge.
    """
    if staff.is_shared:
        raise NamedKeyRequired
    found = fetch_one(conn, _Refundable, _REFUNDABLE, [payment_id])
    if found is None or found.state != "paid":
        raise NotFound
    if found.purpose == "package":
        raise PackageRefund
    payments = lock_payments(conn, found.tenant_id, found.group_id)
    payment = next(one for one in payments if one.id == payment_id)
    digest = content_digest(str(payment_id), str(payload.amount_cents), payload.reason)
    sent = fetch_value(conn, bytes, _SENT, [found.tenant_id, key])
    if sent is not None:
        if sent != digest:
            raise KeyReused
        return payment.kept_cents
    command = commands.RefundPayment(
        payment=payment, amount_cents=payload.amount_cents, actor=Actor.STAFF, reason="support",
        kept_cents=payload.kept_cents, words=payload.reason, key=key, digest=digest,
    )  # fmt: skip
    require(store.run_on(conn, FactsQuery(ids=[found.booking_id] if found.booking_id else []), command).refusal)
    details = {"cents": payload.amount_cents, "reason": payload.reason}
    record(conn, AuditEvent(staff.key_name, "money.refund", "payment", str(payment_id), details))
    return payment.kept_cents - payload.amount_cents


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
