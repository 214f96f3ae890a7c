"""Write the services that a user offers as an angel."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import delete, exists, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.angels.locations import Coordinates
from porchlight.features.angels.models import Angel, AngelService
from porchlight.features.angels.schemas import AngelPayload
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed


async def set_angel_service(
    session: AsyncSession, user_id: UUID, service_id: str, payload: AngelPayload, location: Coordinates | None
) -> None:
    """Create or replace the user's offer to help with a service. Without a location, keep the stored one.

    Raises NotFound for an unknown service, and ValidationFailed for a new offer without a location.
    """
    if not await session.scalar(select(exists().where(AngelService.id == service_id))):
        raise NotFound
    values: dict[str, Any] = {
        "rate_cents": payload.rate_cents,
        "about": payload.about,
        "days": sorted(set(payload.days)),
        "radius_miles": payload.radius_miles,
        "mails_a_day": payload.mails_a_day,
        "active": payload.active,
        "updated_at": clock.now(),
    }
    if location is None:
        updated = await session.scalar(
            update(Angel)
            .where(Angel.user_id == user_id, Angel.service_id == service_id)
            .values(values)
            .returning(Angel.service_id)
        )
        if updated is None:
            raise ValidationFailed(fields={"place": "Enter a city."})
        return
    values |= {
        "city": location.city,
        "region": location.region,
        "latitude": location.latitude,
        "longitude": location.longitude,
    }
    await session.execute(
        insert(Angel)
        .values(user_id=user_id, service_id=service_id, **values)
        .on_conflict_do_update(index_elements=[Angel.user_id, Angel.service_id], set_=values)
    )


async def delete_angel_service(session: AsyncSession, user_id: UUID, service_id: str) -> None:
    """Delete the user's offer to help with a service. Raises NotFound."""
    deleted = await session.scalar(
        delete(Angel).where(Angel.user_id == user_id, Angel.service_id == service_id).returning(Angel.service_id)
    )
    if deleted is None:
        raise NotFound
