"""Neighbors who arrange sessions, and what they send."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import httpx

from tenants.kit import clock
from tenants.kit.clock import to_iso8601
from tests.porchlight.angels.users import ApiUser

ZONE = "America/Denver"


def soon(hours: float = 24 * 3) -> datetime:
    """Return a time in whole minutes, so many hours ahead."""
    return (clock.now() + timedelta(hours=hours)).replace(second=0, microsecond=0)


async def list_skill(teacher: ApiUser, title: str = "Sourdough baking", details: str = "") -> str:
    """List a skill and return its id."""
    response = await teacher.request("POST", "/api/skills/offers", json={"title": title, "details": details})
    assert response.status_code == 201, response.text
    return str(next(one["id"] for one in response.json()["data"]["offers"] if one["title"] == title))


def ask_body(offer: str, *starts: datetime, **changes: Any) -> dict[str, Any]:
    """Return the body of a request for a session."""
    times = [to_iso8601(start) for start in starts or (soon(),)]
    body: dict[str, Any] = {"offerId": offer, "starts": times, "minutes": 60, "place": "online", "zone": ZONE}
    return body | changes


async def ask(learner: ApiUser, offer: str, *starts: datetime, **changes: Any) -> dict[str, Any]:
    """Ask for a session and return it."""
    response = await learner.request("POST", "/api/exchanges", json=ask_body(offer, *starts, **changes))
    assert response.status_code == 201, response.text
    asked: dict[str, Any] = response.json()["data"]
    return asked


async def answer(person: ApiUser, exchange: dict[str, Any], kind: str, **changes: Any) -> httpx.Response:
    """Answer as one of the two, with the state of the exchange that they saw."""
    body = {"answer": kind, "sequence": exchange["sequence"]}
    if kind == "accept":
        body["startsAt"] = exchange["proposals"][0]["startsAt"]
    return await person.request("POST", f"/api/exchanges/{exchange['id']}/answers", json=body | changes)


async def accept(person: ApiUser, exchange: dict[str, Any]) -> dict[str, Any]:
    """Accept the first proposed time and return the exchange."""
    response = await answer(person, exchange, "accept")
    assert response.status_code == 200, response.text
    accepted: dict[str, Any] = response.json()["data"]
    return accepted


async def cancel(person: ApiUser, exchange: dict[str, Any], words: str = "") -> httpx.Response:
    """Cancel as one of the two."""
    path = f"/api/exchanges/{exchange['id']}/cancellation"
    return await person.request("PUT", path, json={"words": words})
