"""Responses with photos of people."""

from __future__ import annotations

from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from tenants.http.conditional import matches_etag
from tenants.kit.images import IMAGE_RESPONSE_HEADERS

# A photo of a person who turns private or is suspended is gone after a minute. Until then it never changes.
PHOTO_CACHE_CONTROL = "private, max-age=60"


def photo_response(request: Request, photo_id: UUID, body: bytes, *, variant: str = "") -> Response:
    """Return a WebP image that browsers revalidate after a minute, or a 304 if the browser has it."""
    etag = f'W/"{photo_id.hex}{variant}"'
    headers = {"cache-control": PHOTO_CACHE_CONTROL, "etag": etag, **IMAGE_RESPONSE_HEADERS}
    if matches_etag(etag.encode(), request.headers.get("if-none-match", "").encode()):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="image/webp", headers=headers)
