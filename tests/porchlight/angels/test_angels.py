"""Angels: list by service, city and distance; the user's own services; locations stay private."""

from __future__ import annotations

import math
import random
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.geo.matching import UNKNOWN
from porchlight.geo.obfuscation import MIN_OFFSET_KM, obfuscate
from tests.fixtures.databases import Database
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.angels.users import BOULDER, DENVER, SERVICE_OFFER
from tests.porchlight.named_users import CreateUser

SERVICE = "moving-help"


def _km(a: tuple[float, float], b: tuple[float, float]) -> float:
    up = (a[0] - b[0]) * 111.2
    right = (a[1] - b[1]) * 111.2 * math.cos(math.radians(a[0]))
    return math.hypot(up, right)


@given(st.floats(-60, 60), st.floats(-179, 179))
def test_obfuscated_location_is_never_near_home(latitude: float, longitude: float) -> None:
    stored = obfuscate(latitude, longitude)
    assert 0.3 < _km((latitude, longitude), stored) < 5
    assert MIN_OFFSET_KM > 0.3


async def test_angels_filter_by_city_and_sort_by_distance(create_user: CreateUser) -> None:
    near, far, resting, hidden = [
        await create_user(name) for name in ("Nia Near", "Finn Far", "Rae Resting", "Hal Hidden")
    ]
    await near.offer_service(SERVICE, rateCents=4000)
    await far.offer_service(SERVICE, rateCents=2000, place=BOULDER)
    await resting.offer_service(SERVICE, active=False)
    await hidden.offer_service(SERVICE)
    response = await hidden.request("PUT", "/api/auth/profile", json={"privacy": {"publicProfile": False}})
    assert response.status_code == 200
    page = await near.get(f"/api/angels/{SERVICE}", near="Boulder, Colorado")
    assert [(angel["name"], angel["mine"]) for angel in page["angels"]] == [("Finn Far", False), ("Nia Near", True)]
    assert [angel["miles"] <= 3 for angel in page["angels"]] == [True, False]
    assert page["service"]["providers"] == 2
    assert page["service"]["avgPrice"] == 30
    assert page["service"]["rating"] is None
    assert {place["city"]: place["avgPrice"] for place in page["service"]["cities"]} == {"Boulder": 20, "Denver": 40}
    boulder = await near.get(f"/api/angels/{SERVICE}", city="boulder")
    assert [angel["name"] for angel in boulder["angels"]] == ["Finn Far"]
    assert boulder["angels"][0]["miles"] is None
    nowhere = await near.get(f"/api/angels/{SERVICE}", near="Xyzzy, Nowhere")
    assert [angel["miles"] for angel in nowhere["angels"]] == [None, None]
    assert nowhere["place"]["message"] == UNKNOWN
    typed = await near.get(f"/api/angels/{SERVICE}", near="boulder co")
    assert typed["place"]["place"]["label"] == "Boulder, Colorado"
    assert [angel["miles"] <= 3 for angel in typed["angels"]] == [True, False]
    assert boulder["place"] is None
    everywhere = await near.get("/api/angels", city="Boulder")
    assert SERVICE in [service["id"] for service in everywhere["services"]]
    assert (await near.request("GET", "/api/angels/juggling")).status_code == 404
    # Other users see no location that is more exact than the city.
    assert not {"latitude", "longitude", "place", "email", "userId"} & set(page["angels"][0])


@pytest.mark.parametrize(
    ("typed", "city"),
    [("denver  co", "Denver"), ("80202", "Denver"), ("Ft. Collins", "Fort Collins"), ("NYC", "New York")],
)
async def test_angel_place_as_typed_is_found(create_user: CreateUser, typed: str, city: str) -> None:
    angel = await create_user("Tia Typed")
    await angel.offer_service(SERVICE, place={"text": typed})
    assert (await angel.get("/api/angel-services"))["services"][0]["city"] == city


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("Springfield", "There is more than one Springfield. Did you mean Springfield, Missouri"),
        ("Dever, CO", "Did you mean Denver, Colorado?"),
        ("Colorado", "Colorado is a whole state. Type a town in it. Did you mean Denver, Colorado"),
        ("Xyzzy", "We couldn't find that place. Try a city and state, such as Denver, Colorado."),
    ],
)
async def test_unclear_place_is_refused_with_choices(create_user: CreateUser, typed: str, words: str) -> None:
    angel = await create_user("Una Unclear")
    offer = SERVICE_OFFER | {"place": {"text": typed}}
    assert words in invalid_fields(await angel.request("PUT", f"/api/angel-services/{SERVICE}", json=offer))["place"]
    draft = {"serviceId": SERVICE, "place": {"text": typed}}
    assert words in invalid_fields(await angel.request("POST", "/api/need-proposals", json=draft))["place"]


