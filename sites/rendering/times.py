"""The page of a service's free times, and its form, which keeps a time (SPEC 2.4, "Book Now")."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Annotated, Any
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import AwareDatetime, Field, StringConstraints, ValidationError
from starlette.requests import Request

from sites.context import SiteContext
from sites.hours import queries as hours
from sites.hours.holds import SiteBookings, VisitorHold
from sites.hours.queries import ServiceTimes
from sites.hours.schemas import slots_response
from sites.leads.routes import client_address
from sites.rendering.forms import read_form
from tenants.kit import clock
from tenants.kit.errors import ProductError
from tenants.kit.ids import new_id
from tenants.kit.schemas import ONE_LINE, Payload

Props = dict[str, Any]

_WEEK_DAYS = 7
_SUNDAY = 6
_FIELDS: dict[str, str | None] = {"startsAt": "", "party": "1", "key": ""}
_MAX_FIELDS = 10
_NOTHING_CHOSEN = "Please choose a time."


class HoldForm(Payload):
    """A submitted start. `key` is that of the page, so that a double press keeps the time once."""

    starts_at: Annotated[
        AwareDatetime,
        Field(
            strict=False,
            ge=datetime.fromisoformat("2000-01-01T00:00:00+00:00"),
            le=datetime.fromisoformat("2200-01-01T00:00:00+00:00"),
        ),
    ]
    party: Annotated[int, Field(strict=False, ge=1, le=10)]
    key: Annotated[str, StringConstraints(min_length=1, max_length=60), ONE_LINE]


@dataclass(frozen=True, slots=True)
class RejectedHold:
    """A time that could not be kept: the status, and what the page shows."""

    status: int
    code: str
    message: str
    starts_at: datetime | None
    party: int
    retry_after: int | None = None

    @property
    def form(self) -> Props:
        """The page's `form` prop."""
        starts_at = clock.to_iso8601(self.starts_at) if self.starts_at else None
        return {"code": self.code, "message": self.message, "startsAt": starts_at, "party": self.party}


async def times_props(
    context: SiteContext,
    bookings: SiteBookings,
    tenant_id: UUID,
    service_id: UUID,
    day: date | None,
    rejected: RejectedHold | None,
) -> Props:
    """Return the free times of a day's month, by default of the next free start's, else the next full session's.

    `day` is the local day whose times are shown; null without a start. Raise NotFound.
    """
    rules = await hours.service_rules(context.db, tenant_id, service_id)
    zone = ZoneInfo(rules.calendar.zone)
    if day is None and rejected is not None and rejected.starts_at is not None:
        day = rejected.starts_at.astimezone(zone).date()
    if day is not None:
        day = min(max(day, rules.today), rules.last_day)

    async def month_of(shown: date) -> ServiceTimes:
        first_day, days = month_range(shown)
        from_today = max(first_day, rules.today)
        days -= (from_today - first_day).days
        found = await hours.service_times(context.db, bookings.free_starts, tenant_id, service_id, from_today, days)
        while found.days < days and (next_day := from_today + timedelta(days=found.days)) <= rules.last_day:
            more = await hours.service_times(
                context.db, bookings.free_starts, tenant_id, service_id, next_day, days - found.days
            )
            found = replace(
                found, days=found.days + more.days, starts=found.starts + more.starts, full=found.full + more.full
            )
        return found

    times = await month_of(day or rules.today)
    first_start = times.next_start.starts_at if times.next_start else times.next_full
    if day is None and first_start is not None:
        day = first_start.astimezone(zone).date()
        if (day.year, day.month) != (rules.today.year, rules.today.month):
            times = await month_of(day)
    return {
        "times": slots_response(times).model_dump(by_alias=True),
        "day": day.isoformat() if day else None,
        "formKey": str(new_id()),
        "form": rejected.form if rejected else None,
    }


def month_range(day: date) -> tuple[date, int]:
    """Return the first day and the number of days of the whole weeks, from Sunday, that contain a day's month."""
    first = day.replace(day=1)
    next_month = (first + timedelta(days=31)).replace(day=1)
    start = first - timedelta(days=(first.weekday() - _SUNDAY) % _WEEK_DAYS)
    days = (next_month - start).days
    return start, days + -days % _WEEK_DAYS


async def submit_hold(
    bookings: SiteBookings, request: Request, tenant_id: UUID, service_id: UUID
) -> str | RejectedHold:
    """Keep the submitted time. Return the hold's token, or why the time was not kept."""
    values = await read_form(request, _FIELDS, _MAX_FIELDS)
    try:
        form = HoldForm.model_validate(values)
    except ValidationError:
        return RejectedHold(422, "validation_failed", _NOTHING_CHOSEN, None, 1)
    hold = VisitorHold(service_id, form.starts_at, form.party, form.key, client_address(request))
    try:
        return await bookings.hold_seat(tenant_id, hold)
    except ProductError as error:
        return RejectedHold(error.status, error.code, error.message, form.starts_at, form.party, error.retry_after)
