"""One sentence for each reason why a time is not offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sites.hours.queries import ExplainedStart
from sites.hours.rules import BookableService, CalendarRules
from sites.hours.session_schedule import NotOffered
from sites.hours.slots import StartExplanation

OFFERED = "This time is offered."
NOT_OPEN = "This service isn't open for booking. Please turn on booking in its settings."
NOT_SHOWN = "Visitors don't see your services yet. One of your categories needs approval first."
NO_MINUTES = "This service has no length in minutes, so it can't be booked. Please set its length."


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts that the sentences mention. Times are shown in the calendar's zone."""

    calendar: CalendarRules
    service: BookableService
    explanation: StartExplanation
    now: datetime
    busy_in: Sequence[str] = ()

    @property
    def day(self) -> str:
        """The day, such as "Tuesday, December 1"."""
        return _day(self.explanation.wall)

    @property
    def time(self) -> str:
        """The time, such as "9:00 AM"."""
        return _time(self.explanation.wall)

    def moment(self, at: datetime | None) -> str:
        """Return a time, with its day unless that is the day in question."""
        if at is None:
            return ""
        local = at.astimezone(ZoneInfo(self.calendar.zone))
        is_same_day = local.date() == self.explanation.wall.date()
        return _time(local) if is_same_day else f"{_time(local)} on {_day(local)}"


def start_sentence(explained: ExplainedStart, busy_in: Sequence[str] = ()) -> str:
    """Return the sentence that tells a guru why a time is not offered, or that it is.

    `busy_in`: the connected calendars that have something then, as the guru named them.
    """
    if explained.explanation is None:
        return OFFERED
    facts = _Facts(explained.rules.calendar, explained.rules.service, explained.explanation, explained.now, busy_in)
    return SENTENCES[explained.explanation.reason](facts)


def _closed(facts: _Facts) -> str:
    return f"You have no hours on {facts.day}."


def _outside_hours(facts: _Facts) -> str:
    ranges = " and ".join(f"{_minute(start)} to {_minute(end)}" for start, end in facts.explanation.ranges)
    return f"{facts.time} is outside your hours on {facts.day}, which are {ranges}."


def _off_grid(facts: _Facts) -> str:
    wall = facts.explanation.wall
    minute = 60 * wall.hour + wall.minute
    first = max(start for start, _end in facts.explanation.ranges if start <= minute)
    return f"Sessions start every {facts.calendar.step_minutes} minutes from {_minute(first)}, so not at {facts.time}."


def _skipped_time(facts: _Facts) -> str:
    return f"{facts.time} doesn't exist on {facts.day}, because the clocks go forward then."


def _repeated_time(facts: _Facts) -> str:
    return f"{facts.time} comes twice on {facts.day}, because the clocks go back. Only the first one is offered."


def _ends_after_hours(facts: _Facts) -> str:
    minutes, end = facts.service.minutes, facts.moment(facts.explanation.limit)
    return f"A session of {minutes} minutes from {facts.time} would end after your hours, which end at {end}."


def _busy(facts: _Facts) -> str:
    appointment = facts.explanation.appointment
    if appointment is None:
        return "You're busy then."
    busy = "your session" if appointment.service_id else "your blocked time"
    times = f"from {facts.moment(appointment.starts_at)} to {facts.moment(appointment.ends_at)}"
    has_buffers = (
        facts.service.setup_minutes
        or facts.service.cleanup_minutes
        or appointment.blocked_from < appointment.starts_at
        or appointment.blocked_until > appointment.ends_at
    )
    counted = ", with the time for setup and cleanup" if has_buffers else ""
    return f"A session at {facts.time} would overlap {busy} {times}{counted}."


def _busy_elsewhere(facts: _Facts) -> str:
    names = " and ".join(f"‘{name}’" for name in facts.busy_in) or "a connected calendar"
    has_buffers = facts.service.setup_minutes or facts.service.cleanup_minutes
    counted = ", with the time for setup and cleanup" if has_buffers else ""
    return f"Busy in {names}: a session at {facts.time} would overlap that{counted}."


def _full(facts: _Facts) -> str:
    appointment = facts.explanation.appointment
    spots = appointment.capacity if appointment else facts.service.capacity
    return "The spot of this session is taken." if spots == 1 else f"All {spots} spots of this session are taken."


def _no_session(facts: _Facts) -> str:
    return f"This service has fixed starts, and none is at {facts.time} on {facts.day}."


def _paused(facts: _Facts) -> str:
    return f"You paused bookings until {facts.moment(facts.calendar.paused_until)}."


def _too_soon(facts: _Facts) -> str:
    earliest = facts.explanation.limit
    notice = timedelta(minutes=facts.calendar.notice_minutes)
    wall = facts.explanation.wall.replace(tzinfo=ZoneInfo(facts.calendar.zone))
    if earliest is None or wall < facts.now:
        return f"{facts.time} on {facts.day} has passed."
    return f"You ask for {_length(notice)} of notice, so the earliest time is {facts.moment(earliest)}."


def _beyond_horizon(facts: _Facts) -> str:
    days = facts.calendar.horizon_days
    last = facts.now.astimezone(ZoneInfo(facts.calendar.zone)) + timedelta(days=days)
    return f"You take bookings up to {days} day{'s' if days > 1 else ''} ahead, until {_day(last)}."


def _day_max(facts: _Facts) -> str:
    most = facts.calendar.day_max
    return f"You take up to {most} session{'' if most == 1 else 's'} a day, and {facts.day} is full."


SENTENCES: Mapping[NotOffered, Callable[[_Facts], str]] = {
    NotOffered.CLOSED: _closed,
    NotOffered.OUTSIDE_HOURS: _outside_hours,
    NotOffered.OFF_GRID: _off_grid,
    NotOffered.SKIPPED_TIME: _skipped_time,
    NotOffered.REPEATED_TIME: _repeated_time,
    NotOffered.ENDS_AFTER_HOURS: _ends_after_hours,
    NotOffered.BUSY: _busy,
    NotOffered.BUSY_ELSEWHERE: _busy_elsewhere,
    NotOffered.FULL: _full,
    NotOffered.NO_SESSION: _no_session,
    NotOffered.PAUSED: _paused,
    NotOffered.TOO_SOON: _too_soon,
    NotOffered.BEYOND_HORIZON: _beyond_horizon,
    NotOffered.DAY_MAX: _day_max,
}


def _time(local: datetime) -> str:
    return f"{local.hour % 12 or 12}:{local:%M %p}"


def _day(local: datetime) -> str:
    return f"{local:%A, %B} {local.day}"


def _minute(minute: int) -> str:
    """Return the time that is `minute` minutes after midnight; 1440 is the next midnight."""
    hour = minute // 60 % 24
    return f"{hour % 12 or 12}:{minute % 60:02} {'AM' if hour < 12 else 'PM'}"


def _length(length: timedelta) -> str:
    minutes = int(length.total_seconds()) // 60
    size, unit = next(
        (size, unit) for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")) if minutes % size == 0
    )
    count = minutes // size
    return f"{count} {unit}{'' if count == 1 else 's'}"
