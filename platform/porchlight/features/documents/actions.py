"""Creating and reviewing documents, and recording access to them."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.audit.recording import AuditEvent, record
from porchlight.features.documents.models import Document, DocumentEvent, DocumentFile
from porchlight.features.documents.schemas import DocumentPayload, ReviewPayload
from porchlight.features.documents.signed_links import OWNER, SignedLink
from porchlight.features.documents.uploads import CleanedFile
from tenants.db.counted_limits import lock_count
from tenants.db.jobs import enqueue_as_service
from tenants.db.rows import Connection, fetch_one, fetch_value
from tenants.kit import clock
from tenants.kit.errors import AlreadyDecided, Conflict, Limited, NotFound, ProductError, ValidationFailed
from tenants.kit.ids import new_id

NOTIFY_REVIEW_TASK = "documents:notify_review"
DAY = timedelta(days=1)
MAX_UPLOADS_PER_DAY = 40
MAX_PENDING_DOCUMENTS = 50
MAX_DOCUMENTS = 200

_POLICY_FIELDS = ("provider", "number", "expires_on")
# An ID shows all that its review needs.
REQUIRED_FIELDS: dict[str, tuple[str, ...]] = {
    "license": ("number",),
    "insurance": _POLICY_FIELDS,
    "auto": _POLICY_FIELDS,
    "cert": ("provider",),
    "id": (),
}
_MISSING_MESSAGES = {
    "provider": "Enter the organization that issued it.",
    "number": "Enter the license or policy number.",
    "expires_on": "Enter the expiration date.",
}

_CATEGORY = text("SELECT EXISTS (SELECT FROM skill_categories WHERE slug = :slug)")
_REVIEW = """
UPDATE documents SET status = %(status)s, reason = %(reason)s, reviewed_at = %(now)s
 WHERE user_id = %(user_id)s AND id = %(id)s AND status = 'pending' RETURNING type, category"""
_EVENT = """
INSERT INTO document_events (user_id, document_id, id, kind, actor, note)
VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""


class NothingToReview(Conflict):
    """The document has neither a file nor a link."""

    code = "nothing_to_review"
    message = "This document has no file or link, so there's nothing to review."


async def create_upload(session: AsyncSession, user_id: UUID, name: str, *, limited: bool) -> tuple[UUID, str]:
    """Insert the row of an upload before its file is decoded and stored. Return its id and secret key. Raises Limited.

    A crash in between leaves a row without a file, which is deleted later, rather than a file without a row.
    """
    await lock_count(session, "uploads", user_id)
    recent = select(func.count()).select_from(DocumentFile)
    recent = recent.where(DocumentFile.user_id == user_id, DocumentFile.created_at > clock.now() - DAY)
    if limited and (await session.scalar(recent) or 0) >= MAX_UPLOADS_PER_DAY:
        raise Limited("You've reached today's upload limit. Please try again tomorrow.", retry_after=3600)
    file_id, random = new_id(), secrets.token_urlsafe(32)
    key = f"documents/{random[:2]}/{random}"
    session.add(DocumentFile(user_id=user_id, id=file_id, key=key, kind="application/pdf", name=name))
    return file_id, key


async def mark_upload_stored(session: AsyncSession, user_id: UUID, file_id: UUID, cleaned: CleanedFile) -> None:
    """Record that the file is stored."""
    await session.execute(
        update(DocumentFile)
        .where(DocumentFile.user_id == user_id, DocumentFile.id == file_id)
        .values(kind=cleaned.kind, size=cleaned.size, sha256=cleaned.sha256, stored_at=clock.now())
    )


async def create_document(session: AsyncSession, user_id: UUID, payload: DocumentPayload, *, limited: bool) -> UUID:
    """Create a document, pending review. Return its id. Raises ValidationFailed, Limited, Conflict."""
    file_id = UUID(payload.file_id) if payload.file_id else None
    if errors := await _validation_errors(session, user_id, payload, file_id):
        raise ValidationFailed(fields=errors)
    if limited:
        await _check_document_limits(session, user_id)
    document = Document(
        user_id=user_id, id=new_id(), type=payload.type, category=payload.category, provider=payload.provider,
        number=payload.number, issued_on=payload.issued_on, expires_on=payload.expires_on, file_url=payload.file_url,
        file_id=file_id,
    )  # fmt: skip
    session.add(document)
    try:
        await session.flush()  # finds a concurrent use of the same upload
    except IntegrityError as error:
        if "file_id" not in str(error.orig):
            raise
        raise Conflict("This upload was already used for another document.") from None
    session.add(DocumentEvent(user_id=user_id, document_id=document.id, id=new_id(), kind="submitted", actor=OWNER))
    return document.id


