"""API calls of the search tests."""

from __future__ import annotations

from typing import Any

import httpx

from tests.fixtures.identity import Emulator
from tests.porchlight.auth.api_client import register_user


async def sign_up_user(web: httpx.AsyncClient, emulator: Emulator, **row: Any) -> tuple[str, str]:
    """Sign up a new user and return their token and id."""
    _email, _uid, token = emulator.sign_up()
    profile = await register_user(web, token, **row)
    return token, profile["id"]


async def search(web: httpx.AsyncClient, q: str, **filters: Any) -> dict[str, Any]:
    """Return the data of a search."""
    response = await web.get("/api/search", params={"q": q} | filters)
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


def titles(data: dict[str, Any]) -> list[str]:
    """Return the titles of the hits."""
    return [hit["title"] for hit in data["hits"]]
