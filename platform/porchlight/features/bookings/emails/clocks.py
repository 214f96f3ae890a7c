"""The time zones in which emails show times to each side of a booking, as the pages do.

Times of a session in person are in the guru's zone, times of one online in the reader's. Where the other side's time
differs, it follows in parentheses: always for the person, and for the guru if the session is online.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from porchlight.emails.session_times import NO_BREAK_SPACE, format_clock, format_day, format_moment, format_period
from porchlight.features.bookings.emails.facts import BookingFacts
from porchlight.features.bookings.emails.texts import Side
from tenants.kit import clock

DAYS_OF_WEEKDAY = 6  # so long a weekday alone is clear


@dataclass(frozen=True, slots=True)
class Clocks:
    """The zone in which times are shown, and the other side's zone with words for whose time that is."""

    zone: ZoneInfo
    other: ZoneInfo | None = None
    whose: str = ""

    def period(self, starts_at: datetime, ends_at: datetime) -> str:
        """Return the time of a session."""
        return format_period(starts_at.astimezone(self.zone), ends_at.astimezone(self.zone)) + self._beside(starts_at)

    def moment(self, moment: datetime) -> str:
        """Return a start, or the time until which an answer is possible."""
        return format_moment(moment.astimezone(self.zone)) + self._beside(moment)

    def clock(self, moment: datetime) -> str:
        """Return a time of day."""
        return format_clock(moment.astimezone(self.zone))

    def weekday_and_clock(self, moment: datetime) -> str:
        """Return a time within the next days."""
        return f"{moment.astimezone(self.zone):%A}, {self.clock(moment)}"

    def short(self, moment: datetime) -> str:
        """Return a time for subjects, without the zone: "Mon 10:00 AM", with the date unless it is within six days."""
        here, today = moment.astimezone(self.zone), clock.now().astimezone(self.zone).date()
        day = f"{here:%a}" if 0 <= (here.date() - today).days < DAYS_OF_WEEKDAY else f"{here:%a}, {here:%b} {here.day},"
        return f"{day} {format_clock(here).rsplit(NO_BREAK_SPACE, 1)[0]}".replace(NO_BREAK_SPACE, " ")

    def _beside(self, moment: datetime) -> str:
        here = moment.astimezone(self.zone)
        if self.other is None or moment.astimezone(self.other).utcoffset() == here.utcoffset():
            return ""
        there = moment.astimezone(self.other)
        day = "" if there.date() == here.date() else f"{format_day(there)}, "
        return f" ({day}{format_clock(there)}, {self.whose})"


def clocks_of(booking: BookingFacts, side: Side) -> Clocks:
    """Return the clocks for the emails to one side. `person_zone` is "" where we don't know it."""
    guru = ZoneInfo(booking.zone)
    if not booking.person_zone:
        return Clocks(guru)
    person, is_online = ZoneInfo(booking.person_zone), booking.place == "online"
    if side == "person":
        return Clocks(person, guru, "their time") if is_online else Clocks(guru, person, "your time")
    return Clocks(guru, person, "their time") if is_online else Clocks(guru)
