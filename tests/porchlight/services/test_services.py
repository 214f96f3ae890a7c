"""Services: create, update, reorder, delete."""

from __future__ import annotations

from typing import Any

import pytest

from porchlight.app import Porchlight
from tests.porchlight.app_client import send_raw, wait_until
from tests.porchlight.owner import GuruOwner

SERVICE: dict[str, Any] = {
    "name": "Knife skills",
    "description": "Bring your own knife.",
    "priceCents": 4550,
    "durationMinutes": 90,
    "popular": True,
    "features": ["A sharp edge", ""],
}

BOOKING_FIELDS = (
    "capacity", "partyMax", "setupMinutes", "cleanupMinutes", "starts", "approval", "place", "placeText", "waiver",
    "risk", "policy",
)  # fmt: skip


async def test_service_create_update_reorder_delete(app: Porchlight, rosa: GuruOwner) -> None:
    added = (await rosa.call("POST", "/services", SERVICE, expect=201))["services"]
    assert added[-1] | {"id": ""} == SERVICE | {
        "id": "", "currency": "USD", "durationLabel": "", "features": ["A sharp edge"],
        "openForBooking": False, "overLimit": False,
    }  # fmt: skip
    monthly = SERVICE | {"durationMinutes": None, "durationLabel": "Monthly", "priceCents": 20_000}
    changed = (await rosa.call("PUT", f"/services/{added[-1]['id']}", monthly))["services"]
    assert (changed[-1]["durationLabel"], changed[-1]["durationMinutes"]) == ("Monthly", None)
    ids = [service["id"] for service in changed]
    turned = (await rosa.call("PUT", "/service-order", {"ids": ids[::-1]}))["services"]
    assert [service["id"] for service in turned] == ids[::-1]

    async def first() -> bool:
        page = (await send_raw(app, f"/api/gurus/{rosa.guru.label}/services".encode(), rosa.guru.host)).body
        return page.index(b"Knife skills") < page.index(b"service 0 ")

    await wait_until("the site shows the order", first)
    left = (await rosa.call("DELETE", f"/services/{ids[-1]}"))["services"]
    assert len(left) == len(ids) - 1


async def test_service_list_tells_what_is_open(rosa: GuruOwner) -> None:
    async def is_open() -> bool:
        listed = (await rosa.call("GET", "/services"))["services"]
        return next(bool(service["openForBooking"]) for service in listed if service["id"] == added["id"])

    added = (await rosa.call("POST", "/services", SERVICE, expect=201))["services"][-1]
    assert not await is_open()
    booking = await rosa.call("GET", f"/services/{added['id']}/booking")
    settings = {name: booking[name] for name in ("revision", *BOOKING_FIELDS)} | {"open": True}
    for place in ("guru", "online"):
        refused = settings | {"place": place, "placeText": " "}
        error = await rosa.call("PUT", f"/services/{added['id']}/booking", refused, expect=422)
        assert list(error["fields"]) == ["placeText"]
    assert not await is_open()
    await rosa.call("PUT", f"/services/{added['id']}/booking", settings | {"placeText": "12 Elm Street"})
    assert await is_open()
    # A service without minutes has no free times, also when it was opened before.
    monthly = SERVICE | {"durationMinutes": None, "durationLabel": "Monthly"}
    await rosa.call("PUT", f"/services/{added['id']}", monthly)
    assert not await is_open()


async def test_service_order_must_name_each_once(rosa: GuruOwner, theo: GuruOwner) -> None:
    ids = [service["id"] for service in (await rosa.call("GET", "/services"))["services"]]
    others = [service["id"] for service in (await theo.call("GET", "/services"))["services"]]
    for wrong in (ids[1:], [*ids, ids[0]], [*ids[1:], others[0]], []):
        error = await rosa.call("PUT", "/service-order", {"ids": wrong}, expect=409)
        assert error["code"] == "conflict"
    error = await rosa.call("PUT", "/service-order", {"ids": ["x"]}, expect=404)
    assert error["code"] == "not_found"
    assert [service["id"] for service in (await rosa.call("GET", "/services"))["services"]] == ids


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"priceCents": -1},
        {"priceCents": 12.5},
        {"priceCents": 10**12},
        {"durationMinutes": 1},
        {"features": ["x"] * 13},
        {"currency": "EUR"},
        {"name": "a\0"},
    ],
)
async def test_service_invalid_fields_are_named(rosa: GuruOwner, changes: dict[str, Any]) -> None:
    error = await rosa.call("POST", "/services", SERVICE | changes, expect=422)
    assert list(error["fields"]) == list(changes)


@pytest.mark.parametrize("changes", [{"durationMinutes": None}, {"durationMinutes": 60, "durationLabel": "Monthly"}])
async def test_service_needs_minutes_or_label(rosa: GuruOwner, changes: dict[str, Any]) -> None:
    error = await rosa.call("POST", "/services", SERVICE | changes, expect=422)
    assert error["fields"] == {"durationMinutes": "Enter a number of minutes, or a label instead."}
