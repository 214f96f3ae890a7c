"""What a guru wrote runs nowhere: not in pages, not in data, not in feeds, not in pictures."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from xml.etree import ElementTree

import orjson
import psycopg
import pytest

from porchlight.app import Porchlight
from sites import cursor
from sites.posts.markdown import render
from tenants.kit.ids import new_id
from tests.platform_.world import Told, ask, post, service, serving, tell
from tests.sites.routes import API_READS, FILES, PAGES, data_paths
from tests.support.databases import Database

PAYLOAD = (
    "</script></title></style></textarea><script>alert(1)</script><img src=x onerror=alert(1)>"
    '" onload="alert(1)\' ]]>&lt;\u2028{{7*7}}</style>'
)
CSS = "#fff}body{background:url(//evil.example)}</style><script>alert(1)</script>"
PLACES = ("character", "category", "tagline", "city", "seo_title", "seo_description", "emoji", "icon")


@pytest.fixture(scope="module")
async def site(database: Database) -> AsyncIterator[tuple[Porchlight, Told, list[str]]]:
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        guru = tell(conn, "hostile", posts=0)
        for column in PLACES:
            conn.execute(f"UPDATE gurus SET {column} = %s WHERE id = %s".encode(), [PAYLOAD, guru.id])
        conn.execute(
            "UPDATE gurus SET primary_color = %s, secondary_color = %s, primary_skills = %s, about_html = %s"
            " WHERE id = %s",
            [CSS, CSS, [PAYLOAD] * 3, render(PAYLOAD), guru.id],
        )
        guru.tags = ["tag-one", PAYLOAD]
        body = f"# {PAYLOAD}\n\n{PAYLOAD}\n\n[x](javascript:alert(1)) ![x](//evil.example/x)"
        for number in range(14):
            post(
                conn, guru, f"post-{number}", days_ago=number + 1, title=PAYLOAD, excerpt=PAYLOAD,
                content_markdown=body, content_html=render(body),
            )  # fmt: skip
        service(conn, guru, PAYLOAD, description=PAYLOAD, features=[PAYLOAD], duration_label=PAYLOAD, currency="USD")
        published = dict(conn.execute("SELECT id, published_at FROM posts").fetchall())
    async with serving(database, page_cache="off") as app:
        build = (await ask(app, b"/", guru.host)).body.split(b'"buildId":"')[1].split(b'"')[0].decode()
        names = {"subdomain": guru.label, "slug": "post-1", "tag": "tag-one"}
        names["cursor"] = cursor.encode(published[guru.posts[1]], guru.posts[1])
        paths = [*(path for paths in API_READS.values() for path in paths), *PAGES, *FILES, *data_paths(build)]
        yield app, guru, [path.format(**names) for path in paths]


class _Page(HTMLParser):
    """Collects what a browser would run or load."""

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


async def test_nothing_a_guru_wrote_runs_anywhere(site: tuple[Porchlight, Told, list[str]]) -> None:
    app, guru, paths = site
    for path in paths:
        answer = await ask(app, path.encode(), guru.host)
        assert answer.status == 200, (path, answer.status)
        kind = answer.header("content-type") or ""
        assert answer.header("x-content-type-options") == "nosniff", path
        if kind.startswith("text/html"):
            _check_page(answer.body.decode(), path)
            csp = answer.header("content-security-policy") or ""
            assert "script-src 'self';" in csp, path
            assert "unsafe-inline" not in csp, path
        elif "json" in kind:
            orjson.loads(answer.body)
        elif "xml" in kind or "svg" in kind:
            _check_xml(answer.body, path)
        elif kind == "image/png":
            assert answer.body.startswith(b"\x89PNG"), path
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
    for island in page.text:
        assert "<" not in island or "@media" in island, path
    for island in re.findall(r'<script[^>]*type="application/(?:ld\+)?json"[^>]*>(.*?)</script>', text, re.S):
        orjson.loads(island)
        assert "<" not in island, path
        assert "\u2028" not in island, path
    style = "".join(re.findall(r"<style[^>]*>(.*?)</style>", text, re.S))
    assert "evil.example" not in style, path


def _check_xml(body: bytes, path: str) -> None:
    assert b"<!ENTITY" not in body
    tree = ElementTree.fromstring(body)  # noqa: S314 - our own, just written
    for html in (*tree.iter("{http://www.w3.org/2005/Atom}content"), *tree.findall("channel/item/*")):
        if html.text and not str(html.tag).endswith("title"):  # a title is text
            _Page().feed(html.text)
    for element in tree.iter():
        name = str(element.tag).rpartition("}")[2]
        assert name not in ("script", "img"), path
        assert not any(attribute.startswith("on") for attribute in element.attrib), path


async def test_texts_no_xml_can_hold_break_no_feed(
    site: tuple[Porchlight, Told, list[str]], database: Database
) -> None:
    app, *_ = site
    odd = "\x01\x0b\ufffe\uffff"
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        guru = tell(conn, "oddguru", posts=0)
        for text in (odd, "", " ", odd + "x"):
            conn.execute("UPDATE gurus SET character = %s, tagline = %s WHERE id = %s", [text, text, guru.id])
            post(
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
                answer = await ask(app, path.encode(), guru.host)
                assert answer.status == 200, (path, text, answer.body[:200])
                if "xml" in path:
                    ElementTree.fromstring(answer.body)  # noqa: S314 - our own, just written
        for _ in range(12):
            post(conn, guru, f"old-{new_id().hex}", published_at="1901-01-01")
        listed = orjson.loads((await ask(app, b"/api/gurus/oddguru/posts?limit=5", guru.host)).body)
        seen = [entry["id"] for entry in listed["posts"]]
        while listed["nextCursor"]:
            query = f"?limit=5&cursor={listed['nextCursor']}".encode()
            listed = orjson.loads((await ask(app, b"/api/gurus/oddguru/posts" + query, guru.host)).body)
            seen += [entry["id"] for entry in listed["posts"]]
        assert sorted(seen) == sorted(map(str, guru.posts))
