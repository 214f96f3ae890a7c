"""The location of a profile: a town that is clear, as its user writes it."""

from __future__ import annotations

import httpx
import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.auth.api_client import REGISTRATION, bearer_header, register_user
from tests.porchlight.profiles.api_client import get_profile, update_profile


def _stored_city(database: Database, user_id: str) -> str:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT city FROM user_locations WHERE user_id = %s", [user_id]).fetchone()
    assert row is not None
    return str(row[0])


async def test_location_as_typed_is_kept_and_located(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    _, _, token = emulator.sign_up()
    user_id = (await register_user(web, token))["id"]
    for typed, city in {
        "boulder co": "Boulder, Colorado",
        "St Louis": "St. Louis, Missouri",
        "Winston Salem": "Winston-Salem, North Carolina",
        "NYC": "New York, New York",
        "": "",
    }.items():
        response = await update_profile(web, token, {"location": typed})
        assert response.status_code == 200, response.text
        assert (await get_profile(web, token))["location"] == typed
        await do_jobs(database)
        assert _stored_city(database, user_id) == city


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("Springfield", "There is more than one Springfield. Did you mean Springfield, Missouri"),
        ("Dever, CO", "Did you mean Denver, Colorado?"),
        ("Xyzzy", "We couldn't find that place."),
        ("80202", "leave out ZIP code and street. Did you mean Denver, Colorado?"),
        ("Denver, CO 80202", "leave out ZIP code and street. Did you mean Denver, Colorado?"),
        ("1 Main Street, Denver", "leave out ZIP code and street. Did you mean Denver, Colorado?"),
        ("Room 101", "leave out ZIP code and street."),
    ],
)
async def test_unclear_location_is_refused_with_choices(
    web: httpx.AsyncClient, emulator: Emulator, typed: str, words: str
) -> None:
    _, _, token = emulator.sign_up()
    before = await register_user(web, token)
    response = await update_profile(web, token, {"bio": "New", "location": typed})
    assert words in invalid_fields(response)["location"]
    assert await get_profile(web, token) == before


async def test_older_unknown_location_does_not_block_changes(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    _, _, token = emulator.sign_up()
    user_id = (await register_user(web, token))["id"]
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE profiles SET location = 'Hogwarts' WHERE user_id = %s", [user_id])
    assert (await update_profile(web, token, {"bio": "New", "location": "Hogwarts"})).status_code == 200
    assert list(invalid_fields(await update_profile(web, token, {"location": "Narnia"}))) == ["location"]


@pytest.mark.parametrize(
    ("sent", "stored"),
    [("80202", "Denver, Colorado"), ("1 Main Street, Denver", ""), ("denver co", "denver co"), ("Springfield", "")],
)
async def test_registration_stores_only_clear_location(
    web: httpx.AsyncClient, emulator: Emulator, sent: str, stored: str
) -> None:
    _, _, token = emulator.sign_up()
    response = await web.post(
        "/api/auth/register", json=REGISTRATION | {"location": sent}, headers=bearer_header(token)
    )
    assert (response.status_code, response.json()["data"]["location"]) == (201, stored)
