"""Actions on services. Each runs in the unit of work of the tenant."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from sqlalchemy import Select, bindparam, delete, exists, func, or_, select, text, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from sites.services.defaults import NewService, service_rows
from sites.services.models import Service
from sites.services.queries import MAX_SERVICES
from tenants.db.counted_limits import lock_count
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id

_LOCK_CALENDAR = text("SELECT app.lock_calendar()")
_OWN_SERVICES = (  # built once, because that takes longer than the query
    select(Service)
    .where(Service.tenant_id == bindparam("tenant"))
    .order_by(Service.position, Service.id)
    .limit(MAX_SERVICES)
)


@dataclass(frozen=True, slots=True)
class ServiceInput:
    """A service as entered by its guru. `duration_label` replaces the minutes of a service without bookable slots."""

    name: str
    description: str
    price_cents: int
    duration_minutes: int | None
    duration_label: str
    popular: bool
    features: list[str]


async def own_services(session: AsyncSession, tenant_id: UUID) -> Sequence[Service]:
    """Return every service of a guru, in order."""
    return (await session.scalars(_OWN_SERVICES, {"tenant": tenant_id})).all()


async def lock_services(session: AsyncSession, tenant_id: UUID, ids: Collection[UUID]) -> set[UUID]:
    """Return those of the services that the guru has. None of them is deleted until the transaction ends."""
    if not ids:
        return set()
    query = select(Service.id).where(Service.tenant_id == tenant_id, Service.id.in_(sorted(ids))).order_by(Service.id)
    return set(await session.scalars(query.with_for_update(read=True, key_share=True)))


def count_priced_services(tenant_id: UUID, service_id: UUID | None) -> Select[int]:
    """Return the query that counts the services with a price: all, or those that take precedence over one of them.

    Older ones take precedence. A service that has no price yet comes after all others.
    """
    query = select(func.count()).where(Service.tenant_id == tenant_id, Service.price_cents > 0)
    if service_id is None:
        return query
    own = aliased(Service)
    of_own = exists().where(own.tenant_id == tenant_id, own.id == service_id)
    is_older = of_own.where(
        tuple_(Service.created_at, Service.position, Service.id) < tuple_(own.created_at, own.position, own.id)
    )
    return query.where(Service.id != service_id, or_(of_own.where(own.price_cents == 0), is_older))


async def create_service(session: AsyncSession, tenant_id: UUID, service: ServiceInput) -> UUID:
    """Create a service at the end of the list. Raise Conflict above MAX_SERVICES."""
    await lock_count(session, "services", tenant_id)
    count, last = (
        await session.execute(select(func.count(), func.max(Service.position)).where(Service.tenant_id == tenant_id))
    ).one()
    if count >= MAX_SERVICES:
        raise Conflict(f"A site can have up to {MAX_SERVICES} services. Please delete one first.")
    service_id = new_id()
    position = 0 if last is None else last + 1
    await session.execute(
        insert(Service).values(tenant_id=tenant_id, id=service_id, position=position, **asdict(service))
    )
    return service_id


async def create_default_services(session: AsyncSession, tenant_id: UUID, services: Sequence[NewService]) -> None:
    """Create the services that a new site starts with, in this order."""
    await session.execute(insert(Service), service_rows(tenant_id, services))


async def update_service(session: AsyncSession, tenant_id: UUID, service_id: UUID, service: ServiceInput) -> None:
    """Update a service. Raise NotFound."""
    updated = await session.scalar(
        update(Service)
        .where(Service.tenant_id == tenant_id, Service.id == service_id)
        .values(**asdict(service), updated_at=clock.now())
        .returning(Service.id)
    )
    if updated is None:
        raise NotFound


async def delete_service(session: AsyncSession, tenant_id: UUID, service_id: UUID) -> None:
    """Delete a service. Leads about it are kept. Raise NotFound."""
    # Before the row: a booking locks the calendar first, and then the service that it refers to.
    await session.execute(_LOCK_CALENDAR)
    deleted = await session.scalar(
        delete(Service).where(Service.tenant_id == tenant_id, Service.id == service_id).returning(Service.id)
    )
    if deleted is None:
        raise NotFound


async def reorder_services(session: AsyncSession, tenant_id: UUID, ids: Sequence[UUID]) -> None:
    """Set the order of the services. Raise Conflict unless `ids` names each service exactly once."""
    query = (
        select(Service.id).where(Service.tenant_id == tenant_id).order_by(Service.id).with_for_update(key_share=True)
    )
    existing = set(await session.scalars(query))
    if len(ids) != len(existing) or set(ids) != existing:
        raise Conflict
    for position, service_id in enumerate(ids):
        await session.execute(
            update(Service)
            .where(Service.tenant_id == tenant_id, Service.id == service_id, Service.position != position)
            .values(position=position)
        )
