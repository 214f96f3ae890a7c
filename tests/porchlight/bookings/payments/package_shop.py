"""Packages that neighbors buy from gurus at the fake Stripe."""

from __future__ import annotations

from typing import Any

import httpx

from porchlight.features.bookings.deadlines import complete_bookings
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.billing.plan_shop import PAYS
from tests.porchlight.bookings.api import free_starts
from tests.porchlight.bookings.packages import book_with
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.owner import GuruOwner

PRICE_CENTS = 200_01  # with which no share of four sessions is even


async def sell(owner: GuruOwner, **changes: Any) -> dict[str, Any]:
    """Define a package that is sold: four sessions of the guru's service within 90 days."""
    body = {
        "serviceId": str(owner.guru.services[0]), "name": "Monthly", "sessions": 4, "days": 90,
        "priceCents": PRICE_CENTS,
    } | changes  # fmt: skip
    made: dict[str, Any] = await owner.call("POST", "/packages", body, expect=201)
    return made


async def post_purchase(
    shop: SessionShop, user: ApiUser, owner: GuruOwner, package: dict[str, Any], *, key: str = "", **changes: Any
) -> httpx.Response:
    """Ask for Stripe's page of a package."""
    headers = {"idempotency-key": key} if key else {}
    body = {"name": "Ada Neighbor", "priceCents": package["priceCents"]} | changes
    path = f"/api/gurus/{owner.guru.label}/packages/{package['id']}/purchases"
    return await shop.during(user.request("POST", path, json=body, headers=headers))


async def buy(
    shop: SessionShop, user: ApiUser, owner: GuruOwner, package: dict[str, Any], number: str = PAYS
) -> dict[str, Any]:
    """Buy a package and pay for it. Return the purchase once the events have arrived."""
    response = await post_purchase(shop, user, owner, package)
    assert response.status_code == 201, response.text
    begun = response.json()["data"]
    assert shop.pay(begun["url"], number).status_code == 303
    await shop.settle()
    found: dict[str, Any] = await user.get(f"/api/packages/purchases/{begun['id']}")
    return found


async def use(shop: SessionShop, user: ApiUser, owner: GuruOwner, grant_id: str, sessions: int = 1) -> None:
    """Book as many single sessions with a package."""
    for _ in range(sessions):
        response = await book_with(user, owner, (await free_starts(shop.web, owner.guru))[-1], grant_id)
        assert response.status_code == 201, response.text


async def finish_sessions(shop: SessionShop, owner: GuruOwner) -> None:
    """Let all sessions be over for a day, and run the jobs that are due then, twice."""
    shop.end_sessions(owner.guru)
    complete_bookings(shop.database.service_url)
    await shop.deliver_due()
    await shop.deliver_due()


def money(shop: SessionShop, owner: GuruOwner, user: ApiUser) -> dict[str, int]:
    """Return the balances of a guru and of the person who bought, in cents by kind, without zeros."""
    assert owner.guru.owner is not None
    return shop.balances(owner.guru.owner) | shop.balances(user.user_id)
