"""What staff do to a guru's site. Each act and its entry in the log are one transaction."""

from __future__ import annotations

import psycopg

from porchlight import audit
from porchlight.audit import Act
from tenants import lifecycle


def suspend_site(overseer_dsn: str, actor: str, label: str, reason: str) -> None:
    """Take a site down. Raises GuruNotFound."""
    with psycopg.connect(overseer_dsn) as conn:
        lifecycle.suspend(conn, label)
        audit.record(conn, Act(actor, "site.suspend", "site", label, {"reason": reason}))


def restore_site(overseer_dsn: str, actor: str, label: str, reason: str) -> None:
    """Bring a site back. Raises GuruNotFound."""
    with psycopg.connect(overseer_dsn) as conn:
        lifecycle.restore(conn, label)
        audit.record(conn, Act(actor, "site.restore", "site", label, {"reason": reason}))


def export_site(overseer_dsn: str, actor: str, label: str) -> bytes:
    """Everything of a guru as a ZIP archive. Raises GuruNotFound."""
    with psycopg.connect(overseer_dsn) as conn:
        archive = lifecycle.export(conn, label)
        audit.record(conn, Act(actor, "site.export", "site", label, {"bytes": len(archive)}))
    return archive
