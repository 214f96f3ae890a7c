"""Malicious content of a guru never runs: in pages, page data, feeds and images."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import datetime
from html.parser import HTMLParser
from uuid import UUID
from xml.etree import ElementTree

import orjson
import psycopg
import pytest

from porchlight.app import Porchlight
from sites.posts.markdown import render
from tenants.kit.ids import new_id
from tenants.kit.pagination import encode_cursor
from tests.fixtures.databases import Database
from tests.porchlight.app_client import run_app, send_raw
from tests.porchlight.factories import SeededGuru, seed_guru, seed_post, seed_service
from tests.sites.routes import API_READS, FILES, PAGES, data_paths

PAYLOAD = (
    "</script></title></style></textarea><script>alert(1)</script><img src=x onerror=alert(1)>"
    '" onload="alert(1)\' ]]>&lt;\u2028{{7*7}}</style>'
)
CSS = "#fff}body{background:url(//evil.example)}</style><script>alert(1)</script>"
COLUMNS = ("character", "category", "tagline", "city", "seo_title", "seo_description", "emoji", "icon")


@pytest.fixture(scope="module")
async def site(database: Database) -> AsyncIterator[tuple[Porchlight, SeededGuru, list[str]]]:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        guru = seed_guru(conn, "hostile", posts=0)
        for column in COLUMNS:
            conn.execute(f"UPDATE gurus SET {column} = %s WHERE id = %s".encode(), [PAYLOAD, guru.id])
        conn.execute(
            "UPDATE gurus SET primary_color = %s, secondary_color = %s, primary_skills = %s, about_html = %s"
            " WHERE id = %s",
            [CSS, CSS, [PAYLOAD] * 3, render(PAYLOAD), guru.id],
        )
        guru.tags = ["tag-one", PAYLOAD]
        body = f"# {PAYLOAD}\n\n{PAYLOAD}\n\n[x](javascript:alert(1)) ![x](//evil.example/x)"
        for number in range(14):
            seed_post(
                conn, guru, f"post-{number}", days_ago=number + 1, title=PAYLOAD, excerpt=PAYLOAD,
                content_markdown=body, content_html=render(body),
            )  # fmt: skip
        seed_service(
            conn, guru, PAYLOAD, description=PAYLOAD, features=[PAYLOAD], duration_label=PAYLOAD, currency="USD"
        )
        published: dict[UUID, datetime] = dict(conn.execute("SELECT id, published_at FROM posts").fetchall())
    async with run_app(database, page_cache="off") as app:
        build = (await send_raw(app, b"/", guru.host)).body.split(b'"buildId":"')[1].split(b'"')[0].decode()
        names = {"subdomain": guru.label, "slug": "post-1", "tag": "tag-one", "service_id": str(guru.services[0])}
        names["cursor"] = encode_cursor(published[guru.posts[1]], guru.posts[1])
        names["review_cursor"] = encode_cursor(datetime.fromisoformat("2100-01-01T00:00:00+00:00"), guru.posts[1])
        paths = [*(path for paths in API_READS.values() for path in paths), *PAGES, *FILES, *data_paths(build)]
        yield app, guru, [path.format(**names) for path in paths]


class _Page(HTMLParser):
    """Collects scripts, and asserts that no attribute runs or loads anything unsafe."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.scripts: list[dict[str, str | None]] = []
        self.text: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name, value)
            if name in ("href", "src", "action", "formaction", "xlink:href"):
                assert not re.match(r"(?i)\s*(javascript|data:text|vbscript)", value or ""), (tag, value)
                assert not (value or "").startswith("//"), (tag, value)
        if tag == "script":
            self.scripts.append(dict(attrs))
        assert tag not in ("base", "iframe", "object", "embed"), tag
        if tag == "img":
            assert dict(attrs).get("src") != "x"

    def handle_data(self, data: str) -> None:
        if self.inside in ("script", "style"):
            self.text.append(data)

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""


