"""Users of the API, and the payloads they send."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
from PIL import Image

from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer, claims
from tests.fixtures.jobs import do_jobs

DENVER = {"text": "Denver, Colorado"}
BOULDER = {"text": "Boulder, Colorado"}
EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
SERVICE_OFFER: dict[str, Any] = {
    "rateCents": 3000,
    "about": "I come with my own tools.",
    "days": EVERY_DAY,
    "radiusMiles": 20,
    "place": DENVER,
}


@dataclass
class ApiUser:
    """A signed-in user with a verified email address."""

    web: httpx.AsyncClient
    name: str
    handle: str
    user_id: UUID
    email: str
    token: str

    async def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request as this user."""
        headers = {"authorization": f"Bearer {self.token}"} | options.pop("headers", {})
        return await self.web.request(method, path, headers=headers, **options)

    async def get(self, path: str, **query: Any) -> Any:
        """Return the data of a successful GET."""
        response = await self.request("GET", path, params=query)
        assert response.status_code == 200, response.text
        return response.json()["data"]

    async def offer_service(self, service: str = "handyman-services", **changes: Any) -> None:
        """Offer a service as an angel."""
        response = await self.request("PUT", f"/api/angel-services/{service}", json=SERVICE_OFFER | changes)
        assert response.status_code == 200, response.text

    async def create_need(self, **changes: Any) -> dict[str, Any]:
        """Post a need and return it."""
        response = await self.request("POST", "/api/needs", json=need_payload() | changes)
        assert response.status_code == 201, response.text
        posted: dict[str, Any] = response.json()["data"]["need"]
        return posted

    async def post_offer(
        self, posted: dict[str, Any], cents: int = 8000, message: str = "I can come."
    ) -> httpx.Response:
        """Send an offer for a need."""
        return await self.request(
            "POST", f"/api/needs/{posted['id']}/offers", json={"priceCents": cents, "message": message}
        )

    async def create_offer(self, posted: dict[str, Any], cents: int = 8000) -> str:
        """Create an offer and return its id."""
        response = await self.post_offer(posted, cents)
        assert response.status_code == 201, response.text
        return str(response.json()["data"]["ownOffer"]["id"])

    async def accept_offer(self, posted: dict[str, Any], offer: str) -> httpx.Response:
        """Accept an offer."""
        return await self.request("POST", f"/api/needs/{posted['id']}/acceptance", json={"offerId": offer})


def need_payload(**changes: Any) -> dict[str, Any]:
    """Return a need as the web sends it."""
    today = clock.now().date()
    return {
        "title": "A fence that leans",
        "description": "Three posts of our garden fence lean since the storm.",
        "serviceId": "handyman-services",
        "wantedFrom": today.isoformat(),
        "wantedUntil": (today + timedelta(days=6)).isoformat(),
        "timeNote": "mornings",
        "hours": 2,
        "budgetCents": 12000,
        "place": DENVER,
    } | changes


async def register_user(web: httpx.AsyncClient, signer: Signer, database: Database, name: str) -> ApiUser:
    """Register a new user."""
    uid = f"u{new_id().hex}"
    email = f"{uid}@example.com"
    token = signer.token(claims(uid, email=email, email_verified=True))
    response = await web.post(
        "/api/auth/register", json={"displayName": name}, headers={"authorization": f"Bearer {token}"}
    )
    assert response.status_code == 201, response.text
    profile = response.json()["data"]
    return ApiUser(web, name, profile["handle"], UUID(profile["id"]), email, token)


async def run_jobs(database: Database) -> None:
    """Run the jobs that are due."""
    await do_jobs(database, main_origin="https://x.example")


def emails_to(database: Database, user: ApiUser) -> list[tuple[str, str, str]]:
    """Return subject, reply-to and text of the emails to a user, without the welcome email."""
    with psycopg.connect(database.service_url) as conn:
        return conn.execute(
            "SELECT subject, reply_to, plain FROM dev_mailbox"
            " WHERE recipient = %s AND key NOT LIKE 'welcome-%%' ORDER BY id",
            [user.email],
        ).fetchall()


async def owner_with_need(create_user: Callable[[str], Awaitable[ApiUser]]) -> tuple[ApiUser, dict[str, Any]]:
    """Register a user with an open need."""
    owner = await create_user("Olive Owner")
    return owner, await owner.create_need()


def photo_with_location() -> bytes:
    """Return a JPEG photo with a location in its EXIF data."""
    buffer = io.BytesIO()
    image = Image.new("RGB", (1600, 900), "green")
    exif = Image.Exif()
    exif[0x010E] = "39.7392,-104.9847"
    image.save(buffer, "JPEG", exif=exif)
    return buffer.getvalue()
