"""A neighbor's package of four sessions for $200.00."""

from __future__ import annotations

from typing import Any

from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.payments import package_shop
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.owner import GuruOwner


async def buy(shop: SessionShop, owner: GuruOwner, user: ApiUser) -> dict[str, Any]:
    """Define a package and buy it. Return the person's package, with the `paymentId`."""
    package = await package_shop.sell(owner, name="Monthly Mentorship", priceCents=20_000)
    bought = await package_shop.buy(shop, user, owner, package)
    found: dict[str, Any] = await user.get(f"/api/packages/{bought['grantId']}")
    return found | {"paymentId": bought["id"]}
