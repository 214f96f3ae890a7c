"""Impersonation: an admin views a guru's console for 15 minutes, read-only by default, always with audit events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg

from porchlight.audit.recording import AuditEvent, record
from porchlight.contracts import Staff
from tenants.db.pool import Database
from tenants.db.rows import Connection, fetch_one, fetch_value
from tenants.kit import clock
from tenants.kit.errors import Forbidden, GuruNotFound, NotFound
from tenants.kit.ids import new_id

IMPERSONATION_TTL = timedelta(minutes=15)

_ACTIVE = """
SELECT i.id, g.id AS tenant_id, g.label, g.character, g.status, i.write_enabled_at IS NOT NULL AS writing, i.expires_at
  FROM impersonations i JOIN gurus g ON g.id = i.guru_id
 WHERE i.session_id = %(session)s AND i.ended_at IS NULL AND i.expires_at > %(now)s"""
_INSERT = """
INSERT INTO impersonations (id, session_id, guru_id, reason, started_at, expires_at)
VALUES (%s, %s, %s, %s, %s, %s)"""
_END = "UPDATE impersonations SET ended_at = %s WHERE session_id = %s AND ended_at IS NULL RETURNING id, guru_id"


class ReadOnlyImpersonation(Forbidden):
    """A write in a read-only impersonation."""

    code = "read_only"
    message = "You're viewing as this guru in read-only mode. Allow changes first, with a reason."


@dataclass(frozen=True, slots=True)
class ActiveImpersonation:
    """An impersonation that has not ended. `writing`: writes are allowed."""

    id: UUID
    tenant_id: UUID
    label: str
    character: str
    status: str
    writing: bool
    expires_at: datetime

    def to_json(self) -> dict[str, Any]:
        """Return the API representation."""
        return {
            "label": self.label,
            "character": self.character,
            "writing": self.writing,
            "expiresAt": clock.to_iso8601(self.expires_at),
        }


async def active_impersonation(service_db: Database, staff: Staff) -> ActiveImpersonation | None:
    """Return the active impersonation of an admin session, or None."""
    params = {"session": staff.session_id, "now": clock.now()}
    rows = await service_db.read(None, _ACTIVE, params, row=ActiveImpersonation)
    return rows[0] if rows else None


def create_impersonation(service_dsn: str, staff: Staff, label: str, reason: str) -> ActiveImpersonation:
    """Start to impersonate a guru. Ends another impersonation of this session. Raises GuruNotFound."""
    now = clock.now()
    with psycopg.connect(service_dsn) as conn:
        guru = conn.execute("SELECT id, character, status FROM gurus WHERE label = %s", [label]).fetchone()
        if guru is None:
            raise GuruNotFound
        _end(conn, staff)
        guru_id, character, status = guru
        expires_at = now + IMPERSONATION_TTL
        impersonation = ActiveImpersonation(new_id(), guru_id, label, character, status, False, expires_at)
        conn.execute(_INSERT, [impersonation.id, staff.session_id, guru_id, reason, now, expires_at])
        details = {"reason": reason, "until": clock.to_iso8601(expires_at)}
        _record(conn, staff, "impersonation.begin", label, details)
    return impersonation


def allow_impersonated_writes(service_dsn: str, staff: Staff, reason: str) -> ActiveImpersonation:
    """Allow writes in the active impersonation. Raises NotFound without one."""
    with psycopg.connect(service_dsn) as conn:
        params = {"session": staff.session_id, "now": clock.now()}
        impersonation = fetch_one(conn, ActiveImpersonation, _ACTIVE + " FOR UPDATE OF i", params)
        if impersonation is None:
            raise NotFound
        conn.execute("UPDATE impersonations SET write_enabled_at = %s WHERE id = %s", [clock.now(), impersonation.id])
        _record(conn, staff, "impersonation.raise", impersonation.label, {"reason": reason})
    return replace(impersonation, writing=True)


def end_impersonation(service_dsn: str, staff: Staff) -> None:
    """End the impersonation of this session, if there is one."""
    with psycopg.connect(service_dsn) as conn:
        _end(conn, staff)


def record_impersonated_write(
    service_dsn: str, staff: Staff, impersonation: ActiveImpersonation, request_line: str
) -> None:
    """Record a write that an admin is about to make as the guru."""
    with psycopg.connect(service_dsn) as conn:
        _record(conn, staff, "impersonation.change", impersonation.label, {"call": request_line})


def _end(conn: Connection, staff: Staff) -> None:
    for _id, guru_id in conn.execute(_END, [clock.now(), staff.session_id]).fetchall():
        label = fetch_value(conn, str, "SELECT label FROM gurus WHERE id = %s", [guru_id])
        _record(conn, staff, "impersonation.end", label or "", {})


def _record(conn: Connection, staff: Staff, action: str, label: str, details: dict[str, Any]) -> None:
    record(conn, AuditEvent(staff.key_name, action, "site", label, details))
