"""Sessions that are paid together, and those that the guru is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from porchlight.features.bookings.deadlines import expire_bookings
from tests.porchlight.bookings.api import CreateUser, execute, hold
from tests.porchlight.bookings.payments.session_shop import SessionShop
from tests.porchlight.bookings.series import weekly
from tests.porchlight.factories import SeededGuru


async def begin_series(shop: SessionShop, user: Any, guru: SeededGuru, count: int) -> dict[str, Any]:
    """Book some sessions that are paid together, and return them with Stripe's page."""
    starts = await weekly(shop.web, guru, count)
    token = await hold(user, guru, starts[0])
    digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
    body = {"hold": token, "name": "Ada Neighbor", "policyDigest": digest, "starts": starts[1:]}
    response = await shop.during(user.request("POST", "/api/bookings/series", json=body))
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()["data"]
    return found


async def test_series_is_paid_at_once_and_returned_in_parts(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Series Sue")
    series = await begin_series(shop, user, paid_guru, 3)
    assert {one["status"] for one in series["bookings"]} == {"held"}
    assert len({one["payment"]["url"] for one in series["bookings"]}) == 1
    shop.pay_page(series["bookings"][0])
    await shop.settle()
    paid = (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]
    assert [(one["status"], one["payment"]["state"]) for one in paid] == [("confirmed", "paid")] * 3
    owner = shop.payments(paid_guru)[0]["owner_id"]
    assert shop.balances(owner) == {"guru_held": 3 * 4051}
    assert [one["amount"] for one in shop.objects("charge") if one["metadata"].get("payment")][-1] == 3 * 4501
    await shop.cancel(user, paid[1])
    assert shop.balances(owner) == {"guru_held": 2 * 4051}
    assert [one["refundedCents"] for one in (await user.get("/api/orders"))["orders"]].count(4501) == 1


async def test_given_up_series_frees_all_times(
    shop: SessionShop, paid_guru: SeededGuru, create_user: CreateUser
) -> None:
    user = await create_user("Series Sid")
    series = await begin_series(shop, user, paid_guru, 2)
    response = await user.request("DELETE", f"/api/bookings/{series['bookings'][1]['id']}/payment")
    assert response.status_code == 200, response.text
    now = (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]
    assert [(one["status"], one["payment"]["state"]) for one in now] == [("expired", "canceled")] * 2


@pytest.mark.parametrize("answer", ["declined", "expired"])
async def test_paid_request_without_session_is_returned(
    shop: SessionShop, new_owner: Any, create_user: CreateUser, answer: str
) -> None:
    guru_owner = await new_owner(payment="full", approval="request")
    owner = shop.let_take_cards(guru_owner.guru)
    user = await create_user("Asking Ann")
    asked = await shop.pay_for(user, guru_owner.guru)
    assert asked["status"] == "requested"
    if answer == "declined":
        await guru_owner.call("POST", f"/bookings/{asked['id']}/answer", {"accept": False, "reason": "I'm away."})
    else:
        execute(shop.database, "UPDATE bookings SET expires_at = app.now() WHERE id = %s", asked["id"])
        expire_bookings(shop.database.service_url)
    await shop.settle()
    now = await user.get(f"/api/bookings/{asked['id']}")
    assert (now["status"], now["payment"]["refundedCents"]) == (answer, 4501)
    assert shop.balances(owner) == {}
