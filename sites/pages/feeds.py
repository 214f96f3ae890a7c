"""What machines read of a guru's site: robots.txt, sitemap.xml, Atom and RSS feeds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from feedgen.feed import FeedGenerator

from tenants.kit import clock

IN_FEED = 30  # posts
IN_MAP = 5000

PostIndex = Sequence[tuple[str, str, str, str, datetime, datetime]]


def robots(origin: str) -> bytes:
    """Everything may be read but the doors to the main platform."""
    doors = "".join(f"Disallow: /{door}\n" for door in ("login", "signup", "dashboard", "api/"))
    return f"User-agent: *\n{doors}Allow: /\nSitemap: {origin}/sitemap.xml\n".encode()


def sitemap(origin: str, posts: PostIndex) -> bytes:
    """The pages of a site, posts with the day they last changed."""
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
    """The newest posts as "atom" or "rss"."""
    made = FeedGenerator()
    made.id(origin + "/")
    character = _xml(character) or "Guru"  # a feed must be called something
    made.title(character)
    made.subtitle(_xml(tagline) or character)
    made.description(_xml(tagline) or character)
    made.language("en")
    made.author({"name": character})
    made.link(href=origin + "/", rel="alternate")
    made.link(href=f"{origin}/{'feed.xml' if kind == 'atom' else 'rss.xml'}", rel="self")
    made.updated(max((post[5] for post in posts), default=clock.now()).astimezone(UTC))
    for slug, title, excerpt, html, published, updated in posts:
        entry = made.add_entry(order="append")
        entry.id(f"{origin}/blog/{slug}")
        entry.title(_xml(title) or slug)
        entry.link(href=f"{origin}/blog/{slug}")
        # RSS reads a description as HTML, Atom a summary as text.
        entry.summary(escape(_xml(excerpt)) if kind == "rss" else _xml(excerpt))
        entry.content(
            _xml(html.replace('href="/', f'href="{origin}/').replace('src="/', f'src="{origin}/')), type="html"
        )
        entry.published(published.astimezone(UTC))
        entry.updated(updated.astimezone(UTC))
    return bytes(made.atom_str(pretty=True) if kind == "atom" else made.rss_str(pretty=True))


def _xml(text: str) -> str:
    # XML 1.0 has no way to write control characters; they are refused at the door, and left out here all the same.
    return "".join(
        c for c in text if c in "\t\n\r" or (c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff")
    )
