"""A guru's small files: what search engines, feed readers, browsers and other sites ask for beside the pages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response

from sites.home import queries as home
from sites.images.actions import image
from sites.names import SLUG
from sites.pages import feeds
from sites.parts import until_due
from sites.posts import queries as posts
from sites.theme.card import og_image
from sites.theme.favicon import favicon_svg
from tenants.directory import Tenant
from tenants.edge import keep
from tenants.kit.db import Database
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id

DAY = 86_400.0  # seconds
_IMAGE_PATH = re.compile(r"/images/(?P<id>[^/]+)\.webp")
_CARD_PATH = re.compile(r"/og/blog/(?P<slug>[^/]+)\.png")


def tenant_of(request: Request) -> Tenant:
    """The guru on whose host the request came."""
    tenant: Tenant = request.scope["porchlight.tenant"]
    return tenant


def origin_of(request: Request) -> str:
    """The origin of the guru's site, as this request reached it."""
    host = request.headers.get("host", "").lower()
    return f"{request.scope['scheme']}://{host}"


class SmallFiles:
    """Answers robots.txt, the map, feeds, icons, cards and pictures of a guru's site."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._drawing = asyncio.Semaphore(1)

    def at(self, path: str) -> Callable[[Request], Awaitable[Response]] | None:
        """What answers a path; None when it is no small file."""
        named = {
            "/robots.txt": self._robots,
            "/sitemap.xml": self._sitemap,
            "/feed.xml": self._feed,
            "/rss.xml": self._feed,
            "/favicon.svg": self._favicon,
            "/favicon.ico": self._favicon,
            "/og/home.png": self._card,
        }.get(path)
        if named is None and _CARD_PATH.fullmatch(path):
            return self._card
        return self._image if named is None and _IMAGE_PATH.fullmatch(path) else named

    async def _robots(self, request: Request) -> Response:
        return self._file(request, feeds.robots(origin_of(request)), "text/plain; charset=utf-8")

    async def _sitemap(self, request: Request) -> Response:
        index = await posts.index(self._db, tenant_of(request).id, feeds.IN_MAP)
        return self._file(request, feeds.sitemap(origin_of(request), index), "application/xml")

    async def _feed(self, request: Request) -> Response:
        tenant = tenant_of(request)
        face = await home.face(self._db, tenant.id)
        guru = face["guru"]
        index = await posts.index(self._db, tenant.id, feeds.IN_FEED)
        kind = "atom" if request.scope["path"] == "/feed.xml" else "rss"
        body = feeds.feed(kind, origin_of(request), guru["character"], guru["tagline"], index)
        return self._file(request, body, f"application/{kind}+xml; charset=utf-8", due=face["due"])

    async def _favicon(self, request: Request) -> Response:
        guru = (await home.face(self._db, tenant_of(request).id))["guru"]
        return self._file(request, favicon_svg(guru["theme"]), "image/svg+xml", seconds=DAY)

    async def _card(self, request: Request) -> Response:
        tenant = tenant_of(request)
        guru = (await home.face(self._db, tenant.id))["guru"]
        title = guru["tagline"] or guru["character"]
        if (named := _CARD_PATH.fullmatch(request.scope["path"])) is not None:
            if not SLUG.fullmatch(named["slug"]):
                return Response(status_code=404)
            try:
                title = (await posts.post(self._db, tenant.id, named["slug"]))[0]["title"]
            except NotFound:
                return Response(status_code=404)
        async with self._drawing:  # a drawing takes some 50 ms of a thread; never two at once
            body = await asyncio.to_thread(og_image, title, guru["character"], guru["theme"])
        return self._file(request, body, "image/png", seconds=DAY)

    async def _image(self, request: Request) -> Response:
        """A picture of a post. Not remembered here: browsers keep it for good, and memory is for pages."""
        named = _IMAGE_PATH.fullmatch(request.scope["path"])
        image_id = parse_id(named["id"]) if named else None
        try:
            if image_id is None:
                raise NotFound
            data = await image(self._db, tenant_of(request).id, image_id)
        except NotFound:
            return Response(status_code=404, headers={"cache-control": "no-store"})
        headers = {
            "cache-control": "public, max-age=31536000, immutable",
            "x-content-type-options": "nosniff",
            "content-security-policy": "default-src 'none'",
        }
        return Response(data, media_type="image/webp", headers=headers)

    def _file(
        self, request: Request, body: bytes, kind: str, *, seconds: float = 60.0, due: datetime | None = None
    ) -> Response:
        keep(request.scope, tenant_of(request).id, seconds=until_due(seconds, due))
        return Response(body, media_type=kind, headers={"x-content-type-options": "nosniff"})
