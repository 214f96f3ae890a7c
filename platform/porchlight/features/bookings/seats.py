"""Taking seats of a service at a start: from its session, or from a new one if the guru is free then."""

from __future__ import annotations

from datetime import datetime, timedelta

from porchlight.features.bookings.commands import WantedSeats
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.facts import CalendarSnapshot, ServiceSnapshot, SessionSnapshot
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason


def take(draft: CalendarDraft, wanted: WantedSeats, party: int) -> tuple[ServiceSnapshot, SessionSnapshot]:
    """Return the session of a service at a start that has seats for a party. Add it if the guru is free then."""
    calendar, service = _open_service(draft, wanted)
    if wanted.starts_at <= draft.facts.now:
        raise CommandRefused(RefusalReason.SLOT_GONE)
    session = session_at(draft, wanted)
    if calendar.rules_version != wanted.rules_version:
        raise CommandRefused(_taken_by(draft, wanted, session, party))
    if session is not None:
        if party > session.free or session.waiting:
            raise CommandRefused(RefusalReason.SESSION_FULL)
        return service, session
    if service.starts == "fixed":
        raise CommandRefused(RefusalReason.SLOT_GONE)
    if party > service.capacity:
        raise CommandRefused(RefusalReason.SESSION_FULL)
    if calendar.day_max is not None and _sessions_of_day(draft, wanted) >= calendar.day_max:
        raise CommandRefused(RefusalReason.SLOT_TAKEN)
    if _is_busy_elsewhere(draft, service, wanted.starts_at):
        raise CommandRefused(RefusalReason.SLOT_TAKEN)
    return service, new_session(draft, calendar, service, wanted, service.capacity)


def session_at(draft: CalendarDraft, wanted: WantedSeats) -> SessionSnapshot | None:
    """Return the live session of a service at a start."""
    for one in draft.sessions.values():
        if one.live and one.service_id == wanted.service_id and one.starts_at == wanted.starts_at:
            return one
    return None


def new_session(
    draft: CalendarDraft, calendar: CalendarSnapshot, service: ServiceSnapshot, wanted: WantedSeats, capacity: int
) -> SessionSnapshot:
    """Add a session of a service. Raises CommandRefused if the guru is busy then."""
    ends_at = ends_at_of(service, wanted.starts_at)
    session = SessionSnapshot(
        id=wanted.session_id,
        service_id=service.id,
        starts_at=wanted.starts_at,
        ends_at=ends_at,
        zone=calendar.zone,
        blocked_from=wanted.starts_at - timedelta(minutes=service.setup_minutes),
        blocked_until=ends_at + timedelta(minutes=service.cleanup_minutes),
        capacity=capacity,
    )
    if _is_busy(draft, session.blocked_from, session.blocked_until):
        raise CommandRefused(RefusalReason.SLOT_TAKEN)
    draft.add_session(session, wanted.local_start)
    return session


def ends_at_of(service: ServiceSnapshot, starts_at: datetime) -> datetime:
    """Return when a session of a service ends."""
    return starts_at + timedelta(minutes=service.minutes or 0)


def _open_service(draft: CalendarDraft, wanted: WantedSeats) -> tuple[CalendarSnapshot, ServiceSnapshot]:
    calendar, service = draft.facts.calendar, draft.facts.service(wanted.service_id)
    if calendar is None or service is None or not calendar.is_active or calendar.is_blocked:
        raise CommandRefused(RefusalReason.SLOT_GONE)
    if not service.open or service.over_limit or service.minutes is None:
        raise CommandRefused(RefusalReason.SLOT_GONE)
    return calendar, service


def _taken_by(draft: CalendarDraft, wanted: WantedSeats, session: SessionSnapshot | None, party: int) -> RefusalReason:
    """Return why a start is not offered: others have it, or else the rules, which may have changed."""
    if session is not None and (party > session.free or session.waiting):
        return RefusalReason.SESSION_FULL
    if session is None and _is_busy(draft, wanted.starts_at, wanted.starts_at + timedelta(microseconds=1)):
        return RefusalReason.SLOT_TAKEN
    if session is None and any(start <= wanted.starts_at < end for start, end in draft.facts.busy):
        return RefusalReason.SLOT_TAKEN
    return RefusalReason.STALE


def _is_busy(draft: CalendarDraft, starts_at: datetime, ends_at: datetime) -> bool:
    """Return whether the guru is busy at some time between two instants."""
    sessions = draft.sessions.values()
    return any(one.live and one.blocked_from < ends_at and one.blocked_until > starts_at for one in sessions)


def _is_busy_elsewhere(draft: CalendarDraft, service: ServiceSnapshot, starts_at: datetime) -> bool:
    """Return whether a busy source of the guru has something while a session, with setup and cleanup, takes place.

    It keeps neighbors from new sessions only: the guru, who books for a customer, is asked instead.
    """
    blocked_from = starts_at - timedelta(minutes=service.setup_minutes)
    blocked_until = ends_at_of(service, starts_at) + timedelta(minutes=service.cleanup_minutes)
    return any(start < blocked_until and end > blocked_from for start, end in draft.facts.busy)


def _sessions_of_day(draft: CalendarDraft, wanted: WantedSeats) -> int:
    """Return how many live sessions start on the day of a start."""
    first, last = wanted.day
    sessions = [one for one in draft.sessions.values() if one.live and one.kind == "session"]
    return sum(first <= one.starts_at < last for one in sessions)
