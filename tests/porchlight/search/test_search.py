"""Search, public listings and obfuscated locations: the real app on real PostgreSQL with the real model."""

from __future__ import annotations

import math
import random
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.embeddings.minilm import NAME
from porchlight.features.matches.queries import MATCHES, match_params
from porchlight.features.search.indexer import reindex
from porchlight.features.search.queries import FOUND, SearchOrigin, search_params
from porchlight.features.search.schemas import Filters
from porchlight.geo.grid import cell_center, cell_of, tile_of
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.auth.api_client import bearer_header
from tests.porchlight.factories import seed_guru, seed_post
from tests.porchlight.matches.factories import (
    GAZETTEER,
    UserData,
    embedding_model,
    find_alerts,
    insert_user,
    relate_phrases,
    run_profile_jobs,
)
from tests.porchlight.plans.grants import grant_plan
from tests.porchlight.search.api_client import search as _search
from tests.porchlight.search.api_client import sign_up_user as _sign_up
from tests.porchlight.search.api_client import titles as _titles

LISTING = {"formats": ["in_person"], "terms": ["price", "swap"], "priceCents": 2500, "radiusKm": 10, "days": ["sat"]}


@pytest.fixture(scope="module")
async def town(database: Database) -> dict[str, UUID]:
    """A few users and a guru, indexed by the worker's jobs."""
    people = {
        "baker": UserData("Baker", ["Sourdough baking"], ["Chess"]),
        "bassist": UserData("Bassist", ["Bass guitar"]),
        "pianist": UserData("Pianist", ["Piano lessons"]),
        "angler": UserData("Angler", ["Bass fishing"], location="Boulder, Colorado"),
        "far": UserData("Far Baker", ["Sourdough baking"], location="Seattle, Washington"),
        "teacher": UserData("Teacher", ["Math tutoring"], overrides={"languages": ["English", "Español"]}),
    }
    with psycopg.connect(database.service_url) as conn:
        user_ids = {name: insert_user(conn, user) for name, user in people.items()}
        guru = seed_guru(conn, "alpha")
        for slug, title in (("lumber", "How to buy lumber"), ("lunch", "Pack a better lunch"), ("cat", "A calm cat")):
            seed_post(conn, guru, slug, title=title, tags=[])
    await run_profile_jobs(database, list(user_ids.values()), embedding_model())
    await reindex(database.service_url, GAZETTEER)
    relate_phrases(database, embedding_model())
    return user_ids


async def test_search_tolerates_typos(web: httpx.AsyncClient, town: dict[str, UUID]) -> None:
    for typed in ("sourdugh", "sourdough bakng", "SOURDOUGH", "soudrough"):
        assert _titles(await _search(web, typed))[0] == "Sourdough baking", typed


async def test_new_question_is_answered_by_meaning(web: httpx.AsyncClient, town: dict[str, UUID]) -> None:
    for question, answer in (
        ("make my own bread", "Sourdough baking"),
        ("catching largemouth at the reservoir", "Bass fishing"),
    ):
        data = await _search(web, question)
        assert not data["pending"]
        assert "MiniLM" in data["algorithm"]
        assert _titles(data)[0] == answer


async def test_search_finds_gurus_and_posts(web: httpx.AsyncClient, town: dict[str, UUID]) -> None:
    data = await _search(web, "skill markalpha")
    assert {"guru", "post"} <= {hit["kind"] for hit in data["hits"]}
    guru = next(hit for hit in data["hits"] if hit["kind"] == "guru")
    assert (guru["title"], guru["label"]) == ("Guru markalpha", "alpha")
    only = await _search(web, "skill markalpha", kind="post")
    assert {hit["kind"] for hit in only["hits"]} == {"post"}


async def test_guru_is_found_by_services_and_posts(
    web: httpx.AsyncClient, town: dict[str, UUID], service_db: psycopg.Connection[Any]
) -> None:
    found = {q: _titles(await _search(web, q, kind="guru")) for q in ("service 1 markalpha", "other-alpha")}
    assert found == {"service 1 markalpha": ["Guru markalpha"], "other-alpha": ["Guru markalpha"]}


async def test_search_leaves_out_unrelated_help_and_posts(
    web: httpx.AsyncClient, town: dict[str, UUID], database: Database
) -> None:
    answers = {"sourdough": "Sourdough baking", "bread": "Sourdough baking", "piano teacher": "Piano lessons"}
    for question in answers:
        await _search(web, question)
    relate_phrases(database, embedding_model())
    found = {question: {hit["title"] for hit in (await _search(web, question))["hits"]} for question in answers}
    assert found == {question: {answer} for question, answer in answers.items()}


