"""The guru's proposals to move a booking."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import Query

from porchlight.console_context import CurrentConsole
from porchlight.features.bookings.guru.routes import FIRST_DAY, LAST_DAY, booking_response
from porchlight.features.bookings.guru.schemas import GuruBookingResponse
from porchlight.features.bookings.moves import proposals
from porchlight.features.bookings.moves.schemas import (
    MoveProposalPayload,
    ProposableStartsData,
    ProposableStartsResponse,
)
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru/bookings", tags=["bookings"], route_class=StrictRoute)


@router.post("/{booking_id}/move", operation_id="propose_move", summary="Propose another time for a booking")
async def propose_move(console: CurrentConsole, booking_id: str, payload: MoveProposalPayload) -> GuruBookingResponse:
    """Ask the person to move the session. It stays as it is until they accept. One proposal is open at a time."""
    wanted = parse_id_or_404(booking_id)
    await proposals.propose_move(console, wanted, starts_at=payload.starts_at, reason=payload.reason)
    async with console.unit_of_work(acting=True) as session:
        return await booking_response(console, session, booking_id)


@router.get("/{booking_id}/move/starts", operation_id="list_proposable_starts", summary="List times for a booking")
async def list_proposable_starts(
    console: CurrentConsole,
    booking_id: str,
    first_day: Annotated[date, Query(alias="from", ge=FIRST_DAY, le=LAST_DAY, description="The first of seven days.")],
) -> ProposableStartsResponse:
    """Return the starts of seven days to which the session can move. Its own time counts as free, if it is alone."""
    starts = await proposals.proposable_starts(console, parse_id_or_404(booking_id), first_day)
    data = ProposableStartsData(starts=[clock.to_iso8601(start) for start in starts])
    return ProposableStartsResponse(success=True, data=data)


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
