"""The guru's sessions at a glance, for the first page of the console."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Date, DateTime, Select, Uuid, and_, bindparam, case, exists, func, or_, select, text, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from porchlight.features.bookings.guru.schemas import (
    BookedTimesData,
    BookingsOverview,
    NextBookingData,
    UnplacedBookingData,
    UnplacedServiceData,
)
from porchlight.features.bookings.models import IS_OPEN, Booking
from porchlight.features.bookings.waiver_due import lacks_waiver
from sites.hours.models import Appointment, BookingSettings, DateHours, WeeklyHours
from sites.hours.service_settings import NEEDED_PLACES
from sites.services.models import Service
from tenants.kit import clock

NEXT_BOOKINGS = 3
MAX_UNPLACED = 5
MAX_BOOKED = 200


def _overview_statement() -> Select[Any]:
    tenant_id, now = bindparam("tenant_id", type_=Uuid()), bindparam("now", type_=DateTime(timezone=True))
    is_next = and_(Booking.tenant_id == tenant_id, IS_OPEN, Booking.status == "confirmed", Booking.ends_at > now)
    is_asked = and_(Booking.status == "requested", Booking.expires_at > now)
    lacks = and_(
        Booking.status == "confirmed",
        Booking.waiver_level != "",
        or_(Booking.waiver_until.is_(None), Booking.waiver_until <= Booking.starts_at),
    )
    has_hours = or_(
        exists().where(WeeklyHours.tenant_id == tenant_id),
        exists().where(
            DateHours.tenant_id == tenant_id,
            DateHours.day >= bindparam("today", type_=Date()),
            func.isempty(DateHours.during).is_(False),
        ),
        exists().where(
            Appointment.tenant_id == tenant_id, Appointment.fixed, Appointment.live, Appointment.starts_at > now
        ),
    )
    counts = (
        select(
            func.count().filter(is_asked).label("requests"),
            func.count().filter(lacks).label("waivers_due"),
        )
        .where(Booking.tenant_id == tenant_id, IS_OPEN, Booking.starts_at > now)
        .subquery()
    )
    unplaced = (
        select(Booking.id, Booking.person_name, Booking.service_name, Booking.starts_at, Booking.zone)
        .where(
            Booking.tenant_id == tenant_id,
            IS_OPEN,
            Booking.status == "confirmed",
            Booking.starts_at > now,
            case((Booking.place == "person", Booking.person_address), else_=Booking.place_text) == "",
        )
        .order_by(Booking.starts_at, Booking.id)
        .limit(MAX_UNPLACED + 1)
        .subquery()
    )
    unplaced_services = (
        select(Service.id, Service.name)
        .join(
            BookingSettings,
            and_(BookingSettings.tenant_id == Service.tenant_id, BookingSettings.service_id == Service.id),
        )
        .where(
            Service.tenant_id == tenant_id,
            BookingSettings.open,
            BookingSettings.place.in_(list(NEEDED_PLACES)),
            BookingSettings.place_text == "",
        )
        .order_by(Service.position, Service.id)
        .limit(MAX_UNPLACED + 1)
        .subquery()
    )
    lists = [
        select(func.coalesce(func.jsonb_agg(func.to_jsonb(rows.table_valued())), text("'[]'"))).scalar_subquery()
        for rows in (unplaced, unplaced_services)
    ]
    first = select(Booking).where(is_next).order_by(Booking.starts_at, Booking.id).limit(NEXT_BOOKINGS).subquery()
    upcoming = aliased(Booking, first)
    return (
        select(counts.c.requests, counts.c.waivers_due, has_hours, *lists, upcoming)
        .select_from(counts)
        .outerjoin(upcoming, true())
        .order_by(upcoming.starts_at, upcoming.id)
    )


# Built once: with an alias of all columns, that takes longer than the query.
_OVERVIEW = _overview_statement()


async def bookings_overview(session: AsyncSession, tenant_id: UUID) -> BookingsOverview:
    """Return the guru's next bookings and the numbers of what waits for them, in one query."""
    now = clock.now()
    rows = await session.execute(_OVERVIEW, {"tenant_id": tenant_id, "now": now, "today": now.date()})
    found = rows.all()
    requests, waivers_due, hours, unplaced, services, _first = found[0]
    return BookingsOverview(
        next=[next_booking(booking) for *_numbers, booking in found if booking is not None],
        requests=requests,
        waivers_due=waivers_due,
        has_hours=hours,
        unplaced=[
            UnplacedBookingData.model_validate(
                row | {"starts_at": clock.to_iso8601(datetime.fromisoformat(row["starts_at"]))}
            )
            for row in unplaced[:MAX_UNPLACED]
        ],
        unplaced_services=[UnplacedServiceData.model_validate(row) for row in services[:MAX_UNPLACED]],
        more_unplaced=max(len(unplaced), len(services)) > MAX_UNPLACED,
    )


async def booked_times(session: AsyncSession, tenant_id: UUID, after: datetime, before: datetime) -> BookedTimesData:
    """Return the open bookings of a time that have not ended: a change of the hours would affect them."""
    query = (
        select(Booking)
        .where(
            Booking.tenant_id == tenant_id,
            IS_OPEN,
            Booking.starts_at < before,
            Booking.ends_at > max(after, clock.now()),
        )
        .order_by(Booking.starts_at, Booking.id)
        .limit(MAX_BOOKED + 1)
    )
    found = (await session.scalars(query)).all()
    return BookedTimesData(bookings=[next_booking(one) for one in found[:MAX_BOOKED]], more=len(found) > MAX_BOOKED)


def next_booking(booking: Booking) -> NextBookingData:
    """Return a booking in short."""
    return NextBookingData(
        id=str(booking.id),
        service_id=str(booking.service_id),
        person_name=booking.person_name,
        service_name=booking.service_name,
        starts_at=clock.to_iso8601(booking.starts_at),
        ends_at=clock.to_iso8601(booking.ends_at),
        zone=booking.zone,
        waiver_due=lacks_waiver(booking),
    )
