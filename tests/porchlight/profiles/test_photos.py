"""Profile photos."""

from __future__ import annotations

import io
import struct
import zlib

import httpx
import pytest
from PIL import Image

from porchlight.app import Porchlight
from tests.fixtures.identity import Emulator
from tests.porchlight.auth.api_client import (
    bearer_header,
    register_user,
)
from tests.porchlight.profiles.api_client import create_image, get_profile, upload_photo


@pytest.mark.parametrize("image_format", ["JPEG", "PNG", "WEBP"])
async def test_photo_is_reencoded_without_metadata(
    web: httpx.AsyncClient, emulator: Emulator, image_format: str
) -> None:
    _, _, token = emulator.sign_up()
    await register_user(web, token)
    exif = Image.Exif()
    exif[0x010F] = "SecretCamera"
    body = create_image(image_format, exif=exif) + b"<script>trailing</script>"
    response = await upload_photo(web, token, body)
    assert response.status_code == 200, response.text
    url = response.json()["data"]["photoURL"]
    photo = await web.get(url)
    assert photo.headers["content-type"] == "image/webp"
    assert "immutable" in photo.headers["cache-control"]
    with Image.open(io.BytesIO(photo.content)) as opened:
        assert (opened.format, opened.size) == ("WEBP", (512, 512))
        assert not opened.getexif()
    assert b"SecretCamera" not in photo.content
    assert b"script" not in photo.content
    # A new photo has a new URL; the old one is deleted.
    second = (await upload_photo(web, token, create_image("PNG"))).json()["data"]["photoURL"]
    assert second != url
    assert (await web.get(url)).status_code == 404
    removed = await web.delete("/api/auth/photo", headers=bearer_header(token))
    assert removed.json()["data"]["photoURL"] == ""
    assert (await web.get(second)).status_code == 404


def _decompression_bomb() -> bytes:
    """Return a PNG of a few kilobytes with 30,000 by 30,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100_000))
        + chunk(b"IEND", b"")
    )


INVALID_PHOTOS: dict[str, bytes] = {
    "empty": b"",
    "plain text": b"hello",
    "SVG": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "GIF": b"GIF89a" + b"\0" * 200,
    "decompression bomb": _decompression_bomb(),
    "truncated JPEG": create_image("JPEG")[:3000],
    "too small": create_image("PNG", (4, 4)),
    "HTML": b"<!doctype html><script>alert(1)</script>",
}


@pytest.mark.parametrize("kind", INVALID_PHOTOS)
async def test_invalid_photo_is_rejected(web: httpx.AsyncClient, emulator: Emulator, kind: str) -> None:
    _, _, token = emulator.sign_up()
    await register_user(web, token)
    response = await upload_photo(web, token, INVALID_PHOTOS[kind])
    assert response.status_code == 422, response.text
    assert (await get_profile(web, token))["photoURL"] == ""


async def test_photo_upload_has_its_own_size_limit(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    body = b"\xff\xd8" + b"x" * (9 * 1024 * 1024)
    assert (await upload_photo(web, token, body)).status_code == 413
    response = await web.put(
        "/api/auth/profile", content=b'{"bio": "' + b"x" * 200_000 + b'"}', headers=bearer_header(token)
    )
    assert response.status_code == 413


async def test_photo_path_is_open_on_guru_hosts(app: Porchlight, web: httpx.AsyncClient, emulator: Emulator) -> None:
    from porchlight.registry import guru_host_paths

    assert any("/api/photos/x.webp".startswith(prefix) for prefix in guru_host_paths())
    for name in ("nonsense.webp", "00000000-0000-0000-0000-000000000000.webp", "x"):
        assert (await web.get(f"/api/photos/{name}")).status_code == 404
