"""Queue unknown activities for review by staff."""

from __future__ import annotations

from uuid import UUID

from porchlight.features.risk.decisions import phrase_of
from tenants.db.pool import Database
from tenants.kit.ids import new_id

MAX_OPEN_REVIEWS = 10_000  # a bound for what requests can add; staff never read so many
MAX_OCCURRENCES = 1_000_001  # counted of an activity
_REQUEST = "SELECT app.request_risk_review(%s, %s, %s, %s, %s, %s)"


async def queue_for_review(db: Database, category: str, activity: str, user_id: UUID | None = None) -> None:
    """Add an activity to the queue, or count one more occurrence of it. Raises Unavailable.

    The words of a signed-in user are deleted with the account.
    """
    phrase = phrase_of(category, activity)
    row = [new_id(), phrase.category, phrase.activity, phrase.digest, MAX_OPEN_REVIEWS, MAX_OCCURRENCES]
    await db.write(None, _REQUEST, row, user_id=user_id)
