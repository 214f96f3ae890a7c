"""Staff review documents (SPEC 2.12, 7.2); whoever has a link opens its file."""

from __future__ import annotations

import asyncio
from typing import Annotated
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import StreamingResponse

from porchlight.documents import actions, links, queries
from porchlight.documents.schemas import Done, HistoryAnswer, PendingAnswer, StatusPayload
from porchlight.parts import Parts, on_main_host
from porchlight.ports import FileGone, FileOutage
from porchlight.staff import Overseer, TheStaff, staff_parts
from sites.parts import StrictRoute
from tenants.kit import clock
from tenants.kit.errors import NotFound, Unavailable
from tenants.kit.ids import known_id, new_id
from tenants.session import unit_of_work

router = APIRouter(prefix="/api/documents", tags=["documents"], route_class=StrictRoute)

# A file does nothing in a browser but show itself, and nobody else's page shows it.
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


def _known(uid: str, paper: str) -> tuple[UUID, UUID]:
    return known_id(uid), known_id(paper)


@router.get("/pending", response_model=PendingAnswer, operation_id="pending_documents", summary="What waits for review")
async def read_pending(
    response: Response,
    parts: Parts,
    overseer: Overseer,
    staff: TheStaff,
    cursor: Annotated[str | None, Query(max_length=36)] = None,
) -> PendingAnswer:
    """Documents that wait, the oldest first. Links to uploads are good for five minutes."""
    response.headers["cache-control"] = "no-store"
    secret = parts.settings.address_secret
    page = await queries.pending(overseer, cursor=cursor, secret=secret, viewer=staff.key_name)
    return PendingAnswer.model_validate({"success": True, "data": page})


@router.get(
    "/files/{token}",
    operation_id="open_document",
    summary="The file behind a link",
    response_class=Response,
    dependencies=[Depends(on_main_host)],
    responses={
        200: {"content": {kind: {} for kind in ("application/pdf", "image/jpeg", "image/png")}, "description": "It."},
        410: {"description": "The link has expired."},
    },
)
async def open_file(request: Request, parts: Parts, token: str) -> Response:
    """Links are given out with documents, to their owners and to staff. Each opening is written down."""
    allowed, event_id = links.opened(parts.settings.address_secret, token[:600], clock.now())
    async with unit_of_work(parts.db, user_id=allowed.user_id) as session:
        key, kind, name, _size = await queries.kept_file(session, allowed.user_id, allowed.file_id)
        if allowed.viewer == links.OWNER:
            await actions.opened_own(session, allowed, event_id)
    try:
        size = await parts.files.size(key)
        if allowed.viewer != links.OWNER:
            overseer = staff_parts(request).overseer
            if overseer is None:  # pragma: no cover - staff_parts refused it
                raise NotFound
            await asyncio.to_thread(
                actions.opened_by_staff,
                overseer.dsn, allowed.user_id, allowed.document_id, allowed.viewer, event_id,
            )  # fmt: skip
    except FileGone:
        raise NotFound("This file is gone. Please ask for it to be uploaded again.") from None
    except FileOutage as fault:
        raise Unavailable(retry_after=30) from fault
    disposition = f"inline; filename*=UTF-8''{quote(_with_ending(name, kind), safe='')}"
    headers = _FILE_HEADERS | {"content-disposition": disposition, "content-length": str(size)}
    return StreamingResponse(parts.files.read(key), media_type=kind, headers=headers)


@router.get("/{uid}", response_model=HistoryAnswer, operation_id="documents_of", summary="All documents of somebody")
async def read_history(
    response: Response, parts: Parts, overseer: Overseer, staff: TheStaff, uid: str
) -> HistoryAnswer:
    """Somebody's documents, the newest first, each with all that happened to it."""
    response.headers["cache-control"] = "no-store"
    user_id = known_id(uid)
    secret = parts.settings.address_secret
    found = await queries.history(overseer, user_id, secret=secret, viewer=staff.key_name)
    return HistoryAnswer.model_validate({"success": True, "data": found})


@router.post(
    "/{uid}/{id}/status",
    response_model=Done,
    operation_id="review_document",
    summary="Approve or reject a document",
)
async def post_status(overseer: Overseer, staff: TheStaff, uid: str, id: str, sent: StatusPayload) -> Done:
    """Its owner is told by mail. Of two at once the first counts; the other gets 409 `reviewed_already`."""
    user_id, document_id = _known(uid, id)
    await asyncio.to_thread(actions.review, overseer.dsn, staff.key_name, user_id, document_id, sent)
    return Done(success=True)


@router.post(
    "/{uid}/{id}/openings",
    response_model=Done,
    operation_id="note_opening",
    summary="Write down that a document's link was opened",
)
async def post_opening(overseer: Overseer, staff: TheStaff, uid: str, id: str) -> Done:
    """For documents that are links to elsewhere: opening an upload is written down by itself."""
    user_id, document_id = _known(uid, id)
    await asyncio.to_thread(actions.opened_by_staff, overseer.dsn, user_id, document_id, staff.key_name, new_id())
    return Done(success=True)


def _with_ending(name: str, kind: str) -> str:
    """The name a file is saved under: a picture that came as HEIC is a JPEG now."""
    endings = {"application/pdf": (".pdf",), "image/png": (".png",), "image/jpeg": (".jpg", ".jpeg")}[kind]
    return name if name.lower().endswith(endings) else name + endings[0]
