"""The user's own documents: list, submit, upload a file (SPEC 2.14, 7.2)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response, status
from starlette.requests import ClientDisconnect

from porchlight.dependencies import Context, CurrentUser
from porchlight.features.documents import actions, queries
from porchlight.features.documents.schemas import (
    DocumentPayload,
    DocumentResponse,
    DocumentsResponse,
    UploadedFile,
    UploadedFileResponse,
)
from porchlight.features.documents.uploads import MEDIA_TYPE_NAMES, checked_file_name, clean_upload
from porchlight.ports import FileOutage
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import ApiError, Unavailable
from tenants.kit.logs import log

router = FeatureRouter(prefix="/api/onboarding", tags=["documents"], route_class=StrictRoute)
# Without StrictRoute, which would read the whole body: the upload is streamed.
streaming = FeatureRouter(prefix="/api/onboarding", tags=["documents"])

_FILE_BODY = {
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in MEDIA_TYPE_NAMES},
    }
}


class FileStoreUnavailable(Unavailable):
    """The file store does not respond."""

    code = "file_store_unavailable"
    message = "We couldn't save your file. Please try again in a minute."


@router.get(
    "/documents", response_model=DocumentsResponse, operation_id="list_my_documents", summary="List my documents"
)
async def list_my_documents(response: Response, context: Context, user: CurrentUser) -> DocumentsResponse:
    """Return the user's documents, newest first. Links to uploads expire after five minutes."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        documents = await queries.user_documents(session, user.user_id, context.settings.address_secret)
    return DocumentsResponse.model_validate({"success": True, "data": {"documents": documents}})


@router.post(
    "/documents",
    response_model=DocumentResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="submit_document",
    summary="Submit a document for review",
)
async def submit_document(context: Context, user: CurrentUser, payload: DocumentPayload) -> DocumentResponse:
    """Create a document with an https link or an upload. It is pending until reviewed."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        limited = context.settings.limits == "on"
        document_id = await actions.create_document(session, user.user_id, payload, limited=limited)
        documents = await queries.user_documents(session, user.user_id, context.settings.address_secret)
    data = next(document for document in documents if document["id"] == str(document_id))
    return DocumentResponse.model_validate({"success": True, "data": data})


@streaming.post(
    "/documents/files",
    response_model=UploadedFileResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="upload_document_file",
    summary="Upload a document's file",
    openapi_extra=_FILE_BODY,
)
async def upload_document_file(
    request: Request,
    context: Context,
    user: CurrentUser,
    name: Annotated[str, Query(max_length=1000, description="The file's name, without a path.")],
) -> UploadedFileResponse:
    """Upload a PDF, or a JPEG, PNG or HEIC image, of at most 10 MB as the body.

    Images are re-encoded without metadata; PDFs are rewritten without scripts, attachments and metadata. Use the `id`
    of the response as a document's `file_id` within a day.
    """
    display_name = checked_file_name(name)
    # Before the file is decoded, which is the expensive part: files that are refused count too.
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        limited = context.settings.limits == "on"
        file_id, key = await actions.create_upload(session, user.user_id, display_name, limited=limited)
    try:
        async with clean_upload(
            request.stream(), request.headers.get("content-type", ""), owner=user.user_id
        ) as cleaned:
            await context.files.put(key, cleaned.path, cleaned.kind)
            async with unit_of_work(context.db, user_id=user.user_id) as session:
                await actions.mark_upload_stored(session, user.user_id, file_id, cleaned)
    except ClientDisconnect:
        raise ApiError(400, "bad_request", "The upload was interrupted. Please try again.") from None
    except FileOutage as error:
        log.error("file_store_unavailable", error=str(error))
        raise FileStoreUnavailable(retry_after=30) from error
    data = UploadedFile(id=str(file_id), kind=cleaned.kind, name=display_name, size=cleaned.size)
    return UploadedFileResponse(success=True, data=data)