async def test_stored_payload_never_runs(site: tuple[Porchlight, SeededGuru, list[str]]) -> None:
    app, guru, paths = site
    for path in paths:
        response = await send_raw(app, path.encode(), guru.host)
        assert response.status == 200, (path, response.status)
        kind = response.header("content-type") or ""
        assert response.header("x-content-type-options") == "nosniff", path
        if kind.startswith("text/html"):
            _check_page(response.body.decode(), path)
            csp = response.header("content-security-policy") or ""
            assert "script-src 'self';" in csp, path
            assert "unsafe-inline" not in csp, path
        elif "json" in kind:
            orjson.loads(response.body)
        elif "xml" in kind or "svg" in kind:
            _check_xml(response.body, path)
        elif kind == "image/png":
            assert response.body.startswith(b"\x89PNG"), path
        elif kind == "image/x-icon":
            assert response.body.startswith(b"\0\0\1\0"), path
        else:
            assert path == "/robots.txt", (path, kind)


def _check_page(text: str, path: str) -> None:
    page = _Page()
    page.feed(text)
    page.close()
    assert "alert(1)" in text, path
    for script in page.scripts:
        kind = script.get("type")
        assert (script.get("src") or "").startswith("/_next/") or kind in ("application/json", "application/ld+json"), (
            script
        )
    for json_block in page.text:
        assert "<" not in json_block or "@media" in json_block, path
    for json_block in re.findall(r'<script[^>]*type="application/(?:ld\+)?json"[^>]*>(.*?)</script>', text, re.S):
        orjson.loads(json_block)
        assert "<" not in json_block, path
        assert "\u2028" not in json_block, path
    style = "".join(re.findall(r"<style[^>]*>(.*?)</style>", text, re.S))
    assert "evil.example" not in style, path


def _check_xml(body: bytes, path: str) -> None:
    assert b"<!ENTITY" not in body
    tree = ElementTree.fromstring(body)  # noqa: S314 - generated by the product
    for html in (*tree.iter("{http://www.w3.org/2005/Atom}content"), *tree.findall("channel/item/*")):
        if html.text and not str(html.tag).endswith(("title", "category")):  # these are text, not HTML
            _Page().feed(html.text)
    for element in tree.iter():
        name = str(element.tag).rpartition("}")[2]
        assert name not in ("script", "img"), path
        assert not any(attribute.startswith("on") for attribute in element.attrib), path


async def test_text_invalid_in_xml_does_not_break_feeds(
    site: tuple[Porchlight, SeededGuru, list[str]], database: Database
) -> None:
    app, *_ = site
    invalid = "\x01\x0b\ufffe\uffff"
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        guru = seed_guru(conn, "oddguru", posts=0)
        for text in (invalid, "", " ", invalid + "x"):
            conn.execute("UPDATE gurus SET character = %s, tagline = %s WHERE id = %s", [text, text, guru.id])
            seed_post(
                conn,
                guru,
                f"post-{new_id().hex}",
                title=text,
                excerpt=text,
                content_html=text,
                published_at="1901-01-01",
            )
            for path in (
                "/feed.xml",
                "/rss.xml",
                "/sitemap.xml",
                "/",
                "/blog",
                "/og/home.png",
                "/favicon.svg",
                f"/blog/{guru.slugs[-1]}",
            ):
                response = await send_raw(app, path.encode(), guru.host)
                assert response.status == 200, (path, text, response.body[:200])
                if "xml" in path:
                    ElementTree.fromstring(response.body)  # noqa: S314 - generated by the product
        for _ in range(12):
            seed_post(conn, guru, f"old-{new_id().hex}", published_at="1901-01-01")
        listed = orjson.loads((await send_raw(app, b"/api/gurus/oddguru/posts?limit=5", guru.host)).body)
        ids = [entry["id"] for entry in listed["posts"]]
        while listed["nextCursor"]:
            query = f"?limit=5&cursor={listed['nextCursor']}".encode()
            listed = orjson.loads((await send_raw(app, b"/api/gurus/oddguru/posts" + query, guru.host)).body)
            ids += [entry["id"] for entry in listed["posts"]]
        assert sorted(ids) == sorted(map(str, guru.posts))
