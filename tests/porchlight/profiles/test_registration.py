"""Registration of new accounts."""

from __future__ import annotations

import asyncio
import json

import httpx
import psycopg

from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.auth.api_client import (
    REGISTRATION,
    bearer_header,
    create_session_cookie,
    register_user,
)


async def test_registration_fills_in_profile_once(web: httpx.AsyncClient, emulator: Emulator) -> None:
    email, _, token = emulator.sign_up()
    first = await web.post("/api/auth/register", json=REGISTRATION, headers=bearer_header(token))
    assert first.status_code == 201
    profile = first.json()["data"]
    assert profile["email"] == email  # from the token, not from the body
    assert profile["displayName"] == "Ada Alvarez"
    assert profile["handle"].startswith("ada-alvarez")
    assert profile["location"] == "Denver, Colorado"
    assert profile["skills"] == {
        "offered": [{"name": "Bread baking", "level": None}],
        "wanted": [{"name": "Guitar", "level": "beginner"}],
    }
    changed = REGISTRATION | {"displayName": "Another Name", "location": "Boulder", "skills": {}}
    repeated = await web.post("/api/auth/register", json=changed, headers=bearer_header(token))
    assert repeated.status_code == 200
    assert repeated.json()["data"] == profile


async def test_registration_after_session_exchange_sets_names(web: httpx.AsyncClient, emulator: Emulator) -> None:
    """The exchange creates the account; a later registration still sets the names."""
    _, _, token = emulator.sign_up()
    await create_session_cookie(web, token)
    assert (await register_user(web, token))["displayName"] == "Ada Alvarez"


async def test_concurrent_registrations_create_one_account(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    _, uid, token = emulator.sign_up()

    async def register(name: str) -> httpx.Response:
        # The requests wait for each other; one that waits too long gets a 503 and is repeated.
        for _ in range(20):
            response = await web.post(
                "/api/auth/register", json=REGISTRATION | {"displayName": name}, headers=bearer_header(token)
            )
            if response.status_code != 503:
                break
        return response

    responses = await asyncio.gather(*(register(f"Name {n}") for n in range(8)))
    assert sorted(response.status_code for response in responses) == [200] * 7 + [201]
    assert len({json.dumps(response.json()["data"]) for response in responses if response.status_code == 200}) == 1
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT count(*), count(p.user_id) FROM users u LEFT JOIN profiles p USING (user_id)"
        assert conn.execute(query + " WHERE firebase_uid = %s", [uid]).fetchone() == (1, 1)


async def test_neighbors_with_same_name_get_different_handles(web: httpx.AsyncClient, emulator: Emulator) -> None:
    tokens = [emulator.sign_up()[2] for _ in range(5)]
    profiles = await asyncio.gather(*(register_user(web, token, displayName="Zoë Ångström") for token in tokens))
    handles = [profile["handle"] for profile in profiles]
    assert len(set(handles)) == 5
    assert all(handle.startswith("zoe-angstrom") for handle in handles)
