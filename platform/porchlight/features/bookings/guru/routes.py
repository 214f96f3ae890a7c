"""The guru's side of bookings: requests, sessions, cancellations and attendance."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import Query
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.features.bookings.guru import actions, places, queries
from porchlight.features.bookings.guru.affected import ChangedRules, affected_bookings
from porchlight.features.bookings.guru.overview import booked_times, bookings_overview
from porchlight.features.bookings.guru.schemas import (
    AnswerPayload,
    AttendancePayload,
    BookedTimesResponse,
    BookingsOverviewResponse,
    CanceledSessionData,
    CanceledSessionResponse,
    GuruBookingListResponse,
    GuruBookingResponse,
    GuruCancellationPayload,
    SessionPlaceData,
    SessionPlacePayload,
    SessionPlaceResponse,
    WeekResponse,
)
from porchlight.features.bookings.schemas import StartTime
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Forbidden
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru", tags=["bookings"], route_class=StrictRoute)

FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2200, 1, 1)


@router.get("/bookings", operation_id="list_guru_bookings", summary="List the bookings of my services")
async def list_guru_bookings(
    console: CurrentConsole,
    when: Annotated[queries.When, Query(description="Waiting for my answer, ahead, or over.")] = "upcoming",
    cursor: Annotated[str | None, Query(max_length=60)] = None,
) -> GuruBookingListResponse:
    """Return the bookings of the guru: the next first, of past ones the latest first."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.bookings(session, console.tenant_id, when, cursor)
    return GuruBookingListResponse(success=True, data=data)


