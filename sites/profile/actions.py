"""How a guru presents themselves: the texts and the look that every page of their site shares."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from tenants.kit import clock
from tenants.kit.errors import Conflict, GuruNotFound
from tenants.models import Guru

# What a guru may change of their row; the rest is the platform's.
CHANGEABLE = frozenset(
    {
        "character", "tagline", "primary_skills", "city", "about_markdown", "about_html", "primary_color",
        "secondary_color", "icon", "emoji", "seo_title", "seo_description", "contact_email",
    }
)  # fmt: skip


class ChangedElsewhere(Conflict):
    """Somebody saved from another tab or device since this form was opened."""

    code = "changed_elsewhere"
    message = "Your site was changed in another tab or on another device. Nothing you wrote here is lost."


def revision(guru: Guru) -> str:
    """What the next save must name: when the guru's own row last changed."""
    return guru.updated_at.isoformat()


async def guru_row(session: AsyncSession, tenant_id: UUID) -> Guru:
    """The guru's row. Raises GuruNotFound."""
    found = await session.scalar(select(Guru).where(Guru.id == tenant_id).execution_options(populate_existing=True))
    if found is None:
        raise GuruNotFound
    return found


async def change_face(session: AsyncSession, tenant_id: UUID, changes: Mapping[str, Any], *, since: str) -> None:
    """Change columns among CHANGEABLE. Raises ChangedElsewhere when the row is no longer as of revision `since`."""
    if unknown := changes.keys() - CHANGEABLE:
        raise ValueError(f"no guru changes {', '.join(sorted(unknown))}")
    try:
        seen = datetime.fromisoformat(since)
    except ValueError:
        raise ChangedElsewhere from None
    if seen.tzinfo is None:
        raise ChangedElsewhere
    held = select(Guru.updated_at).where(Guru.id == tenant_id).with_for_update(key_share=True)
    if await session.scalar(held) != seen:
        raise ChangedElsewhere
    if changes:
        await session.execute(update(Guru).where(Guru.id == tenant_id).values(**changes, updated_at=clock.now()))
