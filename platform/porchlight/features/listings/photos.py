"""Read and write the photos of listings."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.listings.models import ListingPhoto, SkillOffer
from porchlight.features.listings.schemas import PhotoPayload
from porchlight.plans.entitlements import apply_limits, check_quota, lock_plan
from porchlight.plans.limits import PlanFeature
from tenants.kit.errors import Conflict, NotFound, ValidationFailed
from tenants.kit.ids import new_id
from tenants.kit.images import EncodedImage, reencode_image

MAX_PHOTOS = 4  # per listing
MAX_PHOTO_SIDE, MAX_THUMBNAIL_SIDE = 1600, 480  # pixels of the longer side
_COUNT_PHOTOS = text("SELECT count(*) FROM listing_photos WHERE user_id = :user")
# A photo that others do not see is its owner's alone, by row level security.
_PHOTO = text("""
SELECT CASE WHEN :little THEN f.thumbnail ELSE f.body END FROM (
  SELECT p.body, p.thumbnail FROM public_listing_photos p WHERE p.id = :photo
   UNION ALL SELECT o.body, o.thumbnail FROM listing_photos o WHERE o.id = :photo LIMIT 1) f""")


class PhotosChanged(Conflict):
    """The photos of the request are not the stored ones."""

    code = "photos_changed"
    message = "These photos have changed. Please check them again."


async def encode_photo(upload: bytes, owner: UUID) -> tuple[EncodedImage, EncodedImage]:
    """Return an uploaded image as a photo and as its thumbnail. Raises TooLarge and InvalidImage."""
    photo = await reencode_image(upload, (MAX_PHOTO_SIDE, MAX_PHOTO_SIDE), owner=owner, field="photo")
    return photo, await reencode_image(photo.data, (MAX_THUMBNAIL_SIDE, MAX_THUMBNAIL_SIDE), owner=owner, field="photo")


async def _lock_listing(session: AsyncSession, user_id: UUID, offer_id: UUID) -> None:
    """Lock the user's listing until the end of the transaction. Raises NotFound."""
    own = select(SkillOffer.id).where(SkillOffer.user_id == user_id, SkillOffer.id == offer_id)
    if await session.scalar(own.with_for_update()) is None:
        raise NotFound


async def next_photo_position(session: AsyncSession, user_id: UUID, offer_id: UUID) -> int:
    """Lock the user's listing and return the position of its next photo.

    Raises NotFound, ValidationFailed when the listing has MAX_PHOTOS photos, and PlanRequired or LimitReached when the
    user has as many as the plan allows.
    """
    plan = await lock_plan(session)
    await _lock_listing(session, user_id, offer_id)
    query = select(func.count(), func.max(ListingPhoto.position)).where(
        ListingPhoto.user_id == user_id, ListingPhoto.offer_id == offer_id
    )
    count, last = (await session.execute(query)).one()
    if count >= MAX_PHOTOS:
        raise ValidationFailed(fields={"photo": f"A listing can have up to {MAX_PHOTOS} photos."})
    check_quota(plan, PlanFeature.WORK_PHOTOS, int(await session.scalar(_COUNT_PHOTOS, {"user": user_id}) or 0))
    return 0 if last is None else int(last) + 1


async def add_photo(
    session: AsyncSession, user_id: UUID, offer_id: UUID, photo: EncodedImage, thumbnail: EncodedImage
) -> None:
    """Add a photo after the others, with its thumbnail. Raises the errors of `next_photo_position`."""
    position = await next_photo_position(session, user_id, offer_id)
    await session.execute(
        insert(ListingPhoto).values(
            user_id=user_id,
            offer_id=offer_id,
            id=new_id(),
            position=position,
            width=photo.width,
            height=photo.height,
            body=photo.data,
            thumbnail=thumbnail.data,
        )
    )


async def update_photos(session: AsyncSession, user_id: UUID, offer_id: UUID, payloads: list[PhotoPayload]) -> None:
    """Set the order and the alt texts of all photos of the user's listing.

    Raises NotFound, and PhotosChanged unless `payloads` has exactly the stored photos.
    """
    await _lock_listing(session, user_id, offer_id)
    of_listing = (ListingPhoto.user_id == user_id, ListingPhoto.offer_id == offer_id)
    stored = {str(photo_id) for photo_id in await session.scalars(select(ListingPhoto.id).where(*of_listing))}
    if len(payloads) != len(stored) or {payload.id for payload in payloads} != stored:
        raise PhotosChanged
    for position, payload in enumerate(payloads):
        await session.execute(
            update(ListingPhoto)
            .where(*of_listing, ListingPhoto.id == UUID(payload.id))
            .values(position=position, alt=payload.alt)
        )


async def delete_photo(session: AsyncSession, user_id: UUID, offer_id: UUID, photo_id: UUID) -> None:
    """Delete a photo of the user's listing. Raises NotFound."""
    await lock_plan(session)
    deleted = await session.scalar(
        delete(ListingPhoto)
        .where(ListingPhoto.user_id == user_id, ListingPhoto.offer_id == offer_id, ListingPhoto.id == photo_id)
        .returning(ListingPhoto.id)
    )
    if deleted is None:
        raise NotFound
    await apply_limits(session)


async def photo(session: AsyncSession, photo_id: UUID, *, thumbnail: bool) -> bytes:
    """Return a photo that the session's user may see. Raises NotFound."""
    body = await session.scalar(_PHOTO, {"photo": photo_id, "little": thumbnail})
    if body is None:
        raise NotFound
    return bytes(body)
