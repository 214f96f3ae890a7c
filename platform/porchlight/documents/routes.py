"""A guru's own documents: /api/onboarding/documents (SPEC 2.14, 7.2)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response, status
from starlette.requests import ClientDisconnect

from porchlight.documents import actions, queries
from porchlight.documents.schemas import (
    DocumentPayload,
    FileAnswer,
    FileData,
    PaperAnswer,
    PapersAnswer,
)
from porchlight.documents.uploads import KINDS, file_name, taken_in
from porchlight.logs import log
from porchlight.parts import CurrentUser, Parts
from porchlight.ports import FileOutage
from sites.parts import StrictRoute
from tenants.kit.errors import Refused, Unavailable
from tenants.session import unit_of_work

router = APIRouter(prefix="/api/onboarding", tags=["documents"], route_class=StrictRoute)
# Reads its body by itself, piece by piece.
streaming = APIRouter(prefix="/api/onboarding", tags=["documents"])

_FILE_BODY = {
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in KINDS},
    }
}


class StoreAway(Unavailable):
    """The store of files is out for the moment."""

    code = "store_away"
    message = "We could not keep your file just now. Please try again in a minute."


@router.get("/documents", response_model=PapersAnswer, operation_id="my_documents", summary="My documents")
async def read_documents(response: Response, parts: Parts, person: CurrentUser) -> PapersAnswer:
    """What I sent in, the newest first, with how each stands. Links to uploads are good for five minutes."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        found = await queries.my_documents(session, person.user_id, parts.settings.address_secret)
    return PapersAnswer.model_validate({"success": True, "data": {"documents": found}})


@router.post(
    "/documents",
    response_model=PaperAnswer,
    status_code=status.HTTP_201_CREATED,
    operation_id="submit_document",
    summary="Send a document in for review",
)
async def post_document(parts: Parts, person: CurrentUser, sent: DocumentPayload) -> PaperAnswer:
    """A link (https only) or an upload, with what it says. It waits for review."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        limited = parts.settings.limits == "on"
        made = await actions.submit(session, person.user_id, sent, limited=limited)
        found = await queries.my_documents(session, person.user_id, parts.settings.address_secret)
    return PaperAnswer.model_validate({"success": True, "data": next(one for one in found if one["id"] == str(made))})


@streaming.post(
    "/documents/files",
    response_model=FileAnswer,
    status_code=status.HTTP_201_CREATED,
    operation_id="upload_document_file",
    summary="Upload the file of a document",
    openapi_extra=_FILE_BODY,
)
async def post_file(
    request: Request,
    parts: Parts,
    person: CurrentUser,
    name: Annotated[str, Query(max_length=1000, description="The file's own name, without a path.")],
) -> FileAnswer:
    """The file itself as the body: a PDF, or a JPEG, PNG or HEIC picture of at most 10 MB.

    Pictures are drawn anew without metadata; PDFs are written anew without scripts, attachments and metadata. Name
    the answer's `id` as a document's `file_id` within a day.
    """
    shown = file_name(name)
    try:
        async with taken_in(request.stream(), request.headers.get("content-type", "")) as cleaned:
            async with unit_of_work(parts.db, user_id=person.user_id) as session:
                limited = parts.settings.limits == "on"
                file_id, key = await actions.expect_file(session, person.user_id, shown, limited=limited)
            await parts.files.put(key, cleaned.path, cleaned.kind)
            async with unit_of_work(parts.db, user_id=person.user_id) as session:
                await actions.file_arrived(session, person.user_id, file_id, cleaned)
    except ClientDisconnect:
        raise Refused(400, "bad_request", "The request ended before its body did.") from None
    except FileOutage as fault:
        log.error("file_store_out", kind=str(fault))
        raise StoreAway(retry_after=30) from fault
    data = FileData(id=str(file_id), kind=cleaned.kind, name=shown, size=cleaned.size)
    return FileAnswer(success=True, data=data)
