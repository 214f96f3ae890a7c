"""Checking people in, and taking it back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.emails.session_times import format_clock, format_moment
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.errors import require
from porchlight.features.bookings.guru.queries import find_booking
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.passes.errors import (
    AlreadyCheckedIn,
    CheckInEarly,
    PassEnded,
    PassInvalid,
    PassOfOtherDay,
    PassOfOtherGuru,
)
from porchlight.features.bookings.passes.keys import PassKeys
from porchlight.features.bookings.passes.lifecycle import check_in_times
from porchlight.features.bookings.passes.signed_pass import InvalidPass, Pass, read_pass
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.features.bookings.store import FactsQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInRequest:
    """A check-in by a device, at the time on its clock. `shown` is the text of the pass, "" without one."""

    at: datetime
    device: str
    shown: str = ""
    accepts_waiver_due: bool = False


async def check_in(
    session: AsyncSession, keys: PassKeys, tenant_id: UUID, booking_id: UUID, request: CheckInRequest
) -> Booking:
    """Check the people of a booking in, once, and return it. A resend by the same device changes nothing.

    Raises NotFound, and for each other reason a conflict that says what to do.
    """
    shown = _read_shown(keys, tenant_id, booking_id, request.shown) if request.shown else None
    await find_booking(session, tenant_id, booking_id)
    command = commands.CheckIn(
        id=booking_id, at=request.at.replace(microsecond=0), by=request.device, shown=shown,
        accepts_waiver_due=request.accepts_waiver_due,
    )  # fmt: skip
    decision = await store.run_in(session, FactsQuery(ids=[booking_id]), command)
    booking = await find_booking(session, tenant_id, booking_id)
    if decision.refusal is not None:
        _raise_refusal(decision.refusal, booking, is_shown=shown is not None)
    return booking


async def undo_check_in(session: AsyncSession, tenant_id: UUID, booking_id: UUID, *, at: datetime) -> Booking:
    """Take back the check-in of the time `at`, and return the booking. A resend changes nothing.

    Raises NotFound, and AlreadyCheckedIn if another device has checked the people in at another time.
    """
    await find_booking(session, tenant_id, booking_id)
    command = commands.UndoCheckIn(id=booking_id, at=at.replace(microsecond=0))
    decision = await store.run_in(session, FactsQuery(ids=[booking_id]), command)
    booking = await find_booking(session, tenant_id, booking_id)
    if decision.refusal is not None:
        _raise_refusal(decision.refusal, booking, is_shown=False)
    return booking


def _read_shown(keys: PassKeys, tenant_id: UUID, booking_id: UUID, text: str) -> Pass:
    try:
        shown = read_pass(text, keys.public_keys)
    except InvalidPass:
        raise PassInvalid from None
    if shown.tenant_id != tenant_id:
        raise PassOfOtherGuru
    if shown.booking_id != booking_id:
        raise PassInvalid
    return shown


def _raise_refusal(refusal: RefusalReason, booking: Booking, *, is_shown: bool) -> None:
    """Raise the error of a refusal, with the time and the device that the guru wants to know."""
    zone = ZoneInfo(booking.zone)
    if refusal is RefusalReason.CHECKED_IN and booking.checked_in_at is not None:
        at = format_clock(booking.checked_in_at.astimezone(zone))
        raise AlreadyCheckedIn(f"Already checked in at {at} by {booking.checked_in_by}.")
    if refusal is RefusalReason.CHECK_IN_EARLY:
        opens_at = check_in_times(booking.starts_at, booking.ends_at, booking.zone).opens_at
        raise CheckInEarly(f"Check-in for this session opens on {format_moment(opens_at.astimezone(zone))}.")
    if refusal is RefusalReason.PASS_OF_OTHER_DAY:
        raise PassOfOtherDay(f"This pass is for {format_moment(booking.starts_at.astimezone(zone))}.")
    if refusal is RefusalReason.BOOKING_CHANGED and is_shown:
        raise PassEnded
    require(refusal)
