"""Every address that heads, feeds, sitemaps and structured data name is allowed by our own robots.txt, and answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from typing import Any
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import httpx
import psycopg
import pytest
from PIL import Image

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.images import png
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.factories import SeededGuru, seed_guru
from tests.porchlight.named_users import CreateUser, app, certificates, create_user, signer, web
from tests.porchlight.profiles.api_client import create_image

__all__ = ["app", "certificates", "create_user", "signer", "web"]

WELL_KNOWN = "/.well-known/"


class _Head(HTMLParser):
    """The links, meta tags and structured data of a page's head."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[dict[str, str]] = []
        self.meta: dict[str, str] = {}
        self.data: list[Any] = []
        self._in_data = False
        self.feed(page.partition("</head>")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "link":
            self.links.append(values)
        elif tag == "meta":
            self.meta[values.get("property") or values.get("name", "")] = values.get("content", "")
        self._in_data = tag == "script" and values.get("type") == "application/ld+json"

    def handle_data(self, data: str) -> None:
        if self._in_data:
            self.data.append(json.loads(data))
            self._in_data = False

    def addresses(self) -> Iterator[str]:
        yield from (link["href"] for link in self.links)
        yield from (value for name, value in self.meta.items() if name in ("og:url", "og:image"))
        yield from _addresses_of(self.data)


def _addresses_of(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from () if name == "@context" else _addresses_of(value)
    elif isinstance(data, list):
        for value in data:
            yield from _addresses_of(value)
    elif isinstance(data, str) and data.startswith("http"):
        yield data


async def _assert_found(client: httpx.AsyncClient, page: str, addresses: set[str]) -> None:
    """Check that a crawler may read these addresses and finds them."""
    robots = RobotFileParser()
    robots.parse((await client.get("/robots.txt")).text.splitlines())
    origin = str(client.base_url).rstrip("/")
    for address in sorted(urljoin(origin + page, each) for each in addresses):
        assert urlsplit(address).netloc == urlsplit(origin).netloc, (page, address)
        assert robots.can_fetch("AnyBot", address), (page, address)
        assert (await client.get(address)).status_code == 200, (page, address)


async def _assert_whole(client: httpx.AsyncClient, page: str) -> _Head:
    """Check the addresses of a page's head, and its picture for link previews."""
    response = await client.get(page)
    assert response.status_code == 200, page
    head = _Head(response.text)
    assert all(link.get("rel") and link.get("href") for link in head.links), page
    await _assert_found(client, page, set(head.addresses()))
    picture = await client.get(head.meta["og:image"])
    with Image.open(BytesIO(picture.content)) as image:
        assert image.format in ("JPEG", "PNG"), page
        declared = (head.meta["og:image:width"], head.meta["og:image:height"])
        assert (str(image.width), str(image.height)) == declared, page
    assert head.meta["og:image:alt"], page
    return head


@pytest.fixture(scope="module")
def guru(database: Database) -> SeededGuru:
    """A published guru."""
    with psycopg.connect(database.service_url) as conn:
        return seed_guru(conn, "named", posts=2)


async def test_main_platform_names_addresses_that_answer(web: httpx.AsyncClient, create_user: CreateUser) -> None:
    user = await create_user("Ada Alvarez")
    assert (await user.request("PUT", "/api/auth/photo", content=create_image("JPEG"))).status_code == 200
    handle = (await user.get("/api/auth/profile"))["handle"]
    created = await user.request("POST", "/api/skills/offers", json={"title": "Juggling"})
    (offer,) = created.json()["data"]["offers"]
    path = f"/listings/{offer['id']}"
    await _assert_whole(web, path)
    assert (
        await user.request("POST", f"/api/skills/offers/{offer['id']}/photos", content=png(64, 48))
    ).status_code == 201
    for page in ("/", "/about", "/skills", "/angels-list/pet-sitting", f"/u/{handle}", path):
        head = await _assert_whole(web, page)
        assert head.meta["og:image"].endswith(".jpg" if handle in page or page == path else ".png")
    sitemap = ElementTree.fromstring((await web.get("/sitemap.xml")).text)  # noqa: S314 - our own
    await _assert_found(web, "/sitemap.xml", {loc.text or "" for loc in sitemap.iter("{*}loc")})
    for gone in (f"/social/u/{handle}x.jpg", "/social/about.jpg"):
        assert (await web.get(gone)).status_code == 404


async def test_guru_site_names_addresses_that_answer(
    app: Porchlight, web: httpx.AsyncClient, create_user: CreateUser, database: Database, guru: SeededGuru
) -> None:
    user = await create_user("Gina Guru")
    photo = (await user.request("PUT", "/api/auth/photo", content=create_image("JPEG"))).json()["data"]["photoURL"]
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE gurus SET photo_url = %s WHERE id = %s", [photo, guru.id])
    async with http_client(app, guru.host) as client:
        for page in ("/", "/about", "/blog", "/services", "/contact", f"/blog/{guru.slugs[0]}"):
            head = await _assert_whole(client, page)
            assert (photo in json.dumps(head.data)) is (page == "/")
        post = head.data[0]
        assert post["dateModified"] >= post["datePublished"]
        assert post["publisher"]["name"] == post["author"]["name"]
        assert head.meta["article:modified_time"] == post["dateModified"]
        sitemap = ElementTree.fromstring((await client.get("/sitemap.xml")).text)  # noqa: S314 - our own
        await _assert_found(client, "/sitemap.xml", {loc.text or "" for loc in sitemap.iter("{*}loc")})


async def test_icons_are_icons(app: Porchlight, web: httpx.AsyncClient, guru: SeededGuru) -> None:
    async with http_client(app, guru.host) as client:
        for site in (web, client):
            icon = await site.get("/favicon.ico")
            assert icon.status_code == 200
            assert icon.headers["content-type"] in ("image/x-icon", "image/vnd.microsoft.icon")
            with Image.open(BytesIO(icon.content)) as image:
                assert image.format == "ICO"
                assert {(16, 16), (32, 32), (48, 48)} <= image.info["sizes"]


async def test_well_known_addresses_lead_somewhere_or_are_404(
    app: Porchlight, web: httpx.AsyncClient, guru: SeededGuru
) -> None:
    async with http_client(app, guru.host) as client:
        for site in (web, client):
            for name in (
                "resource-that-should-not-exist-whose-status-code-should-not-be-200",
                "x",
                "openid-configuration",
            ):
                assert (await site.get(WELL_KNOWN + name)).status_code == 404
            found = await site.get(WELL_KNOWN + "change-password")
            assert found.status_code == 303
            assert urlsplit(found.headers["location"]).hostname == BASE_HOST
    assert (await web.get(WELL_KNOWN + "change-password")).headers["location"].endswith("/forgot-password")
    assert (await web.get("/forgot-password")).status_code == 200
