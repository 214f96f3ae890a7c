"""The guru's calendar, hours, blocked times, booking settings and fixed starts, and why a time is not offered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import date, datetime, timedelta
from typing import Annotated

from fastapi import Query, status
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.dependencies import OptionalUser
from porchlight.features.hours.card_payments import require_card_payments
from porchlight.features.hours.schemas import (
    BlockedTime,
    BlockedTimeList,
    BlockedTimesResponse,
    BlockPayload,
    BookingTerms,
    CalendarPayload,
    CalendarSettings,
    CalendarSettingsResponse,
    DateHoursPayload,
    FixedStart,
    FixedStartList,
    FixedStartPayload,
    FixedStartsResponse,
    HoursOfDate,
    HoursRange,
    HoursRangePayload,
    ServiceBooking,
    ServiceBookingPayload,
    ServiceBookingResponse,
    StandardTerms,
    StartReason,
    StartReasonResponse,
    WeekdayHours,
    WeekPayload,
)
from porchlight.features.hours.sentences import NO_MINUTES, NOT_OPEN, NOT_SHOWN, start_sentence
from sites.hours import actions, blocks, own_hours
from sites.hours.busy_times import named_busy_times
from sites.hours.local_days import MinuteRange
from sites.hours.queries import explained_start
from sites.hours.service_settings import STANDARD_TERMS, CancellationTerms, ServiceBookingInput
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru", tags=["hours"], route_class=StrictRoute)

MAX_QUESTION_DAYS = 731
_REMOVABLE = frozenset({"day_max", "paused_until"})
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@router.get(
    "/calendar", response_model=CalendarSettingsResponse, operation_id="get_calendar", summary="Get my calendar"
)
async def get_calendar(console: CurrentConsole) -> CalendarSettingsResponse:
    """Return the calendar with its hours, and the revision that a save must name."""
    async with console.unit_of_work() as session:
        return await _calendar_response(console, session)


@router.patch(
    "/calendar", response_model=CalendarSettingsResponse, operation_id="update_calendar", summary="Update my calendar"
)
async def update_calendar(console: CurrentConsole, payload: CalendarPayload) -> CalendarSettingsResponse:
    """Change the given fields. 409 `changed_elsewhere` when `revision` is outdated."""
    given = payload.model_dump(exclude_unset=True, exclude={"revision"})
    changes = {name: value for name, value in given.items() if value is not None or name in _REMOVABLE}
    async with console.unit_of_work() as session:
        await actions.update_calendar(session, console.tenant_id, changes, revision=payload.revision)
        return await _calendar_response(console, session)


@router.put(
    "/hours", response_model=CalendarSettingsResponse, operation_id="update_weekly_hours", summary="Set my weekly hours"
)
async def update_weekly_hours(console: CurrentConsole, payload: WeekPayload) -> CalendarSettingsResponse:
    """Replace the hours of the week, and confirm them. 409 `changed_elsewhere` when `revision` is outdated."""
    week = {weekday: _minute_ranges(group.ranges) for group in payload.week for weekday in group.weekdays}
    async with console.unit_of_work() as session:
        await actions.set_weekly_hours(session, console.tenant_id, week, revision=payload.revision)
        return await _calendar_response(console, session)


@router.put(
    "/hours/dates/{day}",
    response_model=CalendarSettingsResponse,
    operation_id="update_date_hours",
    summary="Set my hours of a date",
)
async def update_date_hours(console: CurrentConsole, day: str, payload: DateHoursPayload) -> CalendarSettingsResponse:
    """Replace the hours of a date (YYYY-MM-DD). Without ranges, it is closed. 409 for a day that has passed."""
    local_day = _parse_day_or_404(day)
    async with console.unit_of_work() as session:
        await actions.set_date_hours(session, console.tenant_id, local_day, _minute_ranges(payload.ranges))
        return await _calendar_response(console, session)


@router.delete(
    "/hours/dates/{day}",
    response_model=CalendarSettingsResponse,
    operation_id="delete_date_hours",
    summary="Remove my hours of a date",
)
async def delete_date_hours(console: CurrentConsole, day: str) -> CalendarSettingsResponse:
    """Remove the hours of a date, so that those of its weekday hold."""
    local_day = _parse_day_or_404(day)
    async with console.unit_of_work() as session:
        await actions.delete_date_hours(session, console.tenant_id, local_day)
        return await _calendar_response(console, session)


@router.get("/blocks", response_model=BlockedTimesResponse, operation_id="list_blocks", summary="List my blocked times")
async def list_blocks(console: CurrentConsole) -> BlockedTimesResponse:
    """Return the blocked times that have not ended."""
    async with console.unit_of_work() as session:
        return await _blocks_response(console, session)


@router.post(
    "/blocks",
    response_model=BlockedTimesResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_block",
    summary="Block a time",
)
async def create_block(console: CurrentConsole, payload: BlockPayload) -> BlockedTimesResponse:
    """Block a time. 409 `time_taken` when it overlaps a session or another blocked time."""
    async with console.unit_of_work(acting=True) as session:
        bookings = console.app_context.bookings
        await blocks.create_block(session, bookings, console.tenant_id, payload.starts_at, payload.ends_at)
        return await _blocks_response(console, session)


@router.put(
    "/blocks/{block_id}",
    response_model=BlockedTimesResponse,
    operation_id="update_block",
    summary="Change a blocked time",
)
async def update_block(console: CurrentConsole, block_id: str, payload: BlockPayload) -> BlockedTimesResponse:
    """Give a blocked time another start and end. 409 `time_taken` when it then overlaps another time."""
    async with console.unit_of_work(acting=True) as session:
        bookings, wanted = console.app_context.bookings, parse_id_or_404(block_id)
        await blocks.update_block(session, bookings, console.tenant_id, wanted, payload.starts_at, payload.ends_at)
        return await _blocks_response(console, session)


@router.delete(
    "/blocks/{block_id}",
    response_model=BlockedTimesResponse,
    operation_id="delete_block",
    summary="Remove a blocked time",
)
async def delete_block(console: CurrentConsole, block_id: str) -> BlockedTimesResponse:
    """Remove a blocked time, so that it can be booked again."""
    async with console.unit_of_work() as session:
        await blocks.delete_block(session, console.tenant_id, parse_id_or_404(block_id))
        return await _blocks_response(console, session)


@router.get(
    "/services/{service_id}/booking",
    response_model=ServiceBookingResponse,
    operation_id="get_service_booking",
    summary="Get a service's booking settings",
)
async def get_service_booking(console: CurrentConsole, service_id: str) -> ServiceBookingResponse:
    """Return how the service is booked, and the revision that a save must name."""
    async with console.unit_of_work() as session:
        return await _service_booking_response(console, session, service_id)


@router.put(
    "/services/{service_id}/booking",
    response_model=ServiceBookingResponse,
    operation_id="update_service_booking",
    summary="Update a service's booking settings",
)
async def update_service_booking(
    console: CurrentConsole, user: OptionalUser, service_id: str, payload: ServiceBookingPayload
) -> ServiceBookingResponse:
    """Replace how the service is booked; bookings keep their terms. 409 `changed_elsewhere` for an old `revision`.

    An open service at the guru's place needs the address, and one online the link. Bookings keep the questions that
    they were asked. Payment by card needs a plan that includes it (402 `plan_required`), a connected payout account and
    a price in US dollars that a card can be charged.
    """
    wanted = parse_id_or_404(service_id)
    if payload.payment != "in_person":
        await require_card_payments(console, user, wanted)
    values = payload.model_dump(exclude={"revision", "terms", "questions"})
    terms = CancellationTerms(**payload.terms.model_dump()) if payload.terms else None
    settings = ServiceBookingInput(**values, terms=terms, questions=[one.question() for one in payload.questions])
    async with console.unit_of_work() as session:
        await actions.update_service_booking(session, console.tenant_id, wanted, settings, revision=payload.revision)
        return await _service_booking_response(console, session, service_id)


@router.get(
    "/services/{service_id}/starts",
    response_model=FixedStartsResponse,
    operation_id="list_fixed_starts",
    summary="List a service's fixed starts",
)
async def list_fixed_starts(console: CurrentConsole, service_id: str) -> FixedStartsResponse:
    """Return the sessions with a fixed start that have not ended."""
    async with console.unit_of_work() as session:
        return await _fixed_starts_response(console, session, service_id)


@router.post(
    "/services/{service_id}/starts",
    response_model=FixedStartsResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_fixed_start",
    summary="Add a fixed start",
)
async def create_fixed_start(
    console: CurrentConsole, service_id: str, payload: FixedStartPayload
) -> FixedStartsResponse:
    """Add a session. 409 `time_taken` when it overlaps another one or a blocked time."""
    async with console.unit_of_work(acting=True) as session:
        bookings, wanted = console.app_context.bookings, parse_id_or_404(service_id)
        await actions.create_fixed_start(session, bookings, console.tenant_id, wanted, payload.starts_at)
        return await _fixed_starts_response(console, session, service_id)


@router.delete(
    "/services/{service_id}/starts/{start_id}",
    response_model=FixedStartsResponse,
    operation_id="delete_fixed_start",
    summary="Remove a fixed start",
)
async def delete_fixed_start(console: CurrentConsole, service_id: str, start_id: str) -> FixedStartsResponse:
    """Remove a session that no neighbor has booked. 409 `start_booked` otherwise."""
    async with console.unit_of_work(acting=True) as session:
        bookings, wanted = console.app_context.bookings, parse_id_or_404(service_id)
        await actions.delete_fixed_start(session, bookings, console.tenant_id, wanted, parse_id_or_404(start_id))
        return await _fixed_starts_response(console, session, service_id)


@router.get(
    "/services/{service_id}/why",
    response_model=StartReasonResponse,
    operation_id="explain_start",
    summary="Explain why a time is not offered",
)
async def explain_start(
    console: CurrentConsole,
    service_id: str,
    at: Annotated[datetime, Query(description="An instant, or without an offset a time in the calendar's zone.")],
) -> StartReasonResponse:
    """Return one sentence about a time of the service: why it is not offered, or that it is."""
    service_uuid = parse_id_or_404(service_id)
    now = clock.now()
    if abs(at - (now if at.tzinfo else now.replace(tzinfo=None))) > timedelta(days=MAX_QUESTION_DAYS):
        raise ValidationFailed(fields={"at": "Choose a time within two years."})
    state = await own_hours.booking_state(console.app_context.db, console.tenant_id, service_uuid)
    if state.minutes is None or not state.is_open:
        sentence = NO_MINUTES if state.minutes is None else NOT_OPEN
        return StartReasonResponse(success=True, data=StartReason(offered=False, reason="not_open", sentence=sentence))
    if not state.is_shown:
        data = StartReason(offered=False, reason="not_shown", sentence=NOT_SHOWN)
        return StartReasonResponse(success=True, data=data)
    explained = await explained_start(console.app_context.db, console.tenant_id, service_uuid, at)
    reason = explained.explanation.reason.value if explained.explanation else None
    blocked = explained.explanation.blocked if explained.explanation else None
    busy_in: list[str] = []
    if blocked is not None:
        async with console.unit_of_work(acting=True) as session:
            found = await named_busy_times(session, console.tenant_id, *blocked)
        busy_in = list(dict.fromkeys(one.name for one in found))
    data = StartReason(offered=reason is None, reason=reason, sentence=start_sentence(explained, busy_in))
    return StartReasonResponse(success=True, data=data)


def _parse_day_or_404(text: str) -> date:
    if not _DAY.fullmatch(text):
        raise NotFound
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NotFound from None


def _minute_ranges(ranges: Sequence[HoursRangePayload]) -> list[MinuteRange]:
    return [(found.start, found.end) for found in ranges]


def _hours_ranges(ranges: Sequence[MinuteRange]) -> list[HoursRange]:
    return [HoursRange(start=start, end=end) for start, end in ranges]


async def _calendar_response(console: ConsoleContext, session: AsyncSession) -> CalendarSettingsResponse:
    own = await own_hours.own_calendar(session, console.tenant_id)
    calendar = own.calendar
    data = CalendarSettings(
        revision=calendar.rules_version,
        confirmed=calendar.confirmed_at is not None,
        zone=calendar.zone,
        step_minutes=calendar.step_minutes,
        notice_minutes=calendar.notice_minutes,
        horizon_days=calendar.horizon_days,
        day_max=calendar.day_max,
        paused_until=clock.to_iso8601(calendar.paused_until) if calendar.paused_until else None,
        week=[WeekdayHours(weekday=day, ranges=_hours_ranges(own.week.get(day, ()))) for day in range(7)],
        dates=[HoursOfDate(day=day.isoformat(), ranges=_hours_ranges(ranges)) for day, ranges in own.dates.items()],
    )
    return CalendarSettingsResponse(success=True, data=data)


async def _blocks_response(console: ConsoleContext, session: AsyncSession) -> BlockedTimesResponse:
    found = [
        BlockedTime(
            id=str(block.id), starts_at=clock.to_iso8601(block.starts_at), ends_at=clock.to_iso8601(block.ends_at)
        )
        for block in await own_hours.own_blocks(session, console.tenant_id)
    ]
    return BlockedTimesResponse(success=True, data=BlockedTimeList(blocks=found))


async def _service_booking_response(
    console: ConsoleContext, session: AsyncSession, service_id: str
) -> ServiceBookingResponse:
    booking = await own_hours.own_service_booking(session, console.tenant_id, parse_id_or_404(service_id))
    settings = booking.settings
    entered = {
        field.name: getattr(settings, field.name) for field in fields(ServiceBookingInput) if field.name != "terms"
    }
    data = ServiceBooking.model_validate(
        entered
        | {
            "revision": booking.revision,
            "service_id": str(settings.service_id),
            "minutes": booking.minutes,
            "terms": BookingTerms(
                free_until_minutes=settings.free_until_minutes,
                late_percent=settings.late_percent,
                missed_percent=settings.missed_percent,
                moves_max=settings.moves_max,
                move_until_minutes=settings.move_until_minutes,
            ),
            "standard_terms": StandardTerms(
                **{policy: BookingTerms(**asdict(terms)) for policy, terms in STANDARD_TERMS.items()}
            ),
        }
    )
    return ServiceBookingResponse(success=True, data=data)


async def _fixed_starts_response(
    console: ConsoleContext, session: AsyncSession, service_id: str
) -> FixedStartsResponse:
    starts = [
        FixedStart(
            id=str(session_start.id),
            starts_at=clock.to_iso8601(session_start.starts_at),
            ends_at=clock.to_iso8601(session_start.ends_at),
            capacity=session_start.capacity,
            taken=session_start.taken,
        )
        for session_start in await own_hours.own_fixed_starts(session, console.tenant_id, parse_id_or_404(service_id))
    ]
    return FixedStartsResponse(success=True, data=FixedStartList(starts=starts))
