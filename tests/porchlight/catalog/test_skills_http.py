"""The skill routes of the whole app, on real PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.catalog import catalog
from porchlight.catalog.sync_catalog import search_terms, sync_catalog
from tenants.db.roles import APP_ROLE
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, RawResponse, http_client, run_app, send_raw
from tests.porchlight.catalog.typos import suggestion_recall


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with run_app(database) as porchlight:
        yield porchlight


@pytest.fixture(scope="module")
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    async with http_client(app, BASE_HOST) as client:
        yield client


@pytest.fixture
def role(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database.app_url) as conn:
        yield conn
        conn.rollback()


async def _data(web: httpx.AsyncClient, path: str, **query: Any) -> Any:
    response = await web.get(path, params=query)
    assert response.status_code == 200, response.text
    body = response.json()
    assert body["success"] is True
    return body["data"]


# --- the catalog ---------------------------------------------------------------------------------------------------


async def test_skills_without_filters_are_complete(web: httpx.AsyncClient) -> None:
    data = await _data(web, "/api/skills")
    assert len(data["categories"]) == 10
    assert data["total"] == len(data["skills"]) == sum(len(one["keywords"]) for one in data["categories"])
    karate = next(one for one in data["categories"] if one["slug"] == "martial-arts")
    assert (karate["riskLevel"], karate["requiresWaiver"], karate["riskIndicator"]) == ("high", True, "⚠️")
    assert {"name", "duration", "participants", "difficulty", "aiCoach"} == set(karate["sessionTemplates"][0])


async def test_skills_match_all_filters(web: httpx.AsyncClient) -> None:
    for written in ("martial-arts", "Martial Arts", "MARTIAL ARTS"):
        data = await _data(web, "/api/skills", category=written)
        assert [one["slug"] for one in data["categories"]] == ["martial-arts"]
    assert (await _data(web, "/api/skills", category="sorcery")) == {"skills": [], "categories": [], "total": 0}
    assert (await _data(web, "/api/skills", category="childcare"))["total"] == 0
    data = await _data(web, "/api/skills", search="GUITAR")
    assert [skill["name"] for skill in data["skills"]] == ["guitar"]
    popular = await _data(web, "/api/skills", popular="true")
    assert popular == catalog.list_skills(popular=True)
    both = await _data(web, "/api/skills", popular="true", category="creative", search="paint")
    assert [skill["name"] for skill in both["skills"]] == ["painting"]


async def test_skills_response_is_cached_with_etag(app: Porchlight, web: httpx.AsyncClient) -> None:
    first = await web.get("/api/skills")
    hits = app.response_cache.hits
    again = await web.get("/api/skills", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert app.response_cache.hits == hits + 1


async def test_skill_searches_are_not_cached(app: Porchlight, web: httpx.AsyncClient) -> None:
    # Any client can invent searches. Caching them would evict the pages of gurus.
    await web.get("/api/skills", params={"search": "once"})
    cached_bytes = app.response_cache.bytes_cached
    for number in range(20):
        await web.get("/api/skills", params={"search": f"made up {number}"})
    assert app.response_cache.bytes_cached == cached_bytes


async def test_categories_for_onboarding_are_bare_list(web: httpx.AsyncClient) -> None:
    categories = (await web.get("/api/skills/categories")).json()
    assert isinstance(categories, list)
    by_slug = {one["slug"]: one for one in categories}
    assert by_slug["childcare"]["comingSoon"] is True
    assert by_slug["electrical"]["comingSoon"] is False
    electrical = catalog.find_category("electrical")
    assert electrical is not None
    assert by_slug["electrical"]["requirements"] == {
        "requires_license": True,
        "requires_gl": True,
        "requires_auto_insurance": False,
        "notes": electrical.notes,
    }
    assert "$1M/$2M" in by_slug["electrical"]["requirements"]["notes"]


# --- suggestions ---------------------------------------------------------------------------------------------------


async def _names(web: httpx.AsyncClient, typed: str, **query: Any) -> list[str]:
    data = await _data(web, "/api/skills/suggestions/autocomplete", q=typed, **query)
    return [one["name"] for one in data["suggestions"]]


async def test_suggestions_start_at_two_characters(web: httpx.AsyncClient) -> None:
    for typed in ("", "g", "  g  ", "\u0301"):
        assert await _names(web, typed) == []
    assert "guitar" in await _names(web, "gu")


async def test_suggestions_include_category_name(web: httpx.AsyncClient) -> None:
    data = await _data(web, "/api/skills/suggestions/autocomplete", q="guitar")
    assert data["suggestions"][0] == {"name": "guitar", "category": "Creative"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("guitar", "guitar"),
        ("GUITAR", "guitar"),
        ("gitar", "guitar"),
        ("giutar", "guitar"),
        ("guittarr", "guitar"),
        ("thai", "Muay Thai"),
        ("jiu", "Brazilian Jiu-Jitsu"),
        ("photgraphy", "photography"),
        ("spannish", "Spanish"),
        ("yoag", "yoga"),
        ("web devlopment", "web development"),
        ("martial", "Martial Arts"),
    ],
)
async def test_suggestions_tolerate_typos(web: httpx.AsyncClient, typed: str, meant: str) -> None:
    assert meant in await _names(web, typed)


async def test_suggestions_rank_prefix_before_similar(web: httpx.AsyncClient) -> None:
    data = await _names(web, "paint")
    assert data[0] == "painting"
    assert data.index("painting walls") < 3


async def test_suggestions_respect_limit(web: httpx.AsyncClient) -> None:
    assert len(await _names(web, "co")) > 3
    assert len(await _names(web, "co", limit=3)) == 3
    assert len(await _names(web, "an", limit=50)) <= 50
    for limit in ("0", "51", "-1", "many"):
        response = await web.get("/api/skills/suggestions/autocomplete", params={"q": "gu", "limit": limit})
        assert response.status_code == 422


@pytest.mark.parametrize("typos", [1, 2])
def test_suggestions_recall_with_typos_is_high(role: psycopg.Connection[Any], typos: int) -> None:
    assert suggestion_recall(role, typos) >= 0.95


@pytest.mark.parametrize(
    "typed", ["%%", "__", "\\\\", "'; DROP TABLE skill_search_terms; --", "🙂🙂", "ЖЖЖ", "a" * 200]
)
async def test_suggestions_for_unsafe_text_are_empty(web: httpx.AsyncClient, typed: str) -> None:
    assert (await _names(web, typed)) == []


@pytest.mark.parametrize(
    "query", [b"q=gu%00itar", b"q=%ED%A0%80gu", b"q=" + b"a" * 300, b"q=gu%0Aitar", b"q=gu&limit=99999999999999999999"]
)
async def test_malformed_skill_queries_are_rejected(app: Porchlight, query: bytes) -> None:
    response = await send_raw(app, b"/api/skills/suggestions/autocomplete?" + query, BASE_HOST)
    # Invalid UTF-8 is decoded to replacement characters, which are valid text.
    if b"%ED" in query:
        assert response.status == 200
    else:
        assert _refused(response) == (422, ["limit" if b"limit" in query else "q"])


@pytest.mark.parametrize("query", [b"search=%00", b"category=%00", b"popular=perhaps"])
async def test_malformed_skill_filters_are_rejected(app: Porchlight, query: bytes) -> None:
    response = await send_raw(app, b"/api/skills?" + query, BASE_HOST)
    assert _refused(response) == (422, [query.partition(b"=")[0].decode()])


def _refused(response: RawResponse) -> tuple[int, list[str]]:
    """Return the status and the refused fields."""
    return response.status, list(json.loads(response.body)["error"]["fields"])


# --- database rights and content -----------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["skill_categories", "skill_search_terms", "angel_services"])
def test_app_role_only_reads_catalog_tables(role: psycopg.Connection[Any], table: str) -> None:
    rights = role.execute(
        "SELECT array_agg(r) FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES']) r"
        " WHERE has_table_privilege(%s, %s, r)",
        [APP_ROLE, table],
    ).fetchone()
    assert rights == (["SELECT"],)


def test_sync_catalog_is_idempotent_and_repairs_rows(new_database: Any) -> None:
    database: Database = new_database()
    state = "SELECT (SELECT md5(string_agg(c::text, '|' ORDER BY slug)) FROM skill_categories c),"
    state += " (SELECT md5(string_agg(n::text, '|' ORDER BY n::text)) FROM skill_search_terms n)"
    with psycopg.connect(database.owner_url) as conn:
        synced = conn.execute(state).fetchone()
        conn.execute("UPDATE skill_categories SET name = 'Sorcery', risk_level = 'low' WHERE slug = 'electrical'")
        conn.execute("DELETE FROM skill_search_terms WHERE name = 'guitar'")
        conn.execute("INSERT INTO skill_search_terms VALUES ('creative', 'sorcery', 'sorcery', 7, true)")
        sync_catalog(conn)
        assert conn.execute(state).fetchone() == synced


def test_search_terms_start_at_each_word() -> None:
    assert search_terms("Brazilian Jiu-Jitsu") == ["brazilian jiu-jitsu", "jiu-jitsu"]
    assert search_terms("outlets and switches") == ["outlets and switches", "switches"]
