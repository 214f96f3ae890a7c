"""Reading the user's series."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings import queries
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.schemas import BookingData
from porchlight.features.bookings.series.schemas import MAX_SESSIONS
from tenants.kit.errors import NotFound


async def series(session: AsyncSession, user_id: UUID, series_id: UUID) -> list[BookingData]:
    """Return all bookings of a user's series, the earliest first. Raises NotFound."""
    query = select(Booking).where(Booking.person_id == user_id, Booking.series_id == series_id)
    query = query.order_by(Booking.starts_at, Booking.id).limit(MAX_SESSIONS)
    bookings = (await session.scalars(query.execution_options(populate_existing=True))).all()
    if not bookings:
        raise NotFound
    return await queries.bookings_data(session, bookings)


async def series_by_key(session: AsyncSession, user_id: UUID, key: str, digest: bytes) -> UUID | None:
    """Return the id of the series that a user booked under an idempotency key, or None.

    Raises KeyReused if it was made by another request.
    """
    first = await queries.booking_by_key(session, user_id, key, digest)
    return UUID(first.series_id) if first and first.series_id else None
