"""Reading the facts of a user's instant payouts from the database."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.features.payouts.money.instant_rules import PayoutFacts
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.zones import day_bounds

FACTS = "SELECT f.* FROM app.payout_facts(%s, %s) f"
_STRIPE_ZONE = ZoneInfo("America/Chicago")


def day_start() -> datetime:
    """Return the first instant of Stripe's day, in which the daily limits count."""
    return day_bounds(_STRIPE_ZONE, clock.now().astimezone(_STRIPE_ZONE).date())[0]


async def facts_of(db: Database, user_id: UUID) -> PayoutFacts:
    """Return the facts of the user's payouts now."""
    (facts,) = await db.read(None, FACTS, [day_start(), False], row=PayoutFacts, user_id=user_id)
    return facts
