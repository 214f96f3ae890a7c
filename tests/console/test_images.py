"""Pictures: drawn anew without a trace of the file, shown on their guru's host alone, kept for good by browsers."""

from __future__ import annotations

import io
import zlib

import pytest
from PIL import Image

from porchlight.app import Porchlight
from tests.console.owner import Owner
from tests.platform_.world import BASE, ask


def _jpeg(size: tuple[int, int] = (400, 300), **extra: object) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, "#884422").save(made, "JPEG", **extra)
    return made.getvalue()


def _with_place() -> bytes:
    exif = Image.Exif()
    exif[0x010F] = "Secret Camera"
    exif.get_ifd(0x8825)[2] = (39.0, 44.0, 21.0)
    exif[0x0112] = 6  # lies on its side
    return _jpeg(exif=exif, comment=b"a secret comment")


def _bomb() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    side = (30_000).to_bytes(4, "big")
    rows = zlib.compress(b"\0" * 1_000_000, 9)
    header = chunk(b"IHDR", side + side + bytes([8, 0, 0, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


async def test_a_picture_is_drawn_anew_and_served_from_its_gurus_host(
    app: Porchlight, rosa: Owner, theo: Owner
) -> None:
    made = await rosa.call("POST", "/images", expect=201, content=_with_place(), headers={"content-type": "image/jpeg"})
    assert (made["width"], made["height"]) == (300, 400)
    assert made["address"] == f"http://alpha.{BASE}{made['path']}"
    shown = await ask(app, made["path"].encode(), rosa.guru.host)
    assert shown.status == 200
    assert shown.header("content-type") == "image/webp"
    assert shown.header("cache-control") == "public, max-age=31536000, immutable"
    assert shown.header("x-content-type-options") == "nosniff"
    for trace in (b"Secret", b"secret", b"Exif", b"EXIF"):
        assert trace not in shown.body
    with Image.open(io.BytesIO(shown.body)) as picture:
        assert not picture.getexif()
    assert (await ask(app, made["path"].encode(), theo.guru.host)).status == 404
    listed = await rosa.call("GET", "/images")
    assert made["id"] in [image["id"] for image in listed["images"]]
    assert made["id"] not in [image["id"] for image in (await theo.call("GET", "/images"))["images"]]
    await theo.call("DELETE", f"/images/{made['id']}", expect=404)
    await rosa.call("DELETE", f"/images/{made['id']}")
    assert (await ask(app, made["path"].encode(), rosa.guru.host)).status == 404


async def test_a_large_picture_becomes_a_small_one(rosa: Owner) -> None:
    made = await rosa.call("POST", "/images", expect=201, content=_jpeg((4000, 2000)))
    assert (made["width"], made["height"]) == (1600, 800)


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
async def test_anything_else_is_refused(rosa: Owner, body: bytes) -> None:
    refused = await rosa.call("POST", "/images", expect=422, content=body, headers={"content-type": "image/png"})
    assert refused["fields"] == {
        "image": "Please choose a JPEG, PNG or WebP picture of at most 8 MB and 40 megapixels."
    }


async def test_too_many_bytes_are_refused_unread(rosa: Owner) -> None:
    refused = await rosa.call("POST", "/images", expect=413, content=b"x" * (8 * 1024 * 1024 + 1))
    assert refused["code"] == "too_large"


@pytest.mark.parametrize("name", ["nothing.webp", "..%2f..%2fetc.webp", "x.png", f"{'0' * 36}.webp"])
async def test_other_addresses_show_nothing(app: Porchlight, rosa: Owner, name: str) -> None:
    assert (await ask(app, f"/images/{name}".encode(), rosa.guru.host)).status in (302, 404)
