"""The decisions on check-ins: when people can be checked in, and which passes are good."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from porchlight.features.bookings.commands import CheckIn, UndoCheckIn
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.expiry import ATTENDANCE
from porchlight.features.bookings.facts import BookingSnapshot
from porchlight.features.bookings.passes.signed_pass import pass_of
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.states import Actor, Status
from porchlight.features.bookings.waiver_due import lacks_waiver
from tenants.kit.zones import day_bounds, local_time

# Of a session soon after midnight, people come the evening before; of one that ends then, they may come late.
NEAR = timedelta(hours=2)
# How far a device's clock may be ahead. A time beyond it, or before check-in opens, is that of the server.
CLOCK_SKEW = timedelta(minutes=5)
EVENTS = ("checked_in", "check_in_undone")


class CheckInTimes(NamedTuple):
    """When people can be checked in: with a pass on the day of their session, by name for two more days."""

    opens_at: datetime
    passes_until: datetime
    closes_at: datetime


def check_in_times(starts_at: datetime, ends_at: datetime, zone: str) -> CheckInTimes:
    """Return when the people of a session can be checked in. Days are those of its zone."""
    place = ZoneInfo(zone)
    first, _ = day_bounds(place, local_time(starts_at, zone).date())
    _, last = day_bounds(place, local_time(ends_at - timedelta.resolution, zone).date())
    return CheckInTimes(min(first, starts_at - NEAR), max(last, ends_at + NEAR), ends_at + ATTENDANCE)


def check_in(draft: CalendarDraft, command: CheckIn) -> None:
    """Check the people of a booking in, once. A resend by the same device changes nothing."""
    booking, now = draft.booking(command.id), draft.facts.now
    if booking.status is Status.MISSED:
        raise CommandRefused(RefusalReason.MARKED_MISSED)
    if booking.status not in (Status.CONFIRMED, Status.COMPLETED):
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    if booking.checked_in_at is not None:
        if (booking.checked_in_at, booking.checked_in_by) == (command.at, command.by):
            return
        raise CommandRefused(RefusalReason.CHECKED_IN)
    at = _time_of(booking, command, now)
    is_waiver_due = lacks_waiver(booking)
    if is_waiver_due and not command.accepts_waiver_due:
        raise CommandRefused(RefusalReason.WAIVER_DUE)
    details = {"with": "name" if command.shown is None else "pass"} | ({"waiver": "due"} if is_waiver_due else {})
    values = {"checked_in_at": at, "checked_in_by": command.by}
    draft.update(booking, values, event=EVENTS[0], actor=Actor.GURU, details=details)


def _time_of(booking: BookingSnapshot, command: CheckIn, now: datetime) -> datetime:
    """Return when the people came. Raises CommandRefused for a time or a pass that is not good."""
    shown, times = command.shown, check_in_times(booking.starts_at, booking.ends_at, booking.zone)
    at = command.at if times.opens_at <= command.at <= now + CLOCK_SKEW else now
    if at < times.opens_at:
        raise CommandRefused(RefusalReason.PASS_OF_OTHER_DAY if shown else RefusalReason.CHECK_IN_EARLY)
    if now >= times.closes_at:
        raise CommandRefused(RefusalReason.CHECK_IN_CLOSED)
    if shown is not None:
        # Another guru's pass was refused before.
        if shown != pass_of(booking.id, shown.tenant_id, booking.starts_at, booking.ends_at, booking.sequence):
            raise CommandRefused(RefusalReason.PASS_OUTDATED)
        if at >= times.passes_until:
            raise CommandRefused(RefusalReason.PASS_OF_OTHER_DAY)
    return at


def undo_check_in(draft: CalendarDraft, command: UndoCheckIn) -> None:
    """Take back a check-in. A resend changes nothing, and another device's later check-in stays."""
    booking = draft.booking(command.id)
    if booking.checked_in_at is None:
        return
    if booking.checked_in_at != command.at:
        raise CommandRefused(RefusalReason.CHECKED_IN)
    draft.update(booking, {"checked_in_at": None, "checked_in_by": ""}, event=EVENTS[1], actor=Actor.GURU)
