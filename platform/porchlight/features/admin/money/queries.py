"""Queries of the money pages of staff. Each reads an index; the ledger's tables are only read here."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.features.admin.money.schemas import AdjustmentState, EventState, FindingState, WriteState
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
         SELECT FROM plan_disputes WHERE state IN ('inquiry', 'open', 'under_review') LIMIT %(max)s) open),
       last.finished_at, coalesce(last.off_cents, 0), coalesce(last.off_accounts, 0)
  FROM (VALUES (1)) one LEFT JOIN LATERAL (
    SELECT finished_at, off_cents, off_accounts FROM reconciliations ORDER BY finished_at DESC LIMIT 1) last ON true"""
_SELECT_FINDING = "SELECT id, kind, account, stripe_id, cents, state, found_at, note, by FROM findings"
_FINDINGS = f"""{_SELECT_FINDING}
 WHERE state = %(state)s AND (%(before)s::uuid IS NULL OR id < %(before)s) ORDER BY id DESC LIMIT %(limit)s"""
_FINDING = f"{_SELECT_FINDING} WHERE id = %s"
_WRITES = """
SELECT id, kind, subject_id, attempt, account, state, tries, object_id, error_code, error_message, created_at,
       CASE WHEN state IN ('ready', 'sent', 'unknown') THEN due_at END
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
_DISPUTES = """
SELECT d.id, d.dp_id, u.email, d.amount, d.fee, d.reason, d.state, d.due_by, d.opened_at
  FROM plan_disputes d JOIN users u ON u.user_id = d.user_id
 WHERE (d.state IN ('inquiry', 'open', 'under_review')) = %(open)s AND (%(before)s::uuid IS NULL OR d.id < %(before)s)
 ORDER BY d.id DESC LIMIT %(limit)s"""
_RECONCILIATIONS = """
SELECT id, finished_at, lines, open_findings, off_cents, off_accounts FROM reconciliations
 WHERE %(before)s::uuid IS NULL OR id < %(before)s ORDER BY id DESC LIMIT %(limit)s"""
_SELECT_ADJUSTMENT = """
SELECT a.id, a.event, d.kind, u.email, a.cents, a.reason, a.state, a.requested_by, a.requested_at, a.decided_by,
       a.decided_at
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


async def summary(service_db: Database) -> dict[str, Any]:
    """Return the result of the last reconciliation, and how much waits for staff."""
    ((*counts, at, cents_off, accounts_off),) = await service_db.read(None, _SUMMARY, {"max": MAX_COUNT})
    return {
        "reconciledAt": _iso(at),
        "centsOff": cents_off,
        "accountsOff": accounts_off,
        "openFindings": counts[0],
        "failedEvents": counts[1],
        "openWrites": counts[2],
        "waitingAdjustments": counts[3],
        "openDisputes": counts[4],
    }


def _to_finding(row: tuple[Any, ...]) -> dict[str, Any]:
    finding_id, kind, account, stripe_id, cents, state, found_at, note, explained_by = row
    return {
        "id": str(finding_id),
        "kind": kind,
        "account": account,
        "stripeId": stripe_id,
        "cents": cents,
        "state": state,
        "foundAt": clock.to_iso8601(found_at),
        "note": note,
        "explainedBy": explained_by,
    }


