"""Neighbours who need and help, in a line each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg

from porchlight import jobs
from porchlight.notices.mail import MailboxMailer
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.support.databases import Database
from tests.support.identity import Signer, claims
from tests.support.jobs import do_jobs

DENVER = {"text": "Denver, Colorado"}
BOULDER = {"text": "Boulder, Colorado"}
EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
HELP: dict[str, Any] = {
    "rateCents": 3000,
    "about": "I come with my own tools.",
    "days": EVERY_DAY,
    "radiusMiles": 20,
    "place": DENVER,
}


@dataclass
class Neighbour:
    """Somebody signed in, with a proven address."""

    web: httpx.AsyncClient
    name: str
    handle: str
    user_id: UUID
    email: str
    token: str

    async def call(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Any call, as this person."""
        headers = {"authorization": f"Bearer {self.token}"} | options.pop("headers", {})
        return await self.web.request(method, path, headers=headers, **options)

    async def gets(self, path: str, **query: Any) -> Any:
        """The data of a read that is answered."""
        answer = await self.call("GET", path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    async def helps(self, service: str = "handyman-services", **changes: Any) -> None:
        """Become an angel for something."""
        answer = await self.call("PUT", f"/api/angel-services/{service}", json=HELP | changes)
        assert answer.status_code == 200, answer.text

    async def needs(self, **changes: Any) -> dict[str, Any]:
        """Post a need; what stands there then."""
        answer = await self.call("POST", "/api/needs", json=need() | changes)
        assert answer.status_code == 201, answer.text
        posted: dict[str, Any] = answer.json()["data"]["need"]
        return posted

    async def offers(self, posted: dict[str, Any], cents: int = 8000, message: str = "I can come.") -> httpx.Response:
        """Offer to do a need."""
        return await self.call(
            "POST", f"/api/needs/{posted['id']}/offers", json={"priceCents": cents, "message": message}
        )

    async def offered(self, posted: dict[str, Any], cents: int = 8000) -> str:
        """The id of an offer that was taken in."""
        answer = await self.offers(posted, cents)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["data"]["ownOffer"]["id"])

    async def accepts(self, posted: dict[str, Any], offer: str) -> httpx.Response:
        """Accept an offer for one's need."""
        return await self.call("POST", f"/api/needs/{posted['id']}/acceptance", json={"offerId": offer})


def need(**changes: Any) -> dict[str, Any]:
    """A need as the web sends it."""
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


async def neighbour(web: httpx.AsyncClient, signer: Signer, database: Database, name: str) -> Neighbour:
    """Somebody new."""
    uid = f"u{new_id().hex}"
    email = f"{uid}@example.com"
    token = signer.token(claims(uid, email=email, email_verified=True))
    answer = await web.post(
        "/api/auth/register", json={"displayName": name}, headers={"authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 201, answer.text
    profile = answer.json()["data"]
    return Neighbour(web, name, profile["handle"], UUID(profile["id"]), email, token)


async def work(database: Database) -> None:
    """Run the jobs that are due."""
    out = MailboxMailer(database.overseer_url)
    await do_jobs(database.overseer_url, jobs.Helpers(out, "staff@x.example", None, "https://x.example"))


def mails(database: Database, person: Neighbour) -> list[tuple[str, str, str]]:
    """Subject, reply-to and words of the mails somebody got about needs."""
    with psycopg.connect(database.overseer_url) as conn:
        return conn.execute(
            "SELECT subject, reply_to, plain FROM mailbox"
            " WHERE recipient = %s AND key NOT LIKE 'welcome-%%' ORDER BY id",
            [person.email],
        ).fetchall()
