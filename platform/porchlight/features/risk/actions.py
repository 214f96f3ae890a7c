"""Queue unknown activities for review by staff."""

from __future__ import annotations

from porchlight.features.risk.decisions import phrase_of
from tenants.db.pool import Database
from tenants.kit.ids import new_id


async def queue_for_review(db: Database, category: str, activity: str) -> None:
    """Add an activity to the queue, or count one more occurrence of it. Stores no user's id. Raises Unavailable."""
    phrase = phrase_of(category, activity)
    row = [new_id(), phrase.category, phrase.activity, phrase.digest]
    await db.write(None, "SELECT app.request_risk_review(%s, %s, %s, %s)", row)
