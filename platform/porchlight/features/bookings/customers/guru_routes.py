"""Sessions that a guru books for customers without an account."""

from __future__ import annotations

from fastapi import status

from porchlight.console_context import CurrentConsole
from porchlight.dependencies import IdempotencyKey
from porchlight.features.bookings.actions import lock_calendar
from porchlight.features.bookings.customers import actions
from porchlight.features.bookings.customers.links import customer_link
from porchlight.features.bookings.customers.schemas import CustomerBookingPayload, DeviceLinkData, DeviceLinkResponse
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.guru.routes import booking_response
from porchlight.features.bookings.guru.schemas import GuruBookingResponse
from porchlight.features.bookings.participants.actions import send_link
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Forbidden, NotFound
from tenants.kit.ids import new_id, parse_id_or_404

router = FeatureRouter(prefix="/api/guru/bookings", tags=["bookings"], route_class=StrictRoute)


@router.post(
    "", status_code=status.HTTP_201_CREATED, operation_id="book_customer", summary="Book a session for a customer"
)
async def book_customer(
    console: CurrentConsole, payload: CustomerBookingPayload, key: IdempotencyKey
) -> GuruBookingResponse:
    """Book a session for someone without an account, also outside the hours. They get an email if there is an address.

    409 `needs_confirmation` has in `fields` what to confirm. 409 `time_taken` if the guru is busy. A resend under the
    same key changes nothing. An admin who impersonates the guru can't.
    """
    if console.is_impersonated:
        raise Forbidden
    link = customer_link(console.tenant_id, console.app_context.settings.address_secret, key or str(new_id()))
    booking_id = await actions.book_customer(console, link, payload)
    async with console.unit_of_work(acting=True) as session:
        return await booking_response(console, session, str(booking_id))


@router.post(
    "/{booking_id}/participants/{number}/device-link",
    operation_id="create_device_link",
    summary="Get the link on which a customer signs on my device",
)
async def create_device_link(console: CurrentConsole, booking_id: str, number: str) -> DeviceLinkResponse:
    """Return the link of a participant for whom the guru booked. 409 `link_closed` once they have signed."""
    async with console.unit_of_work(acting=True) as session:
        await lock_calendar(session)
        booking = await find_booking(session, console.tenant_id, parse_id_or_404(booking_id))
        if booking.customer_token is None:
            raise NotFound
        link = await send_link(session, booking, number, "", may_change=True)
    url = link.url(console.app_context.settings.main_origin)
    return DeviceLinkResponse(success=True, data=DeviceLinkData(url=url))
