"""A guru with documents, and staff who look at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psycopg

from porchlight import jobs
from porchlight.app import Porchlight
from porchlight.notices.mail import MailboxMailer
from tests.accounts.calls import MAIN
from tests.support.databases import Database
from tests.support.identity import Emulator
from tests.support.jobs import do_jobs

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
class Guru:
    """Somebody signed in, and what they do with their documents."""

    web: httpx.AsyncClient
    user_id: UUID
    email: str
    token: str

    def headers(self) -> dict[str, str]:
        """Of a signed-in call."""
        return {"authorization": f"Bearer {self.token}"}

    async def submit(self, **changes: Any) -> httpx.Response:
        """Send a document in."""
        return await self.web.post("/api/onboarding/documents", json=LICENSE | changes, headers=self.headers())

    async def submitted(self, **changes: Any) -> dict[str, Any]:
        """A document that was taken."""
        answer = await self.submit(**changes)
        assert answer.status_code == 201, answer.text
        paper: dict[str, Any] = answer.json()["data"]
        return paper

    async def upload(self, body: bytes | Iterator[bytes], kind: str = "", name: str = "license.pdf") -> httpx.Response:
        """Upload a file."""
        headers = self.headers() | ({"content-type": kind} if kind else {})
        return await self.web.post(
            "/api/onboarding/documents/files", params={"name": name}, content=body, headers=headers
        )

    async def uploaded(self, body: bytes, kind: str = "", name: str = "license.pdf", **changes: Any) -> dict[str, Any]:
        """A document with an upload."""
        answer = await self.upload(body, kind, name)
        assert answer.status_code == 201, answer.text
        return await self.submitted(file_url="", file_id=answer.json()["data"]["id"], **changes)

    async def documents(self) -> list[dict[str, Any]]:
        """What they see of their documents."""
        answer = await self.web.get("/api/onboarding/documents", headers=self.headers())
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["data"]["documents"]
        return found


@dataclass
class Staff:
    """Staff at work."""

    web: httpx.AsyncClient
    headers: dict[str, str]

    async def pending(self) -> list[dict[str, Any]]:
        """The queue."""
        answer = await self.web.get("/api/documents/pending", headers=self.headers)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["data"]["pending"]
        return found

    async def review(self, paper: dict[str, Any], uid: UUID, status: str, reason: str = "") -> httpx.Response:
        """Decide about a document."""
        path = f"/api/documents/{uid}/{paper['id']}/status"
        return await self.web.post(path, json={"status": status, "reason": reason}, headers=self.headers)

    async def history(self, uid: UUID) -> list[dict[str, Any]]:
        """All documents of somebody with what happened to each."""
        answer = await self.web.get(f"/api/documents/{uid}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["data"]["documents"]
        return found


async def new_guru(web: httpx.AsyncClient, emulator: Emulator, conn: psycopg.Connection[Any], name: str) -> Guru:
    """Somebody with an account."""
    email, uid, token = emulator.sign_up()
    headers = {"authorization": f"Bearer {token}"}
    answer = await web.post("/api/auth/register", json={"displayName": name}, headers=headers)
    assert answer.status_code == 201, answer.text
    row = conn.execute("SELECT user_id FROM users WHERE firebase_uid = %s", [uid]).fetchone()
    assert row is not None
    return Guru(web, row[0], email, token)


async def new_staff(web: httpx.AsyncClient, key: str) -> Staff:
    """Somebody who knows the key."""
    answer = await web.post("/api/admin/login", json={"key": key}, headers={"origin": MAIN})
    assert answer.status_code == 200, answer.text
    cookie = answer.headers["set-cookie"].split(";")[0]
    web.cookies.clear()
    return Staff(web, {"cookie": cookie, "origin": MAIN})


async def run_jobs(database: Database, app: Porchlight) -> None:
    """Run what waits in the queue."""
    helpers = jobs.Helpers(
        mailer=MailboxMailer(database.overseer_url),
        staff_address="staff@x.example",
        identity=None,
        main_origin=MAIN,
        files=app.platform.files,
        payments=app.platform.payments,
    )
    await do_jobs(database.overseer_url, helpers)


def mails_to(conn: psycopg.Connection[Any], address: str) -> list[tuple[str, str]]:
    """Subject and plain words of the mails somebody got, but for the first welcome."""
    query = "SELECT subject, plain FROM mailbox WHERE recipient = %s AND key LIKE 'document-%%' ORDER BY id"
    return conn.execute(query, [address]).fetchall()
