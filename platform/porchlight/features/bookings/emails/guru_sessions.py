"""Reading a session as the guru's calendar shows it."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.bookings.calendar_events import GuruSession
from tenants.db.rows import Connection, fetch_one

# In one statement, so that the number belongs to these people.
_GURU_SESSION = """
SELECT a.id, a.sequence, a.capacity, a.starts_at, a.ends_at,
       (SELECT coalesce(json_agg(json_build_array(b.person_name, b.party) ORDER BY b.confirmed_at, b.id), '[]')
          FROM bookings b
         WHERE b.tenant_id = a.tenant_id AND b.appointment_id = a.id AND b.status = 'confirmed') AS people
  FROM appointments a WHERE a.tenant_id = %s AND a.id = %s"""


def guru_session(conn: Connection, tenant_id: UUID, appointment_id: UUID | None) -> GuruSession | None:
    """Return a session, or None if there is none with this id."""
    return fetch_one(conn, GuruSession, _GURU_SESSION, [tenant_id, appointment_id])
