"""The owner of a guru, who uses the console."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx
import psycopg

from porchlight.app import Porchlight
from tests.fixtures.identity import Emulator
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.factories import SeededGuru, seed_guru

POST_TEXT: dict[str, Any] = {
    "title": "A pot of beans",
    "slug": "",
    "tags": ["Slow Cooking", "beans"],
    "excerpt": "",
    "content": "Soak them **overnight**.",
}


@dataclass
class GuruOwner:
    """A guru and an HTTP client with its owner's token."""

    guru: SeededGuru
    web: httpx.AsyncClient

    async def call(self, method: str, path: str, body: Any = None, *, expect: int = 200, **options: Any) -> Any:
        """Call a path below /api/guru. Return the response's data, or its error."""
        given = {"json": body} if body is not None else {}
        response = await self.web.request(method, f"/api/guru{path}", **given, **options)
        assert response.status_code == expect, (response.status_code, response.text)
        body = response.json()
        return body.get("data", body) if response.is_success else body["error"]

    async def post(self, **changes: Any) -> dict[str, Any]:
        """Create a draft."""
        created: dict[str, Any] = await self.call("POST", "/posts", POST_TEXT | changes, expect=201)
        return created

    async def save(self, post: dict[str, Any], *, expect: int = 200, **changes: Any) -> dict[str, Any]:
        """Save a post as its editor does."""
        body = post["saved"] | {"revision": post["revision"], "status": "published"} | changes
        saved: dict[str, Any] = await self.call("PUT", f"/posts/{post['id']}", body, expect=expect)
        return saved


async def create_owner(app: Porchlight, emulator: Emulator, conn: psycopg.Connection[Any], label: str) -> GuruOwner:
    """Create a guru with example rows, and a client of its owner. The caller closes the client."""
    _, uid, token = emulator.sign_up()
    guru = seed_guru(conn, label)
    conn.execute("UPDATE users SET firebase_uid = %s WHERE user_id = %s", [uid, guru.owner])
    web = http_client(app, BASE_HOST)
    web.headers["authorization"] = f"Bearer {token}"
    return GuruOwner(guru, web)
