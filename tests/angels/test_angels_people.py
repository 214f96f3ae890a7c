"""Angels: found by service, city and distance; one's own to change; nobody's place to be worked out."""

from __future__ import annotations

import math
import random
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.cells import AT_LEAST_KM, coarse
from tests.angels.conftest import Come
from tests.angels.people import BOULDER, DENVER, HELP
from tests.support.databases import Database

SERVICE = "moving-help"


def _km(a: tuple[float, float], b: tuple[float, float]) -> float:
    up = (a[0] - b[0]) * 111.2
    right = (a[1] - b[1]) * 111.2 * math.cos(math.radians(a[0]))
    return math.hypot(up, right)


@given(st.floats(-60, 60), st.floats(-179, 179))
def test_a_kept_place_is_never_near_the_door(latitude: float, longitude: float) -> None:
    kept = coarse(latitude, longitude)
    assert 0.3 < _km((latitude, longitude), kept) < 5
    assert AT_LEAST_KM > 0.3


async def test_angels_are_found_by_city_and_distance(come: Come) -> None:
    near, far, resting, hidden = [await come(name) for name in ("Nia Near", "Finn Far", "Rae Resting", "Hal Hidden")]
    await near.helps(SERVICE, rateCents=4000)
    await far.helps(SERVICE, rateCents=2000, place=BOULDER)
    await resting.helps(SERVICE, active=False)
    await hidden.helps(SERVICE)
    answer = await hidden.call("PUT", "/api/auth/profile", json={"privacy": {"publicProfile": False}})
    assert answer.status_code == 200
    found = await near.gets(f"/api/angels/{SERVICE}", near="Boulder, Colorado")
    assert [(angel["name"], angel["mine"]) for angel in found["angels"]] == [("Finn Far", False), ("Nia Near", True)]
    assert [angel["miles"] <= 3 for angel in found["angels"]] == [True, False]
    assert found["service"]["providers"] == 2
    assert found["service"]["avgPrice"] == 30
    assert found["service"]["rating"] is None
    assert {place["city"]: place["avgPrice"] for place in found["service"]["cities"]} == {"Boulder": 20, "Denver": 40}
    boulder = await near.gets(f"/api/angels/{SERVICE}", city="boulder")
    assert [angel["name"] for angel in boulder["angels"]] == ["Finn Far"]
    assert boulder["angels"][0]["miles"] is None
    nowhere = await near.gets(f"/api/angels/{SERVICE}", near="Xyzzy, Nowhere")
    assert len(nowhere["angels"]) == 2  # only the distances are missing
    everywhere = await near.gets("/api/angels", city="Boulder")
    assert SERVICE in [service["id"] for service in everywhere["services"]]
    assert (await near.call("GET", "/api/angels/juggling")).status_code == 404
    # What others get holds no place finer than the town.
    assert not {"latitude", "longitude", "place", "email", "userId"} & set(found["angels"][0])


async def test_a_long_list_is_paged_without_losing_anybody(come: Come) -> None:
    viewer = await come("Vic Viewer")
    for number in range(23):
        angel = await come(f"Angel {number}")
        await angel.helps("errands-shopping", place=DENVER if number % 2 else BOULDER)
    for query in ({}, {"near": "Denver, Colorado"}):
        seen: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            page = await viewer.gets("/api/angels/errands-shopping", **query, **cursor)
            seen += [angel["handle"] for angel in page["angels"]]
            if page["nextCursor"] is None:
                break
            cursor = {"cursor": page["nextCursor"]}
        assert len(seen) == len(set(seen)) == 23
    for wrong in ("x", "WzEsMl0", "W251bGwsbnVsbCxudWxsXQ", "é", "WzEsMSwiXHUwMDAwIl0"):
        answer = await viewer.call("GET", "/api/angels/errands-shopping", params={"cursor": wrong})
        assert answer.status_code == 422, wrong


