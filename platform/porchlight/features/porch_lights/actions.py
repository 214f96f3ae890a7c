"""Turn a porch light on and off."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.porch_lights.evening import evening_end
from porchlight.features.porch_lights.models import PorchLight
from porchlight.features.porch_lights.queries import can_turn_on, own_location
from tenants.kit import clock
from tenants.kit.errors import Conflict


class NothingToOffer(Conflict):
    """Neighbors would see the light of a user who offers nothing, or of a hidden profile."""

    code = "nothing_to_offer"
    message = "Offer a service on Angel's List with a public profile, or publish your site first."


async def turn_on(session: AsyncSession, user_id: UUID, zone: ZoneInfo) -> None:
    """Turn the user's light on until the evening ends in `zone`. Raises NothingToOffer."""
    if not await can_turn_on(session, user_id):
        raise NothingToOffer
    location = await own_location(session, user_id)
    now = clock.now()
    values = {
        "expires_at": evening_end(now, zone),
        "turned_on_at": now,
        "city": location.city,
        "latitude": location.latitude,
        "longitude": location.longitude,
    }
    await session.execute(
        insert(PorchLight)
        .values(user_id=user_id, **values)
        .on_conflict_do_update(index_elements=[PorchLight.user_id], set_=values)
    )


async def turn_off(session: AsyncSession, user_id: UUID) -> None:
    """Turn the user's light off. No error if it is off."""
    await session.execute(delete(PorchLight).where(PorchLight.user_id == user_id))


async def lit_until(session: AsyncSession, user_id: UUID) -> datetime | None:
    """Return when the user's light goes out, or None if it is off."""
    return await session.scalar(
        select(PorchLight.expires_at).where(PorchLight.user_id == user_id, PorchLight.expires_at > clock.now())
    )
