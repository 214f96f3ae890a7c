"""Images: re-encoded without metadata, served on their guru's host only, revalidated after a minute."""

from __future__ import annotations

import io
import zlib
from typing import Any

import psycopg
import pytest
from PIL import Image

from porchlight.app import Porchlight
from sites.rendering import assets
from tests.porchlight.app_client import BASE_HOST, send_raw, wait_until
from tests.porchlight.owner import GuruOwner


def _jpeg(size: tuple[int, int] = (400, 300), **extra: object) -> bytes:
    created = io.BytesIO()
    Image.new("RGB", size, "#884422").save(created, "JPEG", **extra)
    return created.getvalue()


def _with_place() -> bytes:
    exif = Image.Exif()
    exif[0x010F] = "Secret Camera"
    exif.get_ifd(0x8825)[2] = (39.0, 44.0, 21.0)
    exif[0x0112] = 6  # rotated by 90 degrees
    return _jpeg(exif=exif, comment=b"a secret comment")


def _bomb() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    side = (30_000).to_bytes(4, "big")
    rows = zlib.compress(b"\0" * 1_000_000, 9)
    header = chunk(b"IHDR", side + side + bytes([8, 0, 0, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


async def test_image_is_reencoded_and_served_on_own_host(app: Porchlight, rosa: GuruOwner, theo: GuruOwner) -> None:
    created = await rosa.call(
        "POST", "/images", expect=201, content=_with_place(), headers={"content-type": "image/jpeg"}
    )
    assert (created["width"], created["height"]) == (300, 400)
    assert created["address"] == f"http://alpha.{BASE_HOST}{created['path']}"
    is_shown = await send_raw(app, created["path"].encode(), rosa.guru.host)
    assert is_shown.status == 200
    assert is_shown.header("content-type") == "image/webp"
    assert is_shown.header("cache-control") == "public, max-age=60"
    assert is_shown.header("x-content-type-options") == "nosniff"
    for trace in (b"Secret", b"secret", b"Exif", b"EXIF"):
        assert trace not in is_shown.body
    with Image.open(io.BytesIO(is_shown.body)) as picture:
        assert not picture.getexif()
    assert (await send_raw(app, created["path"].encode(), theo.guru.host)).status == 404
    listing = await rosa.call("GET", "/images")
    assert created["id"] in [image["id"] for image in listing["images"]]
    assert created["id"] not in [image["id"] for image in (await theo.call("GET", "/images"))["images"]]
    await theo.call("DELETE", f"/images/{created['id']}", expect=404)
    await rosa.call("DELETE", f"/images/{created['id']}")
    assert (await send_raw(app, created["path"].encode(), rosa.guru.host)).status == 404


@pytest.mark.parametrize("suffix", ["", "-640"])
async def test_image_of_suspended_site_is_gone_after_minute(
    app: Porchlight, rosa: GuruOwner, service_db: psycopg.Connection[Any], suffix: str
) -> None:
    created = await rosa.call("POST", "/images", expect=201, content=_jpeg((800, 600)))
    path = f"/images/{created['id']}{suffix}.webp".encode()
    first = await send_raw(app, path, rosa.guru.host)
    has_it = [(b"if-none-match", (first.header("etag") or "").encode())]
    unchanged = await send_raw(app, path, rosa.guru.host, headers=has_it)
    assert (unchanged.status, unchanged.body) == (304, b"")
    for response in (first, unchanged):
        assert response.header("cache-control") == "public, max-age=60"

    async def status(expected: int) -> None:
        async def is_reached() -> bool:
            return (await send_raw(app, path, rosa.guru.host, headers=has_it)).status == expected

        await wait_until(f"the image is a {expected}", is_reached)

    for state, expected in (("suspended", 410), ("published", 304)):
        service_db.execute("UPDATE gurus SET status = %s WHERE id = %s", [state, rosa.guru.id])
        await status(expected)
    await rosa.call("DELETE", f"/images/{created['id']}")
    await status(404)


async def test_unchanged_image_is_not_read(app: Porchlight, rosa: GuruOwner, monkeypatch: pytest.MonkeyPatch) -> None:
    created = await rosa.call("POST", "/images", expect=201, content=_jpeg())
    path = created["path"].encode()
    etag = ((await send_raw(app, path, rosa.guru.host)).header("etag") or "").encode()
    monkeypatch.delattr(assets, "image_data")
    assert (await send_raw(app, path, rosa.guru.host, headers=[(b"if-none-match", etag)])).status == 304


async def test_large_image_is_scaled_down(rosa: GuruOwner) -> None:
    created = await rosa.call("POST", "/images", expect=201, content=_jpeg((4000, 2000)))
    assert (created["width"], created["height"]) == (1600, 800)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"GIF89a",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"%PDF-1.7 ",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
        _jpeg()[:200],
        _bomb(),
    ],
    ids=["nothing", "gif", "svg", "pdf", "broken", "cut", "bomb"],
)
async def test_invalid_image_is_rejected(rosa: GuruOwner, body: bytes) -> None:
    error = await rosa.call("POST", "/images", expect=422, content=body, headers={"content-type": "image/png"})
    assert error["fields"] == {
        "image": "Please choose a JPEG, PNG, WebP, GIF, AVIF or HEIC image up to 8 MB and 40 megapixels."
    }


async def test_oversized_image_is_rejected_unread(rosa: GuruOwner) -> None:
    error = await rosa.call("POST", "/images", expect=413, content=b"x" * (8 * 1024 * 1024 + 1))
    assert error["code"] == "too_large"


@pytest.mark.parametrize("name", ["nothing.webp", f"{'0' * 36}.webp"])
async def test_unknown_image_is_not_found(app: Porchlight, rosa: GuruOwner, name: str) -> None:
    response = await send_raw(app, f"/images/{name}".encode(), rosa.guru.host)
    assert (response.status, response.header("location"), response.body) == (404, None, b"")


@pytest.mark.parametrize("name", ["..%2f..%2fetc.webp", "x.png"])
async def test_path_of_no_image_leads_to_home_page(app: Porchlight, rosa: GuruOwner, name: str) -> None:
    response = await send_raw(app, f"/images/{name}".encode(), rosa.guru.host)
    assert (response.status, response.header("location"), response.body) == (302, "/", b"")
