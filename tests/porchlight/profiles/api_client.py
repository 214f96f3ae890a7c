"""Requests of profile tests."""

from __future__ import annotations

import io
from typing import Any

import httpx
from PIL import Image

from tests.porchlight.auth.api_client import (
    bearer_header,
)


async def get_profile(web: httpx.AsyncClient, token: str) -> dict[str, Any]:
    response = await web.get("/api/auth/profile", headers=bearer_header(token))
    assert response.status_code == 200, response.text
    profile: dict[str, Any] = response.json()["data"]
    return profile


async def update_profile(web: httpx.AsyncClient, token: str, body: dict[str, Any]) -> httpx.Response:
    return await web.put("/api/auth/profile", json=body, headers=bearer_header(token))


def create_image(image_format: str, size: tuple[int, int] = (900, 600), **options: Any) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(buffer, image_format, **options)
    return buffer.getvalue()


async def upload_photo(web: httpx.AsyncClient, token: str, body: bytes) -> httpx.Response:
    return await web.put("/api/auth/photo", content=body, headers=bearer_header(token) | {"content-type": "image/jpeg"})
