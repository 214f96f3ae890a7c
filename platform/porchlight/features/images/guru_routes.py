"""Images of a guru's site: list, upload, delete."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, status

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.features.images.schemas import (
    ConsoleImage,
    ConsoleImagePage,
    ConsoleImageResponse,
    ConsoleImagesResponse,
)
from sites.image_paths import image_path, thumbnail_path
from sites.images import actions
from sites.images.models import SiteImage
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock, images
from tenants.kit.errors import ValidationFailed
from tenants.kit.ids import parse_id, parse_id_or_404
from tenants.kit.schemas import MessageResponse

router = FeatureRouter(prefix="/api/guru/images", tags=["images"], route_class=StrictRoute)


@router.get("", response_model=ConsoleImagesResponse, operation_id="list_console_images", summary="List my images")
async def list_images(
    console: CurrentConsole,
    cursor: Annotated[str | None, Query(max_length=36, description="`nextCursor` of the previous page.")] = None,
) -> ConsoleImagesResponse:
    """Return a page of images, newest first."""
    before = parse_id(cursor) if cursor else None
    if cursor and before is None:
        raise ValidationFailed(fields={"cursor": "This link to the list is no longer valid."})
    async with console.unit_of_work() as session:
        rows = await actions.own_images(session, console.tenant_id, before=before)
    page = rows[: actions.PAGE_SIZE]
    next_cursor = str(page[-1].id) if len(rows) > actions.PAGE_SIZE else None
    data = ConsoleImagePage(images=[_console_image(console, image) for image in page], next_cursor=next_cursor)
    return ConsoleImagesResponse(success=True, data=data)


@router.post(
    "",
    response_model=ConsoleImageResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="upload_image",
    summary="Upload an image",
    openapi_extra=images.IMAGE_REQUEST_BODY,
)
async def upload_image(request: Request, console: CurrentConsole) -> ConsoleImageResponse:
    """Store a JPEG, PNG, WebP, GIF, AVIF or HEIC image, sent as the body. It is re-encoded without its metadata."""
    encoded = await actions.encode_image(await request.body(), console.tenant_id)
    async with console.unit_of_work() as session:
        image = await actions.create_image(session, console.tenant_id, encoded)
    return ConsoleImageResponse(success=True, data=_console_image(console, image))


@router.delete("/{image_id}", response_model=MessageResponse, operation_id="delete_image", summary="Delete an image")
async def delete_image(console: CurrentConsole, image_id: str) -> MessageResponse:
    """Delete an image. It leaves the gallery, and posts that contain it show a gap."""
    async with console.unit_of_work() as session:
        await actions.delete_image(session, console.tenant_id, parse_id_or_404(image_id))
    return MessageResponse(success=True, message="Image deleted.")


def _console_image(console: ConsoleContext, image: SiteImage) -> ConsoleImage:
    path = image_path(image.id)
    return ConsoleImage(
        id=str(image.id),
        path=path,
        address=console.subdomain_origin + path,
        thumbnail=console.subdomain_origin + thumbnail_path(image.id),
        width=image.width,
        height=image.height,
        size=image.size,
        preview=image.preview,
        created_at=clock.to_iso8601(image.created_at),
    )
