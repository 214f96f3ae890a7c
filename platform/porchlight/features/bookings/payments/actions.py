"""Pay for a held booking, or give it up. The worker opens Stripe's page; a request waits for it a few seconds."""

from __future__ import annotations

import time
from typing import NamedTuple
from uuid import UUID

from porchlight.dependencies import AppContext, AuthenticatedUser
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import own_booking, run_for_user
from porchlight.features.bookings.errors import CardsUnavailable, require
from porchlight.features.bookings.payments.card_desk import CardDesk
from porchlight.features.bookings.store import FactsQuery
from porchlight.money.fees import Fees
from porchlight.settlement.waiting import wait_until_settled
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import timeouts

_STATE = """
SELECT state FROM payments WHERE person_id = %s AND booking_id = %s AND purpose = 'session'
 ORDER BY number DESC LIMIT 1"""


class _State(NamedTuple):
    state: str


def card_desk(context: AppContext, user: AuthenticatedUser, origin: str | None) -> CardDesk:
    """Return where a user pays by card. `origin` is that of the page that they come back to, None for the main one."""
    settings = context.settings
    return CardDesk(context.stripe is not None, Fees.of(settings), origin or settings.main_origin, user.email)


async def payment_page(db: Database, user_id: UUID, booking_id: UUID) -> None:
    """Wait until Stripe's page for a booking is open, or is refused, at most until the timeout."""

    async def read() -> _State | None:
        found = await db.read(None, _STATE, [user_id, booking_id], row=_State, user_id=user_id)
        return found[0] if found else None

    deadline = time.monotonic() + timeouts.current.billing_response_seconds
    await wait_until_settled(read, lambda found: found is not None and found.state == "opening", deadline)


async def pay_again(db: Database, desk: CardDesk, user_id: UUID, booking_id: UUID) -> None:
    """Open another page of Stripe for a held booking, if the former one could not be opened.

    Or open one for what the user owes of a booking that has ended, if the bank did not pay it from the kept card.

    Raises NotFound, HoldExpired, CardsUnavailable.
    """
    async with unit_of_work(db, user_id=user_id) as session:
        booking = await own_booking(session, user_id, booking_id)
    payment = await desk.wanted_payment(db, booking)
    if payment is None:
        raise CardsUnavailable
    async with unit_of_work(db, user_id=user_id) as session:
        await own_booking(session, user_id, booking_id)
        needs = FactsQuery(ids=[booking_id], series=True)
        decision = await store.run_in(session, needs, commands.PayAgain(id=booking_id, payment=payment))
    require(decision.refusal)
    await payment_page(db, user_id, booking_id)


async def give_up(db: Database, user_id: UUID, booking_id: UUID) -> None:
    """Give up a held booking instead of paying for it. Raises NotFound, HoldExpired."""
    await run_for_user(db, user_id, booking_id, commands.GiveUpPayment(id=booking_id), series=True)
