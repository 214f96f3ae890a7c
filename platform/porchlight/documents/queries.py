"""Documents as their owners and staff see them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.documents.links import OWNER, Pass, link
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import parse_id

PAGE = 20
MOST = 200  # documents of one person

_COLUMNS = """
d.id, d.type, d.category, coalesce(c.name, d.category), d.provider, d.number, d.issued_on, d.expires_on, d.file_url,
d.file_id, coalesce(f.name, ''), coalesce(f.kind, ''), d.status, d.reason, d.created_at, d.reviewed_at, d.user_id"""
_FROM = """
  LEFT JOIN skill_categories c ON c.slug = d.category
  LEFT JOIN document_files f ON f.user_id = d.user_id AND f.id = d.file_id"""
_MINE = f"SELECT {_COLUMNS} FROM documents d {_FROM} WHERE d.user_id = :user_id ORDER BY d.id DESC LIMIT {MOST}"

_FILE = "SELECT key, kind, name, size FROM document_files WHERE user_id = :user_id AND id = :id"

# A page is cut first; names and numbers are looked up for its rows alone.
_OWNERS = """
       coalesce(nullif(p.display_name, ''), p.handle, ''),
       (SELECT count(*) FROM documents x WHERE x.user_id = d.user_id AND x.status <> 'pending')"""
_PENDING = f"""
WITH page AS MATERIALIZED (
  SELECT user_id, id FROM documents WHERE status = 'pending' AND (%(after)s::uuid IS NULL OR id > %(after)s)
   ORDER BY id LIMIT %(limit)s
)
SELECT {_COLUMNS}, {_OWNERS}
  FROM page JOIN documents d ON d.user_id = page.user_id AND d.id = page.id {_FROM}
  LEFT JOIN profiles p ON p.user_id = d.user_id
 ORDER BY d.id"""
_OF_USER = f"""
SELECT {_COLUMNS}, {_OWNERS}
  FROM documents d {_FROM} LEFT JOIN profiles p ON p.user_id = d.user_id
 WHERE d.user_id = %(user_id)s ORDER BY d.id DESC LIMIT {MOST}"""
_EVENTS = """
SELECT document_id, kind, actor, note, at FROM document_events WHERE user_id = %(user_id)s ORDER BY at, id LIMIT 5000"""


def _paper(row: Sequence[Any], secret: bytes, viewer: str) -> dict[str, Any]:
    (paper_id, kind, category, category_name, provider, number, issued_on, expires_on, file_url, file_id, file_name,
     file_kind, status, reason, created_at, reviewed_at, user_id) = row[:17]  # fmt: skip
    if file_id is not None:
        file_url = link(secret, Pass(user_id, paper_id, file_id, viewer), clock.now())
    return {
        "id": str(paper_id),
        "type": kind,
        "category": category,
        "category_name": category_name,
        "provider": provider,
        "number": number,
        "issued_on": _wire(issued_on),
        "expires_on": _wire(expires_on),
        "file_url": file_url,
        "file_name": file_name,
        "file_kind": file_kind,
        "status": status,
        "reason": reason,
        "created_at": clock.wire(created_at),
        "reviewed_at": clock.wire(reviewed_at) if reviewed_at else None,
    }


def _staff_paper(row: Sequence[Any], secret: bytes, viewer: str) -> dict[str, Any]:
    owner_name, reviewed = row[17:]
    return _paper(row, secret, viewer) | {"uid": str(row[16]), "owner_name": owner_name, "reviewed_before": reviewed}


def _wire(day: date | None) -> str | None:
    return day.isoformat() if day else None


async def my_documents(session: AsyncSession, user_id: UUID, secret: bytes) -> list[dict[str, Any]]:
    """One's own documents, the newest first."""
    rows = (await session.execute(text(_MINE), {"user_id": user_id})).all()
    return [_paper(row, secret, OWNER) for row in rows]


async def kept_file(session: AsyncSession, user_id: UUID, file_id: UUID) -> tuple[str, str, str, int]:
    """An upload's key in the store, media type, name and bytes. Raises NotFound."""
    row = (await session.execute(text(_FILE), {"user_id": user_id, "id": file_id})).first()
    if row is None:
        raise NotFound
    return row[0], row[1], row[2], row[3]


async def pending(overseer: Database, *, cursor: str | None, secret: bytes, viewer: str) -> dict[str, Any]:
    """A page of what waits for review, the oldest first."""
    after: UUID | None = None
    if cursor and (after := parse_id(cursor)) is None:
        raise ValidationFailed(fields={"cursor": "This link into the list is no longer valid."})
    rows = await overseer.read(None, _PENDING, {"after": after, "limit": PAGE + 1})
    more = len(rows) > PAGE
    return {
        "pending": [_staff_paper(row, secret, viewer) for row in rows[:PAGE]],
        "nextCursor": str(rows[PAGE - 1][0]) if more else None,
    }


async def history(overseer: Database, user_id: UUID, *, secret: bytes, viewer: str) -> dict[str, Any]:
    """All the documents of somebody with what happened to each; empty for somebody without any."""
    rows = await overseer.read(None, _OF_USER, {"user_id": user_id})
    events: dict[UUID, list[dict[str, Any]]] = {row[0]: [] for row in rows}
    for document_id, kind, actor, note, at in await overseer.read(None, _EVENTS, {"user_id": user_id}):
        if document_id in events:
            events[document_id].append({"kind": kind, "actor": actor, "note": note, "at": clock.wire(at)})
    return {"documents": [{"document": _staff_paper(row, secret, viewer), "events": events[row[0]]} for row in rows]}
