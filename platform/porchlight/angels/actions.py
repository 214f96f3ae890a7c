"""Becoming an angel for something, and ceasing to be one."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import delete, exists, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.angels.models import Angel, AngelService
from porchlight.angels.places import Spot
from porchlight.angels.schemas import AngelPayload
from tenants.kit import clock
from tenants.kit.errors import NotFound


async def help_with(session: AsyncSession, user_id: UUID, service_id: str, sent: AngelPayload, spot: Spot) -> None:
    """Offer one's help with a service, or change how. Raises NotFound for a service that is none."""
    if not await session.scalar(select(exists().where(AngelService.id == service_id))):
        raise NotFound
    values = {
        "rate_cents": sent.rate_cents,
        "about": sent.about,
        "days": sorted(set(sent.days)),
        "radius_miles": sent.radius_miles,
        "mails_a_day": sent.mails_a_day,
        "city": spot.city,
        "region": spot.region,
        "latitude": spot.latitude,
        "longitude": spot.longitude,
        "active": sent.active,
        "updated_at": clock.now(),
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
