"""Neighbors who go through the onboarding wizard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psycopg

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.jobs import do_jobs
from tests.porchlight.factories import insert_row

PROFILE: dict[str, Any] = {
    "displayName": "Ada Alvarez",
    "photoUrl": "",
    "city": "Denver",
    "zip": "80202",
    "bio": "I bake bread and teach others how. Slowly, with a good oven.",
}
SKILLS = ["Sourdough", "Rye bread", "Pizza"]
SAFE, RISKY, STRICT = (
    "creative",
    "martial-arts",
    "electrical",
)  # required: no document; insurance; license and insurance


@dataclass
class Neighbor:
    """A signed-in user and the calls of the wizard."""

    web: httpx.AsyncClient
    database: Database
    conn: psycopg.Connection[Any]
    user_id: UUID
    email: str
    token: str

    async def call(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Call a path below /api/onboarding."""
        payload = {} if body is None else {"json": body}
        headers = {"authorization": f"Bearer {self.token}"}
        return await self.web.request(method, f"/api/onboarding{path}", headers=headers, **payload)

    async def request_data(self, method: str, path: str, body: Any = None, *, status: int = 200) -> Any:
        """Call a path and return the response's `data`."""
        response = await self.call(method, path, body)
        assert response.status_code == status, response.text
        return response.json()["data"]

    async def status(self) -> Any:
        """Return the state of the wizard."""
        return await self.request_data("GET", "/status")

    def document(self, kind: str, category: str = "", status: str = "pending", **columns: Any) -> UUID:
        """Create a document of the user."""
        document_id = new_id()
        row = {
            "user_id": self.user_id,
            "id": document_id,
            "type": kind,
            "category": category,
            "status": status,
            "file_url": "https://files.example/paper.pdf",
        } | columns
        insert_row(self.conn, "documents", row)
        return document_id

    async def review(self, document: UUID, status: str) -> None:
        """Set a document's status as a review does, and run the job that follows."""
        query = "UPDATE documents SET status = %s WHERE user_id = %s AND id = %s"
        self.conn.execute(query, [status, self.user_id, document])
        await do_jobs(self.database)

    def connect_payouts(self, **columns: Any) -> None:
        """Create a connected payout account; `columns` replace its values."""
        row = {
            "user_id": self.user_id,
            "account_id": f"acct_{self.user_id.hex}",
            "charges_enabled": True,
            "payouts_enabled": True,
            "details_submitted": True,
        } | columns
        insert_row(self.conn, "payout_accounts", row)

    async def ready(self, *categories: str, **profile: str) -> None:
        """Complete all steps of the wizard, with pending documents for the categories."""
        await self.request_data("POST", "/profile", PROFILE | profile)
        await self.request_data("POST", "/categories", {"categories": list(categories or (SAFE,))})
        for needed in (await self.request_data("GET", "/requirements"))["needed"]:
            for document in needed["documents"]:
                self.document(document["type"], needed["slug"])
        self.connect_payouts()
        await self.confirm_services()
        await self.request_data("PUT", "/skills", {"skills": SKILLS})

    async def confirm_services(self, place: str = "guru", place_text: str = "12 Elm Street") -> None:
        """Confirm the default services as they are, and where they take place."""
        proposed = (await self.status())["services"]["services"]
        names = ("name", "priceCents", "durationMinutes")
        services = [{name: service[name] for name in names} for service in proposed]
        await self.request_data("PUT", "/services", {"services": services, "place": place, "placeText": place_text})

    async def publish(self, subdomain: str | None = None) -> httpx.Response:
        """Publish the site and return the response."""
        return await self.call("POST", "/publish", {} if subdomain is None else {"subdomain": subdomain})

    def gurus(self) -> list[tuple[Any, ...]]:
        """Return the user's gurus as (tenant id, label, status)."""
        query = (
            "SELECT g.id, g.label, g.status FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = %s"
        )
        return self.conn.execute(query, [self.user_id]).fetchall()


@dataclass
class UserFactory:
    """Creates neighbors."""

    web: httpx.AsyncClient
    emulator: Emulator
    database: Database
    conn: psycopg.Connection[Any]

    async def new(self, name: str) -> Neighbor:
        """Create an account with a profile."""
        email, uid, token = self.emulator.sign_up()
        headers = {"authorization": f"Bearer {token}"}
        response = await self.web.post("/api/auth/register", json={"displayName": name}, headers=headers)
        assert response.status_code == 201, response.text
        row = self.conn.execute("SELECT user_id FROM users WHERE firebase_uid = %s", [uid]).fetchone()
        assert row is not None
        return Neighbor(self.web, self.database, self.conn, row[0], email, token)
