"""Actions on images, and reading them. Each runs in the unit of work of the tenant."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from sites.image_paths import MAX_WIDTH
from sites.images.models import SiteImage
from tenants.db.counted_limits import lock_count
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id
from tenants.kit.images import EncodedImage, reencode_image

MAX_IMAGES = 1_000  # per guru
MAX_TOTAL_BYTES = 300 * 1024 * 1024  # of all images of a guru
PAGE_SIZE = 24
MAX_SIZE_PIXELS = (MAX_WIDTH, 2400)  # larger images are scaled down

_DATA = "SELECT data FROM site_images WHERE tenant_id = %(tenant)s AND id = %(id)s"
_EXISTS = "SELECT FROM site_images WHERE tenant_id = %(tenant)s AND id = %(id)s"


async def encode_image(upload: bytes, tenant_id: UUID) -> EncodedImage:
    """Return an uploaded image as it is stored. Raise TooLarge and InvalidImage."""
    return await reencode_image(upload, MAX_SIZE_PIXELS, owner=tenant_id, field="image", opaque=False)


async def create_image(session: AsyncSession, tenant_id: UUID, encoded: EncodedImage) -> SiteImage:
    """Store an image. Raise Conflict above MAX_IMAGES or MAX_TOTAL_BYTES."""
    await lock_count(session, "images", tenant_id)
    count, total_bytes = (
        await session.execute(
            select(func.count(), func.coalesce(func.sum(SiteImage.size), 0)).where(SiteImage.tenant_id == tenant_id)
        )
    ).one()
    if count >= MAX_IMAGES or total_bytes + len(encoded.data) > MAX_TOTAL_BYTES:
        raise Conflict("You've reached the image limit. Please delete some first.")
    image = SiteImage(
        tenant_id=tenant_id,
        id=new_id(),
        width=encoded.width,
        height=encoded.height,
        size=len(encoded.data),
        data=encoded.data,
        preview=encoded.preview,
        created_at=clock.now(),
    )
    session.add(image)
    await session.flush()  # raises integrity errors here, not at the commit
    return image


async def own_images(
    session: AsyncSession, tenant_id: UUID, *, before: UUID | None, limit: int = PAGE_SIZE
) -> Sequence[SiteImage]:
    """Return a guru's images without their data, the newest first: one more than `limit` if there are more."""
    query = select(SiteImage).where(SiteImage.tenant_id == tenant_id).order_by(SiteImage.id.desc()).limit(limit + 1)
    if before is not None:
        query = query.where(SiteImage.id < before)
    return (await session.scalars(query)).all()


async def delete_image(session: AsyncSession, tenant_id: UUID, image_id: UUID) -> None:
    """Delete an image. It leaves the gallery; posts that contain it keep a broken link. Raise NotFound."""
    deleted = await session.scalar(
        delete(SiteImage).where(SiteImage.tenant_id == tenant_id, SiteImage.id == image_id).returning(SiteImage.id)
    )
    if deleted is None:
        raise NotFound


async def image_data(db: Database, tenant_id: UUID, image_id: UUID) -> bytes:
    """Return a public image as WebP. Raise NotFound."""
    data = await db.read_value(bytes, tenant_id, _DATA, {"tenant": tenant_id, "id": image_id})
    if data is None:
        raise NotFound
    return data


async def has_image(db: Database, tenant_id: UUID, image_id: UUID) -> bool:
    """Return whether a guru has an image, without reading its data."""
    return bool(await db.read(tenant_id, _EXISTS, {"tenant": tenant_id, "id": image_id}))
