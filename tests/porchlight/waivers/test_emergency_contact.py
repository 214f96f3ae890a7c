"""The emergency contact of a session's person, for the guru, around the session only. Each view is logged."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.admin.area import create_token, firebase_uid
from tests.porchlight.auth.api_client import bearer_header
from tests.porchlight.factories import SeededGuru
from tests.porchlight.waivers.api_client import CONTACT, WaiverUser, create_waiver_user
from tests.porchlight.waivers.sessions import book, create_guru, session_waiver

pytestmark = pytest.mark.usefixtures("app")

Owner = dict[str, str]


@pytest.fixture
async def user(web: httpx.AsyncClient, emulator: Emulator) -> WaiverUser:
    return await create_waiver_user(web, emulator)


@pytest.fixture
def guru(database: Database) -> SeededGuru:
    return create_guru(database)


@pytest.fixture
def owner(guru: SeededGuru, database: Database, emulator: Emulator) -> Owner:
    """The headers of the guru's owner."""
    return sign_in(guru, database, emulator)


def sign_in(guru: SeededGuru, database: Database, emulator: Emulator) -> Owner:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE profiles SET registered_at = app.now() WHERE user_id = %s", [guru.owner])
    emulator.create(firebase_uid(guru.owner))
    return {"authorization": f"Bearer {create_token(guru.owner)}"}


def views(database: Database, booking: UUID) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT tenant_id, person_id, viewed_by FROM contact_views WHERE booking_id = %s"
        return conn.execute(query, [booking]).fetchall()


def move(database: Database, booking: UUID, start: timedelta) -> None:
    """Move a session to a time from now. It takes an hour."""
    with psycopg.connect(database.service_url) as conn:
        now = clock.now()
        times = [now + start, now + start + timedelta(hours=1)]
        conn.execute("UPDATE bookings SET starts_at = %s, ends_at = %s WHERE id = %s", [*times, booking])


async def get(web: httpx.AsyncClient, booking: object, headers: Owner) -> httpx.Response:
    return await web.get(f"/api/guru/bookings/{booking}/emergency-contact", headers=headers)


async def booked(database: Database, guru: SeededGuru, user: WaiverUser) -> UUID:
    """Book a session in ten days, accept its waiver, and forget the seeded view of the contact."""
    booking = book(database, guru, user)
    await user.accepted(session_waiver(guru))
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM contact_views WHERE booking_id = %s", [booking])
    return booking


@pytest.mark.parametrize(
    ("start", "status"),
    [
        (timedelta(hours=24, minutes=1), 409),
        (timedelta(hours=23, minutes=59), 200),
        (timedelta(minutes=-30), 200),
        (-timedelta(hours=24, minutes=59), 200),
        (-timedelta(hours=25, minutes=1), 409),
    ],
)
async def test_contact_is_shown_around_the_session_only(
    web: httpx.AsyncClient, database: Database, guru: SeededGuru, owner: Owner, user: WaiverUser,
    start: timedelta, status: int,
) -> None:  # fmt: skip
    booking = await booked(database, guru, user)
    move(database, booking, start)
    response = await get(web, booking, owner)
    assert response.status_code == status, response.text
    data = response.json().get("data")
    assert (data and data.pop("participants")) == (
        [CONTACT | {"participantName": f"Ada {guru.mark}"}] if status == 200 else None
    )
    assert data == (CONTACT if status == 200 else None)
    logged = [(guru.id, UUID(user.user_id), guru.owner)] if status == 200 else []
    assert views(database, booking) == logged
    if status == 200:
        assert response.headers["cache-control"] == "no-store"
        await get(web, booking, owner)
        assert len(views(database, booking)) == 2


