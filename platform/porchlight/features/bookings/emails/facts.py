"""The database rows from which emails about bookings are made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.features.bookings.emails.texts import Side
from tenants.kit import clock

# The columns of BookingFacts.
FACTS = """
SELECT b.tenant_id, b.id, b.appointment_id, b.left_appointment_id, b.series_id, b.status, b.sequence, b.person_id,
       b.guru_label, b.guru_name, b.person_name, b.participants, b.party, b.note, b.service_id, b.service_name,
       b.starts_at, b.ends_at, b.zone, b.person_zone, b.price_cents, b.place, b.place_text, b.bring, b.answers,
       b.person_address, b.waiver_level, b.waiver_until, b.expires_at, b.ended_by, b.reason, b.owed_cents,
       b.proposed_start, b.proposed_until, b.proposed_reason, b.proposals, b.customer_email, b.customer_token,
       b.package_name, b.package_sessions, b.terms, b.moves, b.late_since,
       paid.amount_cents AS paid_cents, paid.refunded_cents, coalesce(paid.mode = 'deposit', false) AS is_deposit,
       card.state AS card_state, card.card_brand, card.card_last4,
       (SELECT g.left_over FROM package_grants g
         WHERE g.tenant_id = b.tenant_id AND g.id = b.package_grant_id) AS package_left,
       (SELECT e.details ->> 'name' FROM booking_events e
         WHERE e.tenant_id = b.tenant_id AND e.booking_id = b.id AND e.event = 'claimed'
         ORDER BY e.number DESC LIMIT 1) AS claimed_by,
       (SELECT (e.details ->> 'from')::timestamptz FROM booking_events e
         WHERE e.tenant_id = b.tenant_id AND e.booking_id = b.id AND e.event = 'moved'
         ORDER BY e.number DESC LIMIT 1) AS moved_from,
       ARRAY(SELECT p.name FROM participants p
              WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id AND b.waiver_level <> ''
                AND coalesce(p.waiver_until <= b.starts_at, true) ORDER BY p.number) AS unsigned
  FROM bookings b
  LEFT JOIN LATERAL (SELECT p.mode, p.amount_cents, p.refunded_cents FROM payments p
                      WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id AND p.purpose = 'session'
                        AND p.state = 'paid'
                      ORDER BY p.number DESC LIMIT 1) paid ON true
  LEFT JOIN LATERAL (SELECT p.state, p.card_brand, p.card_last4 FROM payments p
                      WHERE p.tenant_id = b.tenant_id AND p.booking_id = b.id AND p.purpose = 'session'
                        AND p.mode = 'hold'
                      ORDER BY p.number DESC LIMIT 1) card ON true"""


@dataclass(frozen=True, slots=True)
class BookingFacts:
    """The facts about a booking that emails use. `moved_from` is its start before the last move.

    `package_left` are the sessions that are left of its package. `claimed_by` is the name of the account that claimed
    it. `paid_cents` is what was paid by card, None for nothing, `refunded_cents` what of it goes back.
    `is_deposit`: it is a part of the price. `card_state`: of the card that is kept and its charge, None without one.
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
    bring: str
    answers: list[dict[str, str]]
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
    package_name: str
    package_sessions: int
    terms: dict[str, Any]
    moves: int
    late_since: datetime | None
    paid_cents: int | None
    refunded_cents: int | None
    is_deposit: bool
    card_state: str | None
    card_brand: str | None
    card_last4: str | None
    package_left: int | None
    claimed_by: str | None

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
    attempts: int
    created_at: datetime
