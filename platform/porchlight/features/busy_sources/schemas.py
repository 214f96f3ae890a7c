"""Request and response schemas of connected calendars."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.features.busy_sources.failures import SENTENCES
from sites.hours.busy_sources import ASKS_GURU
from sites.hours.models import BusySource
from tenants.kit import clock
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel

MAX_URL_LENGTH = 2_000
MAX_LOGIN_LENGTH = 320
MAX_NAME_LENGTH = 60

Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_LENGTH), ONE_LINE]
Url = Annotated[str, StringConstraints(min_length=4, max_length=MAX_URL_LENGTH), ONE_LINE]
Login = Annotated[str, StringConstraints(max_length=MAX_LOGIN_LENGTH), ONE_LINE]


class CalendarAccountPayload(Payload):
    """An account at a calendar server (CalDAV). The password is used for this request only."""

    url: Url
    user: Annotated[Login, Field(min_length=1)]
    password: Annotated[Login, Field(min_length=1)]


class BusySourcePayload(Payload):
    """A calendar to connect: by its address (`ics`), or one of an account (`caldav`) with user and password."""

    kind: Literal["ics", "caldav"]
    name: Name
    url: Url
    user: Login = ""
    password: Login = ""
    all_day_blocks: bool = True


class BusySourceChangesPayload(Payload):
    """Changes to a connected calendar. Omitted fields do not change."""

    name: Name | None = None
    all_day_blocks: bool | None = None


class BusySourceData(ResponseModel):
    """A connected calendar. `host` is the part of its address that is shown; the rest is secret.

    `state`: `new` was not read yet; `failing` goes by what was read at `lastGoodAt`; `decide` does so for two weeks,
    and the guru decides; `paused` is not part of the plan. `reason` says why it fails, "" otherwise.
    """

    id: str
    kind: Literal["ics", "caldav"]
    name: str
    host: str
    all_day_blocks: bool
    state: Literal["new", "good", "failing", "decide", "paused"]
    reason: str
    last_good_at: str | None
    failing_since: str | None


class BusySourceList(ResponseModel):
    """The connected calendars. `isIncluded`: the plan includes them. `isAvailable`: the operator has set them up."""

    sources: list[BusySourceData]
    max_sources: int
    is_included: bool
    is_available: bool


class BusySourcesResponse(ResponseModel):
    """The response of the routes of connected calendars."""

    success: bool
    data: BusySourceList


class AccountCalendar(ResponseModel):
    """A calendar of an account, to be connected by its address."""

    url: str
    name: str


class AccountCalendarList(ResponseModel):
    """The calendars of an account."""

    calendars: list[AccountCalendar]


class AccountCalendarsResponse(ResponseModel):
    """The response of POST /api/guru/busy-sources/accounts."""

    success: bool
    data: AccountCalendarList


def source_data(source: BusySource) -> BusySourceData:
    """Return a source in the form of the API."""
    state: Literal["new", "good", "failing", "decide", "paused"] = "good"
    if source.is_paused:
        state = "paused"
    elif source.failing_since is not None:
        state = "decide" if source.notices >= ASKS_GURU else "failing"
    elif source.last_good_at is None:
        state = "new"
    return BusySourceData(
        id=str(source.id),
        kind="caldav" if source.kind == "caldav" else "ics",
        name=source.name,
        host=source.host,
        all_day_blocks=source.all_day_blocks,
        state=state,
        reason=next((text for failure, text in SENTENCES.items() if failure == source.failure), ""),
        last_good_at=clock.to_iso8601(source.last_good_at) if source.last_good_at else None,
        failing_since=clock.to_iso8601(source.failing_since) if source.failing_since else None,
    )
