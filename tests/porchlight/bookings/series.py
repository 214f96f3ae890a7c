"""Requests of people who book several sessions at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx

from tenants.kit import clock
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import free_starts, hold
from tests.porchlight.factories import SeededGuru

WEEK = timedelta(days=7)
ZONE = ZoneInfo("America/Denver")


async def weekly(web: httpx.AsyncClient, guru: SeededGuru, count: int, *, first: int = 0) -> list[str]:
    """Return a free start and those at the guru's same wall time in the following weeks."""
    start = datetime.fromisoformat((await free_starts(web, guru))[first]).astimezone(ZONE)
    # Python adds to the wall time.
    return [clock.to_iso8601((start + number * WEEK).astimezone(UTC)) for number in range(count)]


async def post_series(user: ApiUser, token: str, starts: list[str], *, key: str = "", **changes: Any) -> httpx.Response:
    digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
    body = {"hold": token, "name": "Ada Neighbor", "note": "", "policyDigest": digest, "starts": starts} | changes
    headers = {"idempotency-key": key} if key else {}
    return await user.request("POST", "/api/bookings/series", json=body, headers=headers)


async def book_series(user: ApiUser, guru: SeededGuru, starts: list[str], **changes: Any) -> dict[str, Any]:
    response = await post_series(user, await hold(user, guru, starts[0]), starts[1:], **changes)
    assert response.status_code == 201, response.text
    booked: dict[str, Any] = response.json()["data"]
    return booked
