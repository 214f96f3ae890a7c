"""Search filters with many offers of the same skill: filters apply before the limit."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg

from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.auth.api_client import bearer_header
from tests.porchlight.matches.factories import UserData, embedding_model, find_alerts, insert_user, run_profile_jobs
from tests.porchlight.search.api_client import search, sign_up_user


async def test_search_filters_apply_before_limit(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    """80 users in one city offer the same skill; only the last one matches the filters."""
    with psycopg.connect(database.service_url) as conn:
        crowd = [insert_user(conn, UserData(f"Organist {number}", ["Pipe organ"])) for number in range(80)]
        fits = insert_user(conn, UserData("Sunday Organist", ["Pipe organ"], overrides={"languages": ["Welsh"]}))
        near = insert_user(conn, UserData("Near Organist", ["Pipe organ"], location="Aurora, Colorado"))
        away = insert_user(conn, UserData("Away Organist", ["Pipe organ"], location="Seattle, Washington"))
        conn.execute(
            "UPDATE skill_offers SET days = 63, formats = '{in_person}', terms = '{price}', price_cents = 9000"
            " WHERE user_id = ANY (%s)",
            [[*crowd, near, away]],
        )
        conn.execute("UPDATE skill_offers SET terms = '{price}', price_cents = 500 WHERE user_id = %s", [fits])
        conn.execute("UPDATE skill_offers SET formats = '{online}' WHERE user_id = %s", [away])
    await run_profile_jobs(database, [*crowd, fits, near, away], embedding_model())

    async def names(**filters: Any) -> set[str]:
        return {hit["who"] for hit in (await search(web, "pipe organ", **filters))["hits"]}

    for place in ({}, {"near": "Denver, Colorado"}, {"near": "Denver, Colorado", "withinMiles": 5}):
        assert await names(day="sun", **place) == {"Sunday Organist"}, place
        assert await names(maxPriceCents=500, **place) == {"Sunday Organist"}, place
        assert await names(language="welsh", **place) == {"Sunday Organist"}, place
    assert await names(near="Aurora, Colorado", withinMiles=3) == {"Near Organist"}
    assert "Away Organist" in await names(near="Denver, Colorado", withinMiles=5, format="online")
    assert await names(near="Portland, Oregon", withinMiles=200) == {"Away Organist"}
    token, user_id = await sign_up_user(web, emulator)
    response = await web.post("/api/search/saved", json={"q": "pipe organ"}, headers=bearer_header(token))
    assert response.status_code == 201, response.text
    with psycopg.connect(database.service_url) as conn:
        new = insert_user(conn, UserData("New Organist", ["Pipe organ"]))
        conn.execute("UPDATE users SET email_verified = true WHERE user_id = %s", [user_id])  # alerts go there
    await run_profile_jobs(database, [new], embedding_model())
    (alert,) = [one for one in await find_alerts(database) if one.words == "pipe organ"]
    assert [hit.who for hit in alert.hits] == ["New Organist"]
