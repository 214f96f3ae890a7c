"""The addresses that emails about bookings lead to."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.bookings.calendar_events import (
    EventOrigin,
)
from porchlight.features.bookings.emails.facts import BookingFacts
from porchlight.features.bookings.emails.texts import (
    Side,
)
from porchlight.job_dependencies import JobDependencies


def booking_url(jobs: JobDependencies, booking: BookingFacts, side: Side) -> str:
    """Return the URL of a booking on the side's pages."""
    path = f"sessions/{booking.id}" if side == "person" else f"guru/calendar?booking={booking.id}"
    return f"{jobs.main_origin}/{path}"


def times_url(site_origin: str, service_id: UUID) -> str:
    """Return the URL of the page with the free times of a service."""
    return f"{site_origin}/services/{service_id}/times"


def event_origin(jobs: JobDependencies) -> EventOrigin:
    """Return what the calendar events of this installation have in common."""
    return EventOrigin(jobs.main_origin, jobs.base_host, jobs.sender_address, jobs.reply_domain)
