"""Search, listings and coarse places: through the real app, on real PostgreSQL, with the real model."""

from __future__ import annotations

import json
import math
import random
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.finding import gather_pages
from porchlight.grid import cell_of, middle_of, tile_of
from porchlight.listings.pages import listing_head
from porchlight.meaning.minilm import NAME
from porchlight.meaning.relating import relate_waiting
from porchlight.pages import with_head
from porchlight.search.alerts import new_alerts
from tests.accounts.calls import bearer
from tests.matches.people import GAZETTEER, Person, add, model, settle
from tests.platform_.world import tell
from tests.search.asking import me as _me
from tests.search.asking import search as _search
from tests.search.asking import titles as _titles
from tests.support.databases import Database
from tests.support.identity import Emulator

LISTING = {"formats": ["in_person"], "terms": ["price", "swap"], "priceCents": 2500, "radiusKm": 10, "days": ["sat"]}


@pytest.fixture(scope="module")
async def town(database: Database) -> dict[str, UUID]:
    """A few neighbours and a guru, read by the worker's jobs."""
    people = {
        "baker": Person("Baker", ["Sourdough baking"], ["Chess"]),
        "bassist": Person("Bassist", ["Bass guitar"]),
        "angler": Person("Angler", ["Bass fishing"], place="Boulder, Colorado"),
        "far": Person("Far Baker", ["Sourdough baking"], place="Seattle, Washington"),
        "teacher": Person("Teacher", ["Math tutoring"], shown={"languages": ["English", "Español"]}),
    }
    with psycopg.connect(database.overseer_url) as conn:
        made = {name: add(conn, person) for name, person in people.items()}
        tell(conn, "alpha")
    await settle(database, list(made.values()), model())
    await gather_pages(database.overseer_url, GAZETTEER)
    relate_waiting(database.overseer_url, model())
    return made


async def test_search_forgives_slips(web: httpx.AsyncClient, town: dict[str, UUID]) -> None:
    for typed in ("sourdugh", "sourdough bakng", "SOURDOUGH", "soudrough"):
        assert _titles(await _search(web, typed))[0] == "Sourdough baking", typed


async def test_search_understands_meaning_once_the_worker_has_read_the_question(
    web: httpx.AsyncClient, town: dict[str, UUID], database: Database
) -> None:
    first = await _search(web, "make my own bread")
    assert (first["pending"], first["algorithm"]) == (True, "search-1 (words-1)")
    relate_waiting(database.overseer_url, model())
    data = await _search(web, "make my own bread")
    assert not data["pending"]
    assert "MiniLM" in data["algorithm"]
    assert _titles(data)[0] == "Sourdough baking"
    fishing = await _search(web, "catching largemouth at the reservoir")
    relate_waiting(database.overseer_url, model())
    fishing = await _search(web, "catching largemouth at the reservoir")
    assert _titles(fishing)[0] == "Bass fishing"


async def test_gurus_and_posts_are_found(web: httpx.AsyncClient, town: dict[str, UUID]) -> None:
    data = await _search(web, "skill markalpha")
    assert {"guru", "post"} <= {hit["kind"] for hit in data["hits"]}
    guru = next(hit for hit in data["hits"] if hit["kind"] == "guru")
    assert (guru["title"], guru["label"]) == ("Guru markalpha", "alpha")
    only = await _search(web, "skill markalpha", kind="post")
    assert {hit["kind"] for hit in only["hits"]} == {"post"}


async def test_filters(web: httpx.AsyncClient, town: dict[str, UUID], emulator: Emulator) -> None:
    near = await _search(web, "sourdough baking", kind="offer", near="Denver, Colorado", withinMiles=20)
    assert [hit["who"] for hit in near["hits"]] == ["Baker"]
    assert near["hits"][0]["miles"] == 1
    assert [hit["who"] for hit in (await _search(web, "math tutoring", language="espanol"))["hits"]] == ["Teacher"]
    assert (await _search(web, "math tutoring", language="Welsh"))["total"] == 0
    token, _id = await _me(web, emulator, skills={"offered": [], "wanted": []})
    made = await web.post("/api/skills/offers", json=LISTING | {"title": "Ice carving"}, headers=bearer(token))
    assert made.status_code == 201, made.text
    for filters, found in (
        ({}, True), ({"day": "sat"}, True), ({"day": "sun"}, False), ({"format": "online"}, False),
        ({"format": "in_person"}, True), ({"maxPriceCents": 2499}, False), ({"maxPriceCents": 2500}, True),
    ):  # fmt: skip
        assert ("Ice carving" in _titles(await _search(web, "ice carving", **filters))) is found, filters
    offer = next(one for one in made.json()["data"]["offers"] if one["title"] == "Ice carving")
    page = await web.get(f"/api/skills/listings/{offer['id']}")
    assert page.json()["data"]["priceCents"] == 2500
    profile = (await web.get("/api/auth/profile", headers=bearer(token))).json()["data"]
    assert [one["name"] for one in profile["skills"]["offered"]] == ["Ice carving"]


