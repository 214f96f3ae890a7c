"""Decisions of admins on the risk of activities. Each decision and its audit event are one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from tenants.db.jobs import enqueue_as_service
from tenants.db.rows import Connection, fetch_all, fetch_values
from tenants.kit.errors import AlreadyDecided, NotFound

_LOCK = "SELECT level FROM risk_reviews WHERE id = %s FOR UPDATE"
_DECIDE = "UPDATE risk_reviews SET level = %s, note = %s, decided_by = %s, decided_at = app.now() WHERE id = %s"

TELL_GURU_TASK = "risk:tell_guru"
_ANSWER = """
UPDATE risk_review_requests q SET level = r.level, answered_at = r.decided_at
  FROM risk_reviews r WHERE r.id = %s AND q.digest = r.digest AND q.answered_at IS NULL
RETURNING q.user_id, q.id AS request_id"""


class _Answered(NamedTuple):
    user_id: UUID
    request_id: UUID


@dataclass(frozen=True, slots=True)
class RiskDecision:
    """The risk level of an activity. `replaces`: the decision that the admin saw, or None."""

    level: str
    note: str
    replaces: str | None


def decide_risk(conn: Connection, actor: str, review_id: UUID, decision: RiskDecision) -> None:
    """Decide the risk of an activity, and tell the gurus who asked. `app.notify_risk_decided` notifies all workers.

    Raises NotFound, and AlreadyDecided if another admin decided in the meantime.
    """
    levels = fetch_values(conn, str, _LOCK, [review_id])
    if not levels:
        raise NotFound
    if levels != [decision.replaces]:
        raise AlreadyDecided("Someone else has already decided this. Please review it again.")
    conn.execute(_DECIDE, [decision.level, decision.note, actor, review_id])
    for asked in fetch_all(conn, _Answered, _ANSWER, [review_id]):
        ids = {"user_id": str(asked.user_id), "request_id": str(asked.request_id)}
        enqueue_as_service(conn, TELL_GURU_TASK, **ids)
    # Without the activity: the log outlives the account of the user who typed it.
    details = {"level": decision.level, "before": decision.replaces, "note": decision.note}
    record(conn, AuditEvent(actor, "risk.decide", "activity", str(review_id), details))
