"""Book sessions for customers who called the guru or came by, outside the limits for visitors.

The guru's notice and horizon don't apply. A time outside the hours, a full day and a full session need a confirmation.
A time at which the guru is busy is refused: a person can't be in two places.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID, uuid4

from sqlalchemy import LargeBinary, Text, Uuid, bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext
from porchlight.features.bookings.actions import NO_ADDRESS
from porchlight.features.bookings.customers.links import CustomerLink
from porchlight.features.bookings.customers.schemas import CustomerBookingPayload, NeededConfirmation
from porchlight.features.bookings.errors import (
    ConfirmationNeeded,
    OthersWait,
    RequestReused,
    SessionFull,
    SlotGone,
    TooManyCustomers,
)
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.participants.people import ADD_PARTICIPANTS
from porchlight.features.bookings.waivers import waiver_need
from sites.hours.actions import TimeTaken
from sites.hours.models import BookingSettings, Calendar
from sites.hours.queries import check_starts
from sites.hours.session_schedule import NotOffered
from tenants.http.idempotency import content_digest
from tenants.kit import clock
from tenants.kit.errors import NotFound, ProductError, ValidationFailed
from tenants.kit.ids import new_id, parse_id_or_404
from tenants.kit.zones import local_time

MAX_DAYS_AHEAD = 731
_BOOK = text(
    "SELECT outcome, booking_id FROM app.book_customer(:id, :appointment, :service, :starts_at, :local_start, :seats,"
    " :person, :token, :name, :others, :email, :note, :address, :over_capacity, :digest)"
).bindparams(
    bindparam("others", type_=ARRAY(Text)),
    bindparam("starts_at", type_=TIMESTAMP(timezone=True)),
    bindparam("local_start", type_=TIMESTAMP()),
    bindparam("person", type_=Uuid),
    bindparam("digest", type_=LargeBinary),
)
_SET_USER = text("SELECT set_config('app.user_id', :user, true)")
_OUTSIDE = frozenset(
    {NotOffered.CLOSED, NotOffered.OUTSIDE_HOURS, NotOffered.ENDS_AFTER_HOURS, NotOffered.NO_SESSION, NotOffered.PAUSED}
)
WARNINGS: dict[NeededConfirmation, str] = {
    "outside_hours": "This is outside the times at which you take bookings.",
    "day_full": "You already have as many sessions that day as you want.",
    "over_capacity": "The session has fewer free spots than that.",
}
_ERRORS: dict[str, type[ProductError]] = {
    "slot_gone": SlotGone,
    "slot_taken": TimeTaken,
    "session_full": SessionFull,
    "waiting": OthersWait,
    "limited": TooManyCustomers,
    "conflict": RequestReused,
}


async def book_customer(console: ConsoleContext, link: CustomerLink, payload: CustomerBookingPayload) -> UUID:
    """Book a session for a customer, and return the booking's id. The same request under the same link changes nothing.

    Raises NotFound for an unknown service, ValidationFailed, ConfirmationNeeded with the warnings that the guru has not
    confirmed, TimeTaken, OthersWait, SessionFull, TooManyCustomers, RequestReused.
    """
    service_id = parse_id_or_404(payload.service_id)
    zone = await _check(console, service_id, payload)
    confirmed = frozenset(payload.confirmed)
    left = [one for one in await _warnings(console, service_id, payload) if one not in confirmed]
    if left and not await _is_booked(console, link):
        raise ConfirmationNeeded(fields={str(one): WARNINGS[one] for one in left})
    person = uuid4()
    async with console.unit_of_work(acting=True) as session:
        outcome, booking_id = (
            await session.execute(
                _BOOK,
                {
                    "id": new_id(), "appointment": new_id(), "service": service_id, "starts_at": payload.starts_at,
                    "local_start": local_time(payload.starts_at, zone), "seats": payload.party, "person": person,
                    "token": link.token, "name": payload.name, "others": payload.participants, "email": payload.email,
                    "note": payload.note, "address": payload.address, "over_capacity": "over_capacity" in confirmed,
                    "digest": content_digest(payload.model_dump_json()),
                },
            )
        ).one()  # fmt: skip
        if outcome == "session_full":
            raise ConfirmationNeeded(fields={"over_capacity": WARNINGS["over_capacity"]})
        if outcome != "booked":
            raise _ERRORS[outcome]
        booking = await find_booking(session, console.tenant_id, booking_id)
        if booking.person_id == person:  # not sent again
            await _add_participants(console, session, booking, payload)
    return booking.id


async def _is_booked(console: ConsoleContext, link: CustomerLink) -> bool:
    """Return whether the link has a booking: the request was sent before, so the warnings are about itself."""
    query = select(Booking.id).where(Booking.tenant_id == console.tenant_id, Booking.customer_token == link.token)
    async with console.unit_of_work(acting=True) as session:
        return await session.scalar(query) is not None


async def _check(console: ConsoleContext, service_id: UUID, payload: CustomerBookingPayload) -> str:
    """Return the calendar's zone. Raises NotFound for a service without settings, and ValidationFailed."""
    if payload.starts_at > clock.now() + timedelta(days=MAX_DAYS_AHEAD):
        raise ValidationFailed(fields={"startsAt": "Choose a time within the next two years."})
    if len(payload.participants) > payload.party:
        raise ValidationFailed(fields={"participants": f"Enter up to {payload.party} names."})
    query = select(BookingSettings.place, Calendar.zone).where(
        BookingSettings.tenant_id == console.tenant_id,
        BookingSettings.service_id == service_id,
        Calendar.tenant_id == BookingSettings.tenant_id,
    )
    async with console.unit_of_work(acting=True) as session:
        found = (await session.execute(query)).one_or_none()
    if found is None:
        raise NotFound
    if found.place == "person" and not payload.address:
        raise ValidationFailed(fields={"address": NO_ADDRESS})
    zone: str = found.zone
    return zone


async def _warnings(
    console: ConsoleContext, service_id: UUID, payload: CustomerBookingPayload
) -> Sequence[NeededConfirmation]:
    """Return what the guru has to confirm. A session that visitors could book now needs nothing."""
    try:
        _, (found,) = await check_starts(
            console.app_context.db, console.tenant_id, service_id, [payload.starts_at], without=[], has_notice=False
        )
    except NotFound:  # not open for booking
        return ["outside_hours"]
    if found.reason is NotOffered.FULL or (found.reason is None and found.seats < payload.party):
        return ["over_capacity"]
    if found.reason is NotOffered.DAY_MAX:
        return ["day_full"]
    return ["outside_hours"] if found.reason in _OUTSIDE else []


async def _add_participants(
    console: ConsoleContext, session: AsyncSession, booking: Booking, payload: CustomerBookingPayload
) -> None:
    """Give everyone who comes a link on which they sign, if the session needs waivers.

    The customer's own is emailed. Raises ValidationFailed unless all are named.
    """
    need = await waiver_need(session, console.app_context.risk, booking)
    if not need.required:
        return
    names = payload.participants or [payload.name]
    if len(names) != payload.party:
        message = f"Each person needs a waiver. Please enter the names of all {payload.party} people."
        raise ValidationFailed(fields={"participants": message})
    people = [
        {
            "name": name, "signer": "link", "signer_id": str(new_id()), "token": str(uuid4()),
            "email": payload.email if number == 0 else "",
        }
        for number, name in enumerate(names)
    ]  # fmt: skip
    await session.execute(_SET_USER, {"user": str(booking.person_id)})
    await session.execute(ADD_PARTICIPANTS, {"ids": [booking.id], "level": need.level, "people": people})
    await session.execute(_SET_USER, {"user": ""})
