"""Holds of visitors on guru sites, whose form works without JavaScript."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.bookings import actions
from porchlight.features.bookings.tokens import request_token
from sites.hours.holds import VisitorHold
from tenants.db.pool import Database
from tenants.db.rate_limit import hash_address


class VisitorHolds:
    """Keeps times for visitors (`sites.hours.holds.HoldSeat`). `secret` is the key of address hashes."""

    def __init__(self, db: Database, secret: bytes) -> None:
        self._db = db
        self._secret = secret

    async def __call__(self, tenant_id: UUID, hold: VisitorHold) -> str:
        """Return the token of the hold. Raises what `actions.hold_seat` raises."""
        address = hash_address(self._secret, hold.address, purpose="holds")
        token = request_token(
            tenant_id, self._secret, hold.key, address.hex(), hold.service_id, hold.starts_at, hold.party
        )
        await actions.hold_seat(
            self._db,
            token,
            user_id=None,
            service_id=hold.service_id,
            starts_at=hold.starts_at,
            party=hold.party,
            address=address,
        )
        return token.text
