"""Filters of search where many offer the same: they act before any limit."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg

from porchlight.search.alerts import new_alerts
from tests.accounts.calls import bearer
from tests.matches.people import GAZETTEER, Person, add, model, settle
from tests.search.asking import me, search
from tests.support.databases import Database
from tests.support.identity import Emulator


async def test_filters_let_through_whoever_fits_however_many_do_not(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    """Eighty neighbors of one town teach the same; the one who fits was the last to come."""
    with psycopg.connect(database.overseer_url) as conn:
        crowd = [add(conn, Person(f"Organist {number}", ["Pipe organ"])) for number in range(80)]
        fits = add(conn, Person("Sunday Organist", ["Pipe organ"], shown={"languages": ["Welsh"]}))
        near = add(conn, Person("Near Organist", ["Pipe organ"], place="Aurora, Colorado"))
        away = add(conn, Person("Away Organist", ["Pipe organ"], place="Seattle, Washington"))
        conn.execute(
            "UPDATE skill_offers SET days = 63, formats = '{in_person}', terms = '{price}', price_cents = 9000"
            " WHERE user_id = ANY (%s)",
            [[*crowd, near, away]],
        )
        conn.execute("UPDATE skill_offers SET terms = '{price}', price_cents = 500 WHERE user_id = %s", [fits])
        conn.execute("UPDATE skill_offers SET formats = '{online}' WHERE user_id = %s", [away])
    await settle(database, [*crowd, fits, near, away], model())

    async def found(**filters: Any) -> set[str]:
        return {hit["who"] for hit in (await search(web, "pipe organ", **filters))["hits"]}

    for place in ({}, {"near": "Denver, Colorado"}, {"near": "Denver, Colorado", "withinMiles": 5}):
        assert await found(day="sun", **place) == {"Sunday Organist"}, place
        assert await found(maxPriceCents=500, **place) == {"Sunday Organist"}, place
        assert await found(language="welsh", **place) == {"Sunday Organist"}, place
    assert await found(near="Aurora, Colorado", withinMiles=3) == {"Near Organist"}
    assert "Away Organist" in await found(near="Denver, Colorado", withinMiles=5, format="online")
    assert await found(near="Portland, Oregon", withinMiles=200) == {"Away Organist"}
    token, _id = await me(web, emulator)
    kept = await web.post("/api/search/saved", json={"q": "pipe organ"}, headers=bearer(token))
    assert kept.status_code == 201, kept.text
    with psycopg.connect(database.overseer_url) as conn:
        new = add(conn, Person("New Organist", ["Pipe organ"]))
    await settle(database, [new], model())
    (alert,) = [one for one in await new_alerts(database.overseer_url, GAZETTEER) if one.words == "pipe organ"]
    assert [hit.who for hit in alert.hits] == ["New Organist"]
