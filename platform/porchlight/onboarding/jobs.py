"""What follows by job, as the overseer: what a guru lists follows their documents, a guru goes with their account."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from tenants import lifecycle

# Enqueued by triggers: whatever changes how a document stands, and the end of an owner's account.
RELIST_TASK = "documents_changed"
ERASE_GURU_TASK = "erase_guru"

Connection = psycopg.Connection[Any]


def relist(conn: Connection, user_id: UUID) -> None:
    """Bring what the person's guru lists in line with their documents. Nothing happens to somebody without one."""
    conn.execute("SELECT app.relist(%s)", [user_id])


def erase_guru(conn: Connection, tenant_id: UUID) -> None:
    """Erase a guru whose owner erased their account. Nothing happens the second time."""
    row = conn.execute("SELECT label FROM gurus WHERE id = %s", [tenant_id]).fetchone()
    if row is not None:
        lifecycle.delete(conn, row[0])
