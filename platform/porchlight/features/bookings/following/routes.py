"""The rest of a series, for the person who booked it: a session and those after it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from porchlight.dependencies import Context, CurrentUser
from porchlight.features.bookings.booking_response import booking_response
from porchlight.features.bookings.following import actions, moves
from porchlight.features.bookings.following.schemas import (
    FollowingCancellationPayload,
    FollowingMovePayload,
    FollowingResponse,
)
from porchlight.features.bookings.schemas import BookingResponse, StartTime
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/bookings/{booking_id}/following", tags=["bookings"], route_class=StrictRoute)

NewStart = Annotated[StartTime | None, Query(alias="startsAt", description="A new start of the first session.")]


@router.get("", operation_id="get_following", summary="Get the rest of my series")
async def get_following(
    response: Response, context: Context, user: CurrentUser, booking_id: str, starts_at: NewStart = None
) -> FollowingResponse:
    """Return a session of a series and those after it, and with `startsAt`, whether each can move by as much."""
    response.headers["cache-control"] = "no-store"
    data = await moves.following(context.db, user.user_id, parse_id_or_404(booking_id), starts_at)
    return FollowingResponse(success=True, data=data)


@router.post("/cancellation", operation_id="cancel_following", summary="Cancel the rest of my series")
async def cancel_following(
    request: Request, context: Context, user: CurrentUser, booking_id: str, payload: FollowingCancellationPayload
) -> BookingResponse:
    """Cancel a session of a series and those after it, on the terms that the user saw."""
    wanted = parse_id_or_404(booking_id)
    await actions.cancel_following(
        context.db, user.user_id, wanted, terms_digest=payload.terms_digest, reason=payload.reason
    )
    return await booking_response(request, context, user.user_id, wanted)


@router.post("/move", operation_id="move_following", summary="Move the rest of my series")
async def move_following(
    request: Request, context: Context, user: CurrentUser, booking_id: str, payload: FollowingMovePayload
) -> BookingResponse:
    """Move sessions of a series by as many days, to the same time of day: all or none.

    409 `series_partly_gone` has the new starts that are not free in `fields`. A resend changes nothing.
    """
    wanted = parse_id_or_404(booking_id)
    await moves.move_following(
        context.db,
        context.risk,
        user.user_id,
        wanted,
        starts_at=payload.starts_at,
        chosen_ids=payload.bookings,
        terms_digest=payload.terms_digest,
    )
    return await booking_response(request, context, user.user_id, wanted)
