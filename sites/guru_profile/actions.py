"""The profile of a guru's site: the texts and the theme that all its pages share."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from tenants.kit import clock
from tenants.kit.errors import Conflict, GuruNotFound
from tenants.tenancy.models import Guru

# Columns that a guru can change. The platform manages the others.
EDITABLE_COLUMNS = frozenset(
    {
        "character", "tagline", "primary_skills", "city", "about_markdown", "about_html", "primary_color",
        "secondary_color", "icon", "emoji", "appearance", "typeface", "seo_title", "seo_description", "contact_email",
    }
)  # fmt: skip

_GURU = select(Guru).where(Guru.id == bindparam("tenant_id")).execution_options(populate_existing=True)


class SiteProfileConflict(Conflict):
    """The site was saved in another tab or on another device since this form was opened."""

    code = "changed_elsewhere"
    message = "Your site was changed in another tab or on another device. Your changes aren't lost."


def revision(guru: Guru) -> str:
    """Return the revision that the next save must name: the time of the row's last change."""
    return guru.updated_at.isoformat()


async def guru_row(session: AsyncSession, tenant_id: UUID) -> Guru:
    """Return the guru's row. Raise GuruNotFound."""
    guru = await session.scalar(_GURU, {"tenant_id": tenant_id})
    if guru is None:
        raise GuruNotFound
    return guru


async def publish_site_profile(session: AsyncSession, tenant_id: UUID, values: Mapping[str, Any]) -> None:
    """Write columns of the profile that the wizard changes. It has no revision: a later save in the console wins."""
    await session.execute(update(Guru).where(Guru.id == tenant_id).values(**values))


async def update_site_profile(
    session: AsyncSession, tenant_id: UUID, changes: Mapping[str, Any], *, revision: str
) -> None:
    """Update columns among EDITABLE_COLUMNS. Raise SiteProfileConflict if the row has another revision."""
    if unknown := changes.keys() - EDITABLE_COLUMNS:
        raise ValueError(f"not editable: {', '.join(sorted(unknown))}")
    try:
        expected = datetime.fromisoformat(revision)
    except ValueError:
        raise SiteProfileConflict from None
    if expected.tzinfo is None:
        raise SiteProfileConflict
    query = select(Guru.updated_at).where(Guru.id == tenant_id).with_for_update(key_share=True)
    if await session.scalar(query) != expected:
        raise SiteProfileConflict
    if changes:
        await session.execute(update(Guru).where(Guru.id == tenant_id).values(**changes, updated_at=clock.now()))
