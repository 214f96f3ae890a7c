"""Profile photos."""

from __future__ import annotations

import asyncio
import io
import struct
import threading
import zlib
from typing import Any

import httpx
import psycopg
import pytest
from PIL import Image

from porchlight.app import Porchlight
from tenants.kit import images
from tests.fixtures.identity import Emulator
from tests.fixtures.refusals import invalid_fields, refusal
from tests.porchlight.auth.api_client import (
    bearer_header,
    register_user,
)
from tests.porchlight.factories import insert_row, seed_guru
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
    assert photo.headers["cache-control"] == "private, max-age=60"
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
    assert list(invalid_fields(response)) == ["photo"]
    assert (await get_profile(web, token))["photoURL"] == ""


HIDDEN = {
    "private": "UPDATE profiles SET is_public = false WHERE user_id = %s",
    "suspended": "UPDATE users SET status = 'suspended' WHERE user_id = %s",
    "erased": "UPDATE users SET status = 'erased', email = '' WHERE user_id = %s",
}


@pytest.mark.parametrize("state", HIDDEN)
async def test_photo_of_hidden_person_is_gone(
    web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any], state: str
) -> None:
    _, _, token = emulator.sign_up()
    user = await register_user(web, token)
    url = (await upload_photo(web, token, create_image("PNG"))).json()["data"]["photoURL"]
    etag = (await web.get(url)).headers["etag"]
    unchanged = await web.get(url, headers={"if-none-match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["cache-control"] == "private, max-age=60"
    service_db.execute(HIDDEN[state], [user["id"]])
    assert (await web.get(url)).status_code == 404
    assert (await web.get(url, headers={"if-none-match": etag})).status_code == 404
    if state == "private":
        assert (await web.get(url, headers=bearer_header(token))).status_code == 200


async def test_site_photo_of_suspended_guru_is_gone(
    web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any]
) -> None:
    _, _, token = emulator.sign_up()
    user = await register_user(web, token)
    photo = service_db.execute(
        "INSERT INTO onboarding_photos (user_id, id, body) VALUES (%s, uuidv7(), '') RETURNING id", [user["id"]]
    ).fetchone()
    assert photo is not None
    url = f"/api/photos/{photo[0]}.webp"
    guru = seed_guru(service_db, "shuttered")
    insert_row(service_db, "memberships", {"tenant_id": guru.id, "user_id": user["id"]})
    assert (await web.get(url)).status_code == 200
    service_db.execute("UPDATE gurus SET status = 'suspended' WHERE id = %s", [guru.id])
    assert (await web.get(url)).status_code == 404
    assert (await web.get(url, headers=bearer_header(token))).status_code == 200


async def test_photo_upload_has_its_own_size_limit(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    body = b"\xff\xd8" + b"x" * (9 * 1024 * 1024)
    assert refusal(await upload_photo(web, token, body)) == (413, "too_large")
    response = await web.put(
        "/api/auth/profile", content=b'{"bio": "' + b"x" * 200_000 + b'"}', headers=bearer_header(token)
    )
    assert refusal(response) == (413, "too_large")
    profile = await get_profile(web, token)
    assert (profile["photoURL"], profile["bio"]) == ("", "")


async def test_photo_path_is_open_on_guru_hosts(app: Porchlight, web: httpx.AsyncClient, emulator: Emulator) -> None:
    from porchlight.registry import guru_host_paths

    assert any("/api/photos/x.webp".startswith(prefix) for prefix in guru_host_paths())
    for name in ("nonsense.webp", "00000000-0000-0000-0000-000000000000.webp", "x"):
        assert (await web.get(f"/api/photos/{name}")).status_code == 404


async def test_uploads_of_one_person_do_not_delay_others(
    web: httpx.AsyncClient, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = [emulator.sign_up()[2] for _ in range(2)]
    for token in tokens:
        await register_user(web, token)
    decoding, begun, proceed = images._reencode, asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def decode_slowly(upload: bytes, *options: Any) -> images.EncodedImage | None:
        if len(upload) == len(large):
            loop.call_soon_threadsafe(begun.set)
            assert proceed.wait(60)
        return decoding(upload, *options)

    monkeypatch.setattr(images, "_reencode", decode_slowly)
    large, small = create_image("PNG"), create_image("JPEG")
    uploads = [asyncio.create_task(upload_photo(web, tokens[0], large)) for _ in range(12)]
    await begun.wait()
    assert (await upload_photo(web, tokens[1], small)).status_code == 200
    # One runs and eight wait: three of twelve are refused.
    waiting = set(uploads)
    while len(waiting) > 9:
        _done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    refused = [task.result() for task in uploads if task.done()]
    assert [(response.status_code, response.headers["retry-after"]) for response in refused] == [(429, "5")] * 3
    assert {response.json()["error"]["code"] for response in refused} == {"too_many_uploads"}
    proceed.set()
    assert [(await upload).status_code for upload in waiting] == [200] * 9