async def test_person_alone_sees_who_looked_at_contact(
    web: httpx.AsyncClient, database: Database, guru: SeededGuru, owner: Owner, user: WaiverUser, emulator: Emulator
) -> None:
    booking = await booked(database, guru, user)
    other = await create_waiver_user(web, emulator)
    move(database, booking, timedelta(hours=1))
    await get(web, booking, owner)
    for headers, count in ((bearer_header(user.token), 1), (bearer_header(other.token), 0), (owner, 0)):
        response = await web.get("/api/liability/waivers", headers=headers)
        assert len(response.json()["data"]["contactViews"]) == count, response.text
    [view] = (await web.get("/api/liability/waivers", headers=bearer_header(user.token))).json()["data"]["contactViews"]
    with psycopg.connect(database.service_url) as conn:
        names = conn.execute("SELECT service_name, guru_name FROM bookings WHERE id = %s", [booking]).fetchone()
    assert (view["serviceName"], view["guruName"]) == names
    assert datetime.fromisoformat(view["at"]) <= clock.now()


@pytest.mark.parametrize("status", ["canceled", "declined", "requested"])
async def test_contact_of_session_that_is_not_booked_is_closed(
    web: httpx.AsyncClient, database: Database, guru: SeededGuru, owner: Owner, user: WaiverUser, status: str
) -> None:
    booking = await booked(database, guru, user)
    move(database, booking, timedelta(hours=1))
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("SET session_replication_role = replica")
        expires_at = clock.now() + timedelta(hours=1) if status == "requested" else None
        change = "UPDATE bookings SET status = %s, expires_at = %s WHERE id = %s"
        conn.execute(change, [status, expires_at, booking])
    response = await get(web, booking, owner)
    assert (response.status_code, response.json()["error"]["code"]) == (409, "contact_closed")
    assert views(database, booking) == []


async def test_contact_is_null_after_its_erasure(
    web: httpx.AsyncClient, database: Database, guru: SeededGuru, owner: Owner, user: WaiverUser
) -> None:
    booking = await booked(database, guru, user)
    move(database, booking, timedelta(hours=1))
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE waivers SET erasable = '{}' WHERE user_id = %s", [user.user_id])
    response = await get(web, booking, owner)
    assert (response.status_code, response.json()["data"]) == (200, None)
    assert views(database, booking) == []


async def test_contact_is_hidden_from_everyone_else(
    web: httpx.AsyncClient, database: Database, emulator: Emulator, guru: SeededGuru, owner: Owner, user: WaiverUser
) -> None:
    booking = await booked(database, guru, user)
    move(database, booking, timedelta(hours=1))
    other = sign_in(create_guru(database), database, emulator)
    unknown = await get(web, new_id(), owner)
    assert unknown.status_code == 404
    foreign = await get(web, booking, other)
    assert (foreign.status_code, foreign.json()["error"]) == (404, unknown.json()["error"])
    person = {"authorization": f"Bearer {user.token}"}
    assert (await get(web, booking, person)).status_code == 404
    assert (await get(web, booking, {})).status_code == 401
    assert views(database, booking) == []


def test_contact_function_needs_acting_tenant_and_user(database: Database, guru: SeededGuru) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE bookings SET starts_at = app.now(), ends_at = app.now() + interval '1 hour' WHERE id = %s",
                     [guru.booking])  # fmt: skip
    settings = {"app.tenant_id": guru.id, "app.acting_tenant_id": guru.id, "app.user_id": guru.owner}
    for missing, expected in ((None, "none"), ("app.acting_tenant_id", "unknown"), ("app.user_id", "unknown")):
        with psycopg.connect(database.app_url) as conn:
            for name, value in settings.items():
                conn.execute("SELECT set_config(%s, %s, true)", [name, "" if name == missing else str(value)])
            row = conn.execute("SELECT outcome FROM app.emergency_contacts(%s)", [guru.booking]).fetchone()
            assert row == (expected,), missing
            user = conn.execute("SELECT current_setting('app.user_id')").fetchone()
            assert user == ("" if missing == "app.user_id" else str(guru.owner),)  # restored
