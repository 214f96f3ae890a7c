"""Reading the participants of bookings, for both sides."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.models import MAX_LINK_EMAILS, Booking, Participant
from porchlight.features.bookings.schemas import ParticipantData
from tenants.kit import clock

_PARTICIPANTS = (
    select(Participant)
    .where(Participant.booking_id == any_(bindparam("ids", type_=ARRAY(Uuid))))
    .order_by(Participant.booking_id, Participant.number)
)


async def participants_of(session: AsyncSession, bookings: Iterable[Booking]) -> dict[UUID, list[Participant]]:
    """Return the participants by booking. One that needs no waiver has none, and needs no query."""
    ids = [booking.id for booking in bookings if booking.waiver_level]
    found: dict[UUID, list[Participant]] = {}
    if ids:
        options = _PARTICIPANTS.execution_options(populate_existing=True)
        for participant in await session.scalars(options, {"ids": ids}):
            found.setdefault(participant.booking_id, []).append(participant)
    return found


def is_covered(participant: Participant, booking: Booking) -> bool:
    """Return whether a participant has a waiver that is valid when the session starts."""
    return participant.waiver_until is not None and participant.waiver_until > booking.starts_at


def can_send(participant: Participant, booking: Booking) -> bool:
    """Return whether a participant's link can be emailed now. `email` may be unknown."""
    return (
        participant.signer == "link"
        and participant.emails < MAX_LINK_EMAILS
        and booking.status in ("requested", "confirmed")
        and booking.starts_at > clock.now()
        and not is_covered(participant, booking)
    )


def participant_data(participant: Participant, booking: Booking, *, with_email: bool) -> ParticipantData:
    """Return a participant in the form of the API. The guru does not see the address."""
    return ParticipantData(
        number=participant.number,
        name=participant.name,
        signer=participant.signer,
        covered=is_covered(participant, booking),
        waiver_until=clock.to_iso8601(participant.waiver_until) if participant.waiver_until else None,
        signed_by=participant.signed_by,
        email=participant.email if with_email else "",
        emailed_at=clock.to_iso8601(participant.emailed_at) if participant.emailed_at else None,
        can_send=can_send(participant, booking) and (with_email or participant.email != ""),
    )
