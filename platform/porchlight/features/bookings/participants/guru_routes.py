"""Reminding a participant, for the guru."""

from __future__ import annotations

from porchlight.console_context import CurrentConsole
from porchlight.features.bookings.actions import lock_calendar
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.guru.routes import booking_response
from porchlight.features.bookings.guru.schemas import GuruBookingResponse
from porchlight.features.bookings.participants.actions import send_link
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/guru/bookings", tags=["bookings"], route_class=StrictRoute)


@router.post(
    "/{booking_id}/participants/{number}/link",
    operation_id="remind_participant",
    summary="Email a participant their link again",
)
async def remind_participant(console: CurrentConsole, booking_id: str, number: str) -> GuruBookingResponse:
    """Send the personal link again to the address that the person who booked gave. The guru does not see it.

    409 `link_closed` once the participant has signed, without an address, or after too many emails.
    """
    wanted = parse_id_or_404(booking_id)
    async with console.unit_of_work(acting=True) as session:
        await lock_calendar(session)
        booking = await find_booking(session, console.tenant_id, wanted)
        await send_link(session, booking, number, "", may_change=False)
        return await booking_response(console, session, booking_id)
