"""The personal links of participants, for the person who booked."""

from __future__ import annotations

from fastapi import Response

from porchlight.dependencies import Context, CurrentUser
from porchlight.features.bookings.actions import lock_calendar, own_booking
from porchlight.features.bookings.participants.actions import send_link
from porchlight.features.bookings.participants.schemas import LinkData, LinkPayload, LinkResponse
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/bookings", tags=["bookings"], route_class=StrictRoute)


@router.post(
    "/{booking_id}/participants/{number}/link",
    operation_id="send_participant_link",
    summary="Get or send the link on which a participant signs",
)
async def send_participant_link(
    response: Response, context: Context, user: CurrentUser, booking_id: str, number: str, payload: LinkPayload
) -> LinkResponse:
    """Return the link of someone who signs without an account, and email it to them if there is an address.

    409 `link_closed` once they have signed, or after too many emails.
    """
    response.headers["cache-control"] = "no-store"
    wanted = parse_id_or_404(booking_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await own_booking(session, user.user_id, wanted)
        await lock_calendar(session)
        booking = await own_booking(session, user.user_id, wanted)
        link = await send_link(session, booking, number, payload.email, may_change=True)
    data = LinkData(url=link.url(context.settings.main_origin), sent=payload.email != "")
    return LinkResponse(success=True, data=data)