async def test_ones_own_help_is_ones_own(come: Come) -> None:
    one, two = await come("One"), await come("Two")
    await one.helps("pet-sitting", days=[7, 1, 1], about="Cats.")
    (own,) = (await one.gets("/api/angel-services"))["services"]
    assert (own["days"], own["city"], own["region"]) == ([1, 7], "Denver", "Colorado")
    changed = {name: value for name, value in HELP.items() if name != "place"} | {"rateCents": 1900}
    assert (await one.call("PUT", "/api/angel-services/pet-sitting", json=changed)).status_code == 200
    assert (await one.gets("/api/angel-services"))["services"][0]["city"] == "Denver"  # the place stays
    assert (await two.call("PUT", "/api/angel-services/pet-sitting", json=changed)).status_code == 422
    assert (await two.gets("/api/angel-services"))["services"] == []
    assert (await two.call("DELETE", "/api/angel-services/pet-sitting")).status_code == 404
    assert (await one.call("DELETE", "/api/angel-services/pet-sitting")).status_code == 200
    for unknown in ("juggling", "%00", "%F0%9F%99%82", "x" * 200):
        assert (await one.call("PUT", f"/api/angel-services/{unknown}", json=HELP)).status_code == 404
        assert (await one.call("DELETE", f"/api/angel-services/{unknown}")).status_code == 404
        assert (await one.call("GET", f"/api/angels/{unknown}")).status_code == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"rateCents": 99}, {"rateCents": 50_001}, {"rateCents": "3000"}, {"days": []}, {"days": [0]}, {"days": [8]},
        {"radiusMiles": 0}, {"radiusMiles": 51}, {"mailsADay": 21}, {"about": "x" * 601}, {"about": "a\x00"},
        {"place": {"text": ""}}, {"place": {"text": "Nowhere at all, Xyz"}}, {"jobs": 5}, {"rating": 5},
    ],
)  # fmt: skip
async def test_what_is_no_help_is_refused(come: Come, wrong: dict[str, Any]) -> None:
    angel = await come("Abel Angel")
    answer = await angel.call("PUT", "/api/angel-services/pet-sitting", json=HELP | wrong)
    assert answer.status_code == 422
    assert (await angel.gets("/api/angel-services"))["services"] == []


async def test_nobodys_place_can_be_worked_out_from_a_thousand_distances(come: Come, database: Database) -> None:
    """Somebody asks from a thousand points and takes the point that fits all answers best."""
    chance = random.Random(7)
    seeker = await come("Sly Seeker")
    for number in range(3):
        home = (39.7392 + chance.uniform(-0.05, 0.05), -104.9847 + chance.uniform(-0.05, 0.05))
        victim = await come(f"Vera {number}")
        await victim.helps("yard-work", place={"latitude": home[0], "longitude": home[1]}, radiusMiles=50)
        points = [(home[0] + chance.uniform(-0.2, 0.2), home[1] + chance.uniform(-0.2, 0.2)) for _ in range(1000)]
        # The answers themselves, from the function that gives them: a thousand calls would only take longer. The app
        # makes the asking point coarse besides; here it is exact, which helps the seeker.
        asked = "SELECT miles FROM app.angels_for('yard-work', '', %s, %s, NULL, NULL, NULL, 100) WHERE handle = %s"
        with psycopg.connect(database.app_url) as conn:
            told = [conn.execute(asked, [*point, victim.handle]).fetchone() for point in points]
        miles = [row[0] for row in told if row is not None]
        assert len(miles) == 1000

        def misfit(spot: tuple[float, float], points: Any = points, miles: Any = miles) -> float:
            return sum(
                abs(max(1.0, _km(spot, point) / 1.609) - mile) for point, mile in zip(points, miles, strict=True)
            )

        best = min(
            ((home[0] + up / 500, home[1] + right / 500) for up in range(-15, 16) for right in range(-15, 16)),
            key=misfit,
        )
        assert _km(best, home) > 0.3
    found = await seeker.gets("/api/angels/yard-work", latitude=str(39.74), longitude=str(-104.98))
    assert all(isinstance(angel["miles"], int) for angel in found["angels"])
