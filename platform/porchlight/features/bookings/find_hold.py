"""Reading a hold by its token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from porchlight.features.bookings.booking_rows import BOOKING_COLUMNS, booking_of
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.tokens import HoldToken
from porchlight.features.bookings.waivers import WaiverRules
from tenants.db.pipeline import Statement
from tenants.db.pool import Database
from tenants.db.rows import Columns

_FIND = f"""
SELECT c.rules_version, g.category, s.waiver, s.risk, {", ".join(f"h.{name}" for name in BOOKING_COLUMNS)}
  FROM app.find_hold(%(token)s) h
  JOIN gurus g ON g.id = h.tenant_id
  JOIN calendars c ON c.tenant_id = h.tenant_id
  LEFT JOIN booking_settings s ON s.tenant_id = h.tenant_id AND s.service_id = h.service_id"""  # noqa: S608 - constants only


@dataclass(frozen=True, slots=True)
class FoundHold:
    """A hold in any status, also one that was booked, with the guru's rules. `rules_version` changes with them."""

    booking: Booking
    rules_version: int
    waiver_rules: WaiverRules

    @property
    def is_booked(self) -> bool:
        """Whether the hold became a booking or a request, or waits for its payment."""
        return self.booking.status not in ("held", "expired") or self.is_sent

    @property
    def is_sent(self) -> bool:
        """Whether the person has entered everything that the booking needs."""
        return self.booking.idempotency_key is not None


async def find_hold(db: Database, token: HoldToken, user_id: UUID | None) -> FoundHold | None:
    """Return the hold with a token, or None if it is unknown or another user's. One round trip."""
    query, parameters = hold_statement(token)
    return to_hold(await db.read(token.tenant_id, query, parameters, user_id=user_id))


def hold_statement(token: HoldToken) -> Statement:
    """Return the statement that reads the hold with a token."""
    return _FIND, {"token": token.digest}


def to_hold(rows: Sequence[Columns]) -> FoundHold | None:
    """Return the hold of the rows of `hold_statement`, if there is one."""
    if not rows:
        return None
    version, category, waiver, risk, *values = rows[0]
    return FoundHold(booking_of(values), version, WaiverRules(category, waiver, risk))
