"""Previews of pages with unsaved changes: stored for minutes, shown to the holder of a secret key."""

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
from tenants.db.pool import Database
from tenants.kit import clock

PREVIEW_TTL = timedelta(minutes=15)
MAX_PREVIEWS = 20  # per guru; an editor creates one at every pause
PREVIEW_PATH = "/_preview"

PreviewPage = Literal["/", "/about", "/services", "/blog/[slug]"]

_FIND = """
SELECT page, changes, framed_by FROM site_previews
 WHERE tenant_id = %(tenant)s AND secret_hash = %(hash)s AND created_at > %(since)s"""


@dataclass(frozen=True, slots=True)
class SitePreviewLink:
    """A page of the site by Next's name, the changes of its props, and the one origin that can frame it."""

    page: str
    changes: dict[str, Any]
    framed_by: str


def _hash(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()


async def create_preview(session: AsyncSession, tenant_id: UUID, preview: SitePreviewLink) -> str:
    """Store a preview for PREVIEW_TTL and return its key. Delete the guru's oldest previews above MAX_PREVIEWS."""
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
        .where(SitePreview.tenant_id == tenant_id, SitePreview.created_at > clock.now() - PREVIEW_TTL)
        .order_by(SitePreview.created_at.desc())
        .limit(MAX_PREVIEWS)
    )
    await session.execute(
        delete(SitePreview).where(
            SitePreview.tenant_id == tenant_id, SitePreview.secret_hash.not_in(newest.scalar_subquery())
        )
    )
    return secret


async def find_preview(db: Database, tenant_id: UUID, secret: str) -> SitePreviewLink | None:
    """Return the preview of a key; None for an unknown or expired one."""
    params = {"tenant": tenant_id, "hash": _hash(secret), "since": clock.now() - PREVIEW_TTL}
    rows = await db.read(tenant_id, _FIND, params, row=SitePreviewLink)
    return rows[0] if rows else None
