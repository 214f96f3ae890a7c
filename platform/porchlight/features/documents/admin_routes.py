"""Review of documents by admins (SPEC 2.12, 7.2)."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query, Response

from porchlight.auth.staff import CurrentStaff, ServiceDatabase, run_as_service
from porchlight.dependencies import Context
from porchlight.features.documents import actions, queries
from porchlight.features.documents.schemas import PendingDocumentsResponse, ReviewPayload, UserDocumentsResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import new_id, parse_id_or_404
from tenants.kit.schemas import SuccessResponse

router = FeatureRouter(prefix="/api/documents", tags=["documents"], route_class=StrictRoute)


def _parse_ids(uid: str, document_id: str) -> tuple[UUID, UUID]:
    return parse_id_or_404(uid), parse_id_or_404(document_id)


@router.get(
    "/pending",
    response_model=PendingDocumentsResponse,
    operation_id="list_pending_documents",
    summary="List documents that wait for review",
)
async def list_pending_documents(
    response: Response,
    context: Context,
    service_db: ServiceDatabase,
    staff: CurrentStaff,
    cursor: Annotated[str | None, Query(max_length=36)] = None,
) -> PendingDocumentsResponse:
    """Return a page of pending documents, oldest first. Links to uploads expire after five minutes."""
    response.headers["cache-control"] = "no-store"
    secret = context.settings.address_secret
    page = await queries.pending_documents(service_db, cursor=cursor, secret=secret, viewer=staff.key_name)
    return PendingDocumentsResponse.model_validate({"success": True, "data": page})


@router.get(
    "/{uid}",
    response_model=UserDocumentsResponse,
    operation_id="list_user_documents",
    summary="List a user's documents with their history",
)
async def list_user_documents(
    response: Response, context: Context, service_db: ServiceDatabase, staff: CurrentStaff, uid: str
) -> UserDocumentsResponse:
    """Return a user's documents, newest first, each with its events."""
    response.headers["cache-control"] = "no-store"
    user_id = parse_id_or_404(uid)
    secret = context.settings.address_secret
    documents = await queries.documents_with_history(service_db, user_id, secret=secret, viewer=staff.key_name)
    return UserDocumentsResponse.model_validate({"success": True, "data": documents})


@router.post(
    "/{uid}/{id}/status",
    response_model=SuccessResponse,
    operation_id="review_document",
    summary="Approve or reject a document",
)
async def review_document(
    service_db: ServiceDatabase, staff: CurrentStaff, uid: str, id: str, payload: ReviewPayload
) -> SuccessResponse:
    """Approve or reject a pending document and email its owner.

    409 `already_decided` for a second review, `nothing_to_review` for a document without a file or link.
    """
    user_id, document_id = _parse_ids(uid, id)
    await run_as_service(service_db, actions.review_document, staff.key_name, user_id, document_id, payload)
    return SuccessResponse(success=True)


@router.post(
    "/{uid}/{id}/openings",
    response_model=SuccessResponse,
    operation_id="record_document_access",
    summary="Record access to a document's external link",
)
async def record_document_access(
    service_db: ServiceDatabase, staff: CurrentStaff, uid: str, id: str
) -> SuccessResponse:
    """Record that an admin opened a document's external link. Access to uploads is recorded automatically."""
    user_id, document_id = _parse_ids(uid, id)
    await run_as_service(service_db, actions.record_admin_access, user_id, document_id, staff.key_name, new_id())
    return SuccessResponse(success=True)
