"""The skills calls through the whole app, on real PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import orjson
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.skills import catalogue
from porchlight.skills.planting import needles, plant
from tenants.roles import APP
from tests.platform_.world import BASE, ask, serving, visitor
from tests.skills.slips import recall
from tests.support.databases import Database


@pytest.fixture(scope="module")
async def app(database: Database) -> AsyncIterator[Porchlight]:
    async with serving(database) as made:
        yield made


@pytest.fixture(scope="module")
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    async with visitor(app, BASE) as client:
        yield client


@pytest.fixture
def role(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database.app_url) as conn:
        yield conn
        conn.rollback()


async def _data(web: httpx.AsyncClient, path: str, **query: Any) -> Any:
    answer = await web.get(path, params=query)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["success"] is True
    return body["data"]


# --- the catalogue -------------------------------------------------------------------------------------------------


async def test_all_skills(web: httpx.AsyncClient) -> None:
    data = await _data(web, "/api/skills")
    assert len(data["categories"]) == 10
    assert data["total"] == len(data["skills"]) == sum(len(one["keywords"]) for one in data["categories"])
    karate = next(one for one in data["categories"] if one["slug"] == "martial-arts")
    assert (karate["riskLevel"], karate["requiresWaiver"], karate["riskIndicator"]) == ("high", True, "⚠️")
    assert {"name", "duration", "participants", "difficulty", "aiCoach"} == set(karate["sessionTemplates"][0])


async def test_filters_of_skills(web: httpx.AsyncClient) -> None:
    for written in ("martial-arts", "Martial Arts", "MARTIAL ARTS"):
        data = await _data(web, "/api/skills", category=written)
        assert [one["slug"] for one in data["categories"]] == ["martial-arts"]
    assert (await _data(web, "/api/skills", category="sorcery")) == {"skills": [], "categories": [], "total": 0}
    assert (await _data(web, "/api/skills", category="childcare"))["total"] == 0
    found = await _data(web, "/api/skills", search="GUITAR")
    assert [skill["name"] for skill in found["skills"]] == ["guitar"]
    popular = await _data(web, "/api/skills", popular="true")
    assert popular == catalogue.listed(popular=True)
    both = await _data(web, "/api/skills", popular="true", category="creative", search="paint")
    assert [skill["name"] for skill in both["skills"]] == ["painting"]


async def test_the_catalogue_is_answered_from_ready_bytes_with_an_etag(app: Porchlight, web: httpx.AsyncClient) -> None:
    first = await web.get("/api/skills")
    hits = app.edge.hits
    again = await web.get("/api/skills", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert app.edge.hits == hits + 1


async def test_searches_are_not_held_at_the_edge(app: Porchlight, web: httpx.AsyncClient) -> None:
    # Anybody can make up searches; holding them would push gurus' pages out.
    await web.get("/api/skills", params={"search": "once"})
    held = app.edge.bytes_held
    for number in range(20):
        await web.get("/api/skills", params={"search": f"made up {number}"})
    assert app.edge.bytes_held == held


async def test_categories_for_onboarding_are_a_bare_list(web: httpx.AsyncClient) -> None:
    listed = (await web.get("/api/skills/categories")).json()
    assert isinstance(listed, list)
    by_slug = {one["slug"]: one for one in listed}
    assert by_slug["childcare"]["comingSoon"] is True
    assert by_slug["electrical"]["comingSoon"] is False
    assert by_slug["electrical"]["requirements"] == {
        "requires_license": True,
        "requires_gl": True,
        "requires_auto_insurance": False,
        "notes": catalogue.named("electrical").notes,  # type: ignore[union-attr]
    }
    assert "$1M/$2M" in by_slug["electrical"]["requirements"]["notes"]


# --- suggestions ---------------------------------------------------------------------------------------------------


async def _names(web: httpx.AsyncClient, typed: str, **query: Any) -> list[str]:
    data = await _data(web, "/api/skills/suggestions/autocomplete", q=typed, **query)
    return [one["name"] for one in data["suggestions"]]


async def test_suggestions_begin_at_two_characters(web: httpx.AsyncClient) -> None:
    for typed in ("", "g", "  g  ", "\u0301"):
        assert await _names(web, typed) == []
    assert "guitar" in await _names(web, "gu")


async def test_suggestions_name_their_category(web: httpx.AsyncClient) -> None:
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
async def test_suggestions_forgive_slips(web: httpx.AsyncClient, typed: str, meant: str) -> None:
    assert meant in await _names(web, typed)


async def test_what_begins_so_comes_before_what_only_resembles_it(web: httpx.AsyncClient) -> None:
    found = await _names(web, "paint")
    assert found[0] == "painting"
    assert found.index("painting walls") < 3


async def test_suggestions_are_limited(web: httpx.AsyncClient) -> None:
    assert len(await _names(web, "co")) > 3
    assert len(await _names(web, "co", limit=3)) == 3
    assert len(await _names(web, "an", limit=50)) <= 50
    for limit in ("0", "51", "-1", "many"):
        answer = await web.get("/api/skills/suggestions/autocomplete", params={"q": "gu", "limit": limit})
        assert answer.status_code == 422


@pytest.mark.parametrize("slips", [1, 2])
def test_nearly_every_skill_is_found_with_slips(role: psycopg.Connection[Any], slips: int) -> None:
    assert recall(role, slips) >= 0.95


@pytest.mark.parametrize("typed", ["%%", "__", "\\\\", "'; DROP TABLE skill_needles; --", "🙂🙂", "ЖЖЖ", "a" * 200])
async def test_wild_text_finds_nothing_and_harms_nothing(web: httpx.AsyncClient, typed: str) -> None:
    assert (await _names(web, typed)) == []


@pytest.mark.parametrize(
    "query", [b"q=gu%00itar", b"q=%ED%A0%80gu", b"q=" + b"a" * 300, b"q=gu%0Aitar", b"q=gu&limit=99999999999999999999"]
)
async def test_hostile_queries_are_refused(app: Porchlight, query: bytes) -> None:
    answer = await ask(app, b"/api/skills/suggestions/autocomplete?" + query, BASE)
    # What is no text at all reads as replacement marks, and is then text like any other.
    assert answer.status == (200 if b"%ED" in query else 422)
    for path in (b"/api/skills?search=%00", b"/api/skills?category=%00", b"/api/skills?popular=perhaps"):
        assert (await ask(app, path, BASE)).status == 422


# --- risk ----------------------------------------------------------------------------------------------------------


async def _risk(web: httpx.AsyncClient, category: str, activity: str) -> Any:
    sent = {"skillCategory": category, "activityDescription": activity}
    answer = await web.post("/api/liability/risk", json=sent)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def _queue(database: Database) -> list[tuple[str, str, int]]:
    with psycopg.connect(database.overseer_url) as conn:
        return conn.execute("SELECT category, activity, seen FROM risk_reviews ORDER BY id").fetchall()


async def test_risk_is_told_with_its_reasons(web: httpx.AsyncClient, database: Database) -> None:
    before = _queue(database)
    high = await _risk(web, "Electrical", "Rewire a lamp")
    assert (high["level"], high["requiresWaiver"], high["requiresContact"]) == ("high", True, True)
    assert "The category Electrical is rated high risk." in high["reasons"]
    low = await _risk(web, "Language", "Spanish conversation")
    assert (low["level"], low["requiresWaiver"], low["requiresContact"], low["known"]) == ("low", False, False, True)
    extreme = await _risk(web, "Language", "Skydiving vocabulary, in the air")
    assert (extreme["level"], extreme["rating"]) == ("high", "extreme")
    assert _queue(database) == before


async def test_what_nobody_knows_is_queued_once(web: httpx.AsyncClient, database: Database) -> None:
    for written in ("Zorbing", "  zorbing  ", "ZORBING"):
        found = await _risk(web, "", written)
        assert (found["level"], found["known"]) == ("medium", False)
    assert [row for row in _queue(database) if row[1] == "zorbing"] == [("", "zorbing", 3)]


def test_a_request_may_put_into_the_queue_and_read_nothing_of_it(role: psycopg.Connection[Any]) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        role.execute("SELECT * FROM risk_reviews")


def test_the_queue_has_an_end(new_database: Any) -> None:
    database: Database = new_database()
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        conn.execute(
            "INSERT INTO risk_reviews (id, category, activity, digest)"
            " SELECT gen_random_uuid(), '', i::text, decode(md5(i::text), 'hex') FROM generate_series(1, 10000) i"
        )
        with psycopg.connect(database.app_url, autocommit=True) as app:
            app.execute("SELECT app.ask_risk_review(gen_random_uuid(), '', 'one more', 'x')")
        assert conn.execute("SELECT count(*) FROM risk_reviews").fetchone() == (10000,)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b'{"skillCategory": null, "activityDescription": "x"}',
        b'{"skillCategory": 1, "activityDescription": "x"}',
        b'{"skillCategory": "x", "activityDescription": "\\u0000"}',
        b'{"skillCategory": "x", "activityDescription": "\\ud800"}',
        b'{"skillCategory": "x", "activityDescription": NaN}',
        b'{"skillCategory": "x", "activityDescription": "x", "level": "low"}',
        b'{"skillCategory": "a\\nb", "activityDescription": "x"}',
        orjson.dumps({"skillCategory": "x" * 121, "activityDescription": "x"}),
        orjson.dumps({"skillCategory": "x", "activityDescription": "x" * 2001}),
        b'{"activityDescription": "x"}',
        b"[" * 50_000,
    ],
)
async def test_hostile_risk_payloads_are_refused(web: httpx.AsyncClient, database: Database, body: bytes) -> None:
    before = _queue(database)
    answer = await web.post("/api/liability/risk", content=body, headers={"content-type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert answer.json()["success"] is False
    assert _queue(database) == before


# --- what the database holds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["skill_categories", "skill_needles", "angel_services"])
def test_requests_only_read_the_product_s_own_data(role: psycopg.Connection[Any], table: str) -> None:
    rights = role.execute(
        "SELECT array_agg(r) FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES']) r"
        " WHERE has_table_privilege(%s, %s, r)",
        [APP, table],
    ).fetchone()
    assert rights == (["SELECT"],)


def test_planting_again_changes_nothing_and_mends_what_was_changed(new_database: Any) -> None:
    database: Database = new_database()
    state = "SELECT (SELECT md5(string_agg(c::text, '|' ORDER BY slug)) FROM skill_categories c),"
    state += " (SELECT md5(string_agg(n::text, '|' ORDER BY n::text)) FROM skill_needles n)"
    with psycopg.connect(database.owner_url) as conn:
        planted = conn.execute(state).fetchone()
        conn.execute("UPDATE skill_categories SET name = 'Sorcery', risk_level = 'low' WHERE slug = 'electrical'")
        conn.execute("DELETE FROM skill_needles WHERE name = 'guitar'")
        conn.execute("INSERT INTO skill_needles VALUES ('creative', 'sorcery', 'sorcery', 7, true)")
        plant(conn)
        assert conn.execute(state).fetchone() == planted


def test_a_skill_is_found_from_each_of_its_words() -> None:
    assert needles("Brazilian Jiu-Jitsu") == ["brazilian jiu-jitsu", "jiu-jitsu"]
    assert needles("outlets and switches") == ["outlets and switches", "switches"]
