"""Write the skills that a user offers and wants.

The profile holds the names of the skills. A trigger copies them to the tables of offers and wants.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.listings.models import SkillOffer
from porchlight.features.listings.schemas import (
    MAX_OFFERS,
    MAX_WANTS,
    SkillListingPayload,
    SkillOfferPayload,
    days_to_bits,
)
from porchlight.geo.grid import NOWHERE, cell_of, tile_of
from porchlight.plans.entitlements import apply_limits, lock_plan, require_quota
from porchlight.plans.limits import PlanFeature
from tenants.db.jobs import enqueue
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ValidationFailed

GEOCODE_USER_TASK = "listings:geocode_user"

_READ_SKILLS = {
    "offered": text("SELECT skills_offered FROM profiles WHERE user_id = :user FOR UPDATE"),
    "wanted": text("SELECT skills_wanted FROM profiles WHERE user_id = :user FOR UPDATE"),
}
_WRITE_SKILLS = {
    "offered": text(
        "UPDATE profiles SET skills_offered = CAST(:skills AS jsonb), updated_at = :now WHERE user_id = :user"
    ),
    "wanted": text(
        "UPDATE profiles SET skills_wanted = CAST(:skills AS jsonb), updated_at = :now WHERE user_id = :user"
    ),
}
_TITLES = {
    "offered": text("SELECT title FROM skill_offers WHERE user_id = :user AND id = :id"),
    "wanted": text("SELECT title FROM skill_wants WHERE user_id = :user AND id = :id"),
}
_OFFER = text("SELECT title, 'price' = ANY (terms) AS priced FROM skill_offers WHERE user_id = :user AND id = :id")
_COUNT_OFFERS = text("SELECT count(*) FROM skill_offers WHERE user_id = :user AND 'price' = ANY (terms) = :priced")
# How many of the same kind are older than an offer. Those beyond the limit cannot be changed, the newest first.
_COUNT_OLDER_OFFERS = text(
    "SELECT count(*) FROM skill_offers o JOIN skill_offers own ON own.user_id = o.user_id AND own.id = :id"
    " WHERE o.user_id = :user AND 'price' = ANY (o.terms) = :priced"
    " AND (o.created_at, o.id) < (own.created_at, own.id)"
)
_IS_SAME_TEXT = text("SELECT app.normalize_text(:one) = app.normalize_text(:other)")
_UPDATE_AREA = text(
    "UPDATE user_locations SET is_area = :is_area, cell_lat = :lat, cell_lon = :lon, tile = :tile,"
    " updated_at = app.now() WHERE user_id = :user"
)


class SkillAlreadyListed(Conflict):
    """The profile has the skill already."""

    code = "skill_known"
    message = "You've already added this skill."


async def _lock_skills(session: AsyncSession, user_id: UUID, kind: str) -> list[dict[str, Any]]:
    skills = await session.scalar(_READ_SKILLS[kind], {"user": user_id})
    if skills is None:
        raise NotFound
    return list(skills)


async def _write_skills(session: AsyncSession, user_id: UUID, kind: str, skills: list[dict[str, Any]]) -> None:
    params = {"skills": orjson.dumps(skills).decode(), "now": clock.now(), "user": user_id}
    await session.execute(_WRITE_SKILLS[kind], params)


async def add_skill(session: AsyncSession, user_id: UUID, kind: str, title: str, level: str | None) -> None:
    """Add a skill to the profile. `kind` is "offered" or "wanted". Raises SkillAlreadyListed, ValidationFailed."""
    skills = await _lock_skills(session, user_id, kind)
    most = MAX_OFFERS if kind == "offered" else MAX_WANTS
    if len(skills) >= most:
        raise ValidationFailed(fields={"title": f"You can list up to {most} skills. Remove one first."})
    for skill in skills:
        if await session.scalar(_IS_SAME_TEXT, {"one": skill["name"], "other": title}):
            raise SkillAlreadyListed
    await _write_skills(session, user_id, kind, [*skills, {"name": title, "level": level}])


async def delete_skill(session: AsyncSession, user_id: UUID, kind: str, skill_id: UUID) -> None:
    """Delete a skill from the profile, and its listing with it. Raises NotFound."""
    await lock_plan(session)
    title = await session.scalar(_TITLES[kind], {"user": user_id, "id": skill_id})
    if title is None:
        raise NotFound
    skills = await _lock_skills(session, user_id, kind)
    await _write_skills(session, user_id, kind, [skill for skill in skills if skill["name"] != title])
    await apply_limits(session)


async def create_offer(session: AsyncSession, user_id: UUID, payload: SkillOfferPayload) -> None:
    """Add an offered skill to the profile, with its listing.

    Raises PlanRequired, LimitReached, SkillAlreadyListed, ValidationFailed.
    """
    priced = "price" in payload.terms
    await require_quota(session, _feature(priced), _COUNT_OFFERS, {"user": user_id, "priced": priced})
    await add_skill(session, user_id, "offered", payload.title, payload.level)
    is_offer = (SkillOffer.user_id == user_id, SkillOffer.title == payload.title)
    offer_id = await session.scalar(select(SkillOffer.id).where(*is_offer))
    if offer_id is None:
        raise NotFound
    await _write_listing(session, user_id, offer_id, payload.title, payload)


async def update_offer(session: AsyncSession, user_id: UUID, offer_id: UUID, payload: SkillListingPayload) -> None:
    """Replace all fields of a listing except its title. Raises NotFound, PlanRequired, LimitReached.

    A listing that gets or loses its price counts as a new one. One beyond the limit cannot be changed otherwise.
    """
    await lock_plan(session)
    offer = (await session.execute(_OFFER, {"user": user_id, "id": offer_id})).one_or_none()
    if offer is None:
        raise NotFound
    priced = "price" in payload.terms
    used = {"user": user_id, "id": offer_id, "priced": priced}
    count = _COUNT_OLDER_OFFERS if priced == offer.priced else _COUNT_OFFERS
    await require_quota(session, _feature(priced), count, used)
    await _write_listing(session, user_id, offer_id, offer.title, payload)
    if priced != offer.priced:
        await apply_limits(session)


def _feature(priced: bool) -> PlanFeature:
    return PlanFeature.PRICED_OFFERS if priced else PlanFeature.EXCHANGE_OFFERS


async def _write_listing(
    session: AsyncSession, user_id: UUID, offer_id: UUID, title: str, payload: SkillListingPayload
) -> None:
    skills = await _lock_skills(session, user_id, "offered")
    updated = [skill | {"level": payload.level} if skill["name"] == title else skill for skill in skills]
    if updated != skills:
        await _write_skills(session, user_id, "offered", updated)
    await session.execute(
        update(SkillOffer)
        .where(SkillOffer.user_id == user_id, SkillOffer.id == offer_id)
        .values(
            details=payload.details,
            formats=payload.formats,
            terms=payload.terms,
            price_cents=payload.price_cents,
            radius_km=payload.radius_km,
            days=days_to_bits(payload.days),
            updated_at=clock.now(),
        )
    )


async def set_area(session: AsyncSession, user_id: UUID, point: tuple[float, float] | None) -> None:
    """Set the user's location to the cell of a point in degrees, or with None to the city of the profile.

    Does not store the point.
    """
    lat, lon = cell_of(*point) if point is not None else (NOWHERE, NOWHERE)
    params = {"is_area": point is not None, "lat": lat, "lon": lon, "tile": tile_of(lat, lon), "user": user_id}
    await session.execute(_UPDATE_AREA, params)
    await enqueue(session, GEOCODE_USER_TASK, once=True)
