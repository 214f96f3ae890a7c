"""What was paid counts for a fair price as well, but never so that one person's price can be read from it."""

from __future__ import annotations

from statistics import mean, stdev
from typing import Any

import psycopg
import pytest

from tests.angels.conftest import Come
from tests.angels.people import BOULDER, DENVER, Neighbour
from tests.support.databases import Database

SERVICES = ("moving-help", "cleaning-services", "pet-sitting", "yard-work", "errands-shopping", "handyman-services")


@pytest.fixture
def service(database: Database) -> str:
    """A kind of help that nobody was paid for yet."""
    with psycopg.connect(database.overseer_url) as conn:
        for table in ("needs", "need_offers", "angels"):
            conn.execute(f"DELETE FROM {table}")
        row = conn.execute("SELECT id FROM angel_services WHERE id = ANY (%s) LIMIT 1", [list(SERVICES)]).fetchone()
    assert row is not None
    return str(row[0])


async def _paid(owner: Neighbour, angel: Neighbour, service: str, rate: int, **changes: Any) -> None:
    """A job of two hours, offered and accepted for so many cents an hour."""
    posted = await owner.needs(serviceId=service, hours=2, **changes)
    answer = await owner.accepts(posted, await angel.offered(posted, 2 * rate))
    assert answer.status_code == 200, answer.text


async def _proposed(person: Neighbour, service: str, place: Any = DENVER) -> dict[str, Any]:
    answer = await person.call("POST", "/api/need-proposals", json={"serviceId": service, "hours": 2, "place": place})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def _middle(rates: list[int]) -> tuple[float, float]:
    """Where the middle half of such prices lies, told from their mean and spread alone."""
    half = 0.6745 * stdev(rates)
    return mean(rates) - half, mean(rates) + half


async def test_what_three_were_paid_moves_the_price(come: Come, service: str) -> None:
    owners = [await come(f"Owner {number}") for number in range(3)]
    angels = [await come(f"Angel {number}") for number in range(4)]
    for angel, rate in zip(angels, (2000, 2400, 2800, 3200), strict=True):
        await angel.helps(service, rateCents=rate)
    asked = await _proposed(owners[0], service)
    assert (asked["lowRateCents"], asked["highRateCents"], asked["angels"], asked["jobs"]) == (2000, 2800, 4, 0)
    rates = [4000, 4700, 5900]
    for number in (0, 1):
        await _paid(owners[number], angels[number], service, rates[number])
        assert await _proposed(owners[2], service) == asked  # too few to be told, and it does not show
    await _paid(owners[2], angels[2], service, rates[2])
    found = await _proposed(owners[0], service)
    low, high = _middle(rates)
    assert (found["jobs"], found["nearby"]) == (3, True)
    assert found["lowRateCents"] == round((4 * 2000 + 3 * low) / 7, -2)
    assert found["highRateCents"] == round((4 * 2800 + 3 * high) / 7, -2)
    assert (found["lowCents"], found["highCents"]) == (2 * found["lowRateCents"], 2 * found["highRateCents"])


async def test_three_jobs_are_not_three_people(come: Come, service: str) -> None:
    owners = [await come(f"Owner {number}") for number in range(3)]
    angels = [await come(f"Angel {number}") for number in range(3)]
    await angels[0].helps(service, rateCents=2000)
    before = await _proposed(owners[0], service)
    for owner in owners:  # all of them paid the same angel
        await _paid(owner, angels[0], service, 5000)
    assert await _proposed(owners[0], service) == before
    for angel in angels:  # and one of them paid all
        await _paid(owners[0], angel, service, 5000)
    after = await _proposed(owners[0], service)
    assert (before["jobs"], after["jobs"]) == (0, 6)  # together they are three and three


@pytest.mark.parametrize("why", ["one neighbor", "withdrawn", "for nothing", "another kind"])
async def test_what_does_not_count(come: Come, service: str, why: str) -> None:
    owners = [await come(f"Owner {number}") for number in range(3)]
    for number, owner in enumerate(owners):
        angel = await come(f"Angel {number}")
        if why == "one neighbor":
            await _paid(owners[0], angel, service, 5000)
        elif why == "withdrawn":
            posted = await owner.needs(serviceId=service)
            await angel.offered(posted)
            assert (await owner.call("POST", f"/api/needs/{posted['id']}/withdrawal")).status_code == 200
        elif why == "for nothing":
            await _paid(owner, angel, service, 0)
        else:
            await _paid(owner, angel, next(one for one in SERVICES if one != service), 5000)
    found = await _proposed(owners[0], service)
    assert (found["lowCents"], found["jobs"], found["angels"]) == (None, 0, 0)


async def test_paid_prices_alone_tell_a_price_and_near_ones_are_believed(come: Come, service: str) -> None:
    owners = [await come(f"Owner {number}") for number in range(3)]
    for number, (owner, rate) in enumerate(zip(owners, (3000, 3300, 3600), strict=True)):
        await _paid(owner, await come(f"Angel {number}"), service, rate)
    far = await _proposed(owners[0], service, {"text": "Colorado Springs, Colorado"})
    near = await _proposed(owners[0], service)
    assert (far["jobs"], far["nearby"], near["jobs"], near["nearby"], near["angels"]) == (3, False, 3, True, 0)
    assert (near["lowRateCents"], near["highRateCents"]) == (3100, 3500)
    for number, owner in enumerate(owners):
        await _paid(owner, await come(f"Dear {number}"), service, 9000, place=BOULDER)
    again = await _proposed(owners[0], service, {"latitude": 39.6, "longitude": -104.9})
    assert (again["jobs"], again["lowRateCents"], again["nearby"]) == (3, 3100, True)
