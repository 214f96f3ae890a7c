"""Feeds and the sitemap of a guru's site, read back by feedparser and an XML parser."""

from __future__ import annotations

from datetime import UTC, datetime
from html import unescape
from typing import Any
from uuid import UUID
from xml.etree import ElementTree

import feedparser  # type: ignore[import-untyped]
import pytest

from sites.posts.markdown import render
from sites.posts.queries import PostAddress, PostEntry
from sites.rendering import feeds

ORIGIN = "https://cooking.porchlight.example"
TENANT = UUID("0197c2d4-0000-7000-8000-000000000001")
COVER = UUID("0197c2d4-0000-7000-8000-0000000000c0")
CONTENT = """See [my services](/services), [the next one](salt), [below](#salt) and
[a friend](//friend.example/a?b=1&c=2).

![A loaf](/images/0197c2d4-0000-7000-8000-0000000000c0.webp) ![Elsewhere](https://pictures.example/b.jpg)

## Salt

`<a href="/not-a-link">` is code.
"""
KINDS: list[feeds.FeedKind] = ["atom", "rss"]


def post(**changes: Any) -> PostEntry:
    values: dict[str, Any] = {
        "id": UUID("0197c2d4-0000-7000-8000-000000000002"),
        "slug": "crusty-bread",
        "title": "Crusty <bread> & butter",
        "excerpt": "Flour & <water> first.",
        "html": render(CONTENT),
        "published": datetime(2026, 11, 1, 12, 0, tzinfo=UTC),
        "updated": datetime(2026, 11, 2, 12, 30, tzinfo=UTC),
        "cover_id": COVER,
        "cover_size": 4321,
        "tags": ["c-plus-plus", "slow-cooking"],
        "tag_names": ["C++", "Slow Cooking"],
    }
    return PostEntry(**(values | changes))


def read(kind: feeds.FeedKind, *posts: PostEntry, origin: str = ORIGIN, tagline: str = "Good & simple") -> Any:
    found = feedparser.parse(feeds.feed(kind, origin, TENANT, "Chef Rosa", tagline, posts))
    assert not found.bozo, found.get("bozo_exception")
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_feed_links_to_site_and_post(kind: feeds.FeedKind) -> None:
    found = read(kind, post(), post(id=COVER, slug="salt", cover_id=None, cover_size=None))
    assert (found.feed.title, found.feed.subtitle) == ("Chef Rosa", "Good & simple")
    assert found.feed.link == f"{ORIGIN}/"
    own = [link for link in found.feed.links if link.rel == "self"]
    assert [(link.href, link.type) for link in own] == [
        (f"{ORIGIN}/{'feed' if kind == 'atom' else 'rss'}.xml", f"application/{kind}+xml")
    ]
    first, second = found.entries
    assert (first.link, second.link) == (f"{ORIGIN}/blog/crusty-bread", f"{ORIGIN}/blog/salt")
    assert [(one.href, one.type, one.length) for one in first.enclosures] == [
        (f"{ORIGIN}/images/{COVER}.webp", "image/webp", "4321")
    ]
    assert second.enclosures == []


@pytest.mark.parametrize("kind", KINDS)
def test_feed_keeps_texts_and_dates(kind: feeds.FeedKind) -> None:
    (entry,) = read(kind, post()).entries
    assert unescape(entry.title) == "Crusty <bread> & butter"
    assert entry.published_parsed[:6] == (2026, 11, 1, 12, 0, 0)
    assert unescape(entry.summary) == "Flour & <water> first."


@pytest.mark.parametrize("kind", KINDS)
def test_feed_content_has_absolute_addresses(kind: feeds.FeedKind) -> None:
    (entry,) = read(kind, post()).entries
    html = entry.content[0].value
    for address in (
        f'href="{ORIGIN}/services"',
        f'href="{ORIGIN}/blog/salt"',
        f'href="{ORIGIN}/blog/crusty-bread#salt"',
        'href="https://friend.example/a?b=1&amp;c=2"',
        f'src="{ORIGIN}/images/{COVER}.webp"',
        'src="https://pictures.example/b.jpg"',
    ):
        assert address in html
    assert "&lt;a href=" in html
    assert "/not-a-link" in html
    assert f"{ORIGIN}/not-a-link" not in html


@pytest.mark.parametrize("kind", KINDS)
def test_feed_names_tags(kind: feeds.FeedKind) -> None:
    tags = [entry.tags for entry in read(kind, post(), post(id=COVER, tag_names=[])).entries]
    named = [[tag.label if kind == "atom" else tag.term for tag in entry] for entry in tags]
    assert named == [["C++", "Slow Cooking"], ["c-plus-plus", "slow-cooking"]]


@pytest.mark.parametrize("kind", KINDS)
def test_feed_ids_stay_when_slug_and_host_change(kind: feeds.FeedKind) -> None:
    before, after = read(kind, post()), read(kind, post(slug="better-bread"), origin="https://rosa.example")
    assert before.entries[0].id == after.entries[0].id
    assert before.feed.get("id") == after.feed.get("id")
    ids = {before.entries[0].id, before.feed.get("id")} - {None}
    assert {UUID(one).urn for one in ids} == ids
    assert len(ids) == (2 if kind == "atom" else 1)  # RSS has none for the channel


@pytest.mark.parametrize("kind", KINDS)
def test_feed_of_new_site_is_valid(kind: feeds.FeedKind) -> None:
    found = read(kind, tagline="")
    assert found.entries == []
    assert found.feed.title == "Chef Rosa"


@pytest.mark.parametrize("kind", KINDS)
def test_feed_leaves_out_characters_that_xml_forbids(kind: feeds.FeedKind) -> None:
    (entry,) = read(kind, post(title="Bread\x0b and\x00 salt ]]>", excerpt="\ufffe🍞", html="<p>\x0c]]></p>")).entries
    assert "Bread and salt" in entry.title
    assert "🍞" in entry.summary


def test_sitemap_escapes_addresses() -> None:
    root = ElementTree.fromstring(feeds.sitemap(ORIGIN, [PostAddress("a-b", post().updated)]))  # noqa: S314 - our own
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    assert [loc.text for loc in root.findall("s:url/s:loc", names)][-1] == f"{ORIGIN}/blog/a-b"
    assert [date.text for date in root.findall("s:url/s:lastmod", names)] == ["2026-11-02"]
