"""Connected calendars in the guru's console. Staff who look at it as the guru do not see them."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from fastapi import Depends, status
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.dependencies import IdempotencyKey
from porchlight.features.busy_sources.failures import SENTENCES, SourceFailed
from porchlight.features.busy_sources.fetching.caldav import find_calendars
from porchlight.features.busy_sources.fetching.guarded_web import GuardedClient, Login, OutsideWeb, host_of
from porchlight.features.busy_sources.reading import read_periods, reading_of, to_https
from porchlight.features.busy_sources.schemas import (
    AccountCalendar,
    AccountCalendarList,
    AccountCalendarsResponse,
    BusySourceChangesPayload,
    BusySourceList,
    BusySourcePayload,
    BusySourcesResponse,
    CalendarAccountPayload,
    source_data,
)
from porchlight.features.busy_sources.source_secrets import SourceSecret, seal_secret
from porchlight.plans.dependencies import needs
from porchlight.plans.entitlements import session_plan
from porchlight.plans.limits import PlanFeature, allowance
from porchlight.settings.secret_box import SecretBox, secret_box
from sites.hours import busy_sources, own_hours
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.errors import Forbidden, Limited, ProductError, ValidationFailed
from tenants.kit.fair_queue import Budget, TooManyThisHour
from tenants.kit.ids import new_id, parse_id_or_404

router = FeatureRouter(prefix="/api/guru/busy-sources", tags=["busy-sources"], route_class=StrictRoute)

MAX_READINGS_PER_HOUR = 60  # of a guru, because each asks another server
_LOGIN_FAILURES = frozenset({"denied"})
_readings = Budget(MAX_READINGS_PER_HOUR)


class NotSetUp(ProductError):
    """The operator has not set up the encryption of secrets."""

    status = 503
    code = "not_set_up"
    message = "Calendars can't be connected here yet. Please ask the people who run this site."


class TooManyReadings(Limited):
    """A guru has tried too many calendars within an hour."""

    message = "You've tried many calendars within an hour. Please try again later."


async def _guru_only(console: CurrentConsole) -> None:
    """Raise Forbidden for staff who look at the console as the guru."""
    if console.is_impersonated:
        raise Forbidden


_IS_GURU = Depends(_guru_only)
_HAS_PLAN = Depends(needs(PlanFeature.CALENDAR_FEED))


@router.get("", operation_id="list_busy_sources", summary="List my connected calendars", dependencies=[_IS_GURU])
async def list_busy_sources(console: CurrentConsole) -> BusySourcesResponse:
    """Return the connected calendars, and whether each could be read."""
    async with console.unit_of_work(acting=True) as session:
        return await _response(console, session)


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    operation_id="create_busy_source",
    summary="Connect a calendar",
    dependencies=[_IS_GURU, _HAS_PLAN],
)
async def create_busy_source(
    console: CurrentConsole, payload: BusySourcePayload, key: IdempotencyKey
) -> BusySourcesResponse:
    """Connect a calendar that can be read now. 402 without the plan; 409 `too_many_calendars`.

    422 says at `url` or `password` why it cannot be read.
    """
    box = _box(console)
    secret = SourceSecret(to_https(payload.url), payload.user, payload.password)
    async with console.unit_of_work(acting=True) as session:
        zone = (await own_hours.own_calendar(session, console.tenant_id)).calendar.zone
    _count(console)
    reading = reading_of(
        zone, clock.now(), console.app_context.settings.base_host, all_day_blocks=payload.all_day_blocks
    )
    try:
        await asyncio.to_thread(read_periods, _web(console), payload.kind, secret, reading)
    except SourceFailed as failed:
        raise _unreadable(failed) from None
    source_id = new_id()
    new = busy_sources.NewSource(
        id=source_id,
        kind=payload.kind,
        name=payload.name,
        host=host_of(secret.url),
        secret=seal_secret(box, secret, console.tenant_id, source_id),
        all_day_blocks=payload.all_day_blocks,
        key=key or str(uuid4()),
    )
    async with console.unit_of_work(acting=True) as session:
        await busy_sources.add_source(session, console.tenant_id, new)
        return await _response(console, session)


@router.post(
    "/accounts",
    operation_id="find_account_calendars",
    summary="Find the calendars of an account",
    dependencies=[_IS_GURU, _HAS_PLAN],
)
async def find_account_calendars(console: CurrentConsole, payload: CalendarAccountPayload) -> AccountCalendarsResponse:
    """Return the calendars of an account at a calendar server (CalDAV). Nothing is stored."""
    _box(console)
    _count(console)
    try:
        found = await asyncio.to_thread(_find_calendars, _web(console), payload)
    except SourceFailed as failed:
        raise _unreadable(failed) from None
    return AccountCalendarsResponse(success=True, data=AccountCalendarList(calendars=found))


@router.patch(
    "/{source_id}", operation_id="update_busy_source", summary="Change a connected calendar", dependencies=[_IS_GURU]
)
async def update_busy_source(
    console: CurrentConsole, source_id: str, payload: BusySourceChangesPayload
) -> BusySourcesResponse:
    """Change the name of a connected calendar, or whether its all-day events count."""
    changes = payload.model_dump(exclude_none=True)
    async with console.unit_of_work(acting=True) as session:
        await busy_sources.update_source(session, console.tenant_id, parse_id_or_404(source_id), changes)
        await session.flush()  # the response reads the row again
        return await _response(console, session)


@router.post(
    "/{source_id}/reading",
    status_code=status.HTTP_202_ACCEPTED,
    operation_id="read_busy_source",
    summary="Read a connected calendar now",
    dependencies=[_IS_GURU, _HAS_PLAN],
)
async def read_busy_source(console: CurrentConsole, source_id: str) -> BusySourcesResponse:
    """Let a connected calendar be read now. The list shows the result some seconds later."""
    _count(console)
    async with console.unit_of_work(acting=True) as session:
        await busy_sources.request_reading(session, console.tenant_id, parse_id_or_404(source_id))
        return await _response(console, session)


@router.post(
    "/{source_id}/decision",
    operation_id="keep_busy_source",
    summary="Keep a connected calendar that can't be read",
    dependencies=[_IS_GURU],
)
async def keep_busy_source(console: CurrentConsole, source_id: str) -> BusySourcesResponse:
    """Go by the last times of a connected calendar for two more weeks."""
    async with console.unit_of_work(acting=True) as session:
        await busy_sources.keep_source(session, console.tenant_id, parse_id_or_404(source_id))
        return await _response(console, session)


@router.delete(
    "/{source_id}", operation_id="remove_busy_source", summary="Remove a connected calendar", dependencies=[_IS_GURU]
)
async def remove_busy_source(console: CurrentConsole, source_id: str) -> BusySourcesResponse:
    """Remove a connected calendar with its password and its busy times."""
    async with console.unit_of_work(acting=True) as session:
        await busy_sources.remove_source(session, console.tenant_id, parse_id_or_404(source_id))
        return await _response(console, session)


async def _response(console: ConsoleContext, session: AsyncSession) -> BusySourcesResponse:
    sources = await busy_sources.own_sources(session, console.tenant_id)
    data = BusySourceList(
        sources=[source_data(source) for source in sources],
        max_sources=busy_sources.MAX_BUSY_SOURCES,
        is_included=allowance(await session_plan(session, "tenant"), PlanFeature.CALENDAR_FEED) > 0,
        is_available=secret_box(console.app_context.settings) is not None,
    )
    return BusySourcesResponse(success=True, data=data)


def _box(console: ConsoleContext) -> SecretBox:
    box = secret_box(console.app_context.settings)
    if box is None:
        raise NotSetUp
    return box


def _web(console: ConsoleContext) -> OutsideWeb:
    context = console.app_context
    return OutsideWeb(context.resolver, context.settings.local_calendar_servers)


def _count(console: ConsoleContext) -> None:
    if console.app_context.settings.limits == "off":
        return
    try:
        _readings.take(console.tenant_id)
    except TooManyThisHour as limited:
        raise TooManyReadings(retry_after=limited.retry_after) from None


def _find_calendars(web: OutsideWeb, account: CalendarAccountPayload) -> list[AccountCalendar]:
    with GuardedClient(web, Login(account.user, account.password)) as client:
        return [AccountCalendar(url=one.url, name=one.name) for one in find_calendars(client, to_https(account.url))]


def _unreadable(failed: SourceFailed) -> ValidationFailed:
    field = "password" if failed.failure in _LOGIN_FAILURES else "url"
    return ValidationFailed(fields={field: SENTENCES[failed.failure]})
