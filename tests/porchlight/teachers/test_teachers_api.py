"""GET /api/teachers: who teaches a category, one guru, and the gurus of angels, with real free times."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import psycopg
import pytest

from porchlight.features.search.indexer import reindex
from porchlight.geo.gazetteer import Gazetteer
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer
from tests.fixtures.refusals import refusal
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.factories import SeededGuru, seed_calendar, seed_guru, seed_service
from tests.porchlight.matches.factories import UserData, insert_user, run_profile_jobs
from tests.porchlight.named_users import CreateUser, app, certificates, create_user, signer, web

__all__ = ["app", "certificates", "create_user", "signer", "web"]

DENVER = ZoneInfo("America/Denver")
NewGuru = Callable[..., Awaitable[SeededGuru]]


@pytest.fixture
def new_guru(database: Database) -> NewGuru:
    """A factory of gurus with one service that can be booked, and with these skills, in the search index."""

    async def create(*skills: str, category: str = "general", **settings: Any) -> SeededGuru:
        with psycopg.connect(database.service_url) as conn:
            guru = seed_guru(conn, f"g{new_id().hex[-12:]}", posts=0)
            for table in ("bookings", "appointments", "booking_settings", "calendars", "services", "guru_flags"):
                conn.execute(f"DELETE FROM {table} WHERE tenant_id = %s".encode(), [guru.id])
            guru.services = []
            seed_service(conn, guru, "Lesson", price_cents=4500, duration_minutes=60)
            seed_calendar(conn, guru, **settings)
            conn.execute(
                "UPDATE gurus SET primary_skills = %s, category = %s WHERE id = %s", [list(skills), category, guru.id]
            )
        await reindex(database.service_url, Gazetteer())
        return guru

    return create


def labels(data: dict[str, Any]) -> list[str]:
    return [guru["label"] for guru in data["gurus"]]


def execute(database: Database, statement: str, *params: object) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute(statement.encode(), params)


async def test_category_finds_gurus_by_their_skills(create_user: CreateUser, new_guru: NewGuru) -> None:
    guitar = await new_guru("Acoustic guitar", "Songwriting")
    painter = await new_guru("Oil painting")
    boxer = await new_guru("Boxing for beginners")
    user = await create_user("Ada")
    creative = await user.get("/api/teachers", category="Creative")
    assert labels(creative)[:2] == [guitar.label, painter.label]
    assert boxer.label not in labels(creative)
    assert creative["gurus"][0]["skills"] == ["Acoustic guitar", "Songwriting"]
    assert labels(await user.get("/api/teachers", category="martial-arts")) == [boxer.label]
    assert labels(await user.get("/api/teachers", category="Songwriting")) == [guitar.label]
    assert labels(await user.get("/api/teachers", category="Underwater basket weaving")) == []


async def test_category_finds_gurus_by_its_name(create_user: CreateUser, new_guru: NewGuru) -> None:
    named = await new_guru("Circuits", category="electrical")
    guitar = await new_guru("Electric guitar")
    found = labels(await (await create_user("Ada")).get("/api/teachers", category="Electrical"))
    assert named.label in found
    assert guitar.label not in found


async def test_guru_starts_are_first_of_three_days(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = await new_guru("Pottery")
    user = await create_user("Ada")
    (found,) = (await user.get("/api/teachers", guru=guru.label))["gurus"]
    assert found["service"] == {
        "id": str(guru.services[0]), "name": "Lesson", "minutes": 60, "priceCents": 4500, "currency": "USD",
        "capacity": 1, "place": "guru", "zone": "America/Denver",
    }  # fmt: skip
    slots = (await web.get(f"/api/gurus/{guru.label}/services/{guru.services[0]}/slots?days=62")).json()["starts"]
    by_day: dict[Any, str] = {}
    for slot in slots:
        by_day.setdefault(datetime.fromisoformat(slot["startsAt"]).astimezone(DENVER).date(), slot["startsAt"])
    assert found["starts"] == list(by_day.values())[:3]
    response = await user.request(
        "POST",
        f"/api/gurus/{guru.label}/holds",
        json={"serviceId": str(guru.services[0]), "startsAt": found["starts"][0], "party": 1},
    )
    assert response.status_code == 201, response.text
    (later,) = (await user.get("/api/teachers", guru=guru.label))["gurus"]
    assert later["starts"][0] > found["starts"][0]


@pytest.mark.parametrize(
    ("skill", "statement"),
    [
        ("macrame", "UPDATE booking_settings SET open = false WHERE tenant_id = %s"),
        ("origami", "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'booking', false)"),
    ],
)
async def test_guru_without_bookings_takes_messages(
    create_user: CreateUser, new_guru: NewGuru, database: Database, skill: str, statement: str
) -> None:
    guru, full = await new_guru(skill), await new_guru(skill)
    execute(database, statement, guru.id)
    execute(database, "DELETE FROM weekly_hours WHERE tenant_id = %s", full.id)
    user = await create_user("Ada")
    found = await user.get("/api/teachers", category=skill)
    assert labels(found) == [full.label, guru.label]
    assert found["gurus"][-1]["service"] is None
    assert found["gurus"][-1]["starts"] == []
    (alone,) = (await user.get("/api/teachers", guru=guru.label, service=str(guru.services[0])))["gurus"]
    assert (alone["label"], alone["service"]) == (guru.label, None)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE gurus SET published = false WHERE id = %s",
        "UPDATE gurus SET status = 'suspended' WHERE id = %s",
    ],
)
async def test_guru_who_is_offline_is_left_out(
    create_user: CreateUser, new_guru: NewGuru, database: Database, statement: str
) -> None:
    guru = await new_guru("Calligraphy")
    user = await create_user("Ada")
    assert labels(await user.get("/api/teachers", category="calligraphy")) == [guru.label]
    execute(database, statement, guru.id)
    assert labels(await user.get("/api/teachers", guru=guru.label)) == []
    assert labels(await user.get("/api/teachers", category="calligraphy")) == []


async def test_guru_without_free_times_comes_last(
    create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    full, free = await new_guru("Taekwondo", "Judo"), await new_guru("Judo")
    execute(database, "DELETE FROM weekly_hours WHERE tenant_id = %s", full.id)
    user = await create_user("Ada")
    data = await user.get("/api/teachers", category="Judo")
    assert labels(data) == [free.label, full.label]
    assert data["gurus"][1]["starts"] == []


async def test_requested_service_of_other_guru_is_null(create_user: CreateUser, new_guru: NewGuru) -> None:
    one, other = await new_guru("Capoeira"), await new_guru("Aikido")
    user = await create_user("Ada")
    assert labels(await user.get("/api/teachers", guru=one.label, service=str(one.services[0]))) == [one.label]
    (found,) = (await user.get("/api/teachers", guru=one.label, service=str(other.services[0])))["gurus"]
    assert (found["label"], found["service"]) == (one.label, None)
    assert labels(await user.get("/api/teachers", guru="no-such-guru")) == []


async def test_own_guru_is_left_out(create_user: CreateUser, new_guru: NewGuru, database: Database) -> None:
    guru = await new_guru("Crochet")
    user = await create_user("Ada")
    execute(database, "DELETE FROM memberships WHERE tenant_id = %s", guru.id)
    execute(database, "INSERT INTO memberships (tenant_id, user_id) VALUES (%s, %s)", guru.id, user.user_id)
    assert labels(await user.get("/api/teachers", category="crochet")) == []


async def test_angel_finds_the_guru_they_own(create_user: CreateUser, new_guru: NewGuru, database: Database) -> None:
    guru = await new_guru("Lawn care")
    angel, user = await create_user("Theo"), await create_user("Ada")
    execute(database, "DELETE FROM memberships WHERE tenant_id = %s", guru.id)
    execute(database, "INSERT INTO memberships (tenant_id, user_id) VALUES (%s, %s)", guru.id, angel.user_id)
    assert labels(await user.get("/api/teachers", angel=[angel.handle])) == []
    await angel.offer_service()
    (found,) = (await user.get("/api/teachers", angel=["someone", angel.handle]))["gurus"]
    assert (found["label"], found["handle"]) == (guru.label, angel.handle)
    execute(database, "UPDATE profiles SET is_public = false WHERE user_id = %s", angel.user_id)
    assert labels(await user.get("/api/teachers", angel=[angel.handle])) == []


async def test_category_finds_neighbors_nearest_first(
    create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = await new_guru("Violin for adults")
    with psycopg.connect(database.service_url) as conn:
        far = insert_user(conn, UserData("Far Fiddler", ["Violin"], location="Seattle, Washington"))
        near = insert_user(conn, UserData("Near Fiddler", ["Violin", "Violin repair"]))
        hidden = insert_user(conn, UserData("Hidden Fiddler", ["Violin"], overrides={"is_public": False}))
        owner = insert_user(conn, UserData("Guru Fiddler", ["Violin"]))
        conn.execute("DELETE FROM memberships WHERE tenant_id = %s", [guru.id])
        conn.execute("INSERT INTO memberships (tenant_id, user_id) VALUES (%s, %s)", [guru.id, owner])
        me = insert_user(conn, UserData("Ada", ["Violin"]))
        conn.execute("UPDATE users SET listed_plan = 'premium-angel' WHERE user_id = %s", [near])
        conn.commit()
        await run_profile_jobs(database, [far, near, hidden, owner, me])
    user = await create_user("Ada")
    execute(
        database,
        "INSERT INTO user_locations (user_id, city, tile, cell_lat, cell_lon)"
        " SELECT %s, city, tile, cell_lat, cell_lon FROM user_locations WHERE user_id = %s"
        " ON CONFLICT (user_id) DO UPDATE SET tile = excluded.tile, cell_lat = excluded.cell_lat,"
        " cell_lon = excluded.cell_lon",
        user.user_id,
        me,
    )
    data = await user.get("/api/teachers", category="violin")
    assert labels(data) == [guru.label]
    names = [neighbor["name"] for neighbor in data["neighbors"]]
    assert names[-1] == "Far Fiddler"
    assert set(names) == {"Ada", "Near Fiddler", "Far Fiddler"}
    assert data["neighbors"][0]["miles"] == 1
    assert [neighbor["name"] for neighbor in data["neighbors"] if neighbor["premium"]] == ["Near Fiddler"]
    assert not data["gurus"][0]["premium"]


async def test_visitor_must_sign_in_to_find_teachers(web: httpx.AsyncClient) -> None:
    assert refusal(await web.get("/api/teachers?category=Creative")) == (401, "unauthenticated")


async def test_teachers_are_not_found_while_booking_is_off(
    create_user: CreateUser, database: Database, certificates: CertificateServer
) -> None:
    user = await create_user("Ada")
    execute(database, "INSERT INTO flag_settings (name, enabled) VALUES ('booking', false)")
    try:
        settings = {"firebase_project_id": PROJECT, "firebase_certs_url": certificates.url}
        async with run_app(database, **settings) as other_app, http_client(other_app, BASE_HOST) as client:
            headers = {"authorization": f"Bearer {user.token}"}
            response = await client.get("/api/teachers?category=Creative", headers=headers)
            assert refusal(response) == (404, "not_found")
    finally:
        execute(database, "DELETE FROM flag_settings")