async def test_common_word_finds_the_nearest_gurus(
    web: httpx.AsyncClient, town: dict[str, UUID], service_db: Any
) -> None:
    """A search reads a bounded number of the entries of a phrase: of a common one, those near the visitor."""
    denver = cell_of(39.7392, -104.9847)
    service_db.execute(
        "INSERT INTO search_entries (kind, item, title, summary, tile, cell_lat, cell_lon)"
        " SELECT 'guru', gen_random_uuid()::text, 'Far', '', (9000 + n) / 25 * 1000 + n / 20, 9000 + n, n"
        " FROM generate_series(1, 400) n"
        " UNION ALL SELECT 'guru', gen_random_uuid()::text, 'Near', '', %(tile)s, %(lat)s, %(lon)s"
        " FROM generate_series(1, 3)",
        {"tile": tile_of(*denver), "lat": denver[0], "lon": denver[1]},
    )
    service_db.execute(
        "INSERT INTO search_entry_phrases (phrase_id, kind, item, weight, tile)"
        " SELECT app.get_or_create_phrase('zymurgy', true), kind, item, 0.9, tile FROM search_entries"
        " WHERE title IN ('Far', 'Near')"
    )
    data = await _search(web, "zymurgy", kind="guru", near="Denver, Colorado")
    assert data["total"] == 120
    assert _titles(data)[:4] == ["Near", "Near", "Near", "Far"]
    assert (await _search(web, "zymurgy"))["total"] == 120
    service_db.execute("DELETE FROM search_entries WHERE title IN ('Far', 'Near')")


async def test_search_filters_limit_results(
    web: httpx.AsyncClient, town: dict[str, UUID], emulator: Emulator, database: Database
) -> None:
    near = await _search(web, "sourdough baking", kind="offer", near="Denver, Colorado", withinMiles=20)
    assert [hit["who"] for hit in near["hits"]] == ["Baker"]
    assert near["hits"][0]["miles"] == 1
    assert [hit["who"] for hit in (await _search(web, "math tutoring", language="espanol"))["hits"]] == ["Teacher"]
    assert (await _search(web, "math tutoring", language="Welsh"))["total"] == 0
    token, user_id = await _sign_up(web, emulator, skills={"offered": [], "wanted": []})
    grant_plan(database, user_id)
    posted = await web.post("/api/skills/offers", json=LISTING | {"title": "Ice carving"}, headers=bearer_header(token))
    assert posted.status_code == 201, posted.text
    for filters, is_listed in (
        ({}, True), ({"day": "sat"}, True), ({"day": "sun"}, False), ({"format": "online"}, False),
        ({"format": "in_person"}, True), ({"maxPriceCents": 2499}, False), ({"maxPriceCents": 2500}, True),
    ):  # fmt: skip
        assert ("Ice carving" in _titles(await _search(web, "ice carving", **filters))) is is_listed, filters
    offer = next(one for one in posted.json()["data"]["offers"] if one["title"] == "Ice carving")
    page = await web.get(f"/api/skills/listings/{offer['id']}")
    assert page.json()["data"]["priceCents"] == 2500
    profile = (await web.get("/api/auth/profile", headers=bearer_header(token))).json()["data"]
    assert [one["name"] for one in profile["skills"]["offered"]] == ["Ice carving"]


