"""The guru's pictures: read and replace all of them."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.features.gallery.schemas import (
    ConsoleGallery,
    ConsoleGalleryResponse,
    ConsolePicture,
    GalleryPayload,
    PictureLimits,
    PicturePayload,
    PictureService,
)
from sites.gallery import actions
from sites.gallery.actions import MAX_PER_PLACE, MAX_PICTURES, OwnPicture, Picture
from sites.image_paths import image_path, thumbnail_path
from sites.services.actions import lock_services, own_services
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import ValidationFailed
from tenants.kit.ids import parse_id

router = FeatureRouter(prefix="/api/guru/gallery", tags=["gallery"], route_class=StrictRoute)


@router.get("", response_model=ConsoleGalleryResponse, operation_id="get_gallery", summary="Get my site's pictures")
async def get_gallery(console: CurrentConsole) -> ConsoleGalleryResponse:
    """Return the hero picture, the gallery and the pictures of services, in their order."""
    async with console.unit_of_work() as session:
        return await _gallery(console, session)


@router.put(
    "", response_model=ConsoleGalleryResponse, operation_id="replace_gallery", summary="Replace my site's pictures"
)
async def replace_gallery(console: CurrentConsole, payload: GalleryPayload) -> ConsoleGalleryResponse:
    """Replace all pictures. 409 when they were changed since `revision`. 422 for an image or service that is gone."""
    pictures = [_to_picture(picture) for picture in payload.pictures]
    named = {picture.service_id for picture in pictures if picture.service_id is not None}
    async with console.unit_of_work() as session:
        services = await lock_services(session, console.tenant_id, named)
        await actions.replace_pictures(
            session, console.tenant_id, pictures, services=services, revision_before=payload.revision
        )
        return await _gallery(console, session)


def _to_picture(payload: PicturePayload) -> Picture:
    service_id = _parse(payload.service_id) if payload.service_id is not None else None
    return Picture(payload.place, service_id, _parse(payload.image_id), payload.alt, payload.focus_x, payload.focus_y)


def _parse(text: str) -> UUID:
    id_ = parse_id(text)
    if id_ is None:
        raise ValidationFailed(fields={"pictures": "This is not a picture of your site."})
    return id_


async def _gallery(console: ConsoleContext, session: AsyncSession) -> ConsoleGalleryResponse:
    pictures = await actions.own_pictures(session, console.tenant_id)
    services = await own_services(session, console.tenant_id)
    data = ConsoleGallery(
        pictures=[_console_picture(console, own) for own in pictures],
        services=[PictureService(id=str(service.id), name=service.name) for service in services],
        limits=PictureLimits(**MAX_PER_PLACE, all=MAX_PICTURES),
        revision=actions.revision([own.picture for own in pictures]),
    )
    return ConsoleGalleryResponse(success=True, data=data)


def _console_picture(console: ConsoleContext, own: OwnPicture) -> ConsolePicture:
    picture, image = own.picture, own.image
    return ConsolePicture(
        place=picture.place,
        service_id=str(picture.service_id) if picture.service_id else None,
        image_id=str(image.id),
        address=console.subdomain_origin + image_path(image.id),
        thumbnail=console.subdomain_origin + thumbnail_path(image.id),
        width=image.width,
        height=image.height,
        preview=image.preview,
        alt=picture.alt,
        focus_x=picture.focus_x,
        focus_y=picture.focus_y,
    )
