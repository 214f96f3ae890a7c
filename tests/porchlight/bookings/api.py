"""Requests of people who book, over HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import psycopg

from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.factories import SeededGuru

CreateUser = Callable[[str], Awaitable[ApiUser]]
NewGuru = Callable[..., SeededGuru]


async def free_starts(web: httpx.AsyncClient, guru: SeededGuru, *, days: int = 31) -> list[str]:
    response = await web.get(f"/api/gurus/{guru.label}/services/{guru.services[0]}/slots", params={"days": days})
    assert response.status_code == 200, response.text
    return [start["startsAt"] for start in response.json()["starts"]]


async def post_hold(
    client: httpx.AsyncClient | ApiUser, guru: SeededGuru, start: str, *, party: int = 1, key: str = ""
) -> httpx.Response:
    headers = {"idempotency-key": key} if key else {}
    body = {"serviceId": str(guru.services[0]), "startsAt": start, "party": party}
    return await client.request("POST", f"/api/gurus/{guru.label}/holds", json=body, headers=headers)


async def hold(client: httpx.AsyncClient | ApiUser, guru: SeededGuru, start: str, **options: Any) -> str:
    response = await post_hold(client, guru, start, **options)
    assert response.status_code == 201, response.text
    return str(response.json()["data"]["token"])


async def post_booking(user: ApiUser, token: str, digest: str | None = None, **changes: Any) -> httpx.Response:
    if digest is None:
        digest = (await user.get(f"/api/holds/{token}"))["policyDigest"]
    headers = changes.pop("headers", {})
    body = {"hold": token, "name": "Ada Neighbor", "note": "I am new to this.", "policyDigest": digest} | changes
    return await user.request("POST", "/api/bookings", json=body, headers=headers)


async def book(user: ApiUser, guru: SeededGuru, start: str) -> dict[str, Any]:
    response = await post_booking(user, await hold(user, guru, start))
    assert response.status_code == 201, response.text
    booked: dict[str, Any] = response.json()["data"]
    return booked


def code(response: httpx.Response) -> str:
    assert response.status_code in (403, 404, 409, 422), response.text
    return str(response.json()["error"]["code"])


def execute(database: Database, statement: str, *params: object) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute(statement.encode(), params)


def waiver(guru: SeededGuru, level: str = "high") -> dict[str, Any]:
    """Return a waiver for the guru's service, as the web sends it."""
    return {
        "riskLevel": level,
        "emergencyContact": {"name": "Maria", "phone": "+1 303 555 0199", "relationship": "sister"},
        "timestamp": "2026-11-23T15:30:00.000Z",
        "skillCategory": "Sports",
        "activityDescription": "Climbing",
        "exchangeId": f"{guru.label}/{guru.services[0]}",
    }
