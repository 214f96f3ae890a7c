"""Requesting an instant payout: the decision in one transaction, then a short wait for its outcome."""

from __future__ import annotations

import time
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from porchlight.features.payouts.money.errors import STRIPE_CODES, PayoutRefused
from porchlight.features.payouts.money.instant_rules import (
    MIN_CENTS,
    InstantLimits,
    PayoutFacts,
    Refused,
    StripeBalance,
    WantedPayout,
    decide,
    reason_against,
)
from porchlight.features.payouts.money.payout_facts import FACTS, day_start, facts_of
from porchlight.features.payouts.money.stripe_balance import balance_at_stripe
from porchlight.money.fees import PayoutPrice
from porchlight.payment_ports import StripeApi
from porchlight.settings.environment import Settings
from porchlight.settlement.waiting import wait_until_settled
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock, timeouts

_KNOWN = """
SELECT id, amount, state, failure_code, requested_cents FROM payouts
 WHERE user_id = %s AND request_key = %s AND request_key <> ''"""
_OUTCOME = "SELECT id, amount, state, failure_code, requested_cents FROM payouts WHERE user_id = %s AND id = %s"
CREATE = "SELECT app.create_payout(%s, %s, %s, %s, %s, %s)"
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

    The same key again returns the first payout. Raises PayoutRefused, PaymentsUnresponsive.
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
    found = await db.read(None, _KNOWN, [request.user_id, request.key], row=Outcome, user_id=request.user_id)
    return _same(found[0], request) if found else None


async def _decide(db: Database, stripe: StripeApi, settings: Settings, request: Request) -> UUID:
    """Decide on the request and store the payout. Return its id. Stripe is asked before the lock, which all share."""
    if request.wanted is not None and request.wanted < MIN_CENTS:
        raise PayoutRefused("amount_too_small")
    limits = InstantLimits.of(settings)
    facts = await facts_of(db, request.user_id)
    if reason := reason_against(facts, limits, clock.now()):
        raise PayoutRefused(reason)
    price = PayoutPrice.of(settings)
    balance = await balance_at_stripe(stripe, facts.account_id or "", price)
    return await _store(db, request, balance, price, limits)


async def _store(
    db: Database, request: Request, balance: StripeBalance, price: PayoutPrice, limits: InstantLimits
) -> UUID:
    wanted = WantedPayout(request.wanted, request.confirmed, request.authenticated_at)
    async with unit_of_work(db, user_id=request.user_id) as session:
        connection = await session.connection()
        facts = PayoutFacts._make((await connection.exec_driver_sql(FACTS, (day_start(), True))).one())
        known = (await connection.exec_driver_sql(_KNOWN, (request.user_id, request.key))).one_or_none()
        if known is not None:
            return _same(Outcome._make(known), request).id
        decision = decide(wanted, facts, balance, price, limits, clock.now())
        if isinstance(decision, Refused):
            raise PayoutRefused(decision.code, most_cents=decision.most_cents)
        values = (
            decision.net, decision.fee, decision.destination, decision.last4, request.key, request.wanted,
        )  # fmt: skip
        payout_id: UUID = (await connection.exec_driver_sql(CREATE, values)).scalar_one()
    return payout_id


def _same(known: Outcome, request: Request) -> Outcome:
    """Return the payout of the same request. Raises PayoutRefused if its key was used with another amount."""
    if known.requested_cents != request.wanted:
        raise PayoutRefused("key_reused")
    return known


async def _read(db: Database, user_id: UUID, payout_id: UUID) -> Outcome:
    (outcome,) = await db.read(None, _OUTCOME, [user_id, payout_id], row=Outcome, user_id=user_id)
    return outcome