async def _validation_errors(
    session: AsyncSession, user_id: UUID, payload: DocumentPayload, file_id: UUID | None
) -> dict[str, str]:
    errors = {
        name: _MISSING_MESSAGES[name] for name in REQUIRED_FIELDS[payload.type] if getattr(payload, name) in ("", None)
    }
    today = clock.now().date()
    if payload.category and not await session.scalar(_CATEGORY, {"slug": payload.category}):
        errors["category"] = "Please choose one of the categories."
    if payload.issued_on and payload.issued_on > today + DAY:
        errors["issued_on"] = "The issue date can't be in the future."
    if payload.expires_on and payload.expires_on < today:
        errors["expires_on"] = "This document has expired. Please upload a current one."
    elif payload.issued_on and payload.expires_on and payload.expires_on < payload.issued_on:
        errors["expires_on"] = "The expiration date must be after the issue date."
    if payload.file_url and payload.file_id:
        errors["file_url"] = "Add a link or a file, not both."
    elif not payload.file_url and not payload.file_id:
        errors["file_id"] = "Add a file or a link so we can review it."
    if file_id is not None and not await _is_unused_upload(session, user_id, file_id):
        errors["file_id"] = "This upload has expired or was already used. Please choose the file again."
    return errors


async def _is_unused_upload(session: AsyncSession, user_id: UUID, file_id: UUID) -> bool:
    stored = select(DocumentFile.id).where(
        DocumentFile.user_id == user_id, DocumentFile.id == file_id, DocumentFile.stored_at.is_not(None)
    )
    used = select(Document.id).where(Document.user_id == user_id, Document.file_id == file_id)
    # The lock keeps `delete_unused_uploads` from deleting the upload before this transaction ends.
    is_stored = await session.scalar(stored.with_for_update(key_share=True)) is not None
    return is_stored and await session.scalar(used) is None


async def _check_document_limits(session: AsyncSession, user_id: UUID) -> None:
    await lock_count(session, "documents", user_id)
    counts = select(func.count(), func.count().filter(Document.status == "pending")).where(Document.user_id == user_id)
    total, pending = (await session.execute(counts)).one()
    if total >= MAX_DOCUMENTS or pending >= MAX_PENDING_DOCUMENTS:
        raise Limited("You have a lot of documents in review. Please wait until we've reviewed them.", retry_after=3600)


async def record_owner_access(session: AsyncSession, link: SignedLink, event_id: UUID) -> None:
    """Record that a user opened their own document, once per link."""
    await session.execute(
        insert(DocumentEvent)
        .values(user_id=link.user_id, document_id=link.document_id, id=event_id, kind="opened", actor=link.viewer)
        .on_conflict_do_nothing()
    )


def record_admin_access(conn: Connection, user_id: UUID, document_id: UUID, actor: str, event_id: UUID) -> None:
    """Record that an admin opened a document, in its history and in the audit log, once per `event_id`.

    Raises NotFound.
    """
    row = conn.execute("SELECT FROM documents WHERE user_id = %s AND id = %s", [user_id, document_id])
    if row.fetchone() is None:
        raise NotFound
    if conn.execute(_EVENT, [user_id, document_id, event_id, "opened", actor, ""]).rowcount:
        record(conn, AuditEvent(actor, "document.open", "document", str(document_id), {"owner": str(user_id)}))


class _Reviewed(NamedTuple):
    type: str
    category: str


def review_document(conn: Connection, actor: str, user_id: UUID, document_id: UUID, payload: ReviewPayload) -> None:
    """Approve or reject a pending document. The audit log entry and the owner's email are part of the transaction.

    Raises AlreadyDecided, NothingToReview, NotFound.
    """
    values = {"status": payload.status, "reason": payload.reason, "now": clock.now()}
    reviewed = fetch_one(conn, _Reviewed, _REVIEW, values | {"user_id": user_id, "id": document_id})
    if reviewed is None:
        raise _review_refusal(conn, user_id, document_id)
    conn.execute(_EVENT, [user_id, document_id, new_id(), payload.status, actor, payload.reason])
    action = "document.approve" if payload.status == "approved" else "document.reject"
    details = {
        "owner": str(user_id), "type": reviewed.type, "category": reviewed.category, "reason": payload.reason
    }  # fmt: skip
    record(conn, AuditEvent(actor, action, "document", str(document_id), details))
    job = {"user_id": str(user_id), "document_id": str(document_id)}
    enqueue_as_service(conn, NOTIFY_REVIEW_TASK, **job)


def _review_refusal(conn: Connection, user_id: UUID, document_id: UUID) -> ProductError:
    """Return the reason why a document is not pending."""
    query = "SELECT status FROM documents WHERE user_id = %s AND id = %s"
    status = fetch_value(conn, str, query, [user_id, document_id])
    if status is None:
        return NotFound()
    if status == "incomplete":
        return NothingToReview()
    return AlreadyDecided("Someone else has already reviewed this document. Please refresh the list.")