async def test_listings_change_only_by_owner(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    mine, user_id = await _sign_up(web, emulator, skills={"offered": ["Juggling"], "wanted": ["Unicycling"]})
    grant_plan(database, user_id)
    other, _other = await _sign_up(web, emulator)
    own = (await web.get("/api/skills/mine", headers=bearer_header(mine))).json()["data"]
    offer, want = own["offers"][0]["id"], own["wants"][0]["id"]
    for method, path in (("PUT", f"offers/{offer}"), ("DELETE", f"offers/{offer}"), ("DELETE", f"wants/{want}")):
        body = LISTING if method == "PUT" else None
        response = await web.request(method, f"/api/skills/{path}", headers=bearer_header(other), json=body)
        assert response.status_code == 404, (method, path)
    twice = await web.post("/api/skills/offers", json=LISTING | {"title": "JUGGLING"}, headers=bearer_header(mine))
    assert twice.status_code == 409
    wrong = LISTING | {"priceCents": None}
    assert (await web.put(f"/api/skills/offers/{offer}", json=wrong, headers=bearer_header(mine))).status_code == 422
    changed = await web.put(
        f"/api/skills/offers/{offer}", json=LISTING | {"level": "expert"}, headers=bearer_header(mine)
    )
    assert (changed.json()["data"]["offers"][0]["level"], changed.json()["data"]["offers"][0]["days"]) == (
        "expert",
        ["sat"],
    )
    deleted = await web.delete(f"/api/skills/offers/{offer}", headers=bearer_header(mine))
    assert deleted.json()["data"]["offers"] == []
    assert (await web.get(f"/api/skills/listings/{offer}")).status_code == 404


async def test_saved_search_alerts_new_offers_once(
    web: httpx.AsyncClient, town: dict[str, UUID], emulator: Emulator, database: Database
) -> None:
    token, user_id = await _sign_up(web, emulator)
    response = await web.post("/api/search/saved", json={"q": "falconry", "near": ""}, headers=bearer_header(token))
    assert response.status_code == 201, response.text
    assert await find_alerts(database) == []
    with psycopg.connect(database.service_url) as conn:
        insert_user(conn, UserData("Falconer", ["Falconry"]))
    assert await find_alerts(database) == []  # the address is not verified yet
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET email_verified = true WHERE user_id = %s", [user_id])
    (alert,) = await find_alerts(database)
    assert (alert.words, [hit.who for hit in alert.hits]) == ("falconry", ["Falconer"])
    assert await find_alerts(database) == []
    search = response.json()["data"]["searches"][0]["id"]
    other, _other = await _sign_up(web, emulator)
    assert (await web.delete(f"/api/search/saved/{search}", headers=bearer_header(other))).status_code == 404
    assert (await web.delete(f"/api/search/saved/{search}", headers=bearer_header(token))).json()["data"][
        "searches"
    ] == []


async def test_new_results_are_those_of_the_last_week(
    web: httpx.AsyncClient, town: dict[str, UUID], emulator: Emulator, database: Database
) -> None:
    token, user_id = await _sign_up(web, emulator)
    other, _other = await _sign_up(web, emulator)

    async def new_results(reader: str) -> list[dict[str, Any]]:
        response = await web.get("/api/search/saved/new-results", headers=bearer_header(reader))
        assert response.status_code == 200, response.text
        searches: list[dict[str, Any]] = response.json()["data"]["searches"]
        return searches

    for words in ("beekeeping", "qwxz blorf"):
        await web.post("/api/search/saved", json={"q": words}, headers=bearer_header(token))
    assert await new_results(token) == []
    with psycopg.connect(database.service_url) as conn:
        keeper = insert_user(conn, UserData("Keeper", ["Beekeeping"]))
        conn.execute(
            """UPDATE profiles SET skills_offered = '[{"name": "Beekeeping", "level": null}]' WHERE user_id = %s""",
            [user_id],
        )
    (found,) = await new_results(token)
    assert (found["q"], found["results"], found["first"]) == ("beekeeping", 1, "Beekeeping"), "without the own offer"
    assert await new_results(other) == []
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE skill_offers SET created_at = app.now() - interval '8 days' WHERE user_id = %s", [keeper])
    assert await new_results(token) == []


@pytest.mark.parametrize("typed", ["%%", "__", "\\\\", "'; DROP TABLE phrases; --", "🙂🙂", "ЖЖЖ", "((", "a" * 100])
async def test_search_with_unsafe_text_finds_no_offer(
    web: httpx.AsyncClient, town: dict[str, UUID], typed: str
) -> None:
    """Similar text may match, but no offer does, and the tables are intact afterwards."""
    assert [hit for hit in (await _search(web, typed))["hits"] if hit["kind"] == "offer"] == []
    assert [hit for hit in (await _search(web, "sourdough baking"))["hits"] if hit["kind"] == "offer"]


@pytest.mark.parametrize("typed", ["qwxz blorf", "xqzv", "zzkrw pfft vvx", "asdfgh jklqwe", "the qwxz"])
async def test_nonsense_finds_nothing_before_and_after_embedding(
    web: httpx.AsyncClient, town: dict[str, UUID], database: Database, typed: str
) -> None:
    assert (await _search(web, typed))["hits"] == []
    relate_phrases(database, embedding_model())
    data = await _search(web, typed)
    assert (data["hits"], data["pending"]) == ([], False)
    assert data["algorithm"] == f"search-2 (words-1 unknown to {NAME})"


async def test_typo_in_unknown_word_is_tolerated(
    web: httpx.AsyncClient, town: dict[str, UUID], database: Database
) -> None:
    with psycopg.connect(database.service_url) as conn:
        insert_user(conn, UserData("Piper", ["Xqvtzk"]))
    for _ in range(2):
        assert _titles(await _search(web, "xqvztk")) == ["Xqvtzk"]
        relate_phrases(database, embedding_model())


async def test_malformed_searches_are_rejected(web: httpx.AsyncClient) -> None:
    for query, field in (
        ("q=a", "q"),
        ("q=" + "a" * 101, "q"),
        ("q=x%00y", "q"),
        ("q=guitar&day=someday", "day"),
        ("q=guitar&withinMiles=0", "withinMiles"),
        ("q=guitar&kind=x", "kind"),
    ):
        assert list(invalid_fields(await web.get(f"/api/search?{query}"))) == [field], query


def _km(a: tuple[float, float], b: tuple[float, float]) -> float:
    return math.hypot((a[0] - b[0]) * 111.2, (a[1] - b[1]) * 111.2 * math.cos(math.radians(a[0])))


CellDistance = tuple[tuple[int, int], float]


def _guess(distances: list[CellDistance], around: tuple[float, float]) -> tuple[float, float]:
    """Return the point that explains all distances best: the strongest attack. The grid gets finer with each pass."""
    middles = [(cell_center(*spot), km) for spot, km in distances]

    def wrong(point: tuple[float, float]) -> float:
        return sum((_km(point, at) - km) ** 2 for at, km in middles)

    best, step = around, 0.02
    while step > 0.0002:
        best = min(((best[0] + a * step, best[1] + b * step) for a in range(-4, 5) for b in range(-4, 5)), key=wrong)
        step /= 2.5
    return best


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.sweep)])
async def test_distances_do_not_reveal_home_by_triangulation(
    web: httpx.AsyncClient, emulator: Emulator, database: Database, count: int
) -> None:
    """Hundreds of distances from search and from matches reveal the center of a cell, at least 300 m from the home."""
    rng = random.Random(8)
    victim, victim_id = await _sign_up(web, emulator, skills={"offered": ["Bell ringing"], "wanted": []})
    _spy, spy_id = await _sign_up(web, emulator, skills={"offered": [], "wanted": ["Bell ringing"]})
    home = (39.7512, -104.9903)
    area = {"latitude": home[0], "longitude": home[1]}
    assert (await web.put("/api/skills/area", json=area, headers=bearer_header(victim))).status_code == 200
    await run_profile_jobs(database, [UUID(victim_id), UUID(spy_id)], embedding_model())
    by_search: list[CellDistance] = []
    by_matches: list[CellDistance] = []
    with (
        psycopg.connect(database.app_url, autocommit=True) as conn,
        psycopg.connect(database.service_url, autocommit=True) as service_db,
    ):
        conn.execute("SELECT set_config('app.user_id', %s, false)", [spy_id])
        for _ in range(count):
            spot = cell_of(home[0] + rng.uniform(-0.4, 0.4), home[1] + rng.uniform(-0.4, 0.4))
            row = conn.execute(
                f"SELECT km FROM {FOUND}",
                search_params(None, "bell ringing", Filters(kind="offer"), SearchOrigin(*spot)),
            ).fetchone()
            assert row is not None
            by_search.append((spot, row[0]))
            # The attacker may claim any location.
            service_db.execute(
                "UPDATE user_locations SET tile = %s, cell_lat = %s, cell_lon = %s WHERE user_id = %s",
                [tile_of(*spot), *spot, UUID(spy_id)],
            )
            row = conn.execute(
                f"SELECT m.km FROM ({MATCHES}) m WHERE m.user_id = %(victim)s",
                match_params(50, 0) | {"victim": UUID(victim_id)},
            ).fetchone()
            assert row is not None
            by_matches.append((spot, row[0]))
    cell = cell_center(*cell_of(*home))
    assert _km(cell, home) >= 0.3
    for distances in (by_search, by_matches, by_search + by_matches):
        guess = _guess(distances, home)
        assert _km(guess, home) >= 0.3
        assert _km(guess, cell) < 0.2, "the distances lead to the center of the cell"
    for _ in range(1000):
        point = (rng.uniform(25, 49), rng.uniform(-124, -67))
        assert _km(cell_center(*cell_of(*point)), point) >= 0.3
    with psycopg.connect(database.superuser_url) as conn:
        response = conn.execute(
            "SELECT to_jsonb(w)::text FROM user_locations w WHERE user_id = %s", [UUID(victim_id)]
        ).fetchone()
    assert response is not None
    assert "39.75" not in response[0]
    assert "104.99" not in response[0]
