"""The inbox: events of Stripe, stored once. A job fetches the object again, so the payload is never trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from porchlight.payment_ports import PaymentsOutage, ProviderEvent, StripeApi
from porchlight.settlement.reconcile import findings
from porchlight.settlement.rules import ObjectRule, SettlementRules, Source
from tenants.db.rows import Connection, fetch_one, fetch_value
from tenants.kit import clock
from tenants.kit.logs import log

PROCESS_TASK = "settlement:process"
MAX_FAILURES = 8  # then people look at the event
OUTAGE_DELAY = timedelta(minutes=1)  # while Stripe is away no event counts as failed
MIN_DELAY, MAX_DELAY = timedelta(minutes=1), timedelta(hours=1)

RECEIVE = "SELECT app.receive_stripe_event(%s, %s, %s, %s, %s, %s, %s, %s, %s)"
_EVENT = "SELECT id, account, livemode, body, tries FROM stripe_inbox WHERE id = %s AND state = 'new'"
_LOCK_OBJECT = "SELECT pg_advisory_xact_lock(hashtextextended('stripe:' || %s, 0))"
# The text, which may name people, is needed no longer.
_DONE = "UPDATE stripe_inbox SET state = %s, error = '', body = NULL WHERE id = %s AND state = 'new'"
_FAILED = """
UPDATE stripe_inbox SET tries = tries + %(counted)s, error = %(error)s, due_at = %(due_at)s,
       state = CASE WHEN tries + %(counted)s >= %(max)s THEN 'failed' ELSE 'new' END
 WHERE id = %(id)s AND state = 'new' RETURNING state"""
# `lock` orders the jobs of one object, and the queueing lock keeps a waiting job from being added twice.
_ENQUEUE = """
SELECT app.enqueue('settlement:process', jsonb_build_object('event_id', id), 'stripe-event:' || id,
                   'stripe:' || object_id)
  FROM stripe_inbox WHERE """
_ENQUEUE_DUE = _ENQUEUE + "state = 'new' AND due_at <= %s ORDER BY due_at LIMIT 1000"
_ENQUEUE_ONE = _ENQUEUE + "id = %s"
_RUN_AGAIN = """
UPDATE stripe_inbox SET state = 'new', tries = 0, error = '', due_at = %s WHERE id = %s AND state = 'failed'"""

# Of deleted accounts: nothing that is still to be processed needs the text, and staff can't repeat it with success.
_FORGET_ERASED = """
UPDATE stripe_inbox i SET body = NULL, error = ''
 WHERE i.state = 'failed' AND i.body IS NOT NULL
   AND (i.account <> '' AND EXISTS (
          SELECT FROM payout_accounts a JOIN users u ON u.user_id = a.user_id AND u.status = 'erased'
           WHERE a.account_id = i.account)
        OR EXISTS (
          SELECT FROM billing_customers b JOIN users u ON u.user_id = b.user_id AND u.status = 'erased'
           WHERE position(convert_to(b.customer_id, 'UTF8') IN i.body) > 0))"""


class InboxRow(NamedTuple):
    """A stored event that waits. `body`: None after the account that it names was deleted."""

    id: str
    account: str
    livemode: bool
    body: bytes | None
    tries: int


def receive_values(event: ProviderEvent, object_id: str, *, livemode: bool) -> list[Any]:
    """Return the parameters of RECEIVE. An event of the wrong mode is stored as ignored, so that staff see it."""
    return [
        event.id, event.endpoint, event.account, event.kind, object_id, event.livemode, event.created, event.body,
        event.livemode != livemode,
    ]  # fmt: skip


def object_of(rules: SettlementRules, body: bytes) -> str | None:
    """Return the id of the object that an event concerns, or None if no rule wants it."""
    try:
        found = rules.object_rule(json.loads(body))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        log.error("stripe_event_not_understood", error=repr(error))
        return None
    return found[1] if found else None


def due_event(conn: Connection, event_id: str) -> InboxRow | None:
    """Return an event that waits, or None if it was done before."""
    return fetch_one(conn, InboxRow, _EVENT, [event_id])


async def fetch_object(api: StripeApi, rule: ObjectRule, object_id: str, account: str) -> Mapping[str, Any] | None:
    """Fetch an object where it lives. The platform reads connected accounts themselves."""
    path = rule.path(object_id)
    return await api.fetch(path, "" if path == f"/v1/accounts/{account}" else account)


def apply_object(
    conn: Connection, rule: ObjectRule, object_id: str, fetched: Mapping[str, Any] | None, source: Source
) -> bool:
    """Apply a fetched object in one transaction, and mark its event as done. Return False if it was done before."""
    with conn.transaction():
        conn.execute(_LOCK_OBJECT, [object_id])
        if source.event_id and conn.execute(_DONE, ["done", source.event_id]).rowcount != 1:
            return False
        rule.apply(conn, object_id, fetched, source)
    return True


def mark_ignored(conn: Connection, event_id: str) -> None:
    """Mark an event that no rule wants any more."""
    conn.execute(_DONE, ["ignored", event_id])


def mark_failed(conn: Connection, row: InboxRow, error: BaseException) -> str:
    """Postpone an event whose processing failed, and return its state.

    After MAX_FAILURES it is `failed`: a finding tells the staff, who can run it again.
    """
    is_outage = isinstance(error, PaymentsOutage)
    delay = OUTAGE_DELAY if is_outage else min(MAX_DELAY, MIN_DELAY * 2.0**row.tries)
    values = {
        "id": row.id, "counted": 0 if is_outage else 1, "max": MAX_FAILURES, "due_at": clock.now() + delay,
        "error": f"{type(error).__name__}: {error}"[:500].replace("\0", ""),
    }  # fmt: skip
    state = fetch_value(conn, str, _FAILED, values)
    if state == "failed":
        findings.open_failed_event(conn, row.account, row.id)
    return state or "done"


async def process(api: StripeApi, rules: SettlementRules, row: InboxRow) -> tuple[ObjectRule, str, Any, Source] | None:
    """Fetch the object of an event: return the arguments of `apply_object`. None: no rule wants the event."""
    found = rules.object_rule(json.loads(row.body)) if row.body is not None else None  # erased with its person
    if found is None:
        return None
    rule, object_id = found
    fetched_at = clock.now()
    fetched = await fetch_object(api, rule, object_id, row.account)
    return rule, object_id, fetched, Source(row.account, fetched_at, row.id, row.livemode)


def forget_erased(conn: Connection) -> None:
    """Delete the text of events that failed for good after the account that they name was deleted."""
    conn.execute(_FORGET_ERASED)


def enqueue_due(conn: Connection) -> int:
    """Start the jobs of the events that are due, in case a job was lost. Return their number."""
    return len(conn.execute(_ENQUEUE_DUE, [clock.now()]).fetchall())


def run_again(conn: Connection, event_id: str) -> bool:
    """Process a failed event again ("Run again"). Return False if it did not fail."""
    if conn.execute(_RUN_AGAIN, [clock.now(), event_id]).rowcount != 1:
        return False
    findings.close_failed_event(conn, event_id)
    conn.execute(_ENQUEUE_ONE, [event_id])
    return True


def due_before(now: datetime) -> datetime:
    """Return the time before which an open object was last checked if it is to be fetched now."""
    return now - timedelta(minutes=55)
