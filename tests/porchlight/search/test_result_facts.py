"""The facts of a result beside its text: its cell on the map, the next free time, and where an empty search leads."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest

from porchlight.features.search.indexer import reindex
from porchlight.features.search.rules import MAX_NEXT_STARTS
from tests.fixtures.databases import Database
from tests.porchlight.factories import SeededGuru, seed_calendar, seed_guru, seed_service
from tests.porchlight.matches.factories import (
    GAZETTEER,
    UserData,
    embedding_model,
    insert_user,
    relate_phrases,
    run_profile_jobs,
)
from tests.porchlight.search.api_client import search


def _seed_bookable(conn: psycopg.Connection[Any], label: str) -> SeededGuru:
    guru = seed_guru(conn, label, posts=0)
    for table in ("bookings", "appointments", "booking_settings", "calendars", "services", "guru_flags"):
        conn.execute(f"DELETE FROM {table} WHERE tenant_id = %s".encode(), [guru.id])
    guru.services = []
    seed_service(conn, guru, "Lesson", price_cents=4500, duration_minutes=60)
    seed_calendar(conn, guru)
    conn.execute("UPDATE gurus SET primary_skills = '{Kayaking}', city = 'Boulder, CO' WHERE id = %s", [guru.id])
    return guru


@pytest.fixture(scope="module")
async def lake(database: Database) -> list[SeededGuru]:
    """Neighbors and more gurus who teach kayaking than have their free times read, one of them without times."""
    with psycopg.connect(database.service_url) as conn:
        shown = UserData("Paddler", ["Kayaking"])
        hidden = UserData("Hidden Paddler", ["Kayaking"], overrides={"shows_location": False})
        user_ids = [insert_user(conn, user) for user in (shown, hidden)]
        gurus = [_seed_bookable(conn, f"lake{number}") for number in range(MAX_NEXT_STARTS + 1)]
        conn.execute("UPDATE booking_settings SET open = false WHERE tenant_id = %s", [gurus[0].id])
    await run_profile_jobs(database, user_ids, embedding_model())
    await reindex(database.service_url, GAZETTEER)
    relate_phrases(database, embedding_model())
    return gurus


async def test_first_gurus_have_their_next_start(web: httpx.AsyncClient, lake: list[SeededGuru]) -> None:
    hits = (await search(web, "kayaking", kind="guru"))["hits"]
    assert len(hits) == len(lake)
    starts = {hit["label"]: hit["nextStart"] for hit in hits}
    read = {hit["label"] for hit in hits[:MAX_NEXT_STARTS]}
    assert {label for label, start in starts.items() if start} == read - {lake[0].label}
    start = next(start for start in starts.values() if start)
    assert start["zone"] == "America/Denver"
    assert start["startsAt"].endswith("Z")


async def test_next_starts_follow_the_flag(web: httpx.AsyncClient, lake: list[SeededGuru], database: Database) -> None:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        conn.execute("UPDATE guru_flags SET enabled = false WHERE name = 'booking'")
        for guru in lake:
            conn.execute(
                "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'booking', false)"
                " ON CONFLICT (tenant_id, name) DO UPDATE SET enabled = false",
                [guru.id],
            )
        try:
            assert {hit["nextStart"] and 1 for hit in (await search(web, "kayaking"))["hits"]} == {None}
        finally:
            conn.execute("DELETE FROM guru_flags WHERE name = 'booking'")


async def test_hit_names_its_cell_unless_its_city_is_hidden(web: httpx.AsyncClient, lake: list[SeededGuru]) -> None:
    data = await search(web, "kayaking")
    assert sum(cell["hits"] for cell in data["cells"]) == sum(hit["cell"] is not None for hit in data["hits"])
    for hit in data["hits"]:
        if hit["city"]:
            assert data["cells"][hit["cell"]]["city"] == hit["city"]
    assert [hit["cell"] for hit in data["hits"] if hit["who"] == "Hidden Paddler"] == [None]


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("electrician", {"slug": "electrical", "name": "Electrical"}),
        ("resume help", {"slug": "business", "name": "Business"}),
        ("falconry", None),
        ("kayaking", None),
    ],
)
async def test_search_without_answer_names_the_nearest_category(
    web: httpx.AsyncClient, lake: list[SeededGuru], words: str, category: dict[str, str] | None
) -> None:
    data = await search(web, words)
    assert (data["total"] > 0) is (words == "kayaking")
    assert data["category"] == category


async def test_words_that_no_model_knows_are_found_without_common_ones(
    web: httpx.AsyncClient, lake: list[SeededGuru]
) -> None:
    hits = (await search(web, "learn to kayak", kind="offer"))["hits"]
    assert {hit["title"] for hit in hits} == {"Kayaking"}
