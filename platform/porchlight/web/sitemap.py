"""The sitemap of the main platform: its public pages, the services of Angel's List and the newest listings."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from tenants.db.pool import Database

MAX_LISTINGS = 20_000  # A sitemap may have 50,000 URLs.
# Search engines read it a few times per day.
CACHE_SECONDS = 600.0
# Public pages that search engines should not list: forms, and search results.
UNLISTED = frozenset({"/login", "/signup", "/forgot-password", "/search"})

_ORIGIN = "{{origin}}"
_SERVICES = "SELECT id FROM angel_services ORDER BY position"
_LISTINGS = "SELECT id::text, updated_at FROM public_listings ORDER BY created_at DESC, id DESC LIMIT %s"


class Sitemap:
    """Writes sitemap.xml."""

    def __init__(self, db: Database, has_listings: Callable[[], Awaitable[bool]]) -> None:
        self._db = db
        self._has_listings = has_listings  # the flag `skillListing`
        # The <url> elements of services and listings, with _ORIGIN for the origin.
        self._urls = ""
        self._read_at = -float("inf")

    async def xml(self, origin: str, pages: Sequence[str]) -> str:
        """Return the sitemap of the public `pages` and of what the database has. Raises Unavailable."""
        if time.monotonic() - self._read_at > CACHE_SECONDS:
            services = await self._db.read(None, _SERVICES)
            listings = await self._db.read(None, _LISTINGS, [MAX_LISTINGS]) if await self._has_listings() else []
            urls = [_url(f"/angels-list/{service}", None) for (service,) in services]
            urls += [_url(f"/listings/{listing}", updated) for listing, updated in listings]
            self._urls = "".join(urls)
            self._read_at = time.monotonic()
        urls_of_pages = "".join(_url(page, None) for page in pages if page not in UNLISTED)
        entries = (urls_of_pages + self._urls).replace(_ORIGIN, escape(origin))
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
        )


def _url(path: str, updated: datetime | None) -> str:
    date = f"<lastmod>{updated.astimezone(UTC).date()}</lastmod>" if updated else ""
    return f"<url><loc>{_ORIGIN}{escape(path)}</loc>{date}</url>\n"
