"""A guru's own waiver text, which people accept together with the text of the level.

Each change is a new version; none changes or goes. A waiver names the version that was accepted. The next booking with
a service of the guru needs a waiver with the newest one; sessions that are booked already keep theirs.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from psycopg.errors import UniqueViolation
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.waivers.models import GuruWaiverText
from porchlight.features.waivers.texts import WaiverText
from tenants.kit import clock
from tenants.kit.errors import Conflict

MAX_TEXT_LENGTH = 1000  # characters
MAX_VERSIONS_PER_DAY = 20


class TextConflict(Conflict):
    """The text was changed since this form was opened."""

    code = "changed_elsewhere"
    message = "Your waiver text was changed in another tab or on another device. Your changes aren't lost."


class TooManyVersions(Conflict):
    """The guru saved MAX_VERSIONS_PER_DAY versions in a day."""

    code = "too_many_versions"
    message = "You changed this text many times today. Please try again tomorrow."


def guru_text(guru_id: UUID, guru_name: str, version: int, body: str) -> WaiverText:
    """Return a version of a guru's text. Its name in a record is `guru:` and the guru's id."""
    return WaiverText(f"guru:{guru_id}", version, f"From {guru_name}", body, is_plain=True)


async def newest_text(session: AsyncSession, tenant_id: UUID) -> GuruWaiverText | None:
    """Return the newest version, also if the guru removed the text with it."""
    query = select(GuruWaiverText).where(GuruWaiverText.tenant_id == tenant_id)
    found: GuruWaiverText | None = await session.scalar(query.order_by(GuruWaiverText.version.desc()).limit(1))
    return found


async def save_text(session: AsyncSession, tenant_id: UUID, body: str, *, revision: int) -> None:
    """Add a version; "" removes the text. The same text adds none. `revision`: the version that it follows, or 0.

    Raises TextConflict, TooManyVersions.
    """
    newest = await newest_text(session, tenant_id)
    if revision != (newest.version if newest else 0):
        raise TextConflict
    if body == (newest.body if newest else ""):
        return
    day_ago = clock.now() - timedelta(days=1)
    recent = select(func.count()).where(GuruWaiverText.tenant_id == tenant_id, GuruWaiverText.created_at > day_ago)
    if (await session.scalar(recent) or 0) >= MAX_VERSIONS_PER_DAY:
        raise TooManyVersions
    try:
        await session.execute(
            insert(GuruWaiverText).values(tenant_id=tenant_id, version=revision + 1, body=body, created_at=clock.now())
        )
    except IntegrityError as error:
        if isinstance(error.orig, UniqueViolation):
            raise TextConflict from error
        raise
