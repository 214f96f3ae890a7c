"""Suspension of users by admins. Each action and its audit event are one transaction."""

from __future__ import annotations

from uuid import UUID

import psycopg

from porchlight.audit.recording import AuditEvent, record
from porchlight.auth import suspension
from tenants.db.rows import fetch_value
from tenants.tenancy import lifecycle

# Only `status` is compared: a site that its owner unpublished before the suspension is unpublished after it.
_SITE_TO_SUSPEND = """
SELECT g.label FROM memberships m JOIN gurus g ON g.id = m.tenant_id
 WHERE m.user_id = %s AND g.status <> 'suspended' FOR UPDATE OF g"""
_SITE_TO_RESTORE = """
SELECT g.label FROM memberships m JOIN gurus g ON g.id = m.tenant_id
 WHERE m.user_id = %s AND g.status = 'suspended' FOR UPDATE OF g"""


def suspend_user(service_dsn: str, actor: str, user_id: UUID, reason: str) -> None:
    """Suspend a user: all sign-ins end immediately in all workers, and the identity provider disables the account.

    The user's site is suspended too, because its leads would get no reply. Raises NotFound.
    """
    with psycopg.connect(service_dsn) as conn:
        if suspension.lock_account(conn, user_id).status == "suspended":
            return
        site = fetch_value(conn, str, _SITE_TO_SUSPEND, [user_id])
        suspension.suspend_account(conn, user_id, reason, suspends_site=site is not None)
        record(conn, AuditEvent(actor, "user.suspend", "user", str(user_id), {"reason": reason}))
        if site is not None:
            lifecycle.suspend_guru(conn, site)
            record(conn, AuditEvent(actor, "site.suspend", "site", site, {"with_owner": str(user_id)}))


def restore_user(service_dsn: str, actor: str, user_id: UUID) -> None:
    """Restore a suspended user, and the site that was suspended with the user. Raises NotFound."""
    with psycopg.connect(service_dsn) as conn:
        account = suspension.lock_account(conn, user_id)
        if account.status == "active":
            return
        site = fetch_value(conn, str, _SITE_TO_RESTORE, [user_id]) if account.suspended_site else None
        suspension.restore_account(conn, user_id)
        record(conn, AuditEvent(actor, "user.restore", "user", str(user_id)))
        if site is not None:
            lifecycle.restore_guru(conn, site)
            record(conn, AuditEvent(actor, "site.restore", "site", site, {"with_owner": str(user_id)}))
