"""Further attempts of writes that move money which is owed."""

from __future__ import annotations

from porchlight.settlement.outbox import create_write
from porchlight.settlement.rules import Write
from tenants.db.rows import Connection

MAX_ATTEMPTS = 3  # each takes a day until it is known that Stripe never had it


def send_again(conn: Connection, write: Write) -> bool:
    """Send a write that is absent at Stripe again, with a new key. Return False after the last attempt.

    A server error that Stripe repeats for a key otherwise keeps the money from whom it belongs to (MONEY 4).
    """
    if write.attempt >= MAX_ATTEMPTS:
        return False
    create_write(conn, kind=write.kind, subject_id=write.subject_id, path=write.path, params=write.params)
    return True
