"""Own offers and wants, and anybody's public listing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.cards import RiskJudge
from porchlight.listings.cards import photo_path
from porchlight.listings.models import ListingPhoto, SkillOffer, SkillWant, Whereabouts
from porchlight.listings.schemas import (
    ListingPhotoAnswer,
    OwnSkillsAnswer,
    OwnSkillsData,
    PublicListing,
    SkillListingAnswer,
    TeacherAnswer,
    WantAnswer,
    days_of,
)
from tenants.kit.db import Database


def _listing(told: dict[str, Any], photos: list[ListingPhotoAnswer]) -> dict[str, Any]:
    names = ("title", "level", "details", "formats", "terms", "price_cents", "currency", "radius_km")
    return {name: told[name] for name in names} | {
        "id": str(told["id"]),
        "days": days_of(told["days"]),
        "photos": photos,
    }


def _photo(photo_id: UUID | str, alt: str, width: int, height: int) -> ListingPhotoAnswer:
    return ListingPhotoAnswer(
        id=str(photo_id),
        path=photo_path(photo_id),
        small_path=photo_path(photo_id, little=True),
        alt=alt,
        width=width,
        height=height,
    )


async def _own_photos(session: AsyncSession, user_id: UUID) -> dict[UUID, list[ListingPhotoAnswer]]:
    rows = await session.execute(
        select(ListingPhoto.offer_id, ListingPhoto.id, ListingPhoto.alt, ListingPhoto.width, ListingPhoto.height)
        .where(ListingPhoto.user_id == user_id)
        .order_by(ListingPhoto.position, ListingPhoto.id)
    )
    found: dict[UUID, list[ListingPhotoAnswer]] = {}
    for row in rows:
        found.setdefault(row.offer_id, []).append(_photo(row.id, row.alt, row.width, row.height))
    return found


async def own_skills(session: AsyncSession, user_id: UUID, judge: RiskJudge) -> OwnSkillsData:
    """What somebody offers and wants, by name."""
    offers = await session.scalars(select(SkillOffer).where(SkillOffer.user_id == user_id).order_by(SkillOffer.title))
    wants = await session.scalars(select(SkillWant).where(SkillWant.user_id == user_id).order_by(SkillWant.title))
    photos = await _own_photos(session, user_id)
    spot = await session.scalar(select(Whereabouts).where(Whereabouts.user_id == user_id))
    return OwnSkillsData(
        offers=[
            SkillListingAnswer(
                **_listing(vars(offer), photos.get(offer.id, [])), risk=await judge.of_offer(offer.title, offer.details)
            )
            for offer in offers
        ],
        wants=[WantAnswer(id=str(want.id), title=want.title, level=want.level) for want in wants],
        city=spot.city if spot else "",
        by_area=bool(spot and spot.by_area),
    )


async def own_answer(session: AsyncSession, user_id: UUID, judge: RiskJudge) -> OwnSkillsAnswer:
    """The same as what every change of it answers."""
    return OwnSkillsAnswer(success=True, data=await own_skills(session, user_id, judge))


async def public_listing(db: Database, listing_id: UUID) -> PublicListing | None:
    """A listing anybody may see; None when there is none, or its neighbour hides it."""
    rows = await db.read(None, "SELECT app.skill_listing(%s)", [listing_id])
    told: dict[str, Any] | None = rows[0][0]
    if told is None:
        return None
    photo = f"/api/photos/{told['photo_id']}" if told["photo_id"] else told["photo_url"]
    teacher = TeacherAnswer(
        handle=told["handle"],
        name=told["name"],
        photo_url=photo,
        bio=told["bio"],
        languages=told["languages"],
        city=told["city"] or "",
    )
    photos = [_photo(one["id"], one["alt"], one["width"], one["height"]) for one in told["photos"]]
    return PublicListing(**_listing(told, photos), teacher=teacher)
