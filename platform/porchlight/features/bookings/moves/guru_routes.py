"""The guru's proposals to move a booking."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from porchlight.console_context import CurrentConsole
from porchlight.features.bookings.guru.routes import booking_response
from porchlight.features.bookings.guru.schemas import GuruBookingResponse
from porchlight.features.bookings.moves import proposals
from porchlight.features.bookings.moves.schemas import MoveProposalPayload
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru/bookings", tags=["bookings"], route_class=StrictRoute)


@router.post("/{booking_id}/move", operation_id="propose_move", summary="Propose another time for a booking")
async def propose_move(console: CurrentConsole, booking_id: str, payload: MoveProposalPayload) -> GuruBookingResponse:
    """Ask the person to move the session. It stays as it is until they accept. One proposal is open at a time."""
    wanted = parse_id_or_404(booking_id)
    await proposals.propose_move(console, wanted, starts_at=payload.starts_at, reason=payload.reason)
    async with console.unit_of_work(acting=True) as session:
        return await booking_response(console, session, booking_id)


@router.delete("/{booking_id}/move", operation_id="withdraw_proposal", summary="Withdraw a proposed time")
async def withdraw_proposal(
    console: CurrentConsole,
    booking_id: str,
    whole_series: Annotated[bool, Query(alias="wholeSeries", description="Withdraw those of its series, too.")] = False,
) -> GuruBookingResponse:
    """Withdraw the open proposal. The session stays as it is. 409 `booking_changed` without one."""
    await proposals.withdraw_proposal(console, parse_id_or_404(booking_id), whole_series=whole_series)
    async with console.unit_of_work(acting=True) as session:
        return await booking_response(console, session, booking_id)
