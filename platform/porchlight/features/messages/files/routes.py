"""Files of messages: upload before sending, and download by the two people of the thread (flag messaging)."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import Depends, Query, Request, Response, status
from starlette.responses import StreamingResponse

from porchlight.dependencies import Context, CurrentUser, require_flag, require_main_host
from porchlight.features.messages.files import actions, formats
from porchlight.features.messages.schemas import MessageFileCard, MessageFileResponse
from porchlight.ports import FileGone, FileOutage
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound, Unavailable
from tenants.kit.ids import parse_id_or_404
from tenants.kit.images import IMAGE_RESPONSE_HEADERS
from tenants.kit.logs import log

router = FeatureRouter(
    prefix="/api/messages/files",
    tags=["messages"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host), Depends(require_flag("messaging"))],
)

_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
# A file never changes. Whether the reader may see it is asked each time.
_CACHE = "private, no-cache"
_HEADERS = {**IMAGE_RESPONSE_HEADERS, "referrer-policy": "no-referrer", "cross-origin-resource-policy": "same-origin"}


class MessageFileUnavailable(Unavailable):
    """The file store does not respond."""

    code = "file_store_unavailable"
    message = "We couldn't save your file. Please try again in a minute."


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    operation_id="upload_message_file",
    summary="Upload a file for a message",
    openapi_extra=_BODY,
)
async def upload_message_file(
    request: Request,
    context: Context,
    user: CurrentUser,
    name: Annotated[str, Query(max_length=1000, description="The file's name.")],
) -> MessageFileResponse:
    """Upload a photo, a PDF, a Word or Excel document or a text of at most 10 MB (photos: 8 MB) as the body.

    Its content decides what it is. Photos are re-encoded without metadata. Use the `id` in a message within a day.
    """
    checked = await actions.check_file(await request.body(), name, owner=user.user_id)
    try:
        file_id = await actions.store_file(
            context.db, context.files, user.user_id, checked, is_limited=context.settings.limits == "on"
        )
    except FileOutage as error:
        log.error("file_store_unavailable", error=str(error))
        raise MessageFileUnavailable(retry_after=30) from error
    data = MessageFileCard(
        id=str(file_id),
        name=checked.name,
        bytes=len(checked.content),
        type=checked.kind,
        is_image=checked.width > 0,
        width=checked.width,
        height=checked.height,
    )
    return MessageFileResponse(success=True, data=data)


@router.get(
    "/{file_id}",
    operation_id="get_message_file",
    summary="Get a file of a message",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in formats.ENDINGS}, "description": "The file."}},
)
async def get_message_file(
    context: Context,
    user: CurrentUser,
    file_id: str,
    size: Annotated[Literal["full", "thumb"], Query(description="`thumb`: a small one of a photo.")] = "full",
) -> Response:
    """Return a file of one of your threads. Only photos are shown in the page; anything else is saved."""
    file = await actions.visible_file(context.db, user.user_id, parse_id_or_404(file_id))
    is_photo = file.kind == formats.WEBP
    headers = {
        **_HEADERS,
        "cache-control": _CACHE,
        "content-disposition": f"{'inline' if is_photo else 'attachment'}; filename*=UTF-8''{quote(file.name)}",
    }
    if size == "thumb":
        if file.thumbnail is None:
            raise NotFound
        return Response(file.thumbnail, media_type=formats.WEBP, headers=headers)
    try:
        length = await context.files.size(file.key)
    except FileGone:
        raise NotFound from None
    except FileOutage as error:
        raise Unavailable(retry_after=30) from error
    headers["content-length"] = str(length)
    media_type = "text/plain; charset=utf-8" if file.kind == formats.TEXT else file.kind
    return StreamingResponse(context.files.read(file.key), media_type=media_type, headers=headers)
