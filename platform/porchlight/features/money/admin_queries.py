"""Queries of the money pages of staff. Each reads an index; the ledger's tables are only read here."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from porchlight.contracts import MoneySummary
from porchlight.features.money.admin_schemas import AdjustmentState, EventState, FindingState, WriteState
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.pagination import PAGE_SIZE, page_by_id, parse_id_cursor

MAX_COUNT = 1000  # a longer queue reads as "1,000+"

_SUMMARY = """
SELECT (SELECT count(*) FROM (SELECT FROM findings WHERE state = 'open' LIMIT %(max)s) open),
       (SELECT count(*) FROM (SELECT FROM stripe_inbox WHERE state = 'failed' LIMIT %(max)s) failed),
       (SELECT count(*) FROM (
         SELECT FROM stripe_outbox WHERE state IN ('ready', 'sent', 'unknown') LIMIT %(max)s) open),
       (SELECT count(*) FROM (SELECT FROM adjustments WHERE state = 'requested' LIMIT %(max)s) waiting),
       (SELECT count(*) FROM (
         SELECT FROM plan_disputes WHERE state IN ('inquiry', 'open', 'under_review')
         UNION ALL
         SELECT FROM session_disputes WHERE state IN ('inquiry', 'open', 'under_review') LIMIT %(max)s) open),
       last.finished_at, coalesce(last.off_cents, 0), coalesce(last.off_accounts, 0)
  FROM (VALUES (1)) one LEFT JOIN LATERAL (
    SELECT finished_at, off_cents, off_accounts FROM reconciliations ORDER BY finished_at DESC LIMIT 1) last ON true"""
_SELECT_FINDING = "SELECT id, kind, account, stripe_id, cents, state, found_at, note, by FROM findings"
_FINDINGS = f"""{_SELECT_FINDING}
 WHERE state = %(state)s AND (%(before)s::uuid IS NULL OR id < %(before)s) ORDER BY id DESC LIMIT %(limit)s"""
_FINDING = f"{_SELECT_FINDING} WHERE id = %s"
_WRITES = """
SELECT id, kind, subject_id, attempt, account, state, tries, object_id, error_code, error_message, created_at,
       CASE WHEN state IN ('ready', 'sent', 'unknown') THEN due_at END AS due_at
  FROM stripe_outbox
 WHERE (%(states)s::text[] IS NULL OR state = ANY(%(states)s)) AND (%(before)s::uuid IS NULL OR id < %(before)s)
 ORDER BY id DESC LIMIT %(limit)s"""
_SELECT_EVENT = "SELECT id, kind, account, object_id, state, tries, error, received_at FROM stripe_inbox"
# The cursor is the last event of the page before; after an unknown one there is nothing.
_EVENTS = f"""{_SELECT_EVENT}
 WHERE (%(state)s::text IS NULL OR state = %(state)s)
   AND (%(before)s::text IS NULL
        OR (received_at, id) < (SELECT l.received_at, l.id FROM stripe_inbox l WHERE l.id = %(before)s))
 ORDER BY received_at DESC, id DESC LIMIT %(limit)s"""
_EVENT = f"{_SELECT_EVENT} WHERE id = %s"
# Of plans and of sessions; a person may be gone.
_DISPUTES = """
SELECT d.id, d.kind, d.dp_id, coalesce(u.email, '') AS email, d.guru, d.amount, d.fee, d.reason, d.state, d.due_by,
       d.opened_at, d.answer_state
  FROM (
    SELECT p.id, 'plan' AS kind, p.dp_id, p.user_id, '' AS guru, p.amount, p.fee, p.reason, p.state, p.due_by,
           p.opened_at, '' AS answer_state
      FROM plan_disputes p
    UNION ALL
    SELECT s.id, 'session', s.dp_id,
           (SELECT y.person_id FROM payments y WHERE y.tenant_id = s.tenant_id AND y.group_id = s.group_id LIMIT 1),
           coalesce((SELECT g.label FROM gurus g WHERE g.id = s.tenant_id), ''), s.amount_cents, s.bank_fee_cents,
           s.reason, s.state, s.due_by, s.opened_at, s.answer_state
      FROM session_disputes s) d
  LEFT JOIN users u ON u.user_id = d.user_id
 WHERE (d.state IN ('inquiry', 'open', 'under_review')) = %(open)s AND (%(before)s::uuid IS NULL OR d.id < %(before)s)
 ORDER BY d.id DESC LIMIT %(limit)s"""
_RECONCILIATIONS = """
SELECT id, finished_at, lines, open_findings, off_cents, off_accounts FROM reconciliations
 WHERE %(before)s::uuid IS NULL OR id < %(before)s ORDER BY id DESC LIMIT %(limit)s"""
_SELECT_ADJUSTMENT = """
SELECT a.id, a.event, d.kind AS debit_kind, u.email, a.cents, a.reason, a.state, a.requested_by, a.requested_at,
       a.decided_by, a.decided_at
  FROM adjustments a
  JOIN ledger_accounts d ON d.id = a.debit_account
  JOIN ledger_accounts c ON c.id = a.credit_account
  LEFT JOIN users u ON u.user_id = coalesce(d.user_id, c.user_id)"""
_ADJUSTMENTS = f"""{_SELECT_ADJUSTMENT}
 WHERE (%(state)s::text IS NULL OR a.state = %(state)s) AND (%(before)s::uuid IS NULL OR a.id < %(before)s)
 ORDER BY a.id DESC LIMIT %(limit)s"""
_ADJUSTMENT = f"{_SELECT_ADJUSTMENT} WHERE a.id = %s"
_OPEN_STATES = ["ready", "sent", "unknown"]


def _iso(at: datetime | None) -> str | None:
    return clock.to_iso8601(at) if at else None


async def summary(service_db: Database) -> MoneySummary:
    """Return the result of the last reconciliation, and how much waits for staff."""
    (found,) = await service_db.read(None, _SUMMARY, {"max": MAX_COUNT})
    findings, failed_events, open_writes, waiting, open_disputes, at, cents_off, accounts_off = found
    return MoneySummary(
        reconciled_at=_iso(at),
        cents_off=cents_off,
        accounts_off=accounts_off,
        open_findings=findings,
        failed_events=failed_events,
        open_writes=open_writes,
        waiting_adjustments=waiting,
        open_disputes=open_disputes,
    )


class _ListedFinding(NamedTuple):
    id: UUID
    kind: str
    account: str
    stripe_id: str
    cents: int
    state: str
    found_at: datetime
    note: str | None
    by: str | None


def _to_finding(row: _ListedFinding) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "kind": row.kind,
        "account": row.account,
        "stripeId": row.stripe_id,
        "cents": row.cents,
        "state": row.state,
        "foundAt": clock.to_iso8601(row.found_at),
        "note": row.note,
        "explainedBy": row.by,
    }


async def findings(service_db: Database, *, state: FindingState, cursor: str | None) -> dict[str, Any]:
    """Return a page of findings, the newest first."""
    params = {"state": state, "before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _FINDINGS, params, row=_ListedFinding), _to_finding)


async def finding(service_db: Database, finding_id: UUID) -> dict[str, Any]:
    """Return a finding. Raises NotFound."""
    rows = await service_db.read(None, _FINDING, [finding_id], row=_ListedFinding)
    if not rows:
        raise NotFound
    return _to_finding(rows[0])


class _Write(NamedTuple):
    id: UUID
    kind: str
    subject_id: UUID
    attempt: int
    account: str
    state: str
    tries: int
    object_id: str | None
    error_code: str
    error_message: str
    created_at: datetime
    due_at: datetime | None


def _to_write(row: _Write) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "kind": row.kind,
        "subjectId": str(row.subject_id),
        "attempt": row.attempt,
        "account": row.account,
        "state": row.state,
        "tries": row.tries,
        "objectId": row.object_id,
        "errorCode": row.error_code,
        "errorMessage": row.error_message,
        "createdAt": clock.to_iso8601(row.created_at),
        "dueAt": _iso(row.due_at),
    }


async def writes(service_db: Database, *, state: WriteState | None, cursor: str | None) -> dict[str, Any]:
    """Return a page of the outbox, the newest first. Without a state: all that are not settled."""
    states = [state] if state else _OPEN_STATES
    params = {"states": states, "before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _WRITES, params, row=_Write), _to_write)


class _InboxEvent(NamedTuple):
    id: str
    kind: str
    account: str
    object_id: str
    state: str
    tries: int
    error: str | None
    received_at: datetime


def _to_event(row: _InboxEvent) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": row.kind,
        "account": row.account,
        "objectId": row.object_id,
        "state": row.state,
        "tries": row.tries,
        "error": row.error,
        "receivedAt": clock.to_iso8601(row.received_at),
    }


async def events(service_db: Database, *, state: EventState, cursor: str | None) -> dict[str, Any]:
    """Return a page of the inbox, the newest first."""
    before = (cursor or "").replace("\0", "") or None
    params = {"state": state, "before": before, "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _EVENTS, params, row=_InboxEvent), _to_event)


async def event(service_db: Database, event_id: str) -> dict[str, Any]:
    """Return an event. Raises NotFound."""
    rows = await service_db.read(None, _EVENT, [event_id.replace("\0", "")], row=_InboxEvent)
    if not rows:
        raise NotFound
    return _to_event(rows[0])


class _Dispute(NamedTuple):
    id: UUID
    kind: str
    dp_id: str
    email: str
    guru: str
    amount: int
    fee: int
    reason: str
    state: str
    due_by: datetime | None
    opened_at: datetime
    answer_state: str


def _to_dispute(row: _Dispute) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "kind": row.kind,
        "stripeId": row.dp_id,
        "person": row.email,
        "guru": row.guru,
        "cents": row.amount,
        "feeCents": row.fee,
        "reason": row.reason,
        "state": row.state,
        "dueBy": _iso(row.due_by),
        "openedAt": clock.to_iso8601(row.opened_at),
        "isAnswered": row.answer_state == "sent",
    }


async def disputes(service_db: Database, *, is_open: bool, cursor: str | None) -> dict[str, Any]:
    """Return a page of the disputes that the bank has decided, or has yet to decide, the newest first."""
    params = {"open": is_open, "before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _DISPUTES, params, row=_Dispute), _to_dispute)


class _Reconciliation(NamedTuple):
    id: UUID
    finished_at: datetime
    lines: int
    open_findings: int
    off_cents: int
    off_accounts: int


def _to_reconciliation(row: _Reconciliation) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "finishedAt": clock.to_iso8601(row.finished_at),
        "lines": row.lines,
        "openFindings": row.open_findings,
        "centsOff": row.off_cents,
        "accountsOff": row.off_accounts,
    }


async def reconciliations(service_db: Database, *, cursor: str | None) -> dict[str, Any]:
    """Return a page of reconciliations, the newest first."""
    params = {"before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _RECONCILIATIONS, params, row=_Reconciliation), _to_reconciliation)


class _ListedAdjustment(NamedTuple):
    id: UUID
    event: str
    debit_kind: str
    email: str | None
    cents: int
    reason: str
    state: str
    requested_by: str
    requested_at: datetime
    decided_by: str | None
    decided_at: datetime | None


def _to_adjustment(row: _ListedAdjustment) -> dict[str, Any]:
    is_suspense = row.event == "suspense_cleared"
    from_suspense = "suspense_to_losses" if row.debit_kind == "suspense" else "losses_to_suspense"
    return {
        "id": str(row.id),
        "kind": from_suspense if is_suspense else row.event,
        "person": row.email or "",
        "cents": row.cents,
        "reason": row.reason,
        "state": row.state,
        "requestedBy": row.requested_by,
        "requestedAt": clock.to_iso8601(row.requested_at),
        "decidedBy": row.decided_by or "",
        "decidedAt": _iso(row.decided_at),
    }


async def adjustments(service_db: Database, *, state: AdjustmentState, cursor: str | None) -> dict[str, Any]:
    """Return a page of adjustments, the newest first."""
    params = {"state": state, "before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _ADJUSTMENTS, params, row=_ListedAdjustment), _to_adjustment)


async def adjustment(service_db: Database, adjustment_id: UUID) -> dict[str, Any]:
    """Return an adjustment. Raises NotFound."""
    rows = await service_db.read(None, _ADJUSTMENT, [adjustment_id], row=_ListedAdjustment)
    if not rows:
        raise NotFound
    return _to_adjustment(rows[0])
