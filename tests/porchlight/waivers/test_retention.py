"""Erasure of waiver data by age."""

from __future__ import annotations

import psycopg
import pytest

from porchlight.features.waivers.retention import purge_waivers
from tests.fixtures.databases import Database
from tests.porchlight.factories import append_waiver, seed_booking, seed_guru, seed_user

ERASABLE = '{"emergencyContact": 1, "networkAddress": 2, "userAgent": 3}'
NETWORK_DATA = {"networkAddress", "userAgent"}
CONTACT = {"emergencyContact"}


@pytest.mark.parametrize(
    ("accepted", "expires", "ended", "kept"),
    [
        ("59 days", "29 days", None, CONTACT | NETWORK_DATA),
        ("61 days", "31 days", None, NETWORK_DATA),
        ("61 days", "-29 days", "31 days", NETWORK_DATA),
        ("179 days", "89 days", None, NETWORK_DATA),
        ("181 days", "-10 days", None, CONTACT),
        ("181 days", "91 days", None, set()),
        ("2281 days", "2191 days", None, set()),
        ("2300 days", "2193 days", None, None),
    ],
)
def test_purge_erases_by_age(
    database: Database, accepted: str, expires: str, ended: str | None, kept: set[str] | None
) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        user = seed_user(conn)
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user)])
        waiver_id = append_waiver(conn, "platform")
        conn.execute("SET LOCAL session_replication_role = replica")  # a stored waiver cannot change
        conn.execute(
            "UPDATE waivers SET erasable = %s, accepted_at = app.now() - %s::interval, "
            " expires_at = app.now() - %s::interval, ended_at = app.now() - %s::interval WHERE id = %s",
            [ERASABLE, accepted, expires, ended, waiver_id],
        )
    with psycopg.connect(database.service_url) as conn:
        purge_waivers(conn)
        row = conn.execute("SELECT erasable FROM waivers WHERE id = %s", [waiver_id]).fetchone()
    assert (set(row[0]) if row else None) == kept


@pytest.mark.parametrize(
    ("expires", "session", "status", "is_kept"),
    [
        ("1 day", "29 days", "completed", True),
        ("1 day", "31 days", "completed", False),
        ("1 day", "31 days", "missed", False),
        ("1 day", "31 days", "canceled", True),
        ("-1 day", "31 days", "completed", True),
        ("31 days", "1 day", "confirmed", True),
        ("31 days", "-1 day", "confirmed", True),
    ],
)
def test_purge_erases_contact_30_days_after_session(
    database: Database, expires: str, session: str, status: str, is_kept: bool
) -> None:
    """The times are before now."""
    with psycopg.connect(database.superuser_url) as conn:
        user = seed_user(conn)
        guru = seed_guru(conn, f"g{user.hex[-12:]}", posts=0)
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user)])
        waiver_id = append_waiver(conn, "platform")
        conn.execute("SET LOCAL session_replication_role = replica")  # a stored waiver cannot change
        conn.execute(
            "UPDATE waivers SET erasable = %s, accepted_at = app.now() - interval '60 days',"
            " expires_at = app.now() - %s::interval WHERE id = %s",
            [ERASABLE, expires, waiver_id],
        )
        booking_id = seed_booking(conn, guru, user, days_ahead=8, waiver_id=waiver_id)
        conn.execute(
            "UPDATE bookings SET status = %s, starts_at = app.now() - %s::interval - interval '1 hour',"
            " ends_at = app.now() - %s::interval WHERE id = %s",
            [status, session, session, booking_id],
        )
    with psycopg.connect(database.service_url) as conn:
        purge_waivers(conn)
        row = conn.execute("SELECT erasable FROM waivers WHERE id = %s", [waiver_id]).fetchone()
    assert row is not None
    assert ("emergencyContact" in row[0]) is is_kept
