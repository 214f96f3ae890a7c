"""The outbox: writes to Stripe, each an intent with one key, and every way in which one can end (MONEY 4).

Claim, commit, then call; record the outcome and its effects in one transaction. An unknown outcome is repeated with the
same key for 20 hours, because Stripe may forget a key after 24; from then on it is searched for, and never sent.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple, cast
from uuid import UUID

import psycopg
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from porchlight.payment_ports import Later, Refusal, Sent, StripeApi, Unclear, Write
from porchlight.settlement.rules import SettlementRules
from tenants.db.rows import Connection
from tenants.kit import clock
from tenants.kit.logs import log

SEND_TASK = "settlement:send"
LEASE = timedelta(seconds=60)  # longer than a call may take
SAME_KEY_AGE = timedelta(hours=20)
ABSENT_AGE = timedelta(hours=25)
MIN_DELAY, MAX_DELAY = timedelta(seconds=1), timedelta(minutes=15)
PERSONAL_PARAMS = ["email", "evidence"]  # removed once the write has ended; the rules still get them
LOOKUP_MARGIN = timedelta(minutes=10)  # between our clock and Stripe's

_CREATE = "SELECT app.create_stripe_write(%s, %s, %s, %s, %s, %s, %s)"
_CLAIM = """
UPDATE stripe_outbox o
   SET state = 'sent', first_sent_at = coalesce(o.first_sent_at, %(now)s), lease_until = %(lease)s, due_at = %(lease)s,
       tries = o.tries + 1, api_version = coalesce(nullif(o.api_version, ''), %(api_version)s)
  FROM (SELECT c.id, c.state FROM stripe_outbox c
         WHERE c.state IN ('ready', 'sent', 'unknown') AND c.due_at <= %(now)s
           AND NOT EXISTS (SELECT FROM stripe_outbox s WHERE s.state = 'sent' AND s.id <> c.id
                              AND s.lane = c.lane)
         ORDER BY c.due_at LIMIT 1 FOR UPDATE SKIP LOCKED) former
 WHERE o.id = former.id
