"""Users who accept waivers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx

from tests.fixtures.identity import Emulator
from tests.porchlight.auth.api_client import bearer_header, register_user

# The payload of SPEC 3, without a signature.
SPEC_PAYLOAD: dict[str, Any] = {
    "riskLevel": "low",
    "emergencyContact": None,
    "timestamp": "2026-11-23T15:30:00.000Z",
    "skillCategory": "Programming",
    "activityDescription": "Python for beginners",
    "exchangeId": "sample-programming",
}
CONTACT = {"name": "Maria Ortiz", "phone": "+1 303 555 0199", "relationship": ""}
HIGH_PAYLOAD = SPEC_PAYLOAD | {
    "riskLevel": "high",
    "emergencyContact": CONTACT,
    "skillCategory": "Martial Arts",
    "activityDescription": "Judo throws",
    "exchangeId": "sample-judo",
}
SIGNATURE = {"participantName": "Ada Alvarez", "typedName": "Ada Alvarez", "guardian": False}


@dataclass(frozen=True)
class WaiverUser:
    """A registered user, and the calls about their waivers."""

    web: httpx.AsyncClient
    token: str
    user_id: str

    async def accept(self, payload: dict[str, Any], key: str | None = None) -> httpx.Response:
        """Post a waiver and return the response."""
        headers = bearer_header(self.token) | ({"idempotency-key": key} if key else {})
        return await self.web.post("/api/liability/waiver", json=payload, headers=headers)

    async def accepted(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Accept a waiver and return its data."""
        response = await self.accept(payload)
        assert response.status_code == 201, response.text
        data: dict[str, Any] = response.json()["data"]
        return data

    async def waivers(self) -> list[dict[str, Any]]:
        """Return the user's list of waivers."""
        response = await self.web.get("/api/liability/waivers", headers=bearer_header(self.token))
        assert response.status_code == 200, response.text
        waivers: list[dict[str, Any]] = response.json()["data"]["waivers"]
        return waivers

    async def receipt(self, waiver_id: str) -> httpx.Response:
        """Download a receipt and return the response."""
        path = f"/api/liability/waivers/{waiver_id}/receipt"
        return await self.web.get(path, headers=bearer_header(self.token))

    async def withdraw(self, waiver_id: str) -> httpx.Response:
        """Withdraw a waiver and return the response."""
        path = f"/api/liability/waivers/{waiver_id}/withdrawal"
        return await self.web.post(path, headers=bearer_header(self.token))


async def create_waiver_user(web: httpx.AsyncClient, emulator: Emulator) -> WaiverUser:
    """Register a new user."""
    _, _, token = emulator.sign_up()
    profile = await register_user(web, token)
    return WaiverUser(web, token, profile["id"])
