"""People who come together to a session that needs a waiver, and the personal links with which some of them sign."""

from __future__ import annotations

from typing import Any

import httpx

from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.api import execute, free_starts, hold, post_booking, waiver
from tests.porchlight.factories import SeededGuru

RISKY: dict[str, Any] = {"risk": "high", "party_max": 4, "capacity": 6}  # settings of a service that needs waivers
SELF, GUARDIAN, LINK = ({"signer": signer} for signer in ("self", "guardian", "link"))


async def sign(user: ApiUser, guru: SeededGuru, *, minor: str = "", level: str = "high") -> dict[str, Any]:
    """Sign the waiver of a guru's service as a user: for themselves, or as the guardian of a minor."""
    name = minor or "Ada Neighbor"
    signature = {"participantName": name, "typedName": "Ada Neighbor", "guardian": bool(minor)}
    body = waiver(guru, level) | {"signature": signature, "guruTextVersion": 0}
    response = await user.request("POST", "/api/liability/waiver", json=body)
    assert response.status_code == 201, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


async def hold_party(user: ApiUser, web: httpx.AsyncClient, guru: SeededGuru, party: int, start: int = -1) -> str:
    """Hold one of the guru's free starts for several people."""
    return await hold(user, guru, (await free_starts(web, guru, days=20))[start], party=party)


async def book_party(
    user: ApiUser, web: httpx.AsyncClient, guru: SeededGuru, people: dict[str, dict[str, str]], start: int = -1
) -> dict[str, Any]:
    """Book for people, each with who signs."""
    token = await hold_party(user, web, guru, len(people), start)
    response = await post_booking(user, token, participants=list(people), signers=list(people.values()))
    assert response.status_code == 201, response.text
    booked: dict[str, Any] = response.json()["data"]
    return booked


async def link_of(user: ApiUser, booked: dict[str, Any], number: int, email: str = "") -> str:
    """Return the part of a participant's personal link that names it in the API."""
    path = f"/api/bookings/{booked['id']}/participants/{number}/link"
    response = await user.request("POST", path, json={"email": email})
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["url"].rpartition("/sign/")[2])


async def sign_link(
    web: httpx.AsyncClient, guru: SeededGuru, link: str, *, guardian: bool = False, key: str = "", **changes: Any
) -> httpx.Response:
    """Sign with a personal link, as someone without an account."""
    signature = {"participantName": "Typed Name", "typedName": "Theo Barnes", "guardian": guardian}
    body = waiver(guru) | {"signature": signature, "guruTextVersion": 0} | changes
    headers = {"idempotency-key": key} if key else {}
    return await web.post(f"/api/liability/links/{link}/waiver", json=body, headers=headers)


def covered(booked: dict[str, Any]) -> dict[str, bool]:
    """Return who is covered, by name."""
    return {person["name"]: person["covered"] for person in booked["people"]}


def make_due(database: Database, booking_id: str) -> None:
    """Let a minute's job find the emails of a booking due."""
    execute(database, "UPDATE participants SET email_due = app.now() WHERE booking_id = %s", booking_id)
