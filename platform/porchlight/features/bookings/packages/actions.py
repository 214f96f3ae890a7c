"""Define packages, give them to people, extend them, and take unused sessions back: the actions of a guru."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import lock_calendar
from porchlight.features.bookings.errors import require
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.packages.lifecycle import is_extension
from porchlight.features.bookings.packages.models import Package, PackageGrant
from porchlight.features.bookings.packages.queries import count_open
from porchlight.features.bookings.packages.schemas import NewPackagePayload, PackagePayload
from porchlight.features.bookings.store import FactsQuery
from sites.hours.models import BookingSettings, Calendar
from tenants.http.idempotency import content_digest
from tenants.kit import clock
from tenants.kit.errors import Conflict, KeyReused, NotFound, ValidationFailed
from tenants.kit.ids import new_id, parse_id_or_404
from tenants.kit.zones import day_bounds

MAX_PER_SERVICE = 10
_DAY = timedelta(days=1)


class PackagesFull(Conflict):
    """A service has ten packages."""

    code = "packages_full"
    message = "A service can have 10 packages. Please remove one first. What people have of it stays."


class CannotCover(Conflict):
    """The booking that a new package is to cover is over, canceled, covered already or of another service."""

    code = "cannot_cover"
    message = "This package can't cover the session. You can give it without using it for the session."


async def create_package(session: AsyncSession, tenant_id: UUID, payload: NewPackagePayload, key: str) -> UUID:
    """Define a package of a service that can be booked, and return its id. A resend changes nothing.

    Raises NotFound for another service, PackagesFull, KeyReused.
    """
    service_id = parse_id_or_404(payload.service_id)
    await lock_calendar(session)
    digest = content_digest(payload.model_dump_json())
    sent = await session.scalar(select(Package).where(Package.tenant_id == tenant_id, Package.idempotency_key == key))
    if sent is not None:
        if sent.digest != digest:
            raise KeyReused
        return sent.id
    is_bookable = (BookingSettings.tenant_id == tenant_id, BookingSettings.service_id == service_id)
    if await session.scalar(select(BookingSettings.service_id).where(*is_bookable)) is None:
        raise NotFound
    of_service = (Package.tenant_id == tenant_id, Package.service_id == service_id)
    if (await session.scalar(select(func.count()).select_from(Package).where(*of_service)) or 0) >= MAX_PER_SERVICE:
        raise PackagesFull
    made = Package(
        tenant_id=tenant_id, id=new_id(), service_id=service_id, name=payload.name, sessions=payload.sessions,
        days=payload.days, price_cents=payload.price_cents, idempotency_key=key, digest=digest,
    )  # fmt: skip
    session.add(made)
    await session.flush()  # the answer reads it
    return made.id


async def update_package(session: AsyncSession, tenant_id: UUID, package_id: UUID, payload: PackagePayload) -> None:
    """Change a package. What people have of it stays as it was given. Raises NotFound."""
    found = await _package(session, tenant_id, package_id)
    found.name, found.sessions, found.days = payload.name, payload.sessions, payload.days
    found.price_cents = payload.price_cents
    await session.flush()  # the answer reads it


async def delete_package(session: AsyncSession, tenant_id: UUID, package_id: UUID) -> None:
    """Stop offering a package. What people have of it stays. Raises NotFound."""
    await session.delete(await _package(session, tenant_id, package_id))


async def grant_package(
    session: AsyncSession, tenant_id: UUID, package_id: UUID, booking_id: UUID, *, key: str, covers: bool = False
) -> UUID:
    """Give a package to the person of a booking, and return the id of what they have. A resend changes nothing.

    It starts today in the calendar's zone. `covers`: the booking uses it. Raises NotFound for another guru's package or
    booking, TooManyPackages, KeyReused, and CannotCover.
    """
    await lock_calendar(session)
    digest = content_digest(str(package_id), str(booking_id), *(["covers"] if covers else []))
    sent = await session.scalar(
        select(PackageGrant).where(PackageGrant.tenant_id == tenant_id, PackageGrant.idempotency_key == key)
    )
    if sent is not None:
        if sent.digest != digest:
            raise KeyReused
        return sent.id
    package = await _package(session, tenant_id, package_id)
    booking = await find_booking(session, tenant_id, booking_id)
    now, zone = clock.now(), await _zone(session, tenant_id)
    own = PackageGrant.tenant_id == tenant_id
    recent = select(func.count()).select_from(PackageGrant).where(own, PackageGrant.created_at > now - _DAY)
    command = commands.GrantPackage(
        id=new_id(), package_id=package.id, booking_id=booking.id, sessions=package.sessions,
        expires_at=end_of(zone, now.astimezone(zone).date() + timedelta(days=package.days)), key=key, digest=digest,
        of_person=await count_open(session, tenant_id, booking.person_id), recent=await session.scalar(recent) or 0,
    )  # fmt: skip
    require((await store.run_in(session, FactsQuery(), command)).refusal)
    if covers:
        used = commands.WantedPackage(id=command.id, sessions=booking.party)
        cover = commands.CoverBooking(id=booking.id, package=used)
        if (await store.run_in(session, FactsQuery(ids=[booking.id, command.id]), cover)).refusal is not None:
            raise CannotCover
    return command.id


async def extend_package(session: AsyncSession, tenant_id: UUID, grant_id: UUID, last_day: date) -> None:
    """Let a person use their package up to a later day.

    Raises NotFound, ValidationFailed for an earlier day or one that is too far away, and PackageGone if nothing of it
    is left.
    """
    await lock_calendar(session)
    grant = await _grant(session, tenant_id, grant_id)
    expires_at = end_of(ZoneInfo(grant.zone), last_day)
    if expires_at != grant.expires_at and not is_extension(grant.expires_at, expires_at, clock.now()):
        raise ValidationFailed(fields={"lastDay": "Choose a later day than now, within the next three years."})
    command = commands.ExtendPackage(id=grant_id, expires_at=expires_at)
    require((await store.run_in(session, FactsQuery(ids=[grant_id]), command)).refusal)


async def take_back_sessions(
    session: AsyncSession, tenant_id: UUID, grant_id: UUID, *, sessions: int, left: int, reason: str
) -> None:
    """Take back unused sessions of a package. Raises NotFound, and PackageGone if other ones are left than was seen."""
    await _grant(session, tenant_id, grant_id)
    command = commands.TakeBackSessions(id=grant_id, sessions=sessions, left_over=left, reason=reason)
    require((await store.run_in(session, FactsQuery(ids=[grant_id]), command)).refusal)


def end_of(zone: ZoneInfo, day: date) -> datetime:
    """Return the instant at which a local day ends."""
    return day_bounds(zone, day)[1]


async def _package(session: AsyncSession, tenant_id: UUID, package_id: UUID) -> Package:
    query = select(Package).where(Package.tenant_id == tenant_id, Package.id == package_id)
    found = await session.scalar(query)
    if found is None:
        raise NotFound
    return found


async def _grant(session: AsyncSession, tenant_id: UUID, grant_id: UUID) -> PackageGrant:
    query = select(PackageGrant).where(PackageGrant.tenant_id == tenant_id, PackageGrant.id == grant_id)
    found = await session.scalar(query)
    if found is None:
        raise NotFound
    return found


async def _zone(session: AsyncSession, tenant_id: UUID) -> ZoneInfo:
    """Return the zone of the guru's calendar, which everyone has who was booked."""
    found = await session.scalar(select(Calendar.zone).where(Calendar.tenant_id == tenant_id))
    if found is None:
        raise NotFound
    return ZoneInfo(found)
