"""Asking a person to rate what the risk engine does not know."""

from __future__ import annotations

from hashlib import blake2b

from porchlight.skills.catalogue import folded
from tenants.kit.db import Database
from tenants.kit.ids import new_id

KEPT = 300  # characters of a description: enough to rate it by


async def queue_for_review(db: Database, category: str, activity: str) -> None:
    """Put an activity in the queue once, however often it is asked about; whose it is, is not kept.

    Raises Unavailable when the database is out.
    """
    shown_category, shown = folded(category)[:120], folded(activity)[:KEPT]
    digest = blake2b(f"{shown_category}\n{shown}".encode(), digest_size=16).digest()
    await db.write(None, "SELECT app.ask_risk_review(%s, %s, %s, %s)", [new_id(), shown_category, shown, digest])
