"""Many payments of plans: cards that the fake Stripe charged, and the postings that their events would have made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import psycopg

from porchlight.money.posting import Leg, Posting, Subject, get_or_create_account, post_many
from tests.porchlight.settlement.both_sides import BothSides

CHUNK = 500
LEAST_CENTS = 900
Charge = tuple[str, int]


def pay_plans(sides: BothSides, count: int) -> None:
    """Charge that many cards and post the payments. No webhook is sent."""
    sides.control("events/hold")
    for charges in _charge_cards(sides, count):
        post_plans(sides, charges)


def post_plans(sides: BothSides, charges: Sequence[Charge]) -> None:
    """Post payments of plans."""
    with psycopg.connect(sides.database.service_url, options="-c synchronous_commit=off") as conn:
        card, revenue = (get_or_create_account(conn, kind) for kind in ("card_network", "subscription_revenue"))
        post_many(
            conn,
            [
                Posting("plan_paid", Subject("invoice", charge), [Leg(card, revenue, cents)], charge)
                for charge, cents in charges
            ],
        )


def _charge_cards(sides: BothSides, count: int) -> Iterator[list[Charge]]:
    """Charge cards, many in one call of the fake, each call another amount."""
    for number, done in enumerate(range(0, count, CHUNK)):
        made = sides.control("charges", amount=LEAST_CENTS + number, count=min(CHUNK, count - done))["data"]
        yield [(one["charge"]["id"], one["charge"]["amount"]) for one in made]