@router.get("/bookings/week", operation_id="get_guru_week", summary="Get a week of my sessions")
async def get_guru_week(
    console: CurrentConsole,
    first_day: Annotated[
        date | None, Query(alias="from", ge=FIRST_DAY, le=LAST_DAY, description="The first day, by default today.")
    ] = None,
) -> WeekResponse:
    """Return the sessions and blocked times of seven days in the calendar's zone."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.week(session, console.tenant_id, first_day)
    return WeekResponse(success=True, data=data)


@router.get("/bookings/overview", operation_id="get_bookings_overview", summary="Get my bookings at a glance")
async def get_bookings_overview(console: CurrentConsole) -> BookingsOverviewResponse:
    """Return the next bookings, and how many requests and waivers are waiting."""
    async with console.unit_of_work(acting=True) as session:
        data = await bookings_overview(session, console.tenant_id)
    return BookingsOverviewResponse(success=True, data=data)


@router.get("/bookings/booked", operation_id="get_booked_times", summary="Get what is booked in a time")
async def get_booked_times(console: CurrentConsole, after: StartTime, before: StartTime) -> BookedTimesResponse:
    """Return the bookings and requests of a time, so that a guru sees which ones a change of the hours would affect."""
    async with console.unit_of_work(acting=True) as session:
        data = await booked_times(session, console.tenant_id, after, before)
    return BookedTimesResponse(success=True, data=data)


@router.get("/bookings/affected", operation_id="get_affected_bookings", summary="Get what changed rules affect")
async def get_affected_bookings(
    console: CurrentConsole,
    service_id: Annotated[str | None, Query(alias="serviceId", max_length=40, description="Of all by default.")] = None,
    minutes: Annotated[int | None, Query(ge=5, le=1440, description="The new length.")] = None,
    party_max: Annotated[int | None, Query(alias="partyMax", ge=1, le=10, description="Spots per booking.")] = None,
    capacity: Annotated[int | None, Query(ge=1, le=100, description="Spots per session.")] = None,
    step_minutes: Annotated[
        int | None, Query(alias="stepMinutes", ge=5, le=1440, description="Between starts.")
    ] = None,
    zone: Annotated[str | None, Query(max_length=64, description="The new zone of the hours.")] = None,
) -> BookedTimesResponse:
    """Return the bookings to come that differ from rules which the guru is about to save. They stay booked."""
    rules = ChangedRules(minutes, party_max, capacity, step_minutes, zone)
    service = parse_id_or_404(service_id) if service_id else None
    async with console.unit_of_work(acting=True) as session:
        data = await affected_bookings(session, console.tenant_id, service, rules)
    return BookedTimesResponse(success=True, data=data)


@router.get("/bookings/{booking_id}", operation_id="get_guru_booking", summary="Get a booking of my services")
async def get_guru_booking(console: CurrentConsole, booking_id: str) -> GuruBookingResponse:
    """Return a booking with its history."""
    async with console.unit_of_work(acting=True) as session:
        return await booking_response(console, session, booking_id)


@router.post("/bookings/{booking_id}/answer", operation_id="answer_booking", summary="Answer a request")
async def answer_booking(console: CurrentConsole, booking_id: str, payload: AnswerPayload) -> GuruBookingResponse:
    """Accept or decline a request. 409 `booking_changed` once it was answered, withdrawn or expired."""
    async with console.unit_of_work(acting=True) as session:
        await actions.answer_request(
            session,
            console.tenant_id,
            parse_id_or_404(booking_id),
            accept=payload.accept,
            reason=payload.reason,
            whole_series=payload.whole_series,
        )
        return await booking_response(console, session, booking_id)


@router.post(
    "/bookings/{booking_id}/cancellation", operation_id="cancel_guru_booking", summary="Cancel a booking of my services"
)
async def cancel_guru_booking(
    console: CurrentConsole, booking_id: str, payload: GuruCancellationPayload
) -> GuruBookingResponse:
    """Cancel a confirmed booking. The person reads the reason and owes nothing."""
    async with console.unit_of_work(acting=True) as session:
        await actions.cancel_booking(session, console.tenant_id, parse_id_or_404(booking_id), reason=payload.reason)
        return await booking_response(console, session, booking_id)


@router.post(
    "/bookings/{booking_id}/attendance", operation_id="record_attendance", summary="Record whether a session was missed"
)
async def record_attendance(
    console: CurrentConsole, booking_id: str, payload: AttendancePayload
) -> GuruBookingResponse:
    """Record that the person missed the session, or take that back. Possible for 48 hours after the end."""
    async with console.unit_of_work(acting=True) as session:
        await actions.record_attendance(session, console.tenant_id, parse_id_or_404(booking_id), missed=payload.missed)
        return await booking_response(console, session, booking_id)


@router.post("/sessions/{appointment_id}/cancellation", operation_id="cancel_session", summary="Cancel a session")
async def cancel_session(
    console: CurrentConsole, appointment_id: str, payload: GuruCancellationPayload
) -> CanceledSessionResponse:
    """Cancel all bookings of a session at once, at no cost. An admin who impersonates the guru can't."""
    if console.is_impersonated:
        raise Forbidden
    async with console.unit_of_work(acting=True) as session:
        canceled = await actions.cancel_session(
            session, console.tenant_id, parse_id_or_404(appointment_id), reason=payload.reason
        )
        bookings = [queries.booking_data(booking) for booking in canceled]
    return CanceledSessionResponse(success=True, data=CanceledSessionData(bookings=bookings))


@router.put("/sessions/{appointment_id}/place", operation_id="change_session_place", summary="Change a session's place")
async def change_session_place(
    console: CurrentConsole, appointment_id: str, payload: SessionPlacePayload
) -> SessionPlaceResponse:
    """Change where a session takes place. All who booked it get an email with a new calendar file.

    An admin who impersonates the guru can't.
    """
    if console.is_impersonated:
        raise Forbidden
    async with console.unit_of_work(acting=True) as session:
        changed = await places.change_place(
            session, console.tenant_id, parse_id_or_404(appointment_id),
            place=payload.place, place_text=payload.place_text,
        )  # fmt: skip
        bookings = [queries.booking_data(booking) for booking in changed]
    return SessionPlaceResponse(success=True, data=SessionPlaceData(bookings=bookings))


async def booking_response(console: ConsoleContext, session: AsyncSession, booking_id: str) -> GuruBookingResponse:
    """Return the response with a booking as it is now. Raises NotFound."""
    data = await queries.booking_details(session, console.tenant_id, parse_id_or_404(booking_id))
    return GuruBookingResponse(success=True, data=data)
