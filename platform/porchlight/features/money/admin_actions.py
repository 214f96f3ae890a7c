"""Acts of staff about money. Each act and its audit event are one transaction, with the key holder's name."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from porchlight.contracts import Staff
from porchlight.features.money.admin_schemas import AdjustmentKind, AdjustmentPayload
from porchlight.money import adjustments
from porchlight.money.adjustment_rules import Holder
from porchlight.money.posting import get_or_create_account
from porchlight.settlement import inbox
from porchlight.settlement.reconcile import findings
from tenants.db.rows import Connection, fetch_one, fetch_value
from tenants.kit.errors import Conflict, NotFound, ValidationFailed

_FINDING = "SELECT kind, cents FROM findings WHERE id = %s"
_USER_BY_EMAIL = "SELECT user_id FROM users WHERE lower(email) = lower(%s)"


class _Finding(NamedTuple):
    kind: str
    cents: int


class AlreadyExplained(Conflict):
    """The finding was explained, or is gone, in the meantime."""

    code = "already_explained"
    message = "This was explained already, or the latest comparison no longer finds it."


def explain_finding(conn: Connection, holder: str, finding_id: UUID, note: str) -> None:
    """Close a finding with a note. It changes no money. Raises NotFound and AlreadyExplained."""
    finding = fetch_one(conn, _Finding, _FINDING, [finding_id])
    if finding is None:
        raise NotFound
    if not findings.explain(conn, finding_id, note, holder=holder):
        raise AlreadyExplained
    details = {"kind": finding.kind, "cents": finding.cents, "note": note}
    record(conn, AuditEvent(holder, "money.explain", "finding", str(finding_id), details))


def run_event_again(conn: Connection, holder: str, event_id: str) -> None:
    """Process a failed event of Stripe again. Raises NotFound for one that did not fail."""
    if not inbox.run_again(conn, event_id.replace("\0", "")):
        raise NotFound
    record(conn, AuditEvent(holder, "money.run_event_again", "stripe_event", event_id))


def create_adjustment(conn: Connection, staff: Staff, payload: AdjustmentPayload) -> UUID:
    """Request a correction; up to $100 a day it is posted at once. Return its id.

    Raises NamedKeyRequired for a shared key, and ValidationFailed for an unknown person.
    """
    person = _user(conn, payload.email) if payload.kind in ("write_off", "goodwill_credit") else None
    event, debit, credit = _accounts(conn, payload.kind, person)
    request = adjustments.AdjustmentRequest(event, debit, credit, payload.cents, payload.reason)
    adjustment_id, state = adjustments.request_adjustment(conn, request, holder=_holder(staff))
    details = {"kind": payload.kind, "cents": payload.cents, "reason": payload.reason, "state": state}
    if person is not None:
        details["person"] = str(person)  # the log outlives the account, and must not have its address
    record(conn, AuditEvent(staff.key_name, "money.adjustment_request", "adjustment", str(adjustment_id), details))
    return adjustment_id


def decide_adjustment(conn: Connection, staff: Staff, adjustment_id: UUID, *, approve: bool) -> None:
    """Approve or reject a correction that waits. Only the one who decided is recorded.

    Raises NotFound, AlreadyDecided, and ApprovalRequired unless a named key holder other than the requester approves.
    """
    decided = adjustments.decide_adjustment(conn, adjustment_id, holder=_holder(staff), approve=approve)
    action = "money.adjustment_approve" if approve else "money.adjustment_reject"
    details = {"cents": decided.cents, "requested_by": decided.requested_by}
    record(conn, AuditEvent(staff.key_name, action, "adjustment", str(adjustment_id), details))


def _holder(staff: Staff) -> Holder:
    return Holder(staff.key_name, staff.is_shared)


def _accounts(conn: Connection, kind: AdjustmentKind, person: UUID | None) -> tuple[str, UUID, UUID]:
    """Return the ledger's event, and the debited and the credited account."""
    losses = get_or_create_account(conn, "losses")
    match kind:
        case "write_off":
            return kind, losses, get_or_create_account(conn, "guru_payable", user_id=person)
        case "goodwill_credit":
            credit = get_or_create_account(conn, "customer_credit", user_id=person)
            return kind, get_or_create_account(conn, "promotions"), credit
        case "suspense_to_losses":
            return "suspense_cleared", get_or_create_account(conn, "suspense"), losses
        case "losses_to_suspense":
            return "suspense_cleared", losses, get_or_create_account(conn, "suspense")


def _user(conn: Connection, email: str) -> UUID:
    user_id = fetch_value(conn, UUID, _USER_BY_EMAIL, [email.replace("\0", "")]) if email else None
    if user_id is None:
        raise ValidationFailed(fields={"email": "No one on Porchlight has this email address."})
    return user_id
