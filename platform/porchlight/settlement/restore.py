"""After a restored backup: what the payment provider did since the backup was made (MONEY 4).

Open writes become `unknown`. A write that was decided and sent after the backup left no row; its object is found by
the events since. Until it is here, its owner could ask for the same money again, so this runs before the API starts.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import psycopg

from porchlight.settlement import inbox, outbox
from porchlight.settlement.jobs import UNDELIVERED_AGE, Settlement
from tenants.db.rows import Connection, fetch_value, fetch_values

_LAST_RECEIVED = "SELECT max(received_at) FROM stripe_inbox"
# Of each object the newest event: it is fetched as it is now, and the worker does the others later. Objects are in the
# order of their first event, because one can depend on the end of another.
_WAITING = """
SELECT (array_agg(id ORDER BY created DESC, id))[1] FROM stripe_inbox WHERE state IN ('new', 'failed')
 GROUP BY object_id ORDER BY min(created), object_id"""
_LEFT = "SELECT count(*) FROM stripe_inbox WHERE id = ANY (%s) AND state IN ('new', 'failed')"


class Recovery(NamedTuple):
    """Counts of what a restored database had missed: open writes, new events, objects that could not be applied."""

    writes: int
    events: int
    failed: int


async def recover(dsn: str, settlement: Settlement) -> Recovery:
    """Mark open writes, fetch the events since the backup, and apply their objects. May run again until none failed.

    Raises PaymentsOutage and PaymentsRefusal before any event is stored.
    """
    with psycopg.connect(dsn) as conn:
        writes = outbox.mark_restored(conn)
    # One transaction: after an outage half-way, the last event that is stored still tells the backup's age.
    with psycopg.connect(dsn) as conn:
        events = await _receive(conn, settlement)
    with psycopg.connect(dsn, autocommit=True) as conn:
        waiting = fetch_values(conn, str, _WAITING)
        for event_id in waiting:
            inbox.run_again(conn, event_id)  # if it failed before
            await settlement.process_event(event_id)
        failed = fetch_value(conn, int, _LEFT, [waiting]) or 0
    return Recovery(writes, events, failed)


async def _receive(conn: Connection, settlement: Settlement) -> int:
    last = fetch_value(conn, datetime, _LAST_RECEIVED)
    params: dict[str, Any] = {}
    if last is not None:
        # An event that was delivered after the backup can be as old as the provider repeats a delivery.
        params["created"] = {"gte": int((last - UNDELIVERED_AGE - timedelta(hours=1)).timestamp())}
    received = 0
    for account in ("", *settlement.rules.accounts(conn)):
        received += await settlement.receive_listed(conn, account, params)
    return received
