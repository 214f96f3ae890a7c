"""Reading passes, for people, and the roster, for gurus."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.expiry import ATTENDANCE
from porchlight.features.bookings.models import WAS_SENT, Booking
from porchlight.features.bookings.passes.errors import NoPass
from porchlight.features.bookings.passes.keys import PassKeys
from porchlight.features.bookings.passes.lifecycle import check_in_times
from porchlight.features.bookings.passes.schemas import PassData, RosterData, RosterPerson, RosterSession
from porchlight.features.bookings.passes.signed_pass import Pass, code_of, pass_of, sign_pass, text_of
from porchlight.features.bookings.waiver_due import lacks_waiver
from tenants.kit import clock
from tenants.kit.errors import NotFound

HAS_PASS = ("confirmed", "completed")
ON_ROSTER = (*HAS_PASS, "missed")
AHEAD = timedelta(hours=48)
MAX_ROSTER = 1_000
LONGEST = timedelta(days=1)  # longer than any session

_ROSTER = (
    select(Booking)
    .where(
        Booking.tenant_id == bindparam("tenant_id"),
        Booking.status.in_(ON_ROSTER),
        Booking.starts_at > bindparam("after"),
        Booking.starts_at < bindparam("before"),
        Booking.ends_at > bindparam("ended_after"),
    )
    .order_by(Booking.starts_at, Booking.appointment_id, Booking.person_name, Booking.id)
    .limit(bindparam("limit"))
)


async def own_pass(session: AsyncSession, keys: PassKeys, person_id: UUID, booking_id: UUID) -> PassData:
    """Return the pass of a person's session. Raises NotFound, and NoPass for one that does not take place."""
    query = select(Booking).where(Booking.person_id == person_id, Booking.id == booking_id, WAS_SENT)
    booking = await session.scalar(query)
    if booking is None:
        raise NotFound
    if booking.status not in HAS_PASS:
        raise NoPass(_why_no_pass(booking))
    data = _signed(booking, keys.current)
    return PassData(
        booking_id=str(booking.id),
        text=text_of(data),
        code=code_of(data),
        service_name=booking.service_name,
        guru_name=booking.guru_name,
        starts_at=clock.to_iso8601(booking.starts_at),
        ends_at=clock.to_iso8601(booking.ends_at),
        zone=booking.zone,
        place=booking.place,
        place_text=booking.person_address if booking.place == "person" else booking.place_text,
        person_name=booking.person_name,
        participants=booking.participants,
        party=booking.party,
        checked_in_at=clock.to_iso8601(booking.checked_in_at) if booking.checked_in_at else None,
    )


async def roster(session: AsyncSession, keys: PassKeys, tenant_id: UUID) -> RosterData:
    """Return the guru's sessions of now, the earliest first."""
    now = clock.now()
    values = {
        "tenant_id": tenant_id, "after": now - ATTENDANCE - LONGEST, "before": now + AHEAD,
        "ended_after": now - ATTENDANCE, "limit": MAX_ROSTER + 1,
    }  # fmt: skip
    found = (await session.scalars(_ROSTER, values)).all()
    sessions = groupby(found[:MAX_ROSTER], lambda one: (one.starts_at, one.appointment_id))
    return RosterData(
        tenant_id=str(tenant_id),
        as_of=clock.to_iso8601(now),
        keys=keys.published,
        sessions=[_roster_session(list(bookings), keys.current) for _, bookings in sessions],
        more=len(found) > MAX_ROSTER,
    )


def roster_person(booking: Booking, key: Ed25519PrivateKey) -> RosterPerson:
    """Return who booked, as the roster shows them."""
    return RosterPerson(
        booking_id=str(booking.id),
        status=booking.status,
        name=booking.person_name,
        participants=booking.participants,
        party=booking.party,
        sequence=_content(booking).sequence,
        code=code_of(_signed(booking, key)),
        waiver_due=lacks_waiver(booking),
        checked_in_at=clock.to_iso8601(booking.checked_in_at) if booking.checked_in_at else None,
        checked_in_by=booking.checked_in_by,
    )


def _roster_session(bookings: Sequence[Booking], key: Ed25519PrivateKey) -> RosterSession:
    first = bookings[0]
    times = check_in_times(first.starts_at, first.ends_at, first.zone)
    return RosterSession(
        id=str(first.appointment_id),
        service_name=first.service_name,
        starts_at=clock.to_iso8601(first.starts_at),
        ends_at=clock.to_iso8601(first.ends_at),
        zone=first.zone,
        opens_at=clock.to_iso8601(times.opens_at),
        passes_until=clock.to_iso8601(times.passes_until),
        closes_at=clock.to_iso8601(times.closes_at),
        people=[roster_person(booking, key) for booking in bookings],
    )


def _content(booking: Booking) -> Pass:
    return pass_of(booking.id, booking.tenant_id, booking.starts_at, booking.ends_at, booking.sequence)


def _signed(booking: Booking, key: Ed25519PrivateKey) -> bytes:
    return sign_pass(_content(booking), key)


def _why_no_pass(booking: Booking) -> str | None:
    if booking.status == "canceled":
        return "This session was canceled, so it has no pass."
    return "This session is over." if booking.status == "missed" else None
