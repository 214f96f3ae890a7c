"""Changes to what one offers and wants. The profile names the skills; offers and wants follow it by trigger."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.grid import cell_of, tile_of
from porchlight.listings.models import SkillOffer
from porchlight.listings.placing import PLACE_TASK
from porchlight.listings.schemas import MOST, SkillListingPayload, bits_of
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ValidationFailed

_NAMED = {
    "offered": text("SELECT skills_offered FROM profiles WHERE user_id = :user FOR UPDATE"),
    "wanted": text("SELECT skills_wanted FROM profiles WHERE user_id = :user FOR UPDATE"),
}
_NAME = {
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
_SAME = text("SELECT app.folded(:one) = app.folded(:other)")
_AREA = text(
    "UPDATE whereabouts SET by_area = :by_area, cell_lat = :lat, cell_lon = :lon, tile = :tile, updated_at = now()"
    " WHERE user_id = :user"
)
_PLACE = text("SELECT app.enqueue(:task, jsonb_build_object('user_id', CAST(:user AS text)), 'place:' || :user)")


class SkillKnown(Conflict):
    """The skill is in the profile already."""

    code = "skill_known"
    message = "You have this skill already."


async def _skills(session: AsyncSession, user_id: UUID, which: str) -> list[dict[str, Any]]:
    found = await session.scalar(_NAMED[which], {"user": user_id})
    if found is None:
        raise NotFound
    return list(found)


async def _write(session: AsyncSession, user_id: UUID, which: str, skills: list[dict[str, Any]]) -> None:
    named = orjson.dumps(skills).decode()
    await session.execute(_NAME[which], {"skills": named, "now": clock.now(), "user": user_id})


async def add_skill(session: AsyncSession, user_id: UUID, which: str, title: str, level: str | None) -> None:
    """Name one more skill in the profile. Raises SkillKnown, ValidationFailed."""
    skills = await _skills(session, user_id, which)
    if len(skills) >= MOST:
        raise ValidationFailed(fields={"title": f"You can list {MOST} skills; remove one first."})
    for known in skills:
        if await session.scalar(_SAME, {"one": known["name"], "other": title}):
            raise SkillKnown
    await _write(session, user_id, which, [*skills, {"name": title, "level": level}])


async def remove_skill(session: AsyncSession, user_id: UUID, which: str, skill_id: UUID) -> None:
    """Take a skill out of the profile, and with it its listing. Raises NotFound."""
    title = await session.scalar(_TITLES[which], {"user": user_id, "id": skill_id})
    if title is None:
        raise NotFound
    skills = await _skills(session, user_id, which)
    await _write(session, user_id, which, [known for known in skills if known["name"] != title])


async def describe_offer(session: AsyncSession, user_id: UUID, offer_id: UUID, sent: SkillListingPayload) -> None:
    """Say everything of a listing anew. Raises NotFound."""
    title = await session.scalar(_TITLES["offered"], {"user": user_id, "id": offer_id})
    if title is None:
        raise NotFound
    skills = await _skills(session, user_id, "offered")
    renewed = [known | {"level": sent.level} if known["name"] == title else known for known in skills]
    if renewed != skills:
        await _write(session, user_id, "offered", renewed)
    await session.execute(
        update(SkillOffer)
        .where(SkillOffer.user_id == user_id, SkillOffer.id == offer_id)
        .values(
            details=sent.details,
            formats=sent.formats,
            terms=sent.terms,
            price_cents=sent.price_cents,
            radius_km=sent.radius_km,
            days=bits_of(sent.days),
            updated_at=clock.now(),
        )
    )


async def set_area(session: AsyncSession, user_id: UUID, point: tuple[float, float] | None) -> None:
    """Be found from the coarse cell of a point (degrees), or with None from the profile's town again.

    The point itself is kept nowhere.
    """
    lat, lon = cell_of(*point) if point is not None else (-1, -1)
    await session.execute(
        _AREA, {"by_area": point is not None, "lat": lat, "lon": lon, "tile": tile_of(lat, lon), "user": user_id}
    )
    await session.execute(_PLACE, {"task": PLACE_TASK, "user": str(user_id)})
