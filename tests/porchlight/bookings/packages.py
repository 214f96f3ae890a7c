"""Packages of sessions over HTTP."""

from __future__ import annotations

from typing import Any

import httpx

from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import hold, post_booking
from tests.porchlight.owner import GuruOwner


async def define(owner: GuruOwner, *, key: str = "", expect: int = 201, **changes: Any) -> dict[str, Any]:
    """Define a package of the guru's service."""
    body = {"serviceId": str(owner.guru.services[0]), "name": "Three lessons", "sessions": 3, "days": 90} | changes
    headers = {"idempotency-key": key} if key else {}
    made: dict[str, Any] = await owner.call("POST", "/packages", body, expect=expect, headers=headers)
    return made


async def give(
    owner: GuruOwner, booking_id: str, *, key: str = "", covers: bool = False, **package: Any
) -> dict[str, Any]:
    """Give a new package to the person of a booking, which uses it if the package covers it."""
    made = await define(owner, **package)
    headers = {"idempotency-key": key} if key else {}
    body = {"packageId": made["id"], "bookingId": booking_id, "coversBooking": covers}
    given: dict[str, Any] = await owner.call("POST", "/package-grants", body, expect=201, headers=headers)
    return given


async def offered(owner: GuruOwner) -> list[dict[str, Any]]:
    """Return the packages of the guru's service."""
    found = await owner.call("GET", f"/packages?serviceId={owner.guru.services[0]}")
    packages: list[dict[str, Any]] = found["packages"]
    return packages


async def book_with(user: ApiUser, owner: GuruOwner, start: str, grant_id: str, *, sessions: int = 1) -> httpx.Response:
    """Book a start with a package."""
    token = await hold(user, owner.guru, start)
    return await post_booking(user, token, package={"id": grant_id, "sessions": sessions})


async def left_of(user: ApiUser) -> list[tuple[int, int, int]]:
    """Return what is left, used and taken back of the user's packages."""
    found = (await user.get("/api/packages"))["packages"]
    return [(one["left"], one["used"], one["takenBack"]) for one in found]
