"""Calendar feeds: their owner's list, and the address that calendar programs read."""

from __future__ import annotations

from uuid import uuid4

from fastapi import Request, Response, status
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.dependencies import AuthenticatedUser, Context, CurrentUser, IdempotencyKey
from porchlight.features.bookings.feeds import actions
from porchlight.features.bookings.feeds.queries import read_feed
from porchlight.features.bookings.feeds.schemas import (
    CalendarFeedList,
    CalendarFeedPayload,
    CalendarFeedsResponse,
    NewCalendarFeed,
    NewCalendarFeedResponse,
    feed_data,
)
from porchlight.features.bookings.feeds.secret import feed_url
from porchlight.plans.entitlements import session_plan
from porchlight.plans.limits import PlanFeature, allowance
from tenants.db.unit_of_work import unit_of_work
from tenants.http.conditional import NOT_MODIFIED_HEADERS, matches_etag, weak_etag
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(tags=["calendar-feeds"], route_class=StrictRoute)

FEED_PATH = "/calendar/{secret}.ics"


@router.get("/api/calendar-feeds", operation_id="list_calendar_feeds", summary="List my calendar feeds")
async def list_calendar_feeds(context: Context, user: CurrentUser) -> CalendarFeedsResponse:
    """Return the feeds without their addresses, which are stored nowhere."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return await _response(session, user)


@router.post(
    "/api/calendar-feeds",
    status_code=status.HTTP_201_CREATED,
    operation_id="create_calendar_feed",
    summary="Create a calendar feed",
)
async def create_calendar_feed(
    response: Response, context: Context, user: CurrentUser, key: IdempotencyKey, payload: CalendarFeedPayload
) -> NewCalendarFeedResponse:
    """Create a feed and return its address, this once. 402 without the plan; 409 `too_many_feeds`."""
    if payload.kind == "guru" and user.owned_guru is None:
        raise NotFound
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        feed, secret = await actions.create_feed(session, user.user_id, payload.kind, payload.name, key or str(uuid4()))
        data = NewCalendarFeed(feed=feed_data(feed), url=feed_url(context.settings.main_origin, secret))
    return NewCalendarFeedResponse(success=True, data=data)


@router.delete("/api/calendar-feeds/{feed_id}", operation_id="revoke_calendar_feed", summary="Revoke a calendar feed")
async def revoke_calendar_feed(context: Context, user: CurrentUser, feed_id: str) -> CalendarFeedsResponse:
    """Revoke a feed. Calendar programs that read it get nothing from now on."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.revoke_feed(session, user.user_id, parse_id_or_404(feed_id))
        return await _response(session, user)


@router.get(
    FEED_PATH,
    operation_id="read_calendar_feed",
    summary="Read a calendar feed",
    response_class=Response,
    responses={200: {"content": {"text/calendar": {}}}, 304: {"description": "Nothing has changed."}},
)
async def read_calendar_feed(request: Request, context: Context, secret: str) -> Response:
    """Return the sessions from 30 days ago to 180 days ahead, for a calendar program: without cookies."""
    content = await read_feed(context.db, context.settings, secret)
    etag = weak_etag(content)
    headers = {
        "cache-control": "private, no-cache",
        "etag": etag.decode(),
        "x-robots-tag": "noindex",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "content-disposition": 'inline; filename="porchlight.ics"',
    }
    if matches_etag(etag, request.headers.get("if-none-match", "").encode()):
        kept = {name: value for name, value in headers.items() if name.encode() in NOT_MODIFIED_HEADERS}
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=kept)
    return Response(content, media_type="text/calendar; charset=utf-8", headers=headers)


async def _response(session: AsyncSession, user: AuthenticatedUser) -> CalendarFeedsResponse:
    feeds = await actions.own_feeds(session, user.user_id)
    data = CalendarFeedList(
        feeds=[feed_data(feed) for feed in feeds],
        max_feeds=actions.MAX_FEEDS,
        is_included=allowance(await session_plan(session), PlanFeature.CALENDAR_FEED) > 0,
    )
    return CalendarFeedsResponse(success=True, data=data)
