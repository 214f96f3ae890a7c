"""Queue unknown activities for review by staff, and store the decisions."""

from __future__ import annotations

from uuid import UUID

from porchlight.contracts import RiskDecision
from porchlight.features.risk.decisions import phrase_of
from tenants.db.pool import Database
from tenants.db.rows import Connection, fetch_values
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id

MAX_OPEN_REVIEWS = 10_000  # a bound for what requests can add; staff never read so many
MAX_OCCURRENCES = 1_000_001  # counted of an activity
_REQUEST = "SELECT app.request_risk_review(%s, %s, %s, %s, %s, %s)"
_DECIDE = "UPDATE risk_reviews SET level = %s, note = %s, decided_by = %s, decided_at = app.now() WHERE id = %s"


async def queue_for_review(db: Database, category: str, activity: str, user_id: UUID | None = None) -> None:
    """Add an activity to the queue, or count one more occurrence of it. Raises Unavailable.

    The words of a signed-in user are deleted with the account.
    """
    phrase = phrase_of(category, activity)
    row = [new_id(), phrase.category, phrase.activity, phrase.digest, MAX_OPEN_REVIEWS, MAX_OCCURRENCES]
    await db.write(None, _REQUEST, row, user_id=user_id)


def decide_risk(conn: Connection, actor: str, review_id: UUID, decision: RiskDecision) -> None:
    """Store a decision (`porchlight.contracts.RiskDecisions`).

    Raises NotFound, and Conflict if the review has another decision than `decision.replaces`.
    """
    query = "SELECT level FROM risk_reviews WHERE id = %s FOR UPDATE"
    levels = fetch_values(conn, str, query, [review_id])
    if not levels:
        raise NotFound
    if levels != [decision.replaces]:
        raise Conflict("Someone else has already decided this. Please review it again.")
    conn.execute(_DECIDE, [decision.level, decision.note, actor, review_id])
