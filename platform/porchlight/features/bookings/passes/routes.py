"""The pass of a session, for the person who booked it."""

from __future__ import annotations

from fastapi import Response

from porchlight.dependencies import Context, CurrentUser
from porchlight.features.bookings.passes.keys import PassKeys
from porchlight.features.bookings.passes.queries import own_pass
from porchlight.features.bookings.passes.schemas import PassResponse
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/bookings", tags=["bookings"], route_class=StrictRoute)


@router.get("/{booking_id}/pass", operation_id="get_pass", summary="Get the pass of my session")
async def get_pass(response: Response, context: Context, user: CurrentUser, booking_id: str) -> PassResponse:
    """Return the pass that the user shows when they come. 409 `no_pass` for a session that is not booked."""
    response.headers["cache-control"] = "no-store"
    wanted = parse_id_or_404(booking_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        data = await own_pass(session, PassKeys(context.settings), user.user_id, wanted)
    return PassResponse(success=True, data=data)
