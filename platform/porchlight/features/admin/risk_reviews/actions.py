"""Decisions of admins on the risk of activities."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import psycopg

from porchlight.audit.recording import AuditEvent, record
from tenants.kit.errors import Conflict, NotFound

_DECIDE = "UPDATE risk_reviews SET level = %s, note = %s, decided_by = %s, decided_at = now() WHERE id = %s"


@dataclass(frozen=True, slots=True)
class RiskDecision:
    """The risk level of an activity. `replaces`: the decision that the admin saw, or None."""

    level: str
    note: str
    replaces: str | None


def decide_risk(service_dsn: str, actor: str, review_id: UUID, decision: RiskDecision) -> None:
    """Decide the risk of an activity that the engine does not know. `app.notify_risk_decided` notifies all workers.

    Raises NotFound, and Conflict if another admin decided in the meantime.
    """
    with psycopg.connect(service_dsn) as conn:
        query = "SELECT category, activity, level FROM risk_reviews WHERE id = %s FOR UPDATE"
        row = conn.execute(query, [review_id]).fetchone()
        if row is None:
            raise NotFound
        category, activity, level = row
        if level != decision.replaces:
            raise Conflict("Someone else has already decided this. Please review it again.")
        conn.execute(_DECIDE, [decision.level, decision.note, actor, review_id])
        details = {
            "activity": activity,
            "category": category,
            "level": decision.level,
            "before": level,
            "note": decision.note,
        }
        record(conn, AuditEvent(actor, "risk.decide", "activity", str(review_id), details))
