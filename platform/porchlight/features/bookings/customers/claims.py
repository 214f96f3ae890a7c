"""A customer's bookings that an account claims: with the link from their email, which proves who they are.

After that, they are ordinary bookings of the account, and the link leads to it. The guru learns whose account it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.errors import require
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.features.bookings.store import FactsQuery
from porchlight.personal_links import BookingClaimed, CustomerLink
from tenants.db.pool import Database
from tenants.kit.errors import Conflict, NotFound

MAX_CLAIMED = 200  # bookings at once
_FIND = """
SELECT booking_id, person_id, is_named, is_claimed, matches, service_name, starts_at, ends_at, zone, status
  FROM app.find_claimable(%(token)s, %(max)s)"""


class OwnSiteClaim(Conflict):
    """A guru opens the link of their own customer."""

    code = "own_site"
    message = "You booked this session for a customer, so it can't be in your own account."


class OtherAddress(Conflict):
    """The guru entered another address than the account's. The bearer of the link has to say that it is theirs."""

    code = "other_address"
    message = "This session was booked for another email address than your account's. Please confirm that it's yours."


class ClaimableRow(NamedTuple):
    """A booking that passes to an account. `person_id`: the customer, or the account that has it already."""

    booking_id: UUID
    person_id: UUID
    is_named: bool
    is_claimed: bool
    matches: bool
    service_name: str
    starts_at: datetime
    ends_at: datetime
    zone: str
    status: str


@dataclass(frozen=True, slots=True)
class Claim:
    """The bookings that a user would claim with a link. `is_done`: they have claimed it.

    `matches`: the guru entered the account's verified address.
    """

    booking_id: UUID
    is_done: bool
    matches: bool
    bookings: Sequence[ClaimableRow]


async def find_claim(db: Database, link: CustomerLink, user_id: UUID | None) -> Claim:
    """Return what a user can claim with a link. Raises NotFound, and BookingClaimed if another account has it."""
    parameters = {"token": link.token, "max": MAX_CLAIMED}
    rows = await db.read(link.tenant_id, _FIND, parameters, user_id=user_id, row=ClaimableRow)
    named = _named(rows)
    if named.is_claimed and named.person_id != user_id:
        raise BookingClaimed.of(named.booking_id)
    ordered = sorted(rows, key=lambda one: (one.starts_at, one.booking_id))
    return Claim(named.booking_id, named.is_claimed, named.matches, ordered)


async def claim_bookings(
    db: Database, link: CustomerLink, user_id: UUID, *, own_tenant: UUID | None, name: str, confirmed: bool
) -> UUID:
    """Give the booking of a link to a user, with the others that pass with it, and return its id.

    A resend changes nothing. Raises NotFound, OwnSiteClaim, OtherAddress, AlreadyBooked, and BookingClaimed if another
    account was faster.
    """
    claim = await find_claim(db, link, user_id)
    if claim.is_done:
        return claim.booking_id
    if own_tenant == link.tenant_id:
        raise OwnSiteClaim
    if not claim.matches and not confirmed:
        raise OtherAddress
    ids = [one.booking_id for one in claim.bookings]
    command = commands.ClaimBookings(id=claim.booking_id, ids=ids, name=name)
    needs = FactsQuery(ids=ids, claimed=link.token)
    decision = (await store.run(db, link.tenant_id, needs, command, user_id=user_id)).decision
    if decision.refusal is RefusalReason.CLAIMED:
        raise BookingClaimed.of(claim.booking_id)
    require(decision.refusal)
    return claim.booking_id


def _named(rows: Sequence[ClaimableRow]) -> ClaimableRow:
    """Return the booking of the link itself. Raises NotFound."""
    found = next((one for one in rows if one.is_named), None)
    if found is None:
        raise NotFound
    return found
