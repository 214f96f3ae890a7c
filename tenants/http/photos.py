"""Responses with photos: of people, and of posts on the sites of gurus."""

from __future__ import annotations

from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from tenants.http.conditional import matches_etag
from tenants.kit.images import IMAGE_RESPONSE_HEADERS

# A photo of a person who turns private or is suspended is gone after a minute. Until then it never changes.
PHOTO_CACHE_CONTROL = "private, max-age=60"
# So is an image of a site that is suspended, or one that was deleted. All visitors of a site see the same.
SITE_IMAGE_CACHE_CONTROL = "public, max-age=60"


def photo_response(request: Request, photo_id: UUID, body: bytes, *, variant: str = "") -> Response:
    """Return a WebP image that browsers revalidate after a minute, or a 304 if the browser has it."""
    etag = photo_etag(photo_id, variant)
    if has_photo(request, etag):
        return unchanged_photo_response(etag, PHOTO_CACHE_CONTROL)
    return Response(body, media_type="image/webp", headers=_headers(etag, PHOTO_CACHE_CONTROL))


def site_image_response(etag: str, body: bytes, media_type: str) -> Response:
    """Return an image of a site, which browsers and proxies revalidate after a minute."""
    return Response(body, media_type=media_type, headers=_headers(etag, SITE_IMAGE_CACHE_CONTROL))


def photo_etag(photo_id: UUID, variant: str = "") -> str:
    """Return the ETag of an image in one size. An image never changes: a new one has a new id."""
    return f'W/"{photo_id.hex}{variant}"'


def has_photo(request: Request, etag: str) -> bool:
    """Return whether the browser has the image with an ETag and asks whether it may still show it."""
    return matches_etag(etag.encode(), request.headers.get("if-none-match", "").encode())


def unchanged_photo_response(etag: str, cache_control: str) -> Response:
    """Return the 304 for an image that the browser has."""
    return Response(status_code=304, headers=_headers(etag, cache_control))


def _headers(etag: str, cache_control: str) -> dict[str, str]:
    return {"cache-control": cache_control, "etag": etag, **IMAGE_RESPONSE_HEADERS}
