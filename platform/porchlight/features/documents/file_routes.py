"""GET /api/documents/files/{token}: the file behind a signed link."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import Depends, Request, Response
from starlette.responses import StreamingResponse

from porchlight.auth.staff import get_admin_context, run_as_service
from porchlight.dependencies import Context, require_main_host
from porchlight.features.documents import actions, queries, signed_links
from porchlight.ports import FileGone, FileOutage
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.errors import NotFound, Unavailable

router = FeatureRouter(prefix="/api/documents", tags=["documents"], route_class=StrictRoute)

MAX_TOKEN_LENGTH = 600
_EXTENSIONS = {"application/pdf": (".pdf",), "image/png": (".png",), "image/jpeg": (".jpg", ".jpeg")}
# The file cannot run scripts or load anything, and other sites cannot embed it.
_FILE_HEADERS = {
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": (
        "default-src 'none'; img-src 'self'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
    ),
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
}


@router.get(
    "/files/{token}",
    operation_id="get_document_file",
    summary="Get the file of a document",
    response_class=Response,
    dependencies=[Depends(require_main_host)],
    responses={
        200: {"content": {media_type: {} for media_type in _EXTENSIONS}, "description": "The file."},
        410: {"description": "The link has expired."},
    },
)
async def get_document_file(request: Request, context: Context, token: str) -> Response:
    """Return the file of a signed link, which owners and admins get with a document. Each access is recorded."""
    link, event_id = signed_links.verify(context.settings.address_secret, token[:MAX_TOKEN_LENGTH], clock.now())
    async with unit_of_work(context.db, user_id=link.user_id) as session:
        key, media_type, name, _size = await queries.uploaded_file(session, link.user_id, link.file_id)
        if link.viewer == signed_links.OWNER:
            await actions.record_owner_access(session, link, event_id)
    try:
        size = await context.files.size(key)
        if link.viewer != signed_links.OWNER:
            service_db = (await get_admin_context(request)).service_db
            if service_db is None:  # pragma: no cover - without it, no admin gets a link
                raise NotFound
            await run_as_service(
                service_db, actions.record_admin_access, link.user_id, link.document_id, link.viewer, event_id
            )
    except FileGone:
        raise NotFound("This file is no longer available. Please ask the guru to upload it again.") from None
    except FileOutage as error:
        raise Unavailable(retry_after=30) from error
    disposition = f"inline; filename*=UTF-8''{quote(_with_extension(name, media_type), safe='')}"
    headers = _FILE_HEADERS | {"content-disposition": disposition, "content-length": str(size)}
    return StreamingResponse(context.files.read(key), media_type=media_type, headers=headers)


def _with_extension(name: str, media_type: str) -> str:
    """Return the name with the extension of its type, because a HEIC upload is stored as a JPEG."""
    extensions = _EXTENSIONS[media_type]
    return name if name.lower().endswith(extensions) else name + extensions[0]
