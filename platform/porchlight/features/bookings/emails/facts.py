"""The database rows from which emails about bookings are made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from porchlight.features.bookings.emails.texts import Side
from tenants.kit import clock


@dataclass(frozen=True, slots=True)
class BookingFacts:
    """The facts about a booking that emails use. `moved_from` is its start before the last move.

    `unsigned` are the participants who have no waiver that is valid at the start.
    """

    tenant_id: UUID
    id: UUID
    appointment_id: UUID
    left_appointment_id: UUID | None
    series_id: UUID | None
    status: str
    sequence: int
    person_id: UUID
    guru_label: str
    guru_name: str
    person_name: str
    participants: list[str]
    party: int
    note: str
    service_id: UUID
    service_name: str
    starts_at: datetime
    ends_at: datetime
    zone: str
    person_zone: str
    price_cents: int
    place: str
    place_text: str
    person_address: str
    waiver_level: str
    waiver_until: datetime | None
    expires_at: datetime | None
    ended_by: str
    reason: str
    owed_cents: int
    proposed_start: datetime | None
    proposed_until: datetime | None
    proposed_reason: str
    proposals: int
    moved_from: datetime | None
    unsigned: list[str]
    customer_email: str
    customer_token: UUID | None

    @property
    def has_proposal(self) -> bool:
        """Whether the guru's proposal of another time is open."""
        return self.proposed_until is not None and self.proposed_until > clock.now()

    @property
    def lacks_waiver(self) -> bool:
        """Whether the session needs a waiver that is not valid at its start."""
        if not self.waiver_level:
            return False
        return self.waiver_until is None or self.waiver_until <= self.starts_at


@dataclass(frozen=True, slots=True)
class QueuedEmail:
    """A row of `booking_emails`."""

    booking_id: UUID
    kind: str
    side: Side
    sequence: int
    created_at: datetime
