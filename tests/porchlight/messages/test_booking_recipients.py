"""Messages about a booking: its two sides write to each other, and no one else learns of it."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest

from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.refusals import refusal
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.gurus import create_bookable_guru
from tests.porchlight.bookings.sessions import book_session
from tests.porchlight.factories import SeededGuru
from tests.porchlight.messages.api import write
from tests.porchlight.named_users import CreateUser


@pytest.fixture
def guru(database: Database) -> SeededGuru:
    """A guru who can be booked."""
    with psycopg.connect(database.service_url) as conn:
        return create_bookable_guru(conn)


async def test_both_sides_of_booking_write_to_each_other(
    create_user: CreateUser, database: Database, guru: SeededGuru
) -> None:
    ada, marisol = await create_user("Ada Neighbor"), await create_user("Marisol Owner")
    eve, other_guru = await create_user("Eve Else"), await create_user("Omar Owner")
    with psycopg.connect(database.service_url) as conn:
        _own(conn, guru, marisol)
        _own(conn, create_bookable_guru(conn), other_guru)
    booking = book_session(database, guru, ada, clock.now() + timedelta(days=2))
    query = {"kind": "booking", "id": booking}
    names = []
    for one in (ada, marisol):
        found = await one.get("/api/messages/recipients", **query)
        assert " on " in found["about"]
        names.append(found["other"]["name"])
    assert names == [found["guru"]["name"], "Ada Neighbor"]
    for one in (eve, other_guru):
        assert refusal(await one.request("GET", "/api/messages/recipients", params=query)) == (404, "not_found")
        assert refusal(await write(one, "booking", booking)) == (404, "not_found")
    first = await write(ada, "booking", booking)
    assert first.status_code == 201, first.text
    answer = await write(marisol, "booking", booking)
    assert first.json()["data"]["thread"]["id"] == answer.json()["data"]["thread"]["id"]


def _own(conn: psycopg.Connection[tuple[object, ...]], guru: SeededGuru, user: ApiUser) -> None:
    conn.execute("DELETE FROM memberships WHERE tenant_id = %s", [guru.id])
    conn.execute("INSERT INTO memberships (tenant_id, user_id) VALUES (%s, %s)", [guru.id, user.user_id])
