"""Photos on a listing: added, put in order and described, removed, shown."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.listings.models import ListingPhoto, SkillOffer
from porchlight.listings.schemas import PhotoPayload
from tenants.kit.errors import Conflict, NotFound, ValidationFailed
from tenants.kit.ids import new_id
from tenants.kit.pictures import Drawn

PHOTOS = 4  # on a listing
_SHOWN = text("SELECT body, shown FROM app.listing_photo(:photo, :little)")


class PhotosChanged(Conflict):
    """Somebody arranges photos that are others by now."""

    code = "photos_changed"
    message = "These photos changed meanwhile. Please look at them again."


async def _hold(session: AsyncSession, user_id: UUID, offer_id: UUID) -> None:
    """Keep others from changing one's listing until the end of the transaction. Raises NotFound."""
    own = select(SkillOffer.id).where(SkillOffer.user_id == user_id, SkillOffer.id == offer_id)
    if await session.scalar(own.with_for_update()) is None:
        raise NotFound


async def refuse_photo(session: AsyncSession, user_id: UUID, offer_id: UUID) -> int:
    """The place of the next photo on one's listing, which nobody else changes until the end of the transaction.

    Raises NotFound; ValidationFailed when there is no more room.
    """
    await _hold(session, user_id, offer_id)
    there = select(func.count(), func.max(ListingPhoto.position)).where(
        ListingPhoto.user_id == user_id, ListingPhoto.offer_id == offer_id
    )
    photos, last = (await session.execute(there)).one()
    if photos >= PHOTOS:
        raise ValidationFailed(fields={"photo": f"A listing has {PHOTOS} photos at most."})
    return 0 if last is None else int(last) + 1


async def add_photo(session: AsyncSession, user_id: UUID, offer_id: UUID, photo: Drawn, small: Drawn) -> None:
    """Add a photo at the end of one's listing; `small` is the same for cards. Raises as `refuse_photo`."""
    position = await refuse_photo(session, user_id, offer_id)
    await session.execute(
        insert(ListingPhoto).values(
            user_id=user_id,
            offer_id=offer_id,
            id=new_id(),
            position=position,
            width=photo.width,
            height=photo.height,
            body=photo.data,
            small=small.data,
        )
    )


async def arrange_photos(session: AsyncSession, user_id: UUID, offer_id: UUID, wanted: list[PhotoPayload]) -> None:
    """Put all photos of one's listing in this order, with these words for who cannot see them.

    Raises NotFound, and PhotosChanged when they are not exactly those that are there.
    """
    await _hold(session, user_id, offer_id)
    of_it = (ListingPhoto.user_id == user_id, ListingPhoto.offer_id == offer_id)
    there = {str(photo_id) for photo_id in await session.scalars(select(ListingPhoto.id).where(*of_it))}
    if len(wanted) != len(there) or {photo.id for photo in wanted} != there:
        raise PhotosChanged
    for position, photo in enumerate(wanted):
        await session.execute(
            update(ListingPhoto)
            .where(*of_it, ListingPhoto.id == UUID(photo.id))
            .values(position=position, alt=photo.alt)
        )


async def remove_photo(session: AsyncSession, user_id: UUID, offer_id: UUID, photo_id: UUID) -> None:
    """Take a photo off one's listing. Raises NotFound."""
    gone = await session.scalar(
        delete(ListingPhoto)
        .where(ListingPhoto.user_id == user_id, ListingPhoto.offer_id == offer_id, ListingPhoto.id == photo_id)
        .returning(ListingPhoto.id)
    )
    if gone is None:
        raise NotFound


async def photo(session: AsyncSession, photo_id: UUID, *, little: bool) -> tuple[bytes, bool]:
    """A photo the session's user may see, and whether everybody may. Raises NotFound."""
    row = (await session.execute(_SHOWN, {"photo": photo_id, "little": little})).one_or_none()
    if row is None:
        raise NotFound
    return bytes(row.body), bool(row.shown)
