"""Asking the app as a browser does."""

from __future__ import annotations

from typing import Any

import httpx

from tests.accounts.calls import registered
from tests.support.identity import Emulator


async def me(web: httpx.AsyncClient, emulator: Emulator, **told: Any) -> tuple[str, str]:
    """Somebody new: their token and id."""
    _email, _uid, token = emulator.sign_up()
    profile = await registered(web, token, **told)
    return token, profile["id"]


async def search(web: httpx.AsyncClient, q: str, **filters: Any) -> dict[str, Any]:
    """What a search finds."""
    answer = await web.get("/api/search", params={"q": q} | filters)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def titles(data: dict[str, Any]) -> list[str]:
    """What the hits are called."""
    return [hit["title"] for hit in data["hits"]]
