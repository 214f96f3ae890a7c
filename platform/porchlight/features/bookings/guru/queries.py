"""Reading the guru's bookings. An impersonated console sees sessions and blocked times, but no booking."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import ARRAY, Uuid, and_, any_, bindparam, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from porchlight.features.bookings.expiry import ATTENDANCE
from porchlight.features.bookings.guru.schemas import (
    BookingEventData,
    BusyTimeData,
    GuruBookingData,
    GuruBookingDetails,
    GuruBookingList,
    OpenTimeData,
    SessionData,
    WeekData,
)
from porchlight.features.bookings.models import IS_OPEN, REACHED_GURU, Booking, BookingEvent
from porchlight.features.bookings.moves.answer_time import can_propose
from porchlight.features.bookings.participants.queries import participant_data, participants_of
from porchlight.features.bookings.payments.guru_payment import guru_payment
from porchlight.features.bookings.queries import (
    IS_PAST,
    BookingPages,
    answers_data,
    page_by_start,
    pages_by_start,
    proposal_data,
    used_package,
)
from porchlight.features.bookings.tips.queries import tipped_cents
from porchlight.features.bookings.waiver_due import lacks_waiver
from sites.hours.busy_times import named_busy_times
from sites.hours.models import Appointment, Calendar
from sites.hours.own_hours import open_times
from sites.hours.proposal import DEFAULT_ZONE
from sites.services.models import Service
from tenants.kit import clock
from tenants.kit.errors import NotFound

WEEK_DAYS = 7
MAX_EVENTS = 100
MAX_WEEK_BOOKINGS = 1000
OCCUPYING = ("held", "requested", "confirmed", "completed", "missed")
When = Literal["requests", "upcoming", "past"]

# Statements are built once, because that takes longer than the query.
_IS_OWN = Booking.tenant_id == bindparam("tenant_id")
_IS_WAITING = and_(_IS_OWN, IS_OPEN, Booking.status == "requested", Booking.expires_at > bindparam("now"))
_PAGES: dict[When, BookingPages] = {
    "requests": pages_by_start(_IS_WAITING),
    "upcoming": pages_by_start(
        and_(_IS_OWN, IS_OPEN, Booking.status == "confirmed", Booking.ends_at > bindparam("now"))
    ),
    "past": pages_by_start(and_(_IS_OWN, IS_PAST), latest_first=True),
}
_REQUESTS = select(func.count()).where(_IS_WAITING, Booking.starts_at > bindparam("now"))
_CALENDAR = select(Calendar.zone, Calendar.paused_until).where(Calendar.tenant_id == bindparam("tenant_id"))
_APPOINTMENTS = (
    select(
        Appointment.id,
        Appointment.kind,
        Appointment.fixed,
        Appointment.service_id,
        Service.name.label("service_name"),
        Appointment.starts_at,
        Appointment.ends_at,
        func.lower(Appointment.blocked).label("blocked_from"),
        func.upper(Appointment.blocked).label("blocked_until"),
        Appointment.capacity,
        Appointment.taken,
        Appointment.waiting,
    )
    .outerjoin(Service, and_(Service.tenant_id == Appointment.tenant_id, Service.id == Appointment.service_id))
    .where(
        Appointment.tenant_id == bindparam("tenant_id"),
        Appointment.live,
        Appointment.starts_at < bindparam("before"),
        Appointment.ends_at > bindparam("after"),
    )
    .order_by(Appointment.starts_at)
)
_IDS = bindparam("ids", type_=ARRAY(Uuid))
_NOT_SHOWN = (
    Booking.person_id, Booking.hold_hash, Booking.person_address, Booking.address_hash, Booking.guru_label,
    Booking.guru_name, Booking.approval, Booking.terms, Booking.terms_digest, Booking.waiver_id, Booking.sequence,
    Booking.moves, Booking.confirmed_at, Booking.ended_at, Booking.idempotency_key, Booking.digest, Booking.created_at,
    Booking.left_appointment_id, Booking.customer_email, Booking.questions, Booking.client_id,
)  # fmt: skip
_OCCUPYING_BOOKINGS = (
    select(Booking)
    .options(*(defer(column, raiseload=True) for column in _NOT_SHOWN))
    .where(
        _IS_OWN,
        Booking.appointment_id == any_(_IDS),
        Booking.status.in_(OCCUPYING),
        or_(Booking.expires_at.is_(None), Booking.expires_at > bindparam("now")),
    )
    .order_by(Booking.starts_at, Booking.created_at, Booking.id)
    .limit(bindparam("limit"))
)


def booking_data(booking: Booking) -> GuruBookingData:
    """Return a booking in the form of the API. A hold has no name yet."""
    now = clock.now()
    is_open = booking.status in ("requested", "confirmed")
    return GuruBookingData(
        id=str(booking.id),
        series_id=str(booking.series_id) if booking.series_id else None,
        is_customer=booking.customer_token is not None,
        status=booking.status,
        appointment_id=str(booking.appointment_id),
        person_name=booking.person_name,
        participants=booking.participants,
        party=booking.party,
        note=booking.note,
        answers=answers_data(booking),
        service_id=str(booking.service_id),
        service_name=booking.service_name,
        starts_at=clock.to_iso8601(booking.starts_at),
        ends_at=clock.to_iso8601(booking.ends_at),
        zone=booking.zone,
        person_zone=booking.person_zone if booking.place == "online" else "",
        price_cents=booking.price_cents,
        currency=booking.currency,
        place=booking.place,
        place_text=booking.place_text,
        expires_at=clock.to_iso8601(booking.expires_at) if booking.expires_at else None,
        waiver_level=booking.waiver_level,
        waiver_until=clock.to_iso8601(booking.waiver_until) if booking.waiver_until else None,
        waiver_due=is_open and lacks_waiver(booking),
        ended_by=booking.ended_by,
        reason=booking.reason,
        owed_cents=booking.owed_cents,
        package=used_package(booking),
        proposal=proposal_data(booking),
        can_answer=booking.status == "requested" and booking.expires_at is not None and booking.expires_at > now,
        can_cancel=booking.status == "confirmed" and booking.ends_at > now,
        can_propose=can_propose(booking, now),
        can_mark_missed=booking.status in ("confirmed", "completed", "missed")
        and booking.checked_in_at is None
        and booking.ends_at <= now < attendance_until(booking),
        can_change_place=is_open and booking.ends_at > now,
        checked_in_at=clock.to_iso8601(booking.checked_in_at) if booking.checked_in_at else None,
        checked_in_by=booking.checked_in_by,
    )


def attendance_until(booking: Booking) -> datetime:
    """Return the time until which the guru can say whether the person missed the session."""
    return booking.ends_at + ATTENDANCE


async def bookings(session: AsyncSession, tenant_id: UUID, when: When, cursor: str | None) -> GuruBookingList:
    """Return a page of the guru's bookings: the next first, of past ones the latest first. Raises ValidationFailed."""
    values = {"tenant_id": tenant_id, "now": clock.now()}
    rows, more = await page_by_start(session, _PAGES[when], cursor, values)
    return GuruBookingList(
        bookings=[booking_data(row) for row in rows],
        next_cursor=more,
        requests=await session.scalar(_REQUESTS, values) or 0,
    )


