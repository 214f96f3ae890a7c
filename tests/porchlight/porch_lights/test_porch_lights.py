"""Porch lights: turned on by those who offer something, seen with an approximate location, out by themselves."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import httpx
import psycopg

from porchlight.features.porch_lights.queries import MAX_LIGHTS
from porchlight.worker.maintenance import purge_expired
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.factories import insert_row, seed_user
from tests.porchlight.named_users import CreateUser

ZONE = {"zone": "America/Denver"}


async def _turn_on(user: ApiUser) -> httpx.Response:
    return await user.request("PUT", "/api/porch-light", json=ZONE)


async def _lights(web: httpx.AsyncClient, **query: Any) -> list[dict[str, Any]]:
    response = await web.get("/api/porch-lights", params=query)
    assert response.status_code == 200, response.text
    lights: list[dict[str, Any]] = response.json()["data"]["lights"]
    return lights


async def test_light_of_angel_shows_services_and_cell(create_user: CreateUser, web: httpx.AsyncClient) -> None:
    theo = await create_user("Theo Barnes")
    await theo.offer_service("handyman-services")
    await theo.offer_service("pet-sitting")
    assert await theo.get("/api/porch-light") == {"available": True, "until": None}
    assert await _lights(web, handle=theo.handle) == []

    response = await _turn_on(theo)
    assert response.status_code == 200
    until = datetime.fromisoformat(response.json()["data"]["until"])
    assert timedelta(hours=1, minutes=59) < until - clock.now() < timedelta(hours=25)
    (light,) = await _lights(web, handle=theo.handle)
    own = (await theo.get("/api/angel-services"))["services"][0]
    assert (light["name"], light["handle"], light["city"]) == ("Theo Barnes", theo.handle, own["city"])
    assert (light["services"], light["site"]) == (["Handyman Services", "Pet Sitting"], None)
    assert datetime.fromisoformat(light["until"]) == until
    # The box of the map around the light, and one beside it.
    north, east = light["latitude"], light["longitude"]
    assert light in await _lights(web, south=north - 0.1, west=east - 0.1, north=north + 0.1, east=east + 0.1)
    assert light not in await _lights(web, south=north + 0.1, west=east - 0.1, north=north + 0.3, east=east + 0.1)

    assert (await theo.request("DELETE", "/api/porch-light")).json()["data"] == {"available": True, "until": None}
    assert await _lights(web, handle=theo.handle) == []


async def test_light_of_guru_shows_site(create_user: CreateUser, web: httpx.AsyncClient, database: Database) -> None:
    guru = await create_user("Gina Guru")
    label = f"lit-{guru.user_id.hex[-12:]}"
    with psycopg.connect(database.service_url) as conn:
        row = {"id": guru.user_id, "label": label, "character": "Chef Guru", "category": "Culinary"}
        insert_row(conn, "gurus", row)
        insert_row(conn, "memberships", {"tenant_id": guru.user_id, "user_id": guru.user_id})
    response = await guru.request("PUT", "/api/auth/profile", json={"privacy": {"publicProfile": False}})
    assert response.status_code == 200
    assert (await _turn_on(guru)).status_code == 200
    (light,) = await _lights(web, site=label)
    assert (light["handle"], light["name"]) == (None, "Chef Guru")
    assert light["site"] == {"label": label, "character": "Chef Guru"}
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE gurus SET status = 'suspended' WHERE id = %s", [guru.user_id])
    assert await _lights(web, site=label) == []
    assert await guru.get("/api/porch-light") | {"until": None} == {"available": False, "until": None}


async def _place(web: httpx.AsyncClient, **query: Any) -> tuple[Any, ...]:
    (light,) = await _lights(web, **query)
    return light["city"], light["latitude"], light["longitude"]


async def _set_privacy(user: ApiUser, **privacy: bool) -> None:
    response = await user.request("PUT", "/api/auth/profile", json={"privacy": privacy})
    assert response.status_code == 200


async def test_light_hides_place_that_the_profile_hides(
    create_user: CreateUser, web: httpx.AsyncClient, database: Database
) -> None:
    """The place is asked for when the light is read: the owner may hide it while the light is on."""
    guru = await create_user("Gina Guru")
    label = f"lit-{guru.user_id.hex[-12:]}"
    with psycopg.connect(database.service_url) as conn:
        row = {"id": guru.user_id, "label": label, "character": "Chef Guru", "category": "Culinary"}
        insert_row(conn, "gurus", row)
        insert_row(conn, "memberships", {"tenant_id": guru.user_id, "user_id": guru.user_id})
        conn.execute(
            "UPDATE user_locations SET city = 'Denver, Colorado', cell_lat = 1000, cell_lon = 1000 WHERE user_id = %s",
            [guru.user_id],
        )
    assert (await _turn_on(guru)).status_code == 200
    city, latitude, longitude = await _place(web, site=label)
    box = {"south": latitude - 0.1, "west": longitude - 0.1, "north": latitude + 0.1, "east": longitude + 0.1}
    assert (city, await _lights(web, **box)) == ("Denver, Colorado", await _lights(web, site=label))
    for privacy in ({"publicProfile": True, "showLocation": False}, {"publicProfile": False, "showLocation": True}):
        await _set_privacy(guru, **privacy)
        assert await _place(web, site=label) == ("", None, None)
        assert [light for light in await _lights(web, **box) if light["site"]] == []
        assert (await _turn_on(guru)).status_code == 200
        assert await _place(web, site=label) == ("", None, None)
    await _set_privacy(guru, publicProfile=True, showLocation=True)
    assert await _place(web, site=label) == (city, latitude, longitude)


async def test_light_of_angel_shows_place_of_the_service(create_user: CreateUser, web: httpx.AsyncClient) -> None:
    """Angel's List shows that place even if the profile hides its own."""
    theo = await create_user("Theo Barnes")
    await theo.offer_service("handyman-services")
    await _set_privacy(theo, showLocation=False)
    assert (await _turn_on(theo)).status_code == 200
    own = (await theo.get("/api/angel-services"))["services"][0]
    city, latitude, longitude = await _place(web, handle=theo.handle)
    assert (city, latitude is None, longitude is None) == (own["city"], False, False)


