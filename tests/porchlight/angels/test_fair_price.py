"""Paid jobs count for the fair price, but no price of a single user can be derived from it."""

from __future__ import annotations

from statistics import mean, stdev
from typing import Any

import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.porchlight.angels.users import BOULDER, DENVER, ApiUser
from tests.porchlight.named_users import CreateUser

SERVICES = ("moving-help", "cleaning-services", "pet-sitting", "yard-work", "errands-shopping", "handyman-services")


@pytest.fixture
def service(database: Database) -> str:
    """A service without needs, offers or angels."""
    with psycopg.connect(database.service_url) as conn:
        for table in ("needs", "need_offers", "angels"):
            conn.execute(f"DELETE FROM {table}")
        row = conn.execute("SELECT id FROM angel_services WHERE id = ANY (%s) LIMIT 1", [list(SERVICES)]).fetchone()
    assert row is not None
    return str(row[0])


async def _paid(owner: ApiUser, angel: ApiUser, service: str, rate: int, **changes: Any) -> None:
    """Create a need of two hours and accept an offer at `rate` cents per hour."""
    posted = await owner.create_need(serviceId=service, hours=2, **changes)
    response = await owner.accept_offer(posted, await angel.create_offer(posted, 2 * rate))
    assert response.status_code == 200, response.text


async def _proposed(user: ApiUser, service: str, place: Any = DENVER) -> dict[str, Any]:
    response = await user.request(
        "POST", "/api/need-proposals", json={"serviceId": service, "hours": 2, "place": place}
    )
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


def _middle(rates: list[int]) -> tuple[float, float]:
    """Return the quartiles of a normal distribution with the mean and deviation of `rates`."""
    half = 0.6745 * stdev(rates)
    return mean(rates) - half, mean(rates) + half


async def test_fair_price_includes_three_paid_jobs(create_user: CreateUser, service: str) -> None:
    owners = [await create_user(f"Owner {number}") for number in range(3)]
    angels = [await create_user(f"Angel {number}") for number in range(4)]
    for angel, rate in zip(angels, (2000, 2400, 2800, 3200), strict=True):
        await angel.offer_service(service, rateCents=rate)
    asked = await _proposed(owners[0], service)
    assert (asked["lowRateCents"], asked["highRateCents"], asked["angels"], asked["jobs"]) == (2000, 2800, 4, 0)
    rates = [4000, 4700, 5900]
    for number in (0, 1):
        await _paid(owners[number], angels[number], service, rates[number])
        assert await _proposed(owners[2], service) == asked  # two jobs are too few to count
    await _paid(owners[2], angels[2], service, rates[2])
    price = await _proposed(owners[0], service)
    low, high = _middle(rates)
    assert (price["jobs"], price["nearby"]) == (3, True)
    assert price["lowRateCents"] == round((4 * 2000 + 3 * low) / 7, -2)
    assert price["highRateCents"] == round((4 * 2800 + 3 * high) / 7, -2)
    assert (price["lowCents"], price["highCents"]) == (2 * price["lowRateCents"], 2 * price["highRateCents"])


async def test_fair_price_needs_three_owners_and_angels(create_user: CreateUser, service: str) -> None:
    owners = [await create_user(f"Owner {number}") for number in range(3)]
    angels = [await create_user(f"Angel {number}") for number in range(3)]
    await angels[0].offer_service(service, rateCents=2000)
    before = await _proposed(owners[0], service)
    for owner in owners:  # three owners, one angel
        await _paid(owner, angels[0], service, 5000)
    assert await _proposed(owners[0], service) == before
    for angel in angels:  # one owner, three angels
        await _paid(owners[0], angel, service, 5000)
    after = await _proposed(owners[0], service)
    assert (before["jobs"], after["jobs"]) == (0, 6)  # together: three owners and three angels


@pytest.mark.parametrize("why", ["one neighbor", "withdrawn", "for nothing", "another kind"])
async def test_fair_price_excludes_other_jobs(create_user: CreateUser, service: str, why: str) -> None:
    owners = [await create_user(f"Owner {number}") for number in range(3)]
    for number, owner in enumerate(owners):
        angel = await create_user(f"Angel {number}")
        if why == "one neighbor":
            await _paid(owners[0], angel, service, 5000)
        elif why == "withdrawn":
            posted = await owner.create_need(serviceId=service)
            await angel.create_offer(posted)
            assert (await owner.request("POST", f"/api/needs/{posted['id']}/withdrawal")).status_code == 200
        elif why == "for nothing":
            await _paid(owner, angel, service, 0)
        else:
            await _paid(owner, angel, next(one for one in SERVICES if one != service), 5000)
    price = await _proposed(owners[0], service)
    assert (price["lowCents"], price["jobs"], price["angels"]) == (None, 0, 0)


async def test_fair_price_prefers_nearby_paid_jobs(create_user: CreateUser, service: str) -> None:
    owners = [await create_user(f"Owner {number}") for number in range(3)]
    for number, (owner, rate) in enumerate(zip(owners, (3000, 3300, 3600), strict=True)):
        await _paid(owner, await create_user(f"Angel {number}"), service, rate)
    far = await _proposed(owners[0], service, {"text": "Colorado Springs, Colorado"})
    near = await _proposed(owners[0], service)
    assert (far["jobs"], far["nearby"], near["jobs"], near["nearby"], near["angels"]) == (3, False, 3, True, 0)
    assert (near["lowRateCents"], near["highRateCents"]) == (3100, 3500)
    for number, owner in enumerate(owners):
        await _paid(owner, await create_user(f"Dear {number}"), service, 9000, place=BOULDER)
    again = await _proposed(owners[0], service, {"latitude": 39.6, "longitude": -104.9})
    assert (again["jobs"], again["lowRateCents"], again["nearby"]) == (3, 3100, True)
