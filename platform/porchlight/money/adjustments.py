"""Corrections of the ledger that staff decide: a reason each, and above $100 a day the approval of a second person.

`adjustment_rules` decides, on what is read here under one lock for all adjustments. The caller records the decision in
the audit log, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import psycopg

from porchlight.money.adjustment_rules import (
    ALONE_WINDOW,
    ApprovalRequired,
    Holder,
    PostedAlone,
    State,
    check_approval,
    decide_request,
)
from porchlight.money.rules import events
from tenants.db.rows import Connection, fetch_one
from tenants.kit.errors import AlreadyDecided, NotFound, ValidationFailed
from tenants.kit.ids import new_id

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('adjustments', 0))"
_POSTED_ALONE = """
SELECT coalesce(sum(a.cents) FILTER (WHERE lower(a.requested_by) = lower(%(holder)s)), 0)::bigint AS of_holder,
       coalesce(sum(a.cents) FILTER (WHERE coalesce(d.user_id, c.user_id) IS NOT DISTINCT FROM (
         SELECT p.user_id FROM ledger_accounts p
          WHERE p.id IN (%(debit)s, %(credit)s) AND p.user_id IS NOT NULL LIMIT 1)), 0)::bigint AS of_person
  FROM adjustments a
  JOIN ledger_accounts d ON d.id = a.debit_account
  JOIN ledger_accounts c ON c.id = a.credit_account
 WHERE a.state = 'posted' AND a.decided_by IS NULL AND a.requested_at > app.now() - %(window)s::interval"""
_STORED = "SELECT state, cents, requested_by FROM adjustments WHERE id = %s"
_REQUEST = "SELECT app.request_adjustment(%s, %s, %s, %s, %s, %s, %s, %s)"
_DECIDE = "SELECT app.decide_adjustment(%s, %s, %s)"


@dataclass(frozen=True, slots=True)
class AdjustmentRequest:
    """A correction: `cents` from the debited to the credited account, by an event of `rules.toml`."""

    event: str
    debit: UUID
    credit: UUID
    cents: int
    reason: str


class StoredAdjustment(NamedTuple):
    """An adjustment in the database."""

    state: State
    cents: int
    requested_by: str


def request_adjustment(conn: Connection, request: AdjustmentRequest, *, holder: Holder) -> tuple[UUID, State]:
    """Store an adjustment of a key's holder and post it, unless it has to be approved. Return its id and state.

    Raises NamedKeyRequired for a shared key, and ValidationFailed for an event, accounts or an amount that are not
    possible, or an empty reason.
    """
    if request.event not in adjustment_events():
        raise ValidationFailed("This event is not a correction that staff can make.")
    if request.cents <= 0 or not request.reason.strip():
        raise ValidationFailed("An adjustment needs an amount above zero and a reason.")
    conn.execute(_LOCK)  # the sums count each other's
    accounts = {"debit": request.debit, "credit": request.credit}
    params = {"holder": holder.name, "window": ALONE_WINDOW} | accounts
    posted = fetch_one(conn, PostedAlone, _POSTED_ALONE, params) or PostedAlone(0, 0)
    state = decide_request(request.cents, holder, posted)
    adjustment_id = new_id()
    values = [request.event, request.debit, request.credit, request.cents, request.reason, holder.name]
    with _errors_of_ledger():
        conn.execute(_REQUEST, [adjustment_id, *values, state == "posted"])
    return adjustment_id, state


def decide_adjustment(conn: Connection, adjustment_id: UUID, *, holder: Holder, approve: bool) -> StoredAdjustment:
    """Post or reject an adjustment that waits. Return it as it waited.

    Raises NotFound, AlreadyDecided, ApprovalRequired unless the holder of a named key other than the requester
    approves it, and ValidationFailed if the ledger refuses it.
    """
    conn.execute(_LOCK)  # no one else decides in the meantime
    adjustment = fetch_one(conn, StoredAdjustment, _STORED, [adjustment_id])
    if adjustment is None:
        raise NotFound
    if adjustment.state != "requested":
        raise AlreadyDecided
    if approve:
        check_approval(adjustment.requested_by, holder)
    with _errors_of_ledger():
        conn.execute(_DECIDE, [adjustment_id, holder.name, approve])
    return adjustment


def adjustment_events() -> frozenset[str]:
    """Return the events that staff can post."""
    return frozenset(event.name for event in events().values() if event.subject == "adjustment")


@contextmanager
def _errors_of_ledger() -> Iterator[None]:
    """Turn what the tables refuse into errors for staff."""
    try:
        yield
    except psycopg.errors.CheckViolation as error:
        if error.diag.constraint_name == "ck_adjustments_second_holder":
            raise ApprovalRequired from error
        raise ValidationFailed("The account does not hold that much.") from error
    except psycopg.errors.ForeignKeyViolation as error:
        raise ValidationFailed("This correction cannot be made between these accounts.") from error
