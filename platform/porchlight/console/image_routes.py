"""Pictures for posts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, status

from porchlight.console.desk import AtDesk, Desk
from porchlight.console.post_schemas import ImageAnswer, ImageMade, Images, ImagesAnswer
from porchlight.console.schemas import DeskDone
from sites.images import actions
from sites.images.models import SiteImage
from sites.parts import StrictRoute
from tenants.kit import clock, pictures
from tenants.kit.errors import ValidationFailed
from tenants.kit.ids import known_id, parse_id

router = APIRouter(prefix="/api/guru/images", tags=["guru console"], route_class=StrictRoute)


@router.get("", response_model=Images, operation_id="desk_images", summary="My pictures")
async def read_images(
    desk: AtDesk,
    cursor: Annotated[str | None, Query(max_length=36, description="`nextCursor` of the page before.")] = None,
) -> Images:
    """The pictures of posts, the newest first, a page at a time."""
    before = parse_id(cursor) if cursor else None
    if cursor and before is None:
        raise ValidationFailed(fields={"cursor": "This link into the list is no longer valid."})
    async with desk.work() as session:
        found = await actions.own_images(session, desk.tenant_id, before=before)
    shown = found[: actions.PAGE]
    following = str(shown[-1].id) if len(found) > actions.PAGE else None
    data = ImagesAnswer(images=[_answer(desk, image) for image in shown], next_cursor=following)
    return Images(success=True, data=data)


@router.post(
    "",
    response_model=ImageMade,
    status_code=status.HTTP_201_CREATED,
    operation_id="upload_image",
    summary="Upload a picture",
    openapi_extra=pictures.BODY,
)
async def post_image(request: Request, desk: AtDesk) -> ImageMade:
    """The picture itself as the body: JPEG, PNG or WebP. It is drawn anew, without place, camera or other metadata."""
    body = await request.body()
    picture = await pictures.drawn_anew(body, actions.LARGEST_SHOWN, field="image", opaque=False)
    async with desk.work() as session:
        kept = await actions.keep_image(session, desk.tenant_id, picture)
    return ImageMade(success=True, data=_answer(desk, kept))


@router.delete("/{image_id}", response_model=DeskDone, operation_id="delete_image", summary="Delete a picture")
async def delete_image(desk: AtDesk, image_id: str) -> DeskDone:
    """Delete a picture. A post that shows it shows a gap."""
    async with desk.work() as session:
        await actions.delete_image(session, desk.tenant_id, known_id(image_id))
    return DeskDone(success=True, message="The picture is deleted.")


def _answer(desk: Desk, image: SiteImage) -> ImageAnswer:
    path = actions.image_path(image.id)
    return ImageAnswer(
        id=str(image.id),
        path=path,
        address=desk.address + path,
        width=image.width,
        height=image.height,
        size=image.size,
        created_at=clock.wire(image.created_at),
    )
