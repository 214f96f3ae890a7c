"""Neighbours on their way to becoming gurus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psycopg

from porchlight.onboarding.jobs import relist
from tenants.kit.ids import new_id
from tests.platform_.world import insert
from tests.support.identity import Emulator

PROFILE: dict[str, Any] = {
    "displayName": "Ada Alvarez",
    "photoUrl": "",
    "city": "Denver",
    "zip": "80202",
    "bio": "I bake bread and teach others how. Slowly, with a good oven.",
}
SAFE, RISKY, STRICT = "creative", "martial-arts", "electrical"  # no document; insurance; a licence and insurance


@dataclass
class Neighbour:
    """Somebody signed in, and what they do in the wizard."""

    web: httpx.AsyncClient
    conn: psycopg.Connection[Any]
    user_id: UUID
    email: str
    token: str

    async def call(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """A call to the wizard."""
        sent = {} if body is None else {"json": body}
        headers = {"authorization": f"Bearer {self.token}"}
        return await self.web.request(method, f"/api/onboarding{path}", headers=headers, **sent)

    async def told(self, method: str, path: str, body: Any = None, *, status: int = 200) -> Any:
        """The `data` of a call that goes well."""
        answer = await self.call(method, path, body)
        assert answer.status_code == status, answer.text
        return answer.json()["data"]

    async def status(self) -> Any:
        """How far they are."""
        return await self.told("GET", "/status")

    def document(self, kind: str, category: str = "", status: str = "pending", **columns: Any) -> UUID:
        """Write a document of theirs."""
        made = new_id()
        row = {"user_id": self.user_id, "id": made, "type": kind, "category": category, "status": status} | columns
        insert(self.conn, "documents", row)
        return made

    def review(self, document: UUID, status: str) -> None:
        """What staff decide about a document, and the job that follows."""
        query = "UPDATE documents SET status = %s WHERE user_id = %s AND id = %s"
        self.conn.execute(query, [status, self.user_id, document])
        relist(self.conn, self.user_id)

    def connect_payouts(self, **columns: Any) -> None:
        """Write a payout account that is fully connected, but for `columns`."""
        row = {
            "user_id": self.user_id,
            "account_id": f"acct_{self.user_id.hex}",
            "charges_enabled": True,
            "payouts_enabled": True,
            "details_submitted": True,
        } | columns
        insert(self.conn, "payout_accounts", row)

    async def ready(self, *categories: str, **profile: str) -> None:
        """Go through the whole wizard. Documents that the categories want are sent, and wait."""
        await self.told("POST", "/profile", PROFILE | profile)
        await self.told("POST", "/categories", {"categories": list(categories or (SAFE,))})
        for needed in (await self.told("GET", "/requirements"))["needed"]:
            for document in needed["documents"]:
                self.document(document["type"], needed["slug"])
        self.connect_payouts()

    async def publish(self, subdomain: str | None = None) -> httpx.Response:
        """Publish."""
        return await self.call("POST", "/publish", {} if subdomain is None else {"subdomain": subdomain})

    def gurus(self) -> list[tuple[Any, ...]]:
        """The gurus they own, as (tenant id, label, status)."""
        return self.conn.execute("SELECT tenant_id, label, status FROM app.guru_of(%s)", [self.user_id]).fetchall()


@dataclass
class People:
    """Makes neighbours."""

    web: httpx.AsyncClient
    emulator: Emulator
    conn: psycopg.Connection[Any]

    async def new(self, name: str) -> Neighbour:
        """An account with a profile."""
        email, uid, token = self.emulator.sign_up()
        headers = {"authorization": f"Bearer {token}"}
        answer = await self.web.post("/api/auth/register", json={"displayName": name}, headers=headers)
        assert answer.status_code == 201, answer.text
        row = self.conn.execute("SELECT user_id FROM users WHERE firebase_uid = %s", [uid]).fetchone()
        assert row is not None
        return Neighbour(self.web, self.conn, row[0], email, token)