async def find_booking(session: AsyncSession, tenant_id: UUID, booking_id: UUID) -> Booking:
    """Return a booking of the guru as the database has it now. Raises NotFound, also for a hold."""
    query = select(Booking).where(Booking.tenant_id == tenant_id, Booking.id == booking_id, REACHED_GURU)
    found = await session.scalar(query.execution_options(populate_existing=True))
    if found is None:
        raise NotFound
    return found


async def booking_details(session: AsyncSession, tenant_id: UUID, booking_id: UUID) -> GuruBookingDetails:
    """Return a booking of the guru with its history. Raises NotFound."""
    booking = await find_booking(session, tenant_id, booking_id)
    query = select(BookingEvent).where(BookingEvent.tenant_id == tenant_id, BookingEvent.booking_id == booking_id)
    newest = (await session.scalars(query.order_by(BookingEvent.number.desc()).limit(MAX_EVENTS))).all()
    people = (await participants_of(session, [booking])).get(booking.id, [])
    return GuruBookingDetails(
        **booking_data(booking).model_dump(),
        customer_email=booking.customer_email,
        people=[participant_data(one, booking, with_email=False) for one in people],
        address=booking.person_address if booking.status in ("requested", "confirmed") else "",
        payment=await guru_payment(session, booking),
        tipped_cents=await tipped_cents(session, booking),
        events=[
            BookingEventData(
                at=clock.to_iso8601(event.at),
                actor=event.actor,
                event=event.event,
                reason=event.details.get("reason", ""),
                name=event.details.get("name", ""),
            )
            for event in reversed(newest)
        ],
    )


