"""Sending documents in, reviewing them, and writing down who opened which."""

from __future__ import annotations

import secrets
from datetime import timedelta
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb
from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.audit import Act, record
from porchlight.documents.links import OWNER, Pass
from porchlight.documents.models import Document, DocumentEvent, DocumentFile
from porchlight.documents.schemas import DocumentPayload, StatusPayload
from porchlight.documents.uploads import Cleaned
from tenants.kit import clock
from tenants.kit.errors import Conflict, Limited, NotFound, ValidationFailed
from tenants.kit.ids import new_id
from tenants.kit.jobs import ENQUEUE

REVIEW_TASK = "tell_of_review"
DAY = timedelta(days=1)
UPLOADS_A_DAY = 40
WAITING_MOST = 50
EVER_MOST = 200

_CATEGORY = text("SELECT EXISTS (SELECT FROM skill_categories WHERE slug = :slug)")
_REVIEW = """
UPDATE documents SET status = %(status)s, reason = %(reason)s, reviewed_at = %(now)s
 WHERE user_id = %(user_id)s AND id = %(id)s AND status = 'pending' RETURNING type, category"""
_EVENT = """
INSERT INTO document_events (user_id, document_id, id, kind, actor, note)
VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""


class ReviewedAlready(Conflict):
    """Another admin was first, or the document is gone from the queue."""

    code = "reviewed_already"
    message = "Somebody else has reviewed this document in the meantime. Please refresh the list."


async def expect_file(session: AsyncSession, user_id: UUID, name: str, *, limited: bool) -> tuple[UUID, str]:
    """Make room for an upload before it is stored; its id, and the name only its row knows. Raises Limited.

    The row comes first so that a crash leaves no file that nothing knows of: a row that stays without one is swept.
    """
    recent = select(func.count()).select_from(DocumentFile)
    recent = recent.where(DocumentFile.user_id == user_id, DocumentFile.created_at > clock.now() - DAY)
    if limited and (await session.scalar(recent) or 0) >= UPLOADS_A_DAY:
        raise Limited("You uploaded many files today. Please go on tomorrow.", retry_after=3600)
    file_id, random = new_id(), secrets.token_urlsafe(32)
    key = f"documents/{random[:2]}/{random}"
    session.add(DocumentFile(user_id=user_id, id=file_id, key=key, kind="application/pdf", name=name))
    return file_id, key


async def file_arrived(session: AsyncSession, user_id: UUID, file_id: UUID, cleaned: Cleaned) -> None:
    """The upload is in the store."""
    await session.execute(
        update(DocumentFile)
        .where(DocumentFile.user_id == user_id, DocumentFile.id == file_id)
        .values(kind=cleaned.kind, size=cleaned.size, sha256=cleaned.sha256, stored_at=clock.now())
    )


async def submit(session: AsyncSession, user_id: UUID, sent: DocumentPayload, *, limited: bool) -> UUID:
    """Send a document in for review; its id. Raises ValidationFailed, Limited."""
    wrong: dict[str, str] = {}
    today = clock.now().date()
    if sent.category and not await session.scalar(_CATEGORY, {"slug": sent.category}):
        wrong["category"] = "Please choose one of the categories."
    if sent.issued_on and sent.issued_on > today + DAY:
        wrong["issued_on"] = "This day is yet to come."
    if sent.expires_on and sent.expires_on < today:
        wrong["expires_on"] = "This document has expired. Please upload a current one."
    elif sent.issued_on and sent.expires_on and sent.expires_on < sent.issued_on:
        wrong["expires_on"] = "This is before the day it was issued."
    if sent.file_url and sent.file_id:
        wrong["file_url"] = "Please give a link or a file, not both."
    file_id = UUID(sent.file_id) if sent.file_id else None
    if file_id is not None and not await _usable(session, user_id, file_id):
        wrong["file_id"] = "This upload is gone or was used already. Please choose the file again."
    if wrong:
        raise ValidationFailed(fields=wrong)
    if limited:
        await _refuse_heaps(session, user_id)
    made = Document(
        user_id=user_id, id=new_id(), type=sent.type, category=sent.category, provider=sent.provider,
        number=sent.number, issued_on=sent.issued_on, expires_on=sent.expires_on, file_url=sent.file_url,
        file_id=file_id,
    )  # fmt: skip
    session.add(made)
    try:
        await session.flush()  # a resend at the same moment is told apart here
    except IntegrityError as fault:
        if "file_id" not in str(fault.orig):
            raise
        raise Conflict("This upload was just used for another document.") from None
    session.add(DocumentEvent(user_id=user_id, document_id=made.id, id=new_id(), kind="submitted", actor=OWNER))
    return made.id


async def _usable(session: AsyncSession, user_id: UUID, file_id: UUID) -> bool:
    kept = select(DocumentFile.id).where(
        DocumentFile.user_id == user_id, DocumentFile.id == file_id, DocumentFile.stored_at.is_not(None)
    )
    used = select(Document.id).where(Document.user_id == user_id, Document.file_id == file_id)
    # Held until the end of the transaction, so that the sweep of unused uploads does not take it away meanwhile.
    return await session.scalar(kept.with_for_update(key_share=True)) is not None and await session.scalar(used) is None


async def _refuse_heaps(session: AsyncSession, user_id: UUID) -> None:
    counts = select(func.count(), func.count().filter(Document.status == "pending")).where(Document.user_id == user_id)
    ever, waiting = (await session.execute(counts)).one()
    if ever >= EVER_MOST or waiting >= WAITING_MOST:
        raise Limited("You have many documents waiting. Please let us look at those first.", retry_after=3600)


async def opened_own(session: AsyncSession, allowed: Pass, event_id: UUID) -> None:
    """Write down that somebody opened their own document; once for each link."""
    await session.execute(
        insert(DocumentEvent)
        .values(
            user_id=allowed.user_id, document_id=allowed.document_id, id=event_id, kind="opened", actor=allowed.viewer
        )
        .on_conflict_do_nothing()
    )


def opened_by_staff(overseer_dsn: str, user_id: UUID, document_id: UUID, actor: str, event_id: UUID) -> None:
    """Write down that staff opened a document, with it and in the audit log; once for each `event_id`.

    Raises NotFound when there is no such document.
    """
    with psycopg.connect(overseer_dsn) as conn:
        there = conn.execute("SELECT FROM documents WHERE user_id = %s AND id = %s", [user_id, document_id])
        if there.fetchone() is None:
            raise NotFound
        if conn.execute(_EVENT, [user_id, document_id, event_id, "opened", actor, ""]).rowcount:
            record(conn, Act(actor, "document.open", "document", str(document_id), {"owner": str(user_id)}))


def review(overseer_dsn: str, actor: str, user_id: UUID, document_id: UUID, sent: StatusPayload) -> None:
    """Approve or reject a document that waits: its state, its history, the audit log and the mail are one.

    Raises ReviewedAlready when another was first, NotFound.
    """
    with psycopg.connect(overseer_dsn) as conn:
        values = {"status": sent.status, "reason": sent.reason, "now": clock.now()}
        row = conn.execute(_REVIEW, values | {"user_id": user_id, "id": document_id}).fetchone()
        if row is None:
            there = conn.execute("SELECT FROM documents WHERE user_id = %s AND id = %s", [user_id, document_id])
            raise NotFound if there.fetchone() is None else ReviewedAlready
        conn.execute(_EVENT, [user_id, document_id, new_id(), sent.status, actor, sent.reason])
        act = "document.approve" if sent.status == "approved" else "document.reject"
        details = {"owner": str(user_id), "type": row[0], "category": row[1], "reason": sent.reason}
        record(conn, Act(actor, act, "document", str(document_id), details))
        job = {"user_id": str(user_id), "document_id": str(document_id)}
        conn.execute(f"SELECT {ENQUEUE}(%s, %s, NULL)", [REVIEW_TASK, Jsonb(job)])
