"""Request and response schemas of calendar feeds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from porchlight.features.bookings.feeds.models import CalendarFeed
from tenants.kit import clock
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel

FeedKind = Literal["personal", "guru"]


class CalendarFeedPayload(Payload):
    """A feed of the sessions that the user booked (`personal`), or of those of their own site (`guru`)."""

    kind: FeedKind
    name: Annotated[str, StringConstraints(min_length=1, max_length=60), ONE_LINE]


class CalendarFeedData(ResponseModel):
    """A feed. `readAt` is when a calendar program read it last, null while none did."""

    id: str
    kind: FeedKind
    name: str
    created_at: str
    read_at: str | None


class CalendarFeedList(ResponseModel):
    """The user's feeds. `isIncluded`: the plan includes them; without it, the addresses give nothing."""

    feeds: list[CalendarFeedData]
    max_feeds: int
    is_included: bool


class CalendarFeedsResponse(ResponseModel):
    """The response of GET and DELETE."""

    success: bool
    data: CalendarFeedList


class NewCalendarFeed(ResponseModel):
    """A new feed with its address, which is shown this once."""

    feed: CalendarFeedData
    url: str


class NewCalendarFeedResponse(ResponseModel):
    """The response of POST /api/calendar-feeds."""

    success: bool
    data: NewCalendarFeed


def feed_data(feed: CalendarFeed) -> CalendarFeedData:
    """Return a feed in the form of the API."""
    return CalendarFeedData(
        id=str(feed.id),
        kind="guru" if feed.kind == "guru" else "personal",
        name=feed.name,
        created_at=clock.to_iso8601(feed.created_at),
        read_at=clock.to_iso8601(feed.read_at) if feed.read_at else None,
    )
