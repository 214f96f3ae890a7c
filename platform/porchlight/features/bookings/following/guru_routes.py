"""The rest of a series, for the guru: a session of it, and those after it."""

from __future__ import annotations

from porchlight.console_context import CurrentConsole
from porchlight.features.bookings.following import actions
from porchlight.features.bookings.following.routes import NewStart
from porchlight.features.bookings.following.schemas import FollowingProposalPayload, FollowingResponse
from porchlight.features.bookings.guru.routes import booking_response
from porchlight.features.bookings.guru.schemas import GuruBookingResponse, GuruCancellationPayload
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru/bookings/{booking_id}/following", tags=["bookings"], route_class=StrictRoute)


@router.get("", operation_id="get_guru_following", summary="Get the rest of a series of my services")
async def get_guru_following(console: CurrentConsole, booking_id: str, starts_at: NewStart = None) -> FollowingResponse:
    """Return a session of a series and those after it, and with `startsAt`, whether each can move by as much."""
    data = await actions.guru_following(console, parse_id_or_404(booking_id), starts_at)
    return FollowingResponse(success=True, data=data)


@router.post(
    "/cancellation", operation_id="cancel_guru_following", summary="Cancel the rest of a series of my services"
)
async def cancel_guru_following(
    console: CurrentConsole, booking_id: str, payload: GuruCancellationPayload
) -> GuruBookingResponse:
    """Cancel a session of a series and those after it. The person reads the reason and owes nothing."""
    async with console.unit_of_work(acting=True) as session:
        await actions.cancel_following_for_guru(
            session, console.tenant_id, parse_id_or_404(booking_id), reason=payload.reason
        )
        return await booking_response(console, session, booking_id)


@router.post("/move", operation_id="propose_following", summary="Propose other times for the rest of a series")
async def propose_following(
    console: CurrentConsole, booking_id: str, payload: FollowingProposalPayload
) -> GuruBookingResponse:
    """Ask the person to move sessions of a series by as many days, to the same time of day. All or none is asked.

    409 `series_partly_gone` has the new starts that are not possible in `fields`.
    """
    await actions.propose_following(
        console,
        parse_id_or_404(booking_id),
        starts_at=payload.starts_at,
        chosen_ids=payload.bookings,
        reason=payload.reason,
    )
    async with console.unit_of_work(acting=True) as session:
        return await booking_response(console, session, booking_id)