async def week(session: AsyncSession, tenant_id: UUID, first_day: date | None) -> WeekData:
    """Return the sessions and blocked times of seven local days, by default from today on.

    The number of sessions has a limit by itself, because they do not overlap. That of their bookings has one, because
    hundreds of short sessions with a hundred seats each would take seconds.
    """
    calendar = (await session.execute(_CALENDAR, {"tenant_id": tenant_id})).one_or_none()
    zone = calendar.zone if calendar else DEFAULT_ZONE
    first = first_day or clock.now().astimezone(ZoneInfo(zone)).date()
    starts_at = datetime.combine(first, time(), ZoneInfo(zone))
    ends_at = datetime.combine(first + timedelta(days=WEEK_DAYS), time(), ZoneInfo(zone))
    values = {"tenant_id": tenant_id, "before": ends_at, "after": starts_at}
    appointments = (await session.execute(_APPOINTMENTS, values)).all()
    ids = [appointment.id for appointment in appointments]
    booked, more = await _bookings_by_session(session, tenant_id, ids)
    sessions = []
    for appointment in appointments:
        found = booked.get(appointment.id, [])
        sessions.append(
            SessionData(
                id=str(appointment.id),
                kind=appointment.kind,
                fixed=appointment.fixed,
                service_id=str(appointment.service_id) if appointment.service_id else None,
                service_name=appointment.service_name or (found[0].service_name if found else ""),
                starts_at=clock.to_iso8601(appointment.starts_at),
                ends_at=clock.to_iso8601(appointment.ends_at),
                blocked_from=clock.to_iso8601(appointment.blocked_from),
                blocked_until=clock.to_iso8601(appointment.blocked_until),
                capacity=appointment.capacity,
                taken=appointment.taken,
                waiting=appointment.waiting,
                bookings=found,
            )
        )
    busy = [
        BusyTimeData(
            calendar=one.name,
            starts_at=clock.to_iso8601(max(one.during.lower or starts_at, starts_at)),
            ends_at=clock.to_iso8601(min(one.during.upper or ends_at, ends_at)),
        )
        for one in await named_busy_times(session, tenant_id, starts_at, ends_at)
    ]
    hours = [
        OpenTimeData(starts_at=clock.to_iso8601(opens_at), ends_at=clock.to_iso8601(closes_at))
        for opens_at, closes_at in await open_times(session, tenant_id, ZoneInfo(zone), first, WEEK_DAYS)
    ]
    paused_until = calendar.paused_until if calendar else None
    return WeekData(
        zone=zone,
        from_day=first.isoformat(),
        sessions=sessions,
        busy=busy,
        hours=hours,
        paused_until=clock.to_iso8601(paused_until) if paused_until and paused_until > clock.now() else None,
        more=more,
    )


async def _bookings_by_session(
    session: AsyncSession, tenant_id: UUID, appointment_ids: Sequence[UUID]
) -> tuple[dict[UUID, list[GuruBookingData]], bool]:
    """Return the bookings that occupy seats of the sessions, in the order in which they were made.

    Those of the earliest sessions, up to a limit, and whether there are more.
    """
    values = {"tenant_id": tenant_id, "ids": appointment_ids, "now": clock.now(), "limit": MAX_WEEK_BOOKINGS + 1}
    found = (await session.scalars(_OCCUPYING_BOOKINGS, values)).all()
    by_session: dict[UUID, list[GuruBookingData]] = {}
    for booking in found[:MAX_WEEK_BOOKINGS]:
        by_session.setdefault(booking.appointment_id, []).append(booking_data(booking))
    return by_session, len(found) > MAX_WEEK_BOOKINGS