async def test_a_listing_says_what_it_is_without_scripts(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator
) -> None:
    """To whom runs none: title, description, canonical address, OpenGraph and JSON-LD stand in the page itself."""
    wild = "</script><script>alert(1)</script> & “quotes”"
    token, _id = await _me(web, emulator, displayName="Ann <b>", skills={"offered": [], "wanted": []})
    made = await web.post(
        "/api/skills/offers", json=LISTING | {"title": "Ice & snow", "details": wild}, headers=bearer(token)
    )
    assert made.status_code == 201, made.text
    (offer,) = made.json()["data"]["offers"]
    path = f"/listings/{offer['id']}"
    told = await listing_head(app.db, path, "https://porchlight.example")
    assert told is not None
    assert told.title == "Ice & snow with Ann <b> · Porchlight"
    assert told.description.startswith("Ann <b> teaches Ice & snow. $25/hr, in a swap. </script>")
    page = with_head(b"<html><head><title>x</title></head><body></body></html>", told).decode()
    assert "<script>alert" not in page
    assert f'<link rel="canonical" href="https://porchlight.example{path}" />' in page
    assert '<meta property="og:title" content="Ice &amp; snow with Ann &lt;b&gt; · Porchlight" />' in page
    island = json.loads(page.split('<script type="application/ld+json">')[1].split("</script>")[0])
    assert (island["@type"], island["name"]) == ("Service", "Ice & snow")
    assert island["offers"] == {"@type": "Offer", "price": "25.00", "priceCurrency": "USD"}
    for other in ("/listings/nothing", f"/listings/{uuid4()}"):
        assert await listing_head(app.db, other, "https://porchlight.example") is None


async def test_listings_are_their_neighbours_alone(web: httpx.AsyncClient, emulator: Emulator) -> None:
    mine, _me_id = await _me(web, emulator, skills={"offered": ["Juggling"], "wanted": ["Unicycling"]})
    other, _other = await _me(web, emulator)
    own = (await web.get("/api/skills/mine", headers=bearer(mine))).json()["data"]
    offer, want = own["offers"][0]["id"], own["wants"][0]["id"]
    for method, path in (("PUT", f"offers/{offer}"), ("DELETE", f"offers/{offer}"), ("DELETE", f"wants/{want}")):
        body = {"json": LISTING} if method == "PUT" else {}
        answer = await web.request(method, f"/api/skills/{path}", headers=bearer(other), **body)
        assert answer.status_code == 404, (method, path)
    twice = await web.post("/api/skills/offers", json=LISTING | {"title": "JUGGLING"}, headers=bearer(mine))
    assert twice.status_code == 409
    wrong = LISTING | {"priceCents": None}
    assert (await web.put(f"/api/skills/offers/{offer}", json=wrong, headers=bearer(mine))).status_code == 422
    changed = await web.put(f"/api/skills/offers/{offer}", json=LISTING | {"level": "expert"}, headers=bearer(mine))
    assert (changed.json()["data"]["offers"][0]["level"], changed.json()["data"]["offers"][0]["days"]) == (
        "expert",
        ["sat"],
    )
    gone = await web.delete(f"/api/skills/offers/{offer}", headers=bearer(mine))
    assert gone.json()["data"]["offers"] == []
    assert (await web.get(f"/api/skills/listings/{offer}")).status_code == 404


async def test_a_kept_search_tells_of_new_offers_once(
    web: httpx.AsyncClient, town: dict[str, UUID], emulator: Emulator, database: Database
) -> None:
    token, _id = await _me(web, emulator)
    kept = await web.post("/api/search/saved", json={"q": "falconry", "near": ""}, headers=bearer(token))
    assert kept.status_code == 201, kept.text
    assert await new_alerts(database.overseer_url, GAZETTEER) == []
    with psycopg.connect(database.overseer_url) as conn:
        add(conn, Person("Falconer", ["Falconry"]))
    (alert,) = await new_alerts(database.overseer_url, GAZETTEER)
    assert (alert.words, [hit.who for hit in alert.hits]) == ("falconry", ["Falconer"])
    assert await new_alerts(database.overseer_url, GAZETTEER) == []
    search = kept.json()["data"]["searches"][0]["id"]
    other, _other = await _me(web, emulator)
    assert (await web.delete(f"/api/search/saved/{search}", headers=bearer(other))).status_code == 404
    assert (await web.delete(f"/api/search/saved/{search}", headers=bearer(token))).json()["data"]["searches"] == []


@pytest.mark.parametrize("typed", ["%%", "__", "\\\\", "'; DROP TABLE phrases; --", "🙂🙂", "ЖЖЖ", "((", "a" * 100])
async def test_wild_questions_harm_nothing(web: httpx.AsyncClient, town: dict[str, UUID], typed: str) -> None:
    """Something faintly alike may be found, nothing of what people offer, and all is there afterwards."""
    assert [hit for hit in (await _search(web, typed))["hits"] if hit["kind"] == "offer"] == []
    assert [hit for hit in (await _search(web, "sourdough baking"))["hits"] if hit["kind"] == "offer"]


