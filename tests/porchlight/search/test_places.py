"""The filter "near": a place as people type it is found, and one that is not known never disappears silently."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.auth.api_client import bearer_header
from tests.porchlight.matches.factories import UserData, embedding_model, find_alerts, insert_user, run_profile_jobs
from tests.porchlight.search.api_client import search, sign_up_user


async def test_near_as_typed_limits_results(web: httpx.AsyncClient, database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        here = insert_user(conn, UserData("Denver Falconer", ["Falconry"], location="denver co"))
        away = insert_user(conn, UserData("Boston Falconer", ["Falconry"], location="Boston MA"))
        lost = insert_user(conn, UserData("Lost Falconer", ["Falconry"], location="Springfield"))
    await run_profile_jobs(database, [here, away, lost], embedding_model())

    async def names(**filters: Any) -> set[str]:
        return {hit["who"] for hit in (await search(web, "falconry", kind="offer", **filters))["hits"]}

    everywhere = {"Denver Falconer", "Boston Falconer", "Lost Falconer"}
    assert await names() == everywhere
    for near in ("Denver Colorado", "80202", "downtown denver", "Denver, Colorado, USA"):
        assert await names(near=near, withinMiles=25) == {"Denver Falconer"}, near
    for near in ("Springfield", "Dever, CO", "asdfgh"):
        assert await names(near=near, withinMiles=25) == set(), near
        assert await names(near=near) == everywhere, near
    clear = (await search(web, "falconry", near="NYC"))["place"]
    assert (clear["place"]["label"], clear["message"]) == ("New York, New York", "")
    page = await search(web, "falconry", near="Springfield", withinMiles=25)
    assert (page["total"], page["cells"], page["next"], page["pending"]) == (0, [], None, False)
    assert page["place"]["message"] == "There is more than one Springfield."
    assert page["place"]["choices"][0]["label"] == "Springfield, Missouri"
    assert (await search(web, "falconry"))["place"] is None


async def test_saved_search_needs_known_place(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    token, user_id = await sign_up_user(web, emulator)

    async def save(**filters: Any) -> httpx.Response:
        return await web.post("/api/search/saved", json={"q": "topiary"} | filters, headers=bearer_header(token))

    refused = await save(near="Dever, CO", withinMiles=25)
    assert invalid_fields(refused) == {"near": "Did you mean Denver, Colorado?"}
    (saved,) = (await save(near="Denver CO", withinMiles=25)).json()["data"]["searches"]
    assert (saved["filters"]["near"], saved["place"]["place"]["label"]) == ("Denver CO", "Denver, Colorado")
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET email_verified = true WHERE user_id = %s", [user_id])
        for near in ("Xyzzy", "Springfield"):  # saved before places were checked
            conn.execute(
                "INSERT INTO saved_searches (user_id, id, words, filters) VALUES (%s, %s, 'topiary',"
                " jsonb_build_object('near', %s::text, 'withinMiles', 25))",
                [user_id, new_id(), near],
            )
        gardener = insert_user(conn, UserData("Boston Gardener", ["Topiary"], location="Boston MA"))
    await run_profile_jobs(database, [gardener], embedding_model())
    assert await find_alerts(database) == []
    with psycopg.connect(database.service_url) as conn:
        unchecked = conn.execute("SELECT FROM saved_searches WHERE user_id = %s AND seen_at = created_at", [user_id])
        assert unchecked.fetchall() == []
    listed = (await web.get("/api/search/saved", headers=bearer_header(token))).json()["data"]["searches"]
    unknown = {one["filters"]["near"]: one["place"]["message"] for one in listed if not one["place"]["place"]}
    assert set(unknown) == {"Xyzzy", "Springfield"}
    assert all(unknown.values())
