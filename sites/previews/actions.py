"""A page with unsaved changes, for its guru's eyes: kept for minutes, shown to who has its key."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from sites.previews.models import SitePreview
from tenants.kit import clock
from tenants.kit.db import Database

LIFE = timedelta(minutes=15)
KEPT = 20  # of one guru; an editor makes a new one at every pause
PATH = "/_preview"

PreviewPage = Literal["/", "/about", "/services", "/blog/[slug]"]

_FIND = """
SELECT page, changes, framed_by FROM site_previews
 WHERE tenant_id = %(tenant)s AND secret_hash = %(hash)s AND created_at > %(since)s"""


@dataclass(frozen=True, slots=True)
class Preview:
    """A page of the site by Next's name, what is changed of its props, and the one origin that may frame it."""

    page: str
    changes: dict[str, Any]
    framed_by: str


def _hash(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()


async def open_preview(session: AsyncSession, tenant_id: UUID, preview: Preview) -> str:
    """Keep a preview for LIFE; answers its key. The oldest of the guru's previews make room."""
    secret = secrets.token_urlsafe(32)
    await session.execute(
        insert(SitePreview).values(
            tenant_id=tenant_id,
            secret_hash=_hash(secret),
            page=preview.page,
            changes=preview.changes,
            framed_by=preview.framed_by,
            created_at=clock.now(),
        )
    )
    newest = (
        select(SitePreview.secret_hash)
        .where(SitePreview.tenant_id == tenant_id, SitePreview.created_at > clock.now() - LIFE)
        .order_by(SitePreview.created_at.desc())
        .limit(KEPT)
    )
    await session.execute(
        delete(SitePreview).where(
            SitePreview.tenant_id == tenant_id, SitePreview.secret_hash.not_in(newest.scalar_subquery())
        )
    )
    return secret


async def found_preview(db: Database, tenant_id: UUID, secret: str) -> Preview | None:
    """The preview a key opens; None for every other text, and once its minutes are over."""
    rows = await db.read(tenant_id, _FIND, {"tenant": tenant_id, "hash": _hash(secret), "since": clock.now() - LIFE})
    return Preview(*rows[0]) if rows else None