RETURNING o.id, o.kind, o.subject_id, o.attempt, o.account, o.method, o.path, o.params, o.api_version, o.object_id,
          former.state, o.first_sent_at, o.lease_until, o.lookup, o.tries"""
# Only the holder of the lease records an outcome: another worker may have taken over.
_SETTLE = """
UPDATE stripe_outbox SET state = %(state)s, object_id = %(object_id)s, error_code = %(code)s,
       error_message = %(message)s, lease_until = NULL, settled_at = %(now)s, params = params - %(personal)s::text[]
 WHERE id = %(id)s AND state = 'sent' AND lease_until = %(lease)s"""
_POSTPONE = """
UPDATE stripe_outbox SET state = %(state)s, lookup = lookup OR %(lookup)s, due_at = %(due_at)s, error_code = %(code)s,
       lease_until = NULL
 WHERE id = %(id)s AND state = 'sent' AND lease_until = %(lease)s"""
_WAKE = "SELECT app.enqueue('settlement:send', '{}', NULL, NULL, %s)"
_RESTORED = """
UPDATE stripe_outbox SET state = 'unknown', first_sent_at = coalesce(first_sent_at, created_at), lease_until = NULL,
       due_at = %(now)s
 WHERE state IN ('ready', 'sent', 'unknown')"""


class ClaimedRow(NamedTuple):
    """A row of the outbox that this worker may send until `lease_until`. `state` is that before the claim."""

    id: UUID
    kind: str
    subject_id: UUID
    attempt: int
    account: str
    method: str
    path: str
    params: Mapping[str, Any]
    api_version: str
    object_id: str
    state: str
    first_sent_at: datetime
    lease_until: datetime
    lookup: bool
    tries: int

    @property
    def write(self) -> Write:
        """Return the write as rules and the port know it."""
        return Write(*self[:10])


def create_write(
    conn: Connection,
    *,
    kind: str,
    subject_id: UUID,
    path: str,
    params: Mapping[str, Any],
    account: str = "",
    method: str = "POST",
    tagged: bool = True,
) -> UUID:
    """Store a write in the transaction that decides it, as the service role, and wake the sender. Return its id.

    `tagged` is false for an endpoint that takes no metadata; its write must be one that a repetition does not harm.
    Raises psycopg.errors.ObjectNotInPrerequisiteState while another attempt of the subject is open or done.
    """
    values = [kind, subject_id, account, method, path, Jsonb(dict(params)), tagged]
    ((created,),) = conn.execute(_CREATE, values).fetchall()
    return cast(UUID, created)


def mark_restored(conn: Connection) -> int:
    """After a restored backup: every open row may have been sent since. Return their number.

    Rows that were created less than 20 hours ago are sent with the same key; the others are searched for.
    """
    return conn.execute(_RESTORED, {"now": clock.now()}).rowcount


def retry_delay(tries: int) -> timedelta:
    """Return the time until the next try: 1 s to 15 min, doubled each time, with jitter."""
    longest = min(MAX_DELAY, MIN_DELAY * 2.0 ** min(tries, 20))
    return max(MIN_DELAY, longest * random.uniform(0.5, 1.0))  # noqa: S311 - it spreads retries


def claim(conn: Connection, api_version: str) -> ClaimedRow | None:
    """Claim the next row that is due, and commit. Return None if there is none.

    If this worker dies, the sweep of each minute finds the row once its lease has ended.
    """
    now = clock.now()
    values = {"now": now, "lease": now + LEASE, "api_version": api_version}
    try:
        with conn.transaction(), conn.cursor(row_factory=class_row(ClaimedRow)) as cursor:
            return cursor.execute(_CLAIM, values).fetchone()
    except psycopg.errors.UniqueViolation:
        return None  # another worker claimed a row of the same account; the end of its call wakes a sender


async def resolve(api: StripeApi, rules: SettlementRules, row: ClaimedRow) -> Sent | Later | Refusal | Unclear | None:
    """Call Stripe for a claimed row: send it, or search for its object. None: it is absent for good."""
    age = clock.now() - row.first_sent_at
    if not row.lookup and age < SAME_KEY_AGE:
        return await api.send(row.write)
    found = await look_up(api, rules, row)
    if found is not None:
        return Sent(found)
    return None if age >= ABSENT_AGE else Unclear("not_found", lookup=True)


async def look_up(api: StripeApi, rules: SettlementRules, row: ClaimedRow) -> Mapping[str, Any] | None:
    """Search the object of a write by the id of its row in the metadata. Raises PaymentsOutage, PaymentsRefusal."""
    lookup = rules.write_rule(row.kind).lookup(row.write)
    params = dict(lookup.params)
    if row.method == "POST" and "created" not in params:
        params["created"] = {"gte": int((row.first_sent_at - LOOKUP_MARGIN).timestamp())}
    async for listed in api.list_all(lookup.path, params, row.account):
        if (listed.get("metadata") or {}).get("outbox") == str(row.id):
            return listed
    return None


def record(
    conn: Connection, rules: SettlementRules, row: ClaimedRow, outcome: Sent | Later | Refusal | Unclear | None
) -> bool:
    """Record an outcome with all its effects in one transaction. Return False if the lease was lost."""
    if isinstance(outcome, (Later, Unclear)):
        return _postpone(conn, row, outcome)
    rule = rules.write_rule(row.kind)
    with conn.transaction():
        values: dict[str, Any] = {
            "id": row.id, "lease": row.lease_until, "now": clock.now(), "object_id": row.object_id, "code": "",
            "message": "", "personal": PERSONAL_PARAMS,
        }  # fmt: skip
        match outcome:
            case Sent(stripe_object):
                values |= {"state": "done", "object_id": str(stripe_object.get("id") or row.object_id)}
            case Refusal(code, message):
                values |= {"state": "refused", "code": code, "message": _without_personal(message, row.params)}
            case _:
                values |= {"state": "absent"}
        if conn.execute(_SETTLE, values).rowcount != 1:
            return False
        match outcome:
            case Sent(stripe_object):
                rule.on_done(conn, row.write, stripe_object)
            case Refusal():
                rule.on_refused(conn, row.write, outcome)
            case _:
                rule.on_absent(conn, row.write)
    log.info("stripe_write_settled", write=str(row.id), kind=row.kind, state=values["state"])
    return True


def _without_personal(message: str, params: Mapping[str, Any]) -> str:
    """Return Stripe's message without the personal data of the write, which it may repeat."""
    for value in map(params.get, PERSONAL_PARAMS):
        if isinstance(value, str) and value:
            message = re.sub(re.escape(value), "***", message, flags=re.IGNORECASE)
    return message


def _postpone(conn: Connection, row: ClaimedRow, outcome: Later | Unclear) -> bool:
    due_at = clock.now() + retry_delay(row.tries)
    # What was not taken now tells nothing about an earlier call.
    never_taken = isinstance(outcome, Later) and row.state == "ready"
    values = {
        "id": row.id, "lease": row.lease_until, "state": "ready" if never_taken else "unknown", "due_at": due_at,
        "lookup": isinstance(outcome, Unclear) and outcome.lookup, "code": outcome.reason,
    }  # fmt: skip
    with conn.transaction():
        held = conn.execute(_POSTPONE, values).rowcount == 1
        if held:
            conn.execute(_WAKE, [due_at])
    return held
