"""Gurus with owners who sign in, and sessions with bookings of their neighbors."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import httpx
import psycopg
from psycopg.types.json import Jsonb
from psycopg.types.range import Range

from porchlight.app import Porchlight
from porchlight.features.bookings import commands, store
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.porchlight.angels.users import ApiUser, register_user
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.factories import SeededGuru, insert_row, seed_booking
from tests.porchlight.owner import GuruOwner
from tests.tenants.isolation import set_tenant, set_user


async def create_owner(
    app: Porchlight, web: httpx.AsyncClient, signer: Signer, database: Database, guru: SeededGuru
) -> GuruOwner:
    """Register a user and give the guru to them."""
    user = await register_user(web, signer, database, "Gina Guru")
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE memberships SET user_id = %s WHERE tenant_id = %s", [user.user_id, guru.id])
    guru.owner = user.user_id
    client = http_client(app, BASE_HOST)
    client.headers["authorization"] = f"Bearer {user.token}"
    return GuruOwner(guru, client)


def book_session(database: Database, guru: SeededGuru, user: ApiUser, starts_at: datetime, **columns: Any) -> str:
    """Create a confirmed booking of a user. `columns` replace its values."""
    values: dict[str, Any] = {"person_name": user.name, "price_cents": 4501} | columns
    with psycopg.connect(database.service_url) as conn:
        return str(seed_booking(conn, guru, user.user_id, starts_at=starts_at, **values))


def join_session(database: Database, guru: SeededGuru, user: ApiUser, booking_id: str, **columns: Any) -> str:
    """Create a booking of a user in the session of another booking, with one more seat."""
    row_id = new_id()
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE appointments a SET capacity = a.capacity + 1 FROM bookings b"
            " WHERE b.id = %s AND a.tenant_id = b.tenant_id AND a.id = b.appointment_id",
            [booking_id],
        )
        own = {
            "id": str(row_id), "person_id": str(user.user_id), "hold_hash": f"\\x{row_id.hex}",
            "person_name": user.name, "idempotency_key": str(row_id),
        }  # fmt: skip
        conn.execute(
            "INSERT INTO bookings SELECT (jsonb_populate_record(b, %s)).* FROM bookings b WHERE b.id = %s",
            [Jsonb(own | columns), booking_id],
        )
    return str(row_id)


def erase_bookings(database: Database, guru: SeededGuru, user_id: UUID) -> None:
    """Cancel a user's bookings with a guru, then delete the account, whose trigger erases them."""
    with psycopg.connect(database.app_url) as conn:
        set_tenant(conn, guru.id)
        set_user(conn, user_id)
        store.run_on(conn, store.FactsQuery(all_open=True), commands.Erase())
        conn.commit()
        set_user(conn, user_id)
        conn.execute("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", [user_id])


def session_of(database: Database, booking_id: str) -> str:
    """Return the id of a booking's appointment."""
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT appointment_id FROM bookings WHERE id = %s", [UUID(booking_id)]).fetchone()
    assert row is not None
    return str(row[0])


def seed_block(database: Database, guru: SeededGuru, starts_at: datetime, ends_at: datetime) -> None:
    """Block a time of a guru."""
    times = {"starts_at": starts_at, "ends_at": ends_at, "zone": "America/Denver"}
    blocked = Range(starts_at, ends_at)
    with psycopg.connect(database.service_url) as conn:
        row = {"tenant_id": guru.id, "id": new_id(), "kind": "block", "blocked": blocked} | times
        insert_row(conn, "appointments", row)
