"""What a guru does with what they offer. Each works inside the unit of work of their tenant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from sites.services.models import Service
from sites.services.queries import MOST
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id


@dataclass(frozen=True, slots=True)
class Offer:
    """A service as its guru describes it. `duration_label` stands in for minutes of what is no bookable slot."""

    name: str
    description: str
    price_cents: int
    duration_minutes: int | None
    duration_label: str
    popular: bool
    features: list[str]


async def own_services(session: AsyncSession, tenant_id: UUID) -> Sequence[Service]:
    """Every service in its order."""
    query = select(Service).where(Service.tenant_id == tenant_id).order_by(Service.position, Service.id).limit(MOST)
    return (await session.scalars(query)).all()


async def add_service(session: AsyncSession, tenant_id: UUID, offer: Offer) -> UUID:
    """Offer something more, at the end of the list. Raises Conflict past MOST."""
    count, last = (
        await session.execute(select(func.count(), func.max(Service.position)).where(Service.tenant_id == tenant_id))
    ).one()
    if count >= MOST:
        raise Conflict(f"A site shows {MOST} services at most. Please delete one first.")
    service_id = new_id()
    position = 0 if last is None else last + 1
    await session.execute(
        insert(Service).values(tenant_id=tenant_id, id=service_id, position=position, **asdict(offer))
    )
    return service_id


async def change_service(session: AsyncSession, tenant_id: UUID, service_id: UUID, offer: Offer) -> None:
    """Describe a service anew. Raises NotFound."""
    found = await session.scalar(
        update(Service)
        .where(Service.tenant_id == tenant_id, Service.id == service_id)
        .values(**asdict(offer), updated_at=clock.now())
        .returning(Service.id)
    )
    if found is None:
        raise NotFound


async def delete_service(session: AsyncSession, tenant_id: UUID, service_id: UUID) -> None:
    """Offer something no longer. Leads that asked for it stay. Raises NotFound."""
    found = await session.scalar(
        delete(Service).where(Service.tenant_id == tenant_id, Service.id == service_id).returning(Service.id)
    )
    if found is None:
        raise NotFound


async def order_services(session: AsyncSession, tenant_id: UUID, ids: Sequence[UUID]) -> None:
    """Put the services into this order. Raises Conflict when these are not all of them, each once."""
    held = select(Service.id).where(Service.tenant_id == tenant_id).order_by(Service.id).with_for_update(key_share=True)
    there = set(await session.scalars(held))
    if len(ids) != len(there) or set(ids) != there:
        raise Conflict
    for position, service_id in enumerate(ids):
        await session.execute(
            update(Service)
            .where(Service.tenant_id == tenant_id, Service.id == service_id, Service.position != position)
            .values(position=position)
        )