async def test_light_without_visible_offer_is_refused(create_user: CreateUser, web: httpx.AsyncClient) -> None:
    neighbor = await create_user("Nora Neighbor")
    refused = await _turn_on(neighbor)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "nothing_to_offer")
    await neighbor.offer_service()
    assert (await _turn_on(neighbor)).status_code == 200
    # A light of a profile that is hidden later is hidden, too.
    response = await neighbor.request("PUT", "/api/auth/profile", json={"privacy": {"publicProfile": False}})
    assert response.status_code == 200
    assert await _lights(web, handle=neighbor.handle) == []
    assert (await _turn_on(neighbor)).status_code == 409


async def test_light_goes_out_and_is_purged(
    create_user: CreateUser, web: httpx.AsyncClient, database: Database
) -> None:
    angel = await create_user("Ann Angel")
    await angel.offer_service()
    await _turn_on(angel)
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE porch_lights SET expires_at = app.now() - interval '1 second' WHERE user_id = %s", [angel.user_id]
        )
    assert await _lights(web, handle=angel.handle) == []
    assert (await angel.get("/api/porch-light"))["until"] is None
    purge_expired(database.service_url)
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("SELECT FROM porch_lights WHERE user_id = %s", [angel.user_id]).fetchone() is None


async def test_light_with_invalid_input_is_refused(create_user: CreateUser, web: httpx.AsyncClient) -> None:
    angel = await create_user("Ian Angel")
    await angel.offer_service()
    for zone in ("Mars/Olympus", "../etc/passwd", ""):
        response = await angel.request("PUT", "/api/porch-light", json={"zone": zone})
        assert (response.status_code, "zone" in response.json()["error"]["fields"]) == (422, True)
    for query in ({"south": 1.0}, {"handle": ["x"] * 61}, {"handle": "No Handle"}):
        assert (await web.get("/api/porch-lights", params=query)).status_code == 422


async def test_lights_are_limited_newest_first(web: httpx.AsyncClient, database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM porch_lights")
        for number in range(MAX_LIGHTS + 1):
            user_id = seed_user(conn)
            label = f"many-{user_id.hex[-12:]}"
            insert_row(conn, "gurus", {"id": user_id, "label": label, "character": f"Guru {number}", "category": "x"})
            insert_row(conn, "memberships", {"tenant_id": user_id, "user_id": user_id})
            conn.execute(
                "INSERT INTO porch_lights (user_id, expires_at, turned_on_at)"
                " VALUES (%s, app.now() + interval '1 hour', app.now() - make_interval(mins => %s))",
                [user_id, number],
            )
    lights = await _lights(web)
    assert [light["name"] for light in lights] == [f"Guru {number}" for number in range(MAX_LIGHTS)]
