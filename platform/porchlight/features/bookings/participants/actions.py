"""Sending a participant's personal link again, or to another address."""

from __future__ import annotations

from uuid import uuid4

from sqlalchemy import Text, cast, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.errors import LinkClosed
from porchlight.features.bookings.models import Booking, Participant
from porchlight.features.bookings.participants.queries import can_send
from porchlight.personal_links import SigningLink
from tenants.kit.errors import NotFound


async def send_link(
    session: AsyncSession, booking: Booking, number: str, email: str, *, may_change: bool
) -> SigningLink:
    """Return a participant's link. Within a minute it is emailed, if there is an address.

    With `may_change`, `email` replaces the address; "" sends nothing. Otherwise it goes to the address that is known.
    The old link ends when the address changes. The calendar is locked. Raises NotFound, and LinkClosed if there is
    nothing to sign, no address or too many emails.
    """
    query = select(Participant).where(
        Participant.tenant_id == booking.tenant_id,
        Participant.booking_id == booking.id,
        cast(Participant.number, Text) == number,
    )
    participant = await session.scalar(query.execution_options(populate_existing=True))
    if participant is None or participant.signer != "link" or participant.token is None:
        raise NotFound
    address = email if may_change else participant.email
    if not can_send(participant, booking) or not (may_change or address):
        raise LinkClosed
    token = participant.token
    if address == "":
        return SigningLink(booking.tenant_id, token)
    if participant.email not in ("", address):
        token = uuid4()
    same_link = (Participant.tenant_id == booking.tenant_id, Participant.signer_id == participant.signer_id)
    values = {"email": address, "token": token}
    await session.execute(
        update(Participant).where(*same_link).values(values).execution_options(synchronize_session=False)
    )
    await session.execute(
        update(Participant)
        .where(*same_link, Participant.booking_id == booking.id, Participant.number == participant.number)
        .values(email_due=func.app.now())
        .execution_options(synchronize_session=False)
    )
    return SigningLink(booking.tenant_id, token)
