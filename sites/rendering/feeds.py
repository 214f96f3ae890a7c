"""robots.txt, sitemap.xml, and Atom and RSS feeds of a guru's site."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from xml.sax.saxutils import escape

from feedgen.feed import FeedGenerator

from sites.image_paths import image_path
from sites.posts.queries import PostEntry
from tenants.kit import clock
from tenants.kit.text import remove_invalid_xml_characters as xml_text

MAX_FEED_POSTS = 30
MAX_SITEMAP_POSTS = 5000

PostIndex = Sequence[PostEntry]


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
        f"<url><loc>{escape(origin)}/blog/{escape(post.slug)}</loc>"
        f"<lastmod>{post.updated.astimezone(UTC).date()}</lastmod></url>"
        for post in posts
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
    generator.updated(max((post.updated for post in posts), default=clock.now()).astimezone(UTC))
    for post in posts:
        entry = generator.add_entry(order="append")
        url = f"{origin}/blog/{post.slug}"
        entry.id(url)
        entry.title(xml_text(post.title) or post.slug)
        entry.link(href=url)
        # RSS reads a description as HTML, Atom a summary as text.
        entry.summary(escape(xml_text(post.excerpt)) if kind == "rss" else xml_text(post.excerpt))
        html = post.html.replace('href="/', f'href="{origin}/').replace('src="/', f'src="{origin}/')
        entry.content(xml_text(html), type="html")
        if post.cover_id is not None:
            entry.enclosure(origin + image_path(post.cover_id), str(post.cover_size), "image/webp")
        entry.published(post.published.astimezone(UTC))
        entry.updated(post.updated.astimezone(UTC))
    return bytes(generator.atom_str(pretty=True) if kind == "atom" else generator.rss_str(pretty=True))
