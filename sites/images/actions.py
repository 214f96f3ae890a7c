"""What a guru does with pictures. Each works inside the unit of work of their tenant."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from sites.images.models import SiteImage
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id
from tenants.kit.pictures import Drawn

IMAGES = 1_000  # a guru may have
BYTES = 300 * 1024 * 1024  # of all pictures of a guru
PAGE = 24
LARGEST_SHOWN = (1600, 2400)  # pixels of a picture that we keep, at most

_DATA = "SELECT data FROM site_images WHERE tenant_id = %(tenant)s AND id = %(id)s"


def image_path(image_id: UUID) -> str:
    """Where a picture is on its guru's host."""
    return f"/images/{image_id}.webp"


async def keep_image(session: AsyncSession, tenant_id: UUID, picture: Drawn) -> SiteImage:
    """Keep a picture. Raises Conflict when there is no room for more."""
    count, held = (
        await session.execute(
            select(func.count(), func.coalesce(func.sum(SiteImage.size), 0)).where(SiteImage.tenant_id == tenant_id)
        )
    ).one()
    if count >= IMAGES or held + len(picture.data) > BYTES:
        raise Conflict("There is no room for more pictures. Please delete some first.")
    kept = SiteImage(
        tenant_id=tenant_id,
        id=new_id(),
        width=picture.width,
        height=picture.height,
        size=len(picture.data),
        data=picture.data,
        created_at=clock.now(),
    )
    session.add(kept)
    await session.flush()  # a row refused is refused here, not at the commit
    return kept


async def own_images(
    session: AsyncSession, tenant_id: UUID, *, before: UUID | None, limit: int = PAGE
) -> Sequence[SiteImage]:
    """A guru's pictures without their data, the newest first, one more than `limit` where there are more."""
    query = select(SiteImage).where(SiteImage.tenant_id == tenant_id).order_by(SiteImage.id.desc()).limit(limit + 1)
    if before is not None:
        query = query.where(SiteImage.id < before)
    return (await session.scalars(query)).all()


async def delete_image(session: AsyncSession, tenant_id: UUID, image_id: UUID) -> None:
    """Delete a picture; posts that show it show a gap. Raises NotFound."""
    found = await session.scalar(
        delete(SiteImage).where(SiteImage.tenant_id == tenant_id, SiteImage.id == image_id).returning(SiteImage.id)
    )
    if found is None:
        raise NotFound


async def image(db: Database, tenant_id: UUID, image_id: UUID) -> bytes:
    """A picture as WebP, for anybody. Raises NotFound."""
    rows = await db.read(tenant_id, _DATA, {"tenant": tenant_id, "id": image_id})
    if not rows:
        raise NotFound
    found: bytes = rows[0][0]
    return found