@pytest.mark.parametrize("typed", ["qwxz blorf", "xqzv", "zzkrw pfft vvx", "asdfgh jklqwe", "the qwxz"])
async def test_nonsense_finds_nothing_before_and_after_it_is_read(
    web: httpx.AsyncClient, town: dict[str, UUID], database: Database, typed: str
) -> None:
    assert (await _search(web, typed))["hits"] == []
    relate_waiting(database.overseer_url, model())
    data = await _search(web, typed)
    assert (data["hits"], data["pending"]) == ([], False)
    assert data["algorithm"] == f"search-1 (words-1 unknown to {NAME})"


async def test_a_slip_in_a_word_that_the_model_does_not_know_is_forgiven(
    web: httpx.AsyncClient, town: dict[str, UUID], database: Database
) -> None:
    with psycopg.connect(database.overseer_url) as conn:
        add(conn, Person("Piper", ["Xqvtzk"]))
    for _ in range(2):
        assert _titles(await _search(web, "xqvztk")) == ["Xqvtzk"]
        relate_waiting(database.overseer_url, model())


async def test_hostile_questions_are_refused(web: httpx.AsyncClient) -> None:
    for query in (
        "q=a",
        "q=" + "a" * 101,
        "q=x%00y",
        "q=guitar&day=someday",
        "q=guitar&withinMiles=0",
        "q=guitar&kind=x",
    ):
        assert (await web.get(f"/api/search?{query}")).status_code == 422, query


def _km(a: tuple[float, float], b: tuple[float, float]) -> float:
    return math.hypot((a[0] - b[0]) * 111.2, (a[1] - b[1]) * 111.2 * math.cos(math.radians(a[0])))


Asked = tuple[tuple[int, int], float]


def _guess(asked: list[Asked], around: tuple[float, float]) -> tuple[float, float]:
    """The best an adversary can do: the point that explains all the distances, looked for finer and finer."""
    middles = [(middle_of(*spot), km) for spot, km in asked]

    def wrong(point: tuple[float, float]) -> float:
        return sum((_km(point, at) - km) ** 2 for at, km in middles)

    best, step = around, 0.02
    while step > 0.0002:
        best = min(((best[0] + a * step, best[1] + b * step) for a in range(-4, 5) for b in range(-4, 5)), key=wrong)
        step /= 2.5
    return best


async def test_nobody_is_found_by_triangulation(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    """A thousand distances told by search and a thousand told by matches, asked from all around, by themselves and
    together lead to the middle of a cell, and no nearer than 300 m to where somebody is."""
    dice = random.Random(8)
    victim, victim_id = await _me(web, emulator, skills={"offered": ["Bell ringing"], "wanted": []})
    _spy, spy_id = await _me(web, emulator, skills={"offered": [], "wanted": ["Bell ringing"]})
    home = (39.7512, -104.9903)
    area = {"latitude": home[0], "longitude": home[1]}
    assert (await web.put("/api/skills/area", json=area, headers=bearer(victim))).status_code == 200
    await settle(database, [UUID(victim_id), UUID(spy_id)], model())
    by_search: list[Asked] = []
    by_matches: list[Asked] = []
    with (
        psycopg.connect(database.app_url, autocommit=True) as conn,
        psycopg.connect(database.overseer_url, autocommit=True) as overseer,
    ):
        for _ in range(1000):
            spot = cell_of(home[0] + dice.uniform(-0.4, 0.4), home[1] + dice.uniform(-0.4, 0.4))
            row = conn.execute(
                "SELECT km FROM app.search(NULL, 'bell ringing', '{offer}', %s::smallint, %s::smallint, NULL, NULL,"
                " NULL, NULL, NULL, NULL, 10)",
                list(spot),
            ).fetchone()
            assert row is not None
            by_search.append((spot, row[0]))
            # The spy says to be elsewhere each time, which anybody may.
            overseer.execute(
                "UPDATE whereabouts SET tile = %s, cell_lat = %s, cell_lon = %s WHERE user_id = %s",
                [tile_of(*spot), *spot, UUID(spy_id)],
            )
            row = conn.execute(
                "SELECT km FROM app.skill_matches(%s, 50, 0) WHERE user_id = %s", [UUID(spy_id), UUID(victim_id)]
            ).fetchone()
            assert row is not None
            by_matches.append((spot, row[0]))
    cell = middle_of(*cell_of(*home))
    assert _km(cell, home) >= 0.3
    for asked in (by_search, by_matches, by_search + by_matches):
        guess = _guess(asked, home)
        assert _km(guess, home) >= 0.3
        assert _km(guess, cell) < 0.2, "distances lead to the cell's middle"
    for _ in range(1000):
        point = (dice.uniform(25, 49), dice.uniform(-124, -67))
        assert _km(middle_of(*cell_of(*point)), point) >= 0.3
    with psycopg.connect(database.superuser_url) as conn:
        kept = conn.execute(
            "SELECT to_jsonb(w)::text FROM whereabouts w WHERE user_id = %s", [UUID(victim_id)]
        ).fetchone()
    assert kept is not None
    assert "39.75" not in kept[0]
    assert "104.99" not in kept[0]
