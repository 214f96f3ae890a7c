"""Becoming an angel for something, and ceasing to be one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import delete, exists, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.angels.models import Angel, AngelService
from porchlight.angels.places import Spot
from porchlight.angels.schemas import AngelPayload
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed


async def help_with(
    session: AsyncSession, user_id: UUID, service_id: str, sent: AngelPayload, spot: Spot | None
) -> None:
    """Offer one's help with a service, or change how; without a spot, the one that is known stays.

    Raises NotFound for a service that is none, ValidationFailed for a first offer without a place.
    """
    if not await session.scalar(select(exists().where(AngelService.id == service_id))):
        raise NotFound
    values: dict[str, Any] = {
        "rate_cents": sent.rate_cents,
        "about": sent.about,
        "days": sorted(set(sent.days)),
        "radius_miles": sent.radius_miles,
        "mails_a_day": sent.mails_a_day,
        "active": sent.active,
        "updated_at": clock.now(),
    }
    if spot is None:
        changed = await session.scalar(
            update(Angel)
            .where(Angel.user_id == user_id, Angel.service_id == service_id)
            .values(values)
            .returning(Angel.service_id)
        )
        if changed is None:
            raise ValidationFailed(fields={"place": "Say roughly where you are."})
        return
    values |= {
        "city": spot.city,
        "region": spot.region,
        "latitude": spot.latitude,
        "longitude": spot.longitude,
    }
    await session.execute(
        insert(Angel)
        .values(user_id=user_id, service_id=service_id, **values)
        .on_conflict_do_update(index_elements=[Angel.user_id, Angel.service_id], set_=values)
    )


async def stop_helping(session: AsyncSession, user_id: UUID, service_id: str) -> None:
    """Take one's help with a service back. Raises NotFound when there is none."""
    gone = await session.scalar(
        delete(Angel).where(Angel.user_id == user_id, Angel.service_id == service_id).returning(Angel.service_id)
    )
    if gone is None:
        raise NotFound
