"""The meta tags of a service's page on Angel's List, for search engines and link previews, which run no scripts."""

from __future__ import annotations

from porchlight.web.first_texts import FirstTexts
from porchlight.web.page_meta import Head, preview_tags
from tenants.db.pool import Database

PREFIX = "/angels-list/"
_SERVICE = "SELECT title, description FROM angel_services WHERE id = %s"


async def service_head(db: Database, path: str, origin: str) -> Head | None:
    """Return the head of the page at `path`, or None for an unknown service."""
    service = path.removeprefix(PREFIX).rstrip("/")
    rows = await db.read(None, _SERVICE, [service])
    if not rows:
        return None
    name, description = rows[0]
    title = f"{name} · Angel's List · Porchlight"  # as in main-web's page
    tags = preview_tags(origin, PREFIX + service, title, description)
    return Head(title, description, tags, first=FirstTexts(name, description))
