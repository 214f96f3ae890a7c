"""Asking a person to rate what the risk engine does not know."""

from __future__ import annotations

from porchlight.skills.decisions import phrase_of
from tenants.kit.db import Database
from tenants.kit.ids import new_id


async def queue_for_review(db: Database, category: str, activity: str) -> None:
    """Put an activity in the queue once, however often it is asked about; whose it is, is not kept.

    Raises Unavailable when the database is out.
    """
    phrase = phrase_of(category, activity)
    row = [new_id(), phrase.category, phrase.activity, phrase.digest]
    await db.write(None, "SELECT app.ask_risk_review(%s, %s, %s, %s)", row)
