"""Requests that the web apps send, one function each."""

from __future__ import annotations

from typing import Any

import httpx

from tests.porchlight.app_client import BASE_HOST

MAIN_ORIGIN = f"http://{BASE_HOST}"
REGISTRATION: dict[str, Any] = {
    "email": "",
    "displayName": "Ada Alvarez",
    "skills": {"offered": ["Bread baking"], "wanted": [{"name": "Guitar", "level": "beginner"}]},
    "location": "Denver, Colorado",
}


def bearer_header(token: str) -> dict[str, str]:
    """Return the header of a request with an ID token."""
    return {"authorization": f"Bearer {token}"}


async def register_user(web: httpx.AsyncClient, token: str, **changes: Any) -> dict[str, Any]:
    """Register the token's user. Return the profile."""
    response = await web.post("/api/auth/register", json=REGISTRATION | changes, headers=bearer_header(token))
    assert response.status_code in (200, 201), response.text
    profile: dict[str, Any] = response.json()["data"]
    return profile


async def create_session_cookie(web: httpx.AsyncClient, token: str) -> dict[str, str]:
    """Exchange a token for a session. Return the browser's cookie header."""
    response = await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": MAIN_ORIGIN})
    assert response.status_code == 200, response.text
    web.cookies.clear()  # tests send cookies explicitly
    return {"cookie": response.headers.get_list("set-cookie")[0].split(";")[0]}
