"""The rest of a series, for the guru: a session of it, and those after it."""

from __future__ import annotations

from porchlight.console_context import CurrentConsole
from porchlight.features.bookings.guru.routes import booking_response
from porchlight.features.bookings.guru.schemas import GuruBookingResponse, GuruCancellationPayload
from porchlight.features.bookings.rest import actions
from porchlight.features.bookings.rest.routes import NewStart
from porchlight.features.bookings.rest.schemas import RestProposalPayload, RestResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru/bookings/{booking_id}/rest", tags=["bookings"], route_class=StrictRoute)


@router.get("", operation_id="get_guru_rest", summary="Get the rest of a series of my services")
async def get_guru_rest(console: CurrentConsole, booking_id: str, starts_at: NewStart = None) -> RestResponse:
    """Return a session of a series and those after it, and with `startsAt`, whether each can move by as much."""
    data = await actions.guru_rest(console, parse_id_or_404(booking_id), starts_at)
    return RestResponse(success=True, data=data)


@router.post("/cancellation", operation_id="cancel_guru_rest", summary="Cancel the rest of a series of my services")
async def cancel_guru_rest(
    console: CurrentConsole, booking_id: str, payload: GuruCancellationPayload
) -> GuruBookingResponse:
    """Cancel a session of a series and those after it. The person reads the reason and owes nothing."""
    async with console.unit_of_work(acting=True) as session:
        await actions.cancel_rest_for_guru(
            session, console.tenant_id, parse_id_or_404(booking_id), reason=payload.reason
        )
        return await booking_response(console, session, booking_id)


@router.post("/move", operation_id="propose_rest", summary="Propose other times for the rest of a series")
async def propose_rest(console: CurrentConsole, booking_id: str, payload: RestProposalPayload) -> GuruBookingResponse:
    """Ask the person to move sessions of a series by as many days, to the same time of day. All or none is asked.

    409 `series_partly_gone` has the new starts that are not possible in `fields`.
    """
    await actions.propose_rest(
        console,
        parse_id_or_404(booking_id),
        starts_at=payload.starts_at,
        chosen_ids=payload.bookings,
        reason=payload.reason,
    )
    async with console.unit_of_work(acting=True) as session:
        return await booking_response(console, session, booking_id)
