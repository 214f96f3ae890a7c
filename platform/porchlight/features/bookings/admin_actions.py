"""Cancellation of sessions by staff."""

from __future__ import annotations

from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.errors import require
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from tenants.db.rows import Connection
from tenants.kit.errors import NotFound

_FIND = """
SELECT tenant_id, guru_label FROM bookings
 WHERE id = %s AND status NOT IN ('held', 'expired')"""


def cancel_for_both(conn: Connection, actor: str, booking_id: UUID, reason: str) -> None:
    """Cancel a booking or a request at no cost to the person. Its seats are free at once; the audit log has the reason.

    Raises NotFound, and BookingChanged if it ended or started in the meantime.
    """
    row = conn.execute(_FIND, [booking_id]).fetchone()
    if row is None:
        raise NotFound
    tenant_id, label = row
    conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tenant_id)])
    command = commands.Cancel(id=booking_id, actor=Actor.STAFF, reason=reason)
    require(store.run_on(conn, FactsQuery(ids=[booking_id]), command).refusal)
    record(conn, AuditEvent(actor, "session.cancel", "session", str(booking_id), {"site": label, "reason": reason}))
