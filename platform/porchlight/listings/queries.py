"""Own offers and wants, and anybody's public listing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.listings.models import SkillOffer, SkillWant, Whereabouts
from porchlight.listings.schemas import (
    OwnSkillsData,
    PublicSkillListingAnswer,
    SkillListingAnswer,
    TeacherAnswer,
    WantAnswer,
    days_of,
)
from tenants.kit.db import Database


def _listing(told: dict[str, Any]) -> dict[str, Any]:
    names = ("title", "level", "details", "formats", "terms", "price_cents", "currency", "radius_km")
    return {name: told[name] for name in names} | {"id": str(told["id"]), "days": days_of(told["days"])}


async def own_skills(session: AsyncSession, user_id: UUID) -> OwnSkillsData:
    """What somebody offers and wants, by name."""
    offers = await session.scalars(select(SkillOffer).where(SkillOffer.user_id == user_id).order_by(SkillOffer.title))
    wants = await session.scalars(select(SkillWant).where(SkillWant.user_id == user_id).order_by(SkillWant.title))
    spot = await session.scalar(select(Whereabouts).where(Whereabouts.user_id == user_id))
    return OwnSkillsData(
        offers=[SkillListingAnswer(**_listing(vars(offer))) for offer in offers],
        wants=[WantAnswer(id=str(want.id), title=want.title, level=want.level) for want in wants],
        city=spot.city if spot else "",
        by_area=bool(spot and spot.by_area),
    )


async def public_listing(db: Database, listing_id: UUID) -> PublicSkillListingAnswer | None:
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
    return PublicSkillListingAnswer(**_listing(told), teacher=teacher)
