"""robots.txt, sitemap.xml, and Atom and RSS feeds of a guru's site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Literal
from urllib.parse import quote
from uuid import UUID, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from xml.sax.saxutils import escape

from sites.image_paths import image_path
from sites.posts.markdown import with_absolute_addresses
from sites.posts.queries import PostAddress, PostEntry
from tenants.kit import clock
from tenants.kit.text import remove_invalid_xml_characters as xml_text

MAX_FEED_POSTS = 30
MAX_SITEMAP_POSTS = 5000

PostIndex = Sequence[PostEntry]
FeedKind = Literal["atom", "rss"]

_PHOTOS = "/api/photos/"
_ATOM = "http://www.w3.org/2005/Atom"
_CONTENT = "http://purl.org/rss/1.0/modules/content/"
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def robots(origin: str) -> bytes:
    """Return a robots.txt that allows everything except the redirects to the main platform and the API.

    Pages show photos of people, which the API serves. Simple crawlers obey the first line that matches.
    """
    disallowed = "".join(f"Disallow: /{path}\n" for path in ("login", "signup", "dashboard", "api/"))
    return f"User-agent: *\nAllow: {_PHOTOS}\n{disallowed}Allow: /\nSitemap: {origin}/sitemap.xml\n".encode()


def sitemap(origin: str, posts: Sequence[PostAddress], *, has_reviews: bool = False) -> bytes:
    """Return the sitemap: all pages (reviews if there are some), posts with the date of their last change."""
    root = Element("urlset", {"xmlns": _SITEMAP})
    for path in ("/", "/about", "/blog", "/services", "/contact", *(["/reviews"] if has_reviews else [])):
        _add(_add(root, "url"), "loc", origin + path)
    for post in posts:
        url = _add(root, "url")
        _add(url, "loc", f"{origin}/blog/{quote(post.slug)}")
        _add(url, "lastmod", post.updated.astimezone(UTC).date().isoformat())
    return _to_xml(root)


def feed(kind: FeedKind, origin: str, tenant_id: UUID, character: str, tagline: str, posts: PostIndex) -> bytes:
    """Return the newest posts as a feed. Its id and those of its posts stay when slug or host change."""
    site = _Site(origin, _urn(tenant_id), xml_text(character) or "Guru", xml_text(tagline))  # a feed needs a title
    updated = max((post.updated for post in posts), default=clock.now())
    return _to_xml(_atom(site, updated, posts) if kind == "atom" else _rss(site, updated, posts))


@dataclass(frozen=True, slots=True)
class _Site:
    origin: str
    urn: str
    name: str
    tagline: str


def _atom(site: _Site, updated: datetime, posts: PostIndex) -> Element:
    """Return an Atom feed (RFC 4287)."""
    root = Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _add(root, "id", site.urn)
    _add(root, "title", site.name)
    if site.tagline:
        _add(root, "subtitle", site.tagline)
    _add(root, "updated", clock.to_iso8601(updated))
    author = _add(root, "author")
    _add(author, "name", site.name)
    _add(author, "uri", f"{site.origin}/about")
    _add(root, "link", rel="alternate", type="text/html", href=f"{site.origin}/")
    _add(root, "link", rel="self", type="application/atom+xml", href=f"{site.origin}/feed.xml")
    for post in posts:
        entry = _add(root, "entry")
        _add(entry, "id", _urn(post.id))
        _add(entry, "title", _title(post))
        _add(entry, "link", rel="alternate", type="text/html", href=_url(site, post))
        if post.cover_id is not None:
            _add(entry, "link", rel="enclosure", href=site.origin + image_path(post.cover_id), **_picture(post))
        _add(entry, "published", clock.to_iso8601(post.published))
        _add(entry, "updated", clock.to_iso8601(post.updated))
        for slug, name in _tags(post):
            _add(entry, "category", term=slug, label=name)
        _add(entry, "summary", xml_text(post.excerpt))
        _add(entry, "content", _content(site, post), type="html")
    return root


def _rss(site: _Site, updated: datetime, posts: PostIndex) -> Element:
    """Return a feed in RSS 2.0."""
    root = Element("rss", {"version": "2.0", "xmlns:atom": _ATOM, "xmlns:content": _CONTENT})
    channel = _add(root, "channel")
    _add(channel, "title", site.name)
    _add(channel, "link", f"{site.origin}/")
    _add(channel, "description", site.tagline or site.name)
    _add(channel, "language", "en")
    _add(channel, "lastBuildDate", format_datetime(updated.astimezone(UTC), usegmt=True))
    _add(channel, "atom:link", rel="self", type="application/rss+xml", href=f"{site.origin}/rss.xml")
    for post in posts:
        item = _add(channel, "item")
        _add(item, "guid", _urn(post.id), isPermaLink="false")
        _add(item, "title", _title(post))
        _add(item, "link", _url(site, post))
        if post.cover_id is not None:
            _add(item, "enclosure", url=site.origin + image_path(post.cover_id), **_picture(post))
        _add(item, "pubDate", format_datetime(post.published.astimezone(UTC), usegmt=True))
        for _, name in _tags(post):
            _add(item, "category", name)
        _add(item, "description", escape(xml_text(post.excerpt)))  # readers take it for HTML
        _add(item, "content:encoded", _content(site, post))
    return root


def _add(parent: Element, name: str, text: str | None = None, **attributes: str) -> Element:
    child = SubElement(parent, name, attributes)
    child.text = text
    return child


def _to_xml(root: Element) -> bytes:
    indent(root)
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True))


def _urn(row_id: UUID) -> str:
    """Return a permanent id that does not reveal when the row was created, as its UUIDv7 does."""
    return uuid5(row_id, "feed").urn


def _url(site: _Site, post: PostEntry) -> str:
    return f"{site.origin}/blog/{quote(post.slug)}"


def _title(post: PostEntry) -> str:
    return xml_text(post.title) or post.slug


def _tags(post: PostEntry) -> list[tuple[str, str]]:
    """Return slug and name of each tag."""
    names = post.tag_names if len(post.tag_names) == len(post.tags) else post.tags
    return [(slug, xml_text(name) or slug) for slug, name in zip(post.tags, names, strict=True)]


def _content(site: _Site, post: PostEntry) -> str:
    return xml_text(with_absolute_addresses(post.html, _url(site, post)))


def _picture(post: PostEntry) -> dict[str, str]:
    return {"type": "image/webp", "length": str(post.cover_size)}