async def test_angel_pages_contain_each_angel_once(create_user: CreateUser) -> None:
    viewer = await create_user("Vic Viewer")
    for number in range(23):
        angel = await create_user(f"Angel {number}")
        await angel.offer_service("errands-shopping", place=DENVER if number % 2 else BOULDER)
    for query in ({}, {"near": "Denver, Colorado"}):
        handles: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            page = await viewer.get("/api/angels/errands-shopping", **query, **cursor)
            handles += [angel["handle"] for angel in page["angels"]]
            if page["nextCursor"] is None:
                break
            cursor = {"cursor": page["nextCursor"]}
        assert len(handles) == len(set(handles)) == 23
    for wrong in ("x", "WzEsMl0", "W251bGwsbnVsbCxudWxsXQ", "é", "WzEsMSwiXHUwMDAwIl0"):
        response = await viewer.request("GET", "/api/angels/errands-shopping", params={"cursor": wrong})
        assert response.status_code == 422, wrong


async def test_own_services_change_only_by_owner(create_user: CreateUser) -> None:
    one, two = await create_user("One"), await create_user("Two")
    await one.offer_service("pet-sitting", days=[7, 1, 1], about="Cats.")
    (own,) = (await one.get("/api/angel-services"))["services"]
    assert (own["days"], own["city"], own["region"]) == ([1, 7], "Denver", "Colorado")
    changed = {name: value for name, value in SERVICE_OFFER.items() if name != "place"} | {"rateCents": 1900}
    assert (await one.request("PUT", "/api/angel-services/pet-sitting", json=changed)).status_code == 200
    assert (await one.get("/api/angel-services"))["services"][0]["city"] == "Denver"  # without a place, it stays
    assert (await two.request("PUT", "/api/angel-services/pet-sitting", json=changed)).status_code == 422
    assert (await two.get("/api/angel-services"))["services"] == []
    assert (await two.request("DELETE", "/api/angel-services/pet-sitting")).status_code == 404
    assert (await one.request("DELETE", "/api/angel-services/pet-sitting")).status_code == 200
    for unknown in ("juggling", "%00", "%F0%9F%99%82", "x" * 200):
        assert (await one.request("PUT", f"/api/angel-services/{unknown}", json=SERVICE_OFFER)).status_code == 404
        assert (await one.request("DELETE", f"/api/angel-services/{unknown}")).status_code == 404
        assert (await one.request("GET", f"/api/angels/{unknown}")).status_code == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"rateCents": 99}, {"rateCents": 50_001}, {"rateCents": "3000"}, {"days": []}, {"days": [0]}, {"days": [8]},
        {"radiusMiles": 0}, {"radiusMiles": 51}, {"mailsADay": 21}, {"about": "x" * 601}, {"about": "a\x00"},
        {"place": {"text": ""}}, {"place": {"text": "Nowhere at all, Xyz"}}, {"jobs": 5}, {"rating": 5},
    ],
)  # fmt: skip
async def test_invalid_angel_service_is_rejected(create_user: CreateUser, wrong: dict[str, Any]) -> None:
    angel = await create_user("Abel Angel")
    response = await angel.request("PUT", "/api/angel-services/pet-sitting", json=SERVICE_OFFER | wrong)
    assert [name.partition(".")[0] for name in invalid_fields(response)] == list(wrong)
    assert (await angel.get("/api/angel-services"))["services"] == []


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.sweep)])
async def test_distances_do_not_reveal_home(create_user: CreateUser, database: Database, count: int) -> None:
    """An attacker queries distances from hundreds of points and takes the point that explains all of them best."""
    chance = random.Random(7)
    seeker = await create_user("Sly Seeker")
    for number in range(3):
        home = (39.7392 + chance.uniform(-0.05, 0.05), -104.9847 + chance.uniform(-0.05, 0.05))
        victim = await create_user(f"Vera {number}")
        await victim.offer_service("yard-work", place={"latitude": home[0], "longitude": home[1]}, radiusMiles=50)
        points = [(home[0] + chance.uniform(-0.2, 0.2), home[1] + chance.uniform(-0.2, 0.2)) for _ in range(count)]
        # Calls the SQL function directly, because so many requests are slow. The app obfuscates the query point;
        # here it is exact, which helps the attacker.
        asked = (
            "SELECT miles FROM app.angels_for('yard-work', '', %s, %s, NULL, NULL, NULL, 100, 90, 5, interval '1 day')"
            " WHERE card ->> 'handle' = %s"
        )
        with psycopg.connect(database.app_url) as conn:
            rows = [conn.execute(asked, [*point, victim.handle]).fetchone() for point in points]
        miles: list[float] = [row[0] for row in rows if row is not None]
        assert len(miles) == count

        def misfit(
            guess: tuple[float, float], points: list[tuple[float, float]] = points, miles: list[float] = miles
        ) -> float:
            return sum(
                abs(max(1.0, _km(guess, point) / 1.609) - mile) for point, mile in zip(points, miles, strict=True)
            )

        best = min(
            ((home[0] + up / 500, home[1] + right / 500) for up in range(-15, 16) for right in range(-15, 16)),
            key=misfit,
        )
        assert _km(best, home) > 0.3
    page = await seeker.get("/api/angels/yard-work", latitude=str(39.74), longitude=str(-104.98))
    assert all(isinstance(angel["miles"], int) for angel in page["angels"])
