"""Every path of a guru's site, with placeholders for subdomains, slugs, tags and cursors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sites.rendering.pages import PLATFORM_REDIRECT_PATHS
from tests.porchlight.openapi import openapi_document

# Placeholders.
SUBDOMAIN, SLUG, TAG, CURSOR = "{subdomain}", "{slug}", "{tag}", "{cursor}"

# An operation that is missing here fails `test_every_operation_has_test_paths`.
API_READS: dict[str, tuple[str, ...]] = {
    "guru_home": ("/api/gurus/{subdomain}/home",),
    "guru_posts": (
        "/api/gurus/{subdomain}/posts",
        "/api/gurus/{subdomain}/posts?tag={tag}",
        "/api/gurus/{subdomain}/posts?cursor={cursor}",
        "/api/gurus/{subdomain}/posts?tag={tag}&cursor={cursor}&limit=50",
    ),
    "guru_post": ("/api/gurus/{subdomain}/posts/{slug}",),
    "guru_services": ("/api/gurus/{subdomain}/services",),
    "service_slots": (
        "/api/gurus/{subdomain}/services/{service_id}/slots",
        "/api/gurus/{subdomain}/services/{service_id}/slots?days=62",
    ),
    "list_site_reviews": (
        "/api/gurus/{subdomain}/reviews",
        "/api/gurus/{subdomain}/reviews?cursor={cursor}",
    ),
    "next_starts": ("/api/gurus/{subdomain}/next-starts",),
    "list_sold_packages": ("/api/gurus/{subdomain}/packages",),
}
API_WRITES = {
    "create_lead": "/api/gurus/{subdomain}/leads",
    "create_hold": "/api/gurus/{subdomain}/holds",
    "buy_package": "/api/gurus/{subdomain}/packages/{package_id}/purchases",
}

PAGES = (
    "/", "/about", "/blog", "/services", "/contact", "/contact/sent", *PLATFORM_REDIRECT_PATHS,
    "/blog/{slug}", "/blog/tag/{tag}", "/blog/older/{cursor}", "/blog/tag/{tag}/older/{cursor}",
    "/report", "/report/blog/{slug}", "/services/{service_id}/times",
    "/reviews", "/reviews/older/{review_cursor}",
)  # fmt: skip
FILES = (
    "/robots.txt", "/sitemap.xml", "/feed.xml", "/rss.xml", "/favicon.svg", "/favicon.ico", "/apple-touch-icon.png",
    "/og/home.png", "/og/blog/{slug}.png",
)  # fmt: skip


def data_paths(build_id: str) -> list[str]:
    """Return the paths of page data, which client-side navigation requests."""
    return [
        f"/_next/data/{build_id}{'/index' if page == '/' else page}.json" for page in PAGES if page != "/contact/sent"
    ]


@dataclass(frozen=True)
class Operation:
    """An operation of the API about one guru."""

    name: str
    method: str
    path: str


def operations() -> Iterator[Operation]:
    """Yield every operation of the OpenAPI document about a guru."""
    for path, methods in openapi_document()["paths"].items():
        if path.startswith("/api/gurus"):
            for method, operation in methods.items():
                yield Operation(operation["operationId"], method.upper(), path)
