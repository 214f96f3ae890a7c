"""Users with documents, and admins who review them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psycopg

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.jobs import do_jobs
from tests.porchlight.auth.api_client import MAIN_ORIGIN

LICENSE: dict[str, str] = {
    "type": "license",
    "category": "electrical",
    "provider": "State of Colorado",
    "number": "EL-2231",
    "issued_on": "2024-05-01",
    "expires_on": "2031-05-01",
    "file_url": "https://files.example/license.pdf",
}


@dataclass
class GuruUser:
    """A signed-in user and the calls of their documents page."""

    web: httpx.AsyncClient
    user_id: UUID
    email: str
    token: str

    def headers(self) -> dict[str, str]:
        """Return the headers of an authenticated request."""
        return {"authorization": f"Bearer {self.token}"}

    async def submit(self, **changes: Any) -> httpx.Response:
        """Post a document and return the response."""
        return await self.web.post("/api/onboarding/documents", json=LICENSE | changes, headers=self.headers())

    async def submit_document(self, **changes: Any) -> dict[str, Any]:
        """Create a document and return it."""
        response = await self.submit(**changes)
        assert response.status_code == 201, response.text
        document: dict[str, Any] = response.json()["data"]
        return document

    async def upload(self, body: bytes | Iterator[bytes], kind: str = "", name: str = "license.pdf") -> httpx.Response:
        """Post a file and return the response."""
        headers = self.headers() | ({"content-type": kind} if kind else {})
        return await self.web.post(
            "/api/onboarding/documents/files", params={"name": name}, content=body, headers=headers
        )

    async def upload_document(
        self, body: bytes, kind: str = "", name: str = "license.pdf", **changes: Any
    ) -> dict[str, Any]:
        """Create a document with an uploaded file and return it."""
        response = await self.upload(body, kind, name)
        assert response.status_code == 201, response.text
        return await self.submit_document(file_url="", file_id=response.json()["data"]["id"], **changes)

    async def documents(self) -> list[dict[str, Any]]:
        """Return the user's documents."""
        response = await self.web.get("/api/onboarding/documents", headers=self.headers())
        assert response.status_code == 200, response.text
        documents: list[dict[str, Any]] = response.json()["data"]["documents"]
        return documents


@dataclass
class AdminUser:
    """A signed-in admin and the calls of the review page."""

    web: httpx.AsyncClient
    headers: dict[str, str]

    async def pending(self) -> list[dict[str, Any]]:
        """Return the pending documents."""
        response = await self.web.get("/api/documents/pending", headers=self.headers)
        assert response.status_code == 200, response.text
        documents: list[dict[str, Any]] = response.json()["data"]["pending"]
        return documents

    async def review(self, document: dict[str, Any], uid: UUID, status: str, reason: str = "") -> httpx.Response:
        """Approve or reject a document and return the response."""
        path = f"/api/documents/{uid}/{document['id']}/status"
        return await self.web.post(path, json={"status": status, "reason": reason}, headers=self.headers)

    async def history(self, uid: UUID) -> list[dict[str, Any]]:
        """Return a user's documents with their events."""
        response = await self.web.get(f"/api/documents/{uid}", headers=self.headers)
        assert response.status_code == 200, response.text
        documents: list[dict[str, Any]] = response.json()["data"]["documents"]
        return documents


async def create_guru_user(
    web: httpx.AsyncClient, emulator: Emulator, conn: psycopg.Connection[Any], name: str
) -> GuruUser:
    """Create a signed-in user with an account."""
    email, uid, token = emulator.sign_up()
    headers = {"authorization": f"Bearer {token}"}
    response = await web.post("/api/auth/register", json={"displayName": name}, headers=headers)
    assert response.status_code == 201, response.text
    row = conn.execute("SELECT user_id FROM users WHERE firebase_uid = %s", [uid]).fetchone()
    assert row is not None
    return GuruUser(web, row[0], email, token)


async def create_admin(web: httpx.AsyncClient, key: str) -> AdminUser:
    """Sign in as an admin."""
    response = await web.post("/api/admin/login", json={"key": key}, headers={"origin": MAIN_ORIGIN})
    assert response.status_code == 200, response.text
    cookie = response.headers["set-cookie"].split(";")[0]
    web.cookies.clear()
    return AdminUser(web, {"cookie": cookie, "origin": MAIN_ORIGIN})


async def run_jobs(database: Database, app: Porchlight) -> None:
    """Run all queued jobs."""
    await do_jobs(database, main_origin=MAIN_ORIGIN, files=app.context.files, payments=app.context.payments)


def emails_to(conn: psycopg.Connection[Any], address: str) -> list[tuple[str, str]]:
    """Return subject and plain text of a user's emails about documents."""
    query = "SELECT subject, plain FROM dev_mailbox WHERE recipient = %s AND key LIKE 'document-%%' ORDER BY id"
    return conn.execute(query, [address]).fetchall()
