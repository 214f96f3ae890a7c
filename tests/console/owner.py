"""A guru's owner at their desk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx

from tests.platform_.world import Told

WORDS: dict[str, Any] = {
    "title": "A pot of beans",
    "slug": "",
    "tags": ["Slow Cooking", "beans"],
    "excerpt": "",
    "content": "Soak them **overnight**.",
}


@dataclass
class Owner:
    """A guru and their signed-in owner's browser."""

    guru: Told
    web: httpx.AsyncClient

    async def call(self, method: str, path: str, body: Any = None, *, expect: int = 200, **options: Any) -> Any:
        """A call below /api/guru; the answer's data, or the error of a refusal."""
        given = {"json": body} if body is not None else {}
        answer = await self.web.request(method, f"/api/guru{path}", **given, **options)
        assert answer.status_code == expect, (answer.status_code, answer.text)
        sent = answer.json()
        return sent.get("data", sent) if answer.is_success else sent["error"]

    async def post(self, **changes: Any) -> dict[str, Any]:
        """A new draft."""
        made: dict[str, Any] = await self.call("POST", "/posts", WORDS | changes, expect=201)
        return made

    async def save(self, post: dict[str, Any], *, expect: int = 200, **changes: Any) -> dict[str, Any]:
        """Save a post as its editor has it."""
        body = post["saved"] | {"revision": post["revision"], "status": "published"} | changes
        saved: dict[str, Any] = await self.call("PUT", f"/posts/{post['id']}", body, expect=expect)
        return saved
