"""Suspension of accounts by admins, in the admin's transaction on the service connection."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from tenants.db.jobs import enqueue_as_service
from tenants.db.rows import Connection, fetch_one
from tenants.kit.errors import NotFound

SYNC_STATUS_TASK = "auth:sync_status"


_SUSPEND = """
UPDATE users SET status = 'suspended', suspended_at = app.now(), suspended_reason = %s, suspended_site = %s,
       signed_out_at = app.now(), updated_at = app.now()
 WHERE user_id = %s"""
_RESTORE = """
UPDATE users SET status = 'active', suspended_at = NULL, suspended_reason = '', suspended_site = false,
       updated_at = app.now()
 WHERE user_id = %s"""
_KEEP_SITE_SUSPENDED = """
UPDATE users u SET suspended_site = false FROM memberships m JOIN gurus g ON g.id = m.tenant_id
 WHERE u.user_id = m.user_id AND g.label = %s AND u.suspended_site"""


class AccountState(NamedTuple):
    """An account's status. `suspended_site`: its site was suspended with it."""

    status: str
    suspended_site: bool


def lock_account(conn: Connection, user_id: UUID) -> AccountState:
    """Lock an account and return its state. Raises NotFound."""
    query = "SELECT status, suspended_site FROM users WHERE user_id = %s FOR UPDATE"
    row = fetch_one(conn, AccountState, query, [user_id])
    if row is None or row.status == "erased":
        raise NotFound
    return row


def suspend_account(conn: Connection, user_id: UUID, reason: str, *, suspends_site: bool) -> None:
    """Suspend an account and end its sign-ins; a job disables it at the identity provider."""
    conn.execute(_SUSPEND, [reason, suspends_site, user_id])
    conn.execute("DELETE FROM sessions WHERE user_id = %s", [user_id])
    enqueue_as_service(conn, SYNC_STATUS_TASK, user_id=str(user_id))


def restore_account(conn: Connection, user_id: UUID) -> None:
    """Restore a suspended account; a job enables it at the identity provider."""
    conn.execute(_RESTORE, [user_id])
    enqueue_as_service(conn, SYNC_STATUS_TASK, user_id=str(user_id))


def keep_site_suspended(conn: Connection, label: str) -> None:
    """Separate a site's status from its owner's suspension: restoring the owner no longer restores the site.

    For an admin's action on the site itself, which takes precedence.
    """
    conn.execute(_KEEP_SITE_SUSPENDED, [label])
