"""Staff who look at a site as its guru: for a quarter of an hour, read-only unless raised, always in the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg

from porchlight import audit
from porchlight.audit import Act, Connection
from porchlight.staff import Staff
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import Forbidden, GuruNotFound, NotFound
from tenants.kit.ids import new_id

LIFETIME = timedelta(minutes=15)

_LIVING = """
SELECT i.id, g.id, g.label, g.character, g.status, i.raised_at IS NOT NULL, i.expires_at
  FROM impersonations i JOIN gurus g ON g.id = i.guru_id
 WHERE i.session_id = %(session)s AND i.ended_at IS NULL AND i.expires_at > %(now)s"""
_END = "UPDATE impersonations SET ended_at = %s WHERE session_id = %s AND ended_at IS NULL RETURNING id, guru_id"


class ReadOnly(Forbidden):
    """Staff who only look may change nothing."""

    code = "read_only"
    message = "You are looking as this guru, read-only. Allow changes first, with a reason."


@dataclass(frozen=True, slots=True)
class Look:
    """A living look. `writing`: raised, so that changes are let through."""

    id: UUID
    tenant_id: UUID
    label: str
    character: str
    status: str
    writing: bool
    expires_at: datetime

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {
            "label": self.label,
            "character": self.character,
            "writing": self.writing,
            "expiresAt": clock.wire(self.expires_at),
        }


async def living(overseer: Database, staff: Staff) -> Look | None:
    """The look of a staff session that is not over."""
    rows = await overseer.read(None, _LIVING, {"session": staff.session_id, "now": clock.now()})
    return Look(*rows[0]) if rows else None


def begin(overseer_dsn: str, staff: Staff, label: str, reason: str) -> Look:
    """Look at a site as its guru; another look of this session ends. Raises GuruNotFound."""
    now = clock.now()
    with psycopg.connect(overseer_dsn) as conn:
        guru = conn.execute("SELECT id, character, status FROM gurus WHERE label = %s", [label]).fetchone()
        if guru is None:
            raise GuruNotFound
        _end(conn, staff)
        look = Look(new_id(), guru[0], label, guru[1], guru[2], writing=False, expires_at=now + LIFETIME)
        conn.execute(
            "INSERT INTO impersonations (id, session_id, guru_id, reason, started_at, expires_at)"
            " VALUES (%s, %s, %s, %s, %s, %s)",
            [look.id, staff.session_id, look.tenant_id, reason, now, look.expires_at],
        )
        _record(conn, staff, "impersonation.begin", label, {"reason": reason, "until": clock.wire(look.expires_at)})
    return look


def allow_writing(overseer_dsn: str, staff: Staff, reason: str) -> Look:
    """Let this look change things, with a reason. Raises NotFound when there is none."""
    with psycopg.connect(overseer_dsn) as conn:
        row = conn.execute(_LIVING + " FOR UPDATE OF i", {"session": staff.session_id, "now": clock.now()}).fetchone()
        if row is None:
            raise NotFound
        look = Look(*row)
        conn.execute("UPDATE impersonations SET raised_at = %s WHERE id = %s", [clock.now(), look.id])
        _record(conn, staff, "impersonation.raise", look.label, {"reason": reason})
    return Look(look.id, look.tenant_id, look.label, look.character, look.status, True, look.expires_at)


def end(overseer_dsn: str, staff: Staff) -> None:
    """End the look of this session, if there is one."""
    with psycopg.connect(overseer_dsn) as conn:
        _end(conn, staff)


def note_change(overseer_dsn: str, staff: Staff, look: Look, change: str) -> None:
    """Write down a change that staff are about to make as the guru."""
    with psycopg.connect(overseer_dsn) as conn:
        _record(conn, staff, "impersonation.change", look.label, {"call": change})


def _end(conn: Connection, staff: Staff) -> None:
    for _look, guru_id in conn.execute(_END, [clock.now(), staff.session_id]).fetchall():
        row = conn.execute("SELECT label FROM gurus WHERE id = %s", [guru_id]).fetchone()
        _record(conn, staff, "impersonation.end", row[0] if row else "", {})


def _record(conn: Connection, staff: Staff, action: str, label: str, details: dict[str, Any]) -> None:
    audit.record(conn, Act(staff.key_name, action, "site", label, details))
