"""Work of the worker: update a guru's listed categories, and delete a guru whose owner deleted their account."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from tenants.tenancy import lifecycle

# Enqueued by triggers on documents and on deleted accounts.
RELIST_TASK = "onboarding:update_listed_categories"
ERASE_GURU_TASK = "onboarding:delete_guru"

Connection = psycopg.Connection[Any]


def relist(conn: Connection, user_id: UUID) -> None:
    """List the guru's categories whose required documents are approved. Does nothing for a user without a guru."""
    conn.execute("SELECT app.update_listed_categories(%s)", [user_id])


def erase_guru(conn: Connection, tenant_id: UUID) -> None:
    """Delete a guru with all its data. Safe to repeat."""
    row = conn.execute("SELECT label FROM gurus WHERE id = %s", [tenant_id]).fetchone()
    if row is not None:
        lifecycle.delete_guru(conn, row[0])
