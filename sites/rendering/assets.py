"""Assets of a guru's site: files for search engines, feed readers, browsers and social networks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from sites.context import seconds_until
from sites.home import queries as home
from sites.image_paths import IMAGE_PATH
from sites.images.actions import has_image, image_data
from sites.posts import queries as posts
from sites.rendering import feeds
from sites.reviews import queries as reviews
from sites.slugs import SLUG
from sites.theme.card import og_image, og_photo, scaled, touch_icon
from sites.theme.favicon import favicon_ico, favicon_svg
from tenants.db.pool import Database
from tenants.http.photos import (
    SITE_IMAGE_CACHE_CONTROL,
    has_photo,
    photo_etag,
    site_image_response,
    unchanged_photo_response,
)
from tenants.http.response_cache import TTL_SECONDS, cacheable
from tenants.http.well_known import CHANGE_PASSWORD, WELL_KNOWN
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id
from tenants.tenancy.current import current_tenant, site_origin
from tenants.tenancy.directory import Tenant

DAY_SECONDS = 86_400.0
ADDRESSES = ("/sitemap.xml", "/feed.xml", "/rss.xml")  # what readers and search engines keep
_NO_IMAGE_HEADERS = {"cache-control": "no-store"}
_IMAGE_FILE = re.compile(r"/images/[^/]+\.(?:webp|avif)")
_CARD_PATH = re.compile(r"/og/blog/(?P<slug>[^/]+)\.(?P<type>png|jpg)")


async def _not_found(_request: Request) -> Response:
    return Response(status_code=404, headers=_NO_IMAGE_HEADERS)


class SiteAssets:
    """Handles robots.txt, the sitemap, feeds, icons, OpenGraph images and post images of a guru's site."""

    def __init__(self, db: Database, main_origin: Callable[[Request], str]) -> None:
        self._db = db
        self._main_origin = main_origin
        self._card_rendering = asyncio.Semaphore(1)

    def handler(self, path: str) -> Callable[[Request], Awaitable[Response]] | None:
        """Return the handler of a path, or None if the path is not an asset."""
        handler = {
            "/robots.txt": self._robots,
            "/sitemap.xml": self._sitemap,
            "/feed.xml": self._feed,
            "/rss.xml": self._feed,
            "/favicon.svg": self._favicon,
            "/favicon.ico": self._favicon_ico,
            CHANGE_PASSWORD: self._change_password,
            "/apple-touch-icon.png": self._touch_icon,
            "/og/home.png": self._card,
        }.get(path)
        if handler is None and _CARD_PATH.fullmatch(path):
            return self._card
        if handler is None and path.startswith(WELL_KNOWN):
            return _not_found
        return self._image if handler is None and _IMAGE_FILE.fullmatch(path) else handler

    async def _robots(self, request: Request) -> Response:
        tenant = await current_tenant(request)
        return self._file(request, tenant, feeds.robots(site_origin(request.scope)), "text/plain; charset=utf-8")

    async def _sitemap(self, request: Request) -> Response:
        tenant = await current_tenant(request)
        addresses = await posts.addresses(self._db, tenant.id, feeds.MAX_SITEMAP_POSTS)
        has_reviews = request.state.shows_reviews and await reviews.has_reviews(self._db, tenant.id)
        body = feeds.sitemap(site_origin(request.scope), addresses, has_reviews=has_reviews)
        return self._file(request, tenant, body, "application/xml")

    async def _feed(self, request: Request) -> Response:
        tenant = await current_tenant(request)
        header = await home.site_header(self._db, tenant.id)
        guru = header["guru"]
        index = await posts.index(self._db, tenant.id, feeds.MAX_FEED_POSTS)
        kind: feeds.FeedKind = "atom" if request.scope["path"] == "/feed.xml" else "rss"
        # In a thread: the HTML of 30 long posts takes over 0.1 s.
        body = await asyncio.to_thread(
            feeds.feed, kind, site_origin(request.scope), tenant.id, guru["character"], guru["tagline"], index
        )
        return self._file(request, tenant, body, f"application/{kind}+xml; charset=utf-8", due=header["due"])

    async def _favicon(self, request: Request) -> Response:
        tenant = await current_tenant(request)
        guru = (await home.site_header(self._db, tenant.id))["guru"]
        return self._file(request, tenant, favicon_svg(guru["theme"]), "image/svg+xml", seconds=DAY_SECONDS)

    async def _favicon_ico(self, request: Request) -> Response:
        tenant = await current_tenant(request)
        guru = (await home.site_header(self._db, tenant.id))["guru"]
        async with self._card_rendering:
            body = await asyncio.to_thread(favicon_ico, guru["theme"])
        return self._file(request, tenant, body, "image/x-icon", seconds=DAY_SECONDS)

    async def _change_password(self, request: Request) -> Response:
        """Redirect password managers to the main platform, where accounts are."""
        return Response(status_code=303, headers={"location": self._main_origin(request) + CHANGE_PASSWORD})

    async def _touch_icon(self, request: Request) -> Response:
        tenant = await current_tenant(request)
        guru = (await home.site_header(self._db, tenant.id))["guru"]
        async with self._card_rendering:
            body = await asyncio.to_thread(touch_icon, guru["theme"])
        return self._file(request, tenant, body, "image/png", seconds=DAY_SECONDS)

    async def _card(self, request: Request) -> Response:
        tenant = await current_tenant(request)
        guru = (await home.site_header(self._db, tenant.id))["guru"]
        title, cover = guru["tagline"] or guru["character"], None
        if (match := _CARD_PATH.fullmatch(request.scope["path"])) is not None:
            if not SLUG.fullmatch(match["slug"]):
                return Response(status_code=404)
            try:
                post = (await posts.post(self._db, tenant.id, match["slug"]))[0]
                title = post["title"]
                if match["type"] == "jpg":
                    cover = await self._cover(tenant, post)
            except NotFound:
                # Other sites still name the picture of a shared post by its old address.
                renamed = await posts.renamed_slug(self._db, tenant.id, match["slug"])
                if renamed is None:
                    return Response(status_code=404)
                location = f"/og/blog/{renamed}.{match['type']}"
                return Response(status_code=301, headers={"location": location, "cache-control": "no-store"})
        async with self._card_rendering:  # takes some 50 ms of CPU; one at a time
            if cover is not None:
                body = await asyncio.to_thread(og_photo, cover)
                return self._file(request, tenant, body, "image/jpeg", seconds=DAY_SECONDS)
            body = await asyncio.to_thread(og_image, title, guru["character"], guru["theme"])
        return self._file(request, tenant, body, "image/png", seconds=DAY_SECONDS)

    async def _cover(self, tenant: Tenant, post: dict[str, Any]) -> bytes:
        """Return a post's cover. Raise NotFound."""
        path = IMAGE_PATH.fullmatch(post["cover"]["path"]) if post["cover"] else None
        if path is None:
            raise NotFound
        return await image_data(self._db, tenant.id, UUID(path["id"]))

    async def _image(self, request: Request) -> Response:
        """Return an image of a post, which browsers revalidate. Only the small ones are in the response cache."""
        match = IMAGE_PATH.fullmatch(request.scope["path"])
        image_id = parse_id(match["id"]) if match else None
        if match is None or image_id is None:
            return Response(status_code=404, headers=_NO_IMAGE_HEADERS)
        tenant = await current_tenant(request)
        etag = photo_etag(image_id, match["size"] or "")
        if has_photo(request, etag):
            if await has_image(self._db, tenant.id, image_id):
                return unchanged_photo_response(etag, SITE_IMAGE_CACHE_CONTROL)
            return Response(status_code=404, headers=_NO_IMAGE_HEADERS)
        try:
            data = await image_data(self._db, tenant.id, image_id)
        except NotFound:
            return Response(status_code=404, headers=_NO_IMAGE_HEADERS)
        width, _, file_type = (match["size"] or ".webp").partition(".")
        if width:
            async with self._card_rendering:
                data = await asyncio.to_thread(scaled, data, int(width), file_type)
            cacheable(request.scope, tenant.id, seconds=DAY_SECONDS)
        return site_image_response(etag, data, f"image/{file_type}")

    def _file(
        self,
        request: Request,
        tenant: Tenant,
        body: bytes,
        content_type: str,
        *,
        seconds: float = TTL_SECONDS,
        due: datetime | None = None,
    ) -> Response:
        cacheable(request.scope, tenant.id, seconds=seconds_until(due, seconds))
        return Response(body, media_type=content_type, headers={"x-content-type-options": "nosniff"})
