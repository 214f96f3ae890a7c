"""Queries of documents for their owners and for admins."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.documents.signed_links import OWNER, SignedLink, sign
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import parse_id

PAGE_SIZE = 20
MAX_LISTED = 200  # documents of one user

_COLUMNS = """
d.id, d.type, d.category, coalesce(c.name, d.category) AS category_name, d.provider, d.number, d.issued_on,
d.expires_on, d.file_url, d.file_id, coalesce(f.name, '') AS file_name, coalesce(f.kind, '') AS file_kind, d.status,
d.reason, d.created_at, d.reviewed_at, d.user_id"""
_FROM = """
  LEFT JOIN skill_categories c ON c.slug = d.category
  LEFT JOIN document_files f ON f.user_id = d.user_id AND f.id = d.file_id"""
_USER_DOCUMENTS = (
    f"SELECT {_COLUMNS} FROM documents d {_FROM} WHERE d.user_id = :user_id ORDER BY d.id DESC LIMIT {MAX_LISTED}"
)

_FILE = "SELECT key, kind, name, size FROM document_files WHERE user_id = :user_id AND id = :id"

# The page is selected first, so that owners are joined for its rows only.
_OWNERS = """
       coalesce(nullif(p.display_name, ''), p.handle, '') AS owner_name,
       (SELECT count(*) FROM documents x
         WHERE x.user_id = d.user_id AND x.status <> 'pending') AS reviewed_before"""
_PENDING = f"""
WITH page AS MATERIALIZED (
  SELECT user_id, id FROM documents WHERE status = 'pending' AND (%(after)s::uuid IS NULL OR id > %(after)s)
   ORDER BY id LIMIT %(limit)s
)
SELECT {_COLUMNS}, {_OWNERS}
  FROM page JOIN documents d ON d.user_id = page.user_id AND d.id = page.id {_FROM}
  LEFT JOIN profiles p ON p.user_id = d.user_id
 ORDER BY d.id"""
_USER_DOCUMENTS_WITH_OWNER = f"""
SELECT {_COLUMNS}, {_OWNERS}
  FROM documents d {_FROM} LEFT JOIN profiles p ON p.user_id = d.user_id
 WHERE d.user_id = %(user_id)s ORDER BY d.id DESC LIMIT {MAX_LISTED}"""
_EVENTS = """
SELECT document_id, kind, actor, note, at FROM document_events WHERE user_id = %(user_id)s ORDER BY at, id LIMIT 5000"""


@dataclass(frozen=True, slots=True)
class _DocumentRow:
    id: UUID
    type: str
    category: str
    category_name: str
    provider: str
    number: str
    issued_on: date | None
    expires_on: date | None
    file_url: str
    file_id: UUID | None
    file_name: str
    file_kind: str
    status: str
    reason: str
    created_at: datetime
    reviewed_at: datetime | None
    user_id: UUID


@dataclass(frozen=True, slots=True)
class _OwnedDocument(_DocumentRow):
    owner_name: str
    reviewed_before: int


def _document(document: _DocumentRow, secret: bytes, viewer: str) -> dict[str, Any]:
    file_url = document.file_url
    if document.file_id is not None:
        link = SignedLink(document.user_id, document.id, document.file_id, viewer)
        file_url = sign(secret, link, clock.now())
    return {
        "id": str(document.id),
        "type": document.type,
        "category": document.category,
        "category_name": document.category_name,
        "provider": document.provider,
        "number": document.number,
        "issued_on": _iso_date(document.issued_on),
        "expires_on": _iso_date(document.expires_on),
        "file_url": file_url,
        "file_name": document.file_name,
        "file_kind": document.file_kind,
        "status": document.status,
        "reason": document.reason,
        "created_at": clock.to_iso8601(document.created_at),
        "reviewed_at": clock.to_iso8601(document.reviewed_at) if document.reviewed_at else None,
    }


def _admin_document(document: _OwnedDocument, secret: bytes, viewer: str) -> dict[str, Any]:
    return _document(document, secret, viewer) | {
        "uid": str(document.user_id),
        "owner_name": document.owner_name,
        "reviewed_before": document.reviewed_before,
    }


def _iso_date(value: date | None) -> str | None:
    return value.isoformat() if value else None


async def user_documents(session: AsyncSession, user_id: UUID, secret: bytes) -> list[dict[str, Any]]:
    """Return the user's documents, newest first."""
    rows = (await session.execute(text(_USER_DOCUMENTS), {"user_id": user_id})).mappings()
    return [_document(_DocumentRow(**row), secret, OWNER) for row in rows]


async def uploaded_file(session: AsyncSession, user_id: UUID, file_id: UUID) -> tuple[str, str, str, int]:
    """Return an upload's key in the file store, media type, name and size in bytes. Raises NotFound."""
    row = (await session.execute(text(_FILE), {"user_id": user_id, "id": file_id})).first()
    if row is None:
        raise NotFound
    return row.key, row.kind, row.name, row.size


async def pending_documents(service_db: Database, *, cursor: str | None, secret: bytes, viewer: str) -> dict[str, Any]:
    """Return a page of documents that wait for review, oldest first."""
    after: UUID | None = None
    if cursor and (after := parse_id(cursor)) is None:
        raise ValidationFailed(fields={"cursor": "This link to the list is no longer valid."})
    rows = await service_db.read(None, _PENDING, {"after": after, "limit": PAGE_SIZE + 1}, row=_OwnedDocument)
    has_more = len(rows) > PAGE_SIZE
    return {
        "pending": [_admin_document(row, secret, viewer) for row in rows[:PAGE_SIZE]],
        "nextCursor": str(rows[PAGE_SIZE - 1].id) if has_more else None,
    }


async def documents_with_history(service_db: Database, user_id: UUID, *, secret: bytes, viewer: str) -> dict[str, Any]:
    """Return a user's documents, newest first, each with its events, oldest first."""
    rows = await service_db.read(None, _USER_DOCUMENTS_WITH_OWNER, {"user_id": user_id}, row=_OwnedDocument)
    events: dict[UUID, list[dict[str, Any]]] = {row.id: [] for row in rows}
    for document_id, kind, actor, note, at in await service_db.read(None, _EVENTS, {"user_id": user_id}):
        if document_id in events:
            events[document_id].append({"kind": kind, "actor": actor, "note": note, "at": clock.to_iso8601(at)})
    return {"documents": [{"document": _admin_document(row, secret, viewer), "events": events[row.id]} for row in rows]}
