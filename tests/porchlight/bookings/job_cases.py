"""Isolation cases of the jobs of bookings."""

from __future__ import annotations

from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg

from tenants.kit.ids import new_id
from tests.porchlight.factories import SeededGuru, seed_guru, seed_package_purchase, seed_user
from tests.porchlight.job_cases import JobCase


def _seed_gurus(conn: psycopg.Connection[Any]) -> tuple[SeededGuru, UUID, SeededGuru]:
    own, other = (seed_guru(conn, f"{name}-{new_id().hex[-10:]}") for name in ("own", "other"))
    assert own.booking is not None
    return own, own.booking, other


def _seed_email(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, booking_id, other = _seed_gurus(conn)
    conn.execute("UPDATE booking_emails SET status = 'due' WHERE tenant_id = %s", [own.id])
    args = {"booking_id": str(booking_id)}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_changes(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, _booking, other = _seed_gurus(conn)
    conn.execute(
        "UPDATE booking_emails SET status = 'due', collected = true, due_at = app.now() WHERE tenant_id = %s", [own.id]
    )
    row = conn.execute("SELECT person_id FROM bookings WHERE id = %s", [own.booking]).fetchone()
    assert row is not None
    args = {"side": "person", "person_id": str(row[0])}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_agenda(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, booking_id, other = _seed_gurus(conn)
    conn.execute("DELETE FROM bookings WHERE tenant_id = %s", [other.id])
    row = conn.execute("SELECT starts_at FROM bookings WHERE id = %s", [booking_id]).fetchone()
    assert row is not None
    args = {"day": row[0].astimezone(ZoneInfo("America/Denver")).date().isoformat()}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_link(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, booking_id, other = _seed_gurus(conn)
    change = "UPDATE participants SET signer = 'link', email = 'theo@example.com', email_due = app.now()"
    conn.execute(f"{change} WHERE tenant_id = %s".encode(), [own.id])
    args = {"booking_id": str(booking_id)}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_waitlist(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, _booking, other = _seed_gurus(conn)
    row = conn.execute("SELECT appointment_id FROM waitlist WHERE tenant_id = %s", [own.id]).fetchone()
    assert row is not None
    args = {"appointment_id": str(row[0]), "number": 1}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_package_email(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, _booking, other = _seed_gurus(conn)
    row = conn.execute("SELECT id FROM package_grants WHERE tenant_id = %s", [own.id]).fetchone()
    assert row is not None
    args = {"grant_id": str(row[0]), "number": 1}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_package_purchase(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, _booking, other = _seed_gurus(conn)
    args = {"payment_id": str(seed_package_purchase(conn, own, seed_user(conn)))}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_refund_emails(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, _booking, other = _seed_gurus(conn)
    row = conn.execute("SELECT id FROM refunds WHERE tenant_id = %s", [own.id]).fetchone()
    assert row is not None
    args = {"refund_id": str(row[0])}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_dispute_email(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, _booking, other = _seed_gurus(conn)
    row = conn.execute("SELECT id FROM session_disputes WHERE tenant_id = %s", [own.id]).fetchone()
    assert row is not None
    args = {"dispute_id": str(row[0]), "event": "decided"}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


def _seed_tip_email(conn: psycopg.Connection[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    own, _booking, other = _seed_gurus(conn)
    row = conn.execute("SELECT id FROM payments WHERE tenant_id = %s", [own.id]).fetchone()
    assert row is not None
    args = {"payment_id": str(row[0])}
    return args | {"tenant_id": str(own.id)}, args | {"tenant_id": str(other.id)}


CASES = (
    JobCase("bookings:send_emails", _seed_email),
    JobCase("bookings:send_changes", _seed_changes),
    JobCase("bookings:send_agenda", _seed_agenda),
    JobCase("bookings:send_links", _seed_link),
    JobCase("bookings:send_waitlist_canceled", _seed_waitlist),
    JobCase("bookings:send_package_email", _seed_package_email),
    JobCase("bookings:send_package_sold_email", _seed_package_purchase),
    JobCase("bookings:send_refund_emails", _seed_refund_emails),
    JobCase("bookings:send_dispute_email", _seed_dispute_email),
    JobCase("bookings:send_tip_email", _seed_tip_email),
)
