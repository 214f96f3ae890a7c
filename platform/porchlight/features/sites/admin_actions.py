"""Suspension and export of guru sites by admins. Each action and its audit event are one transaction."""

from __future__ import annotations

import psycopg

from porchlight.audit.recording import AuditEvent, record
from porchlight.auth.suspension import keep_site_suspended
from tenants.tenancy import lifecycle

_UNSEEN = ("client_notes",)  # tables that only the guru may read


def suspend_site(service_dsn: str, actor: str, label: str, reason: str) -> None:
    """Suspend a site. The guru reads the reason in the console. Raises GuruNotFound."""
    with psycopg.connect(service_dsn) as conn:
        lifecycle.suspend_guru(conn, label, reason)
        keep_site_suspended(conn, label)
        record(conn, AuditEvent(actor, "site.suspend", "site", label, {"reason": reason}))


def restore_site(service_dsn: str, actor: str, label: str, reason: str) -> None:
    """Restore a suspended site. Raises GuruNotFound."""
    with psycopg.connect(service_dsn) as conn:
        lifecycle.restore_guru(conn, label)
        keep_site_suspended(conn, label)
        record(conn, AuditEvent(actor, "site.restore", "site", label, {"reason": reason}))


def export_site(service_dsn: str, actor: str, label: str) -> bytes:
    """Return a guru's data as a ZIP archive, without their private notes. Raises GuruNotFound."""
    with psycopg.connect(service_dsn) as conn:
        archive = lifecycle.export_guru(conn, label, without=_UNSEEN)
        record(conn, AuditEvent(actor, "site.export", "site", label, {"bytes": len(archive)}))
    return archive
