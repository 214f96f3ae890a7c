"""What the web does, in a line each."""

from __future__ import annotations

from typing import Any

import httpx

from tests.platform_.world import BASE

MAIN = f"http://{BASE}"
REGISTRATION: dict[str, Any] = {
    "email": "",
    "displayName": "Ada Alvarez",
    "skills": {"offered": ["Bread baking"], "wanted": [{"name": "Guitar", "level": "beginner"}]},
    "location": "Denver, Colorado",
}


def bearer(token: str) -> dict[str, str]:
    """The header of a signed-in call."""
    return {"authorization": f"Bearer {token}"}


async def registered(web: httpx.AsyncClient, token: str, **changes: Any) -> dict[str, Any]:
    """Register the token's person; their profile."""
    answer = await web.post("/api/auth/register", json=REGISTRATION | changes, headers=bearer(token))
    assert answer.status_code in (200, 201), answer.text
    profile: dict[str, Any] = answer.json()["data"]
    return profile


async def cookie_of(web: httpx.AsyncClient, token: str) -> dict[str, str]:
    """Exchange a token for a session; the header a browser then sends."""
    answer = await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": MAIN})
    assert answer.status_code == 200, answer.text
    web.cookies.clear()  # sent by hand, so that each test says which cookie goes where
    return {"cookie": answer.headers.get_list("set-cookie")[0].split(";")[0]}
