"""The answer with one booking of a user: the booking with the terms of now, and its guru's card."""

from __future__ import annotations

from uuid import UUID

from fastapi import Request

from porchlight.dependencies import AppContext
from porchlight.features.bookings import queries
from porchlight.features.bookings.guru_card import GuruCard, card_of_gone_guru, read_card
from porchlight.features.bookings.schemas import BookingData, BookingResponse, OwnBookingData
from porchlight.site_addresses import origin_on
from tenants.db.unit_of_work import unit_of_work
from tenants.tenancy.directory import Directory


async def booking_response(request: Request, context: AppContext, user_id: UUID, booking_id: UUID) -> BookingResponse:
    """Return a user's booking or request, also one that expired. Raises NotFound, also for a hold."""
    async with unit_of_work(context.db, user_id=user_id) as session:
        data = await queries.booking(session, user_id, booking_id)
    return await with_guru(request, context, data)


async def with_guru(request: Request, context: AppContext, booking: BookingData) -> BookingResponse:
    """Return a booking that was read before, with its guru's card."""
    guru = await guru_card(request, context, booking.guru_label, booking.guru_name)
    return BookingResponse(success=True, data=OwnBookingData(**dict(booking), guru=guru))


async def guru_card(request: Request, context: AppContext, label: str, name: str) -> GuruCard:
    """Return the card of the guru with this label, which may be an old one. One round trip.

    A guru who is gone has the card of `name`. Raise Unavailable when the database is down.
    """
    directory: Directory = request.app.state.directory
    base_host = context.settings.base_host
    site = await directory.find_by_name(label)
    if site is None:
        return card_of_gone_guru(label, name, origin_on(request, f"{label}.{base_host}"))
    return await read_card(context.db, site.id, site.label, origin_on(request, site.main_host(base_host)))
