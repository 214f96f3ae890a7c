"""The choice of who gets a freed seat: the first on the waitlist whose party fits, while there is time to take it."""

from __future__ import annotations

from datetime import timedelta

from porchlight.features.bookings.expiry import offer_until
from porchlight.features.bookings.facts import CalendarSnapshot, Facts, ServiceSnapshot, SessionSnapshot, WaitingPerson
from sites.hours.queries import REQUEST_NOTICE_MINUTES


def next_in_line(facts: Facts, session: SessionSnapshot) -> tuple[ServiceSnapshot, WaitingPerson] | None:
    """Return the person to whom free seats of a session are offered now, with its service, or None.

    No one gets an offer within the guru's notice, from a guru who takes no bookings, or too late to take it.
    """
    service = facts.service(session.service_id)
    if facts.calendar is None or service is None or not _offers_seats(facts, facts.calendar, service, session):
        return None
    if offer_until(facts.now, session.starts_at, session.zone) > session.starts_at:
        return None
    for one in session.waiting:
        if one.party <= session.free:
            return service, one
    return None


def _offers_seats(facts: Facts, calendar: CalendarSnapshot, service: ServiceSnapshot, session: SessionSnapshot) -> bool:
    # A guru who answers requests needs time for that, too.
    notice = max(calendar.notice_minutes, REQUEST_NOTICE_MINUTES if service.approval == "request" else 0)
    is_early_enough = session.starts_at >= facts.now + timedelta(minutes=notice)
    return calendar.is_active and calendar.takes_bookings and service.open and is_early_enough
