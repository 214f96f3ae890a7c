"""Check-in, for the guru: the roster, and who came."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.passes import actions, queries
from porchlight.features.bookings.passes.actions import CheckInRequest
from porchlight.features.bookings.passes.keys import PassKeys
from porchlight.features.bookings.passes.schemas import CheckInPayload, CheckInResponse, RosterResponse
from porchlight.features.bookings.schemas import StartTime
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru/check-ins", tags=["bookings"], route_class=StrictRoute)


@router.get("", operation_id="get_roster", summary="Get who comes to my sessions")
async def get_roster(console: CurrentConsole) -> RosterResponse:
    """Return the sessions of two days before and after now, and the keys with which a device verifies passes."""
    async with console.unit_of_work(acting=True) as session:
        data = await queries.roster(session, PassKeys(console.app_context.settings), console.tenant_id)
    return RosterResponse(success=True, data=data)


@router.put("/{booking_id}", operation_id="check_in", summary="Check people in")
async def check_in(console: CurrentConsole, booking_id: str, payload: CheckInPayload) -> CheckInResponse:
    """Record that the people of a booking came. A resend by the same device changes nothing.

    409 `already_checked_in` if another device was faster, and with another code for a pass or a time that is not good.
    """
    request = CheckInRequest(
        at=payload.at, device=payload.device, shown=payload.shown, accepts_waiver_due=payload.waiver_due_seen
    )
    wanted, keys = parse_id_or_404(booking_id), PassKeys(console.app_context.settings)
    async with console.unit_of_work(acting=True) as session:
        booking = await actions.check_in(session, keys, console.tenant_id, wanted, request)
        return _response(console, booking)


@router.delete("/{booking_id}", operation_id="undo_check_in", summary="Undo a check-in")
async def undo_check_in(
    console: CurrentConsole,
    booking_id: str,
    at: Annotated[StartTime, Query(description="When the people were checked in.")],
) -> CheckInResponse:
    """Take back the check-in of a time. A resend changes nothing; 409 `already_checked_in` for another check-in."""
    wanted = parse_id_or_404(booking_id)
    async with console.unit_of_work(acting=True) as session:
        booking = await actions.undo_check_in(session, console.tenant_id, wanted, at=at)
        return _response(console, booking)


def _response(console: ConsoleContext, booking: Booking) -> CheckInResponse:
    key = PassKeys(console.app_context.settings).current
    return CheckInResponse(success=True, data=queries.roster_person(booking, key))
