"""robots.txt, sitemap.xml, and Atom and RSS feeds of a guru's site."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from feedgen.feed import FeedGenerator

from tenants.kit import clock
from tenants.kit.text import remove_invalid_xml_characters as xml_text

MAX_FEED_POSTS = 30
MAX_SITEMAP_POSTS = 5000

PostIndex = Sequence[tuple[str, str, str, str, datetime, datetime]]


def robots(origin: str) -> bytes:
    """Return a robots.txt that allows everything except the redirects to the main platform."""
    disallowed = "".join(f"Disallow: /{path}\n" for path in ("login", "signup", "dashboard", "api/"))
    return f"User-agent: *\n{disallowed}Allow: /\nSitemap: {origin}/sitemap.xml\n".encode()


def sitemap(origin: str, posts: PostIndex) -> bytes:
    """Return the sitemap: all pages, posts with the date of their last change."""
    lines = [
        f"<url><loc>{escape(origin)}{path}</loc></url>" for path in ("/", "/about", "/blog", "/services", "/contact")
    ]
    lines += [
        f"<url><loc>{escape(origin)}/blog/{escape(slug)}</loc><lastmod>{updated.astimezone(UTC).date()}</lastmod></url>"
        for slug, _title, _excerpt, _html, _published, updated in posts
    ]
    body = "\n".join(lines)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{body}\n</urlset>\n'
    ).encode()


def feed(kind: str, origin: str, character: str, tagline: str, posts: PostIndex) -> bytes:
    """Return the newest posts as a feed. `kind` is "atom" or "rss"."""
    generator = FeedGenerator()
    generator.id(origin + "/")
    character = xml_text(character) or "Guru"  # a feed needs a title
    generator.title(character)
    generator.subtitle(xml_text(tagline) or character)
    generator.description(xml_text(tagline) or character)
    generator.language("en")
    generator.author({"name": character})
    generator.link(href=origin + "/", rel="alternate")
    generator.link(href=f"{origin}/{'feed.xml' if kind == 'atom' else 'rss.xml'}", rel="self")
    generator.updated(max((post[5] for post in posts), default=clock.now()).astimezone(UTC))
    for slug, title, excerpt, html, published, updated in posts:
        entry = generator.add_entry(order="append")
        entry.id(f"{origin}/blog/{slug}")
        entry.title(xml_text(title) or slug)
        entry.link(href=f"{origin}/blog/{slug}")
        # RSS reads a description as HTML, Atom a summary as text.
        entry.summary(escape(xml_text(excerpt)) if kind == "rss" else xml_text(excerpt))
        entry.content(
            xml_text(html.replace('href="/', f'href="{origin}/').replace('src="/', f'src="{origin}/')), type="html"
        )
        entry.published(published.astimezone(UTC))
        entry.updated(updated.astimezone(UTC))
    return bytes(generator.atom_str(pretty=True) if kind == "atom" else generator.rss_str(pretty=True))
