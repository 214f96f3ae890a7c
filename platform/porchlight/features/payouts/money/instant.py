"""Requesting an instant payout: the decision in one transaction, then a short wait for its outcome."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from porchlight.features.payouts.money.balance import (
    MIN_CENTS,
    Offer,
    balance_at_stripe,
    label_of,
    limits_of,
    offer_of,
    standing_of,
)
from porchlight.features.payouts.money.errors import STRIPE_CODES, PayoutRefused
from porchlight.money.fees import PayoutPrice
from porchlight.ports import StripeApi
from porchlight.settings.environment import Settings
from porchlight.settlement.waiting import wait_until_settled
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock, timeouts

_KNOWN = """
SELECT id, amount, state, failure_code, requested_cents FROM payouts
 WHERE user_id = %s AND request_key = %s AND request_key <> ''"""
_OUTCOME = "SELECT id, amount, state, failure_code, requested_cents FROM payouts WHERE user_id = %s AND id = %s"
_REQUEST = "SELECT code, payout_id, cents FROM app.request_payout(%s, %s, %s, %s, %s, %s, %s)"
# Stripe's words for a payout's state, which the page shows.
_STATUS = {"requested": "pending", "sent": "pending"}


class Outcome(NamedTuple):
    """A stored payout as its owner waits for it."""

    id: UUID
    amount: int
    state: str
    failure_code: str
    requested_cents: int | None

    @property
    def status(self) -> str:
        """Return the status that the page shows."""
        return _STATUS.get(self.state, self.state)


class Request(NamedTuple):
    """A request for an instant payout. `wanted`: cents, None for everything. `confirmed`: what leaves the balance."""

    user_id: UUID
    wanted: int | None
    confirmed: int | None
    key: str
    authenticated_at: datetime


async def request_payout(db: Database, stripe: StripeApi, settings: Settings, request: Request) -> Outcome:
    """Request a payout and wait for its outcome, within one timeout for both.

    The same key again returns the first payout. Raises PayoutRefused, StripeOutage.
    """
    deadline = time.monotonic() + timeouts.current.payout_response_seconds
    known = await _known(db, request)
    try:
        payout_id = known.id if known is not None else await _decide(db, stripe, settings, request)
    except PayoutRefused:
        known = await _known(db, request)  # another tab may have stored the same request in the meantime
        if known is None:
            raise
        payout_id = known.id
    outcome = await wait_until_settled(
        lambda: _read(db, request.user_id, payout_id), lambda found: found.state == "requested", deadline
    )
    if outcome.state in ("failed", "canceled"):
        raise PayoutRefused(STRIPE_CODES.get(outcome.failure_code, "payout_refused"))
    return outcome


async def _known(db: Database, request: Request) -> Outcome | None:
    rows = await db.read(None, _KNOWN, [request.user_id, request.key], row=Outcome, user_id=request.user_id)
    known = rows[0] if rows else None
    if known is None:
        return None
    if known.requested_cents != request.wanted:
        raise PayoutRefused("key_of_other_request")
    return known


async def _decide(db: Database, stripe: StripeApi, settings: Settings, request: Request) -> UUID:
    if request.wanted is not None and request.wanted < MIN_CENTS:
        raise PayoutRefused("amount_too_small")
    standing = await standing_of(db, request.user_id, settings)
    if standing.account_id is None:
        raise PayoutRefused("not_connected_yet")
    if standing.reason:
        raise PayoutRefused(standing.reason)
    balance = await balance_at_stripe(stripe, standing.account_id)
    price = PayoutPrice.of(settings)
    offer = offer_of(standing, balance, price)
    if offer.reason:
        raise PayoutRefused(offer.reason)
    cents = offer.net if request.wanted is None else request.wanted
    if cents > offer.net:
        code = "payout_limit" if standing.left_cents <= offer.net else "amount_too_large"
        raise PayoutRefused(code, most_cents=offer.net)
    fee = price.fee(cents)
    if request.confirmed not in (None, cents + fee):
        raise PayoutRefused("amounts_changed")
    if cents > settings.instant_sign_in_cents and request.authenticated_at < clock.now() - timedelta(
        minutes=settings.instant_sign_in_minutes
    ):
        raise PayoutRefused("sign_in_is_old")
    payout = Offer("", cents + fee, fee, cents, balance.destination)
    code, payout_id = await _store(db, settings, request, payout, label_of(standing.destinations, balance.destination))
    if code not in ("created", "known"):
        raise PayoutRefused(code, most_cents=offer.net)
    return payout_id


async def _store(db: Database, settings: Settings, request: Request, payout: Offer, label: str) -> tuple[str, UUID]:
    values = (
        request.key, request.wanted, payout.gross, payout.net, payout.destination, label[-4:], limits_of(settings),
    )  # fmt: skip
    async with unit_of_work(db, user_id=request.user_id) as session:
        connection = await session.connection()
        decided = (await connection.exec_driver_sql(_REQUEST, values)).one()
    return decided.code, decided.payout_id


async def _read(db: Database, user_id: UUID, payout_id: UUID) -> Outcome:
    (outcome,) = await db.read(None, _OUTCOME, [user_id, payout_id], row=Outcome, user_id=user_id)
    return outcome