async def findings(service_db: Database, *, state: FindingState, cursor: str | None) -> dict[str, Any]:
    """Return a page of findings, the newest first."""
    params = {"state": state, "before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _FINDINGS, params), _to_finding)


async def finding(service_db: Database, finding_id: UUID) -> dict[str, Any]:
    """Return a finding. Raises NotFound."""
    rows = await service_db.read(None, _FINDING, [finding_id])
    if not rows:
        raise NotFound
    return _to_finding(rows[0])


def _to_write(row: tuple[Any, ...]) -> dict[str, Any]:
    return {
        "id": str(row[0]),
        "kind": row[1],
        "subjectId": str(row[2]),
        "attempt": row[3],
        "account": row[4],
        "state": row[5],
        "tries": row[6],
        "objectId": row[7],
        "errorCode": row[8],
        "errorMessage": row[9],
        "createdAt": clock.to_iso8601(row[10]),
        "dueAt": _iso(row[11]),
    }


async def writes(service_db: Database, *, state: WriteState | None, cursor: str | None) -> dict[str, Any]:
    """Return a page of the outbox, the newest first. Without a state: all that are not settled."""
    states = [state] if state else _OPEN_STATES
    params = {"states": states, "before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _WRITES, params), _to_write)


def _to_event(row: tuple[Any, ...]) -> dict[str, Any]:
    event_id, kind, account, object_id, state, tries, error, received_at = row
    return {
        "id": event_id,
        "kind": kind,
        "account": account,
        "objectId": object_id,
        "state": state,
        "tries": tries,
        "error": error,
        "receivedAt": clock.to_iso8601(received_at),
    }


async def events(service_db: Database, *, state: EventState, cursor: str | None) -> dict[str, Any]:
    """Return a page of the inbox, the newest first."""
    before = (cursor or "").replace("\0", "") or None
    params = {"state": state, "before": before, "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _EVENTS, params), _to_event)


async def event(service_db: Database, event_id: str) -> dict[str, Any]:
    """Return an event. Raises NotFound."""
    rows = await service_db.read(None, _EVENT, [event_id.replace("\0", "")])
    if not rows:
        raise NotFound
    return _to_event(rows[0])


def _to_dispute(row: tuple[Any, ...]) -> dict[str, Any]:
    dispute_id, stripe_id, email, cents, fee_cents, reason, state, due_by, opened_at = row
    return {
        "id": str(dispute_id),
        "stripeId": stripe_id,
        "person": email,
        "cents": cents,
        "feeCents": fee_cents,
        "reason": reason,
        "state": state,
        "dueBy": _iso(due_by),
        "openedAt": clock.to_iso8601(opened_at),
    }


async def disputes(service_db: Database, *, is_open: bool, cursor: str | None) -> dict[str, Any]:
    """Return a page of the disputes that the bank has decided, or has yet to decide, the newest first."""
    params = {"open": is_open, "before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _DISPUTES, params), _to_dispute)


def _to_reconciliation(row: tuple[Any, ...]) -> dict[str, Any]:
    run_id, finished_at, lines, open_findings, off_cents, off_accounts = row
    return {
        "id": str(run_id),
        "finishedAt": clock.to_iso8601(finished_at),
        "lines": lines,
        "openFindings": open_findings,
        "centsOff": off_cents,
        "accountsOff": off_accounts,
    }


async def reconciliations(service_db: Database, *, cursor: str | None) -> dict[str, Any]:
    """Return a page of reconciliations, the newest first."""
    params = {"before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _RECONCILIATIONS, params), _to_reconciliation)


def _to_adjustment(row: tuple[Any, ...]) -> dict[str, Any]:
    adjustment_id, event_name, debit_kind, email, cents, reason, state, requested_by, requested_at = row[:9]
    is_suspense = event_name == "suspense_cleared"
    from_suspense = "suspense_to_losses" if debit_kind == "suspense" else "losses_to_suspense"
    return {
        "id": str(adjustment_id),
        "kind": from_suspense if is_suspense else event_name,
        "person": email or "",
        "cents": cents,
        "reason": reason,
        "state": state,
        "requestedBy": requested_by,
        "requestedAt": clock.to_iso8601(requested_at),
        "decidedBy": row[9] or "",
        "decidedAt": _iso(row[10]),
    }


async def adjustments(service_db: Database, *, state: AdjustmentState, cursor: str | None) -> dict[str, Any]:
    """Return a page of adjustments, the newest first."""
    params = {"state": state, "before": parse_id_cursor(cursor), "limit": PAGE_SIZE + 1}
    return page_by_id(await service_db.read(None, _ADJUSTMENTS, params), _to_adjustment)


async def adjustment(service_db: Database, adjustment_id: UUID) -> dict[str, Any]:
    """Return an adjustment. Raises NotFound."""
    rows = await service_db.read(None, _ADJUSTMENT, [adjustment_id])
    if not rows:
        raise NotFound
    return _to_adjustment(rows[0])
