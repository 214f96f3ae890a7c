"""Cancellation of sessions by staff."""

from __future__ import annotations

from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from porchlight.features.bookings.errors import BookingChanged
from tenants.db.rows import Connection
from tenants.kit.errors import NotFound

_FIND = """
SELECT tenant_id, guru_label FROM bookings
 WHERE id = %s AND status NOT IN ('held', 'expired')"""
_CANCEL = """
UPDATE bookings SET status = 'canceled', expires_at = NULL, ended_by = 'staff', ended_at = app.now(), reason = %s,
       owed_cents = 0, sequence = sequence + 1
 WHERE tenant_id = %s AND id = %s AND status IN ('requested', 'confirmed') AND starts_at > app.now()"""


def cancel_for_both(conn: Connection, actor: str, booking_id: UUID, reason: str) -> None:
    """Cancel a booking or a request at no cost to the person. Its seats are free at once; the audit log has the reason.

    Raises NotFound, and BookingChanged if it ended or started in the meantime.
    """
    row = conn.execute(_FIND, [booking_id]).fetchone()
    if row is None:
        raise NotFound
    tenant_id, label = row
    conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tenant_id)])
    conn.execute("SELECT 1 FROM app.lock_calendar()")
    if conn.execute(_CANCEL, [reason, tenant_id, booking_id]).rowcount == 0:
        raise BookingChanged
    record(conn, AuditEvent(actor, "session.cancel", "session", str(booking_id), {"site": label, "reason": reason}))
