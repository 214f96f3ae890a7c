"""Decisions of admins on the risk of activities. Each decision and its audit event are one transaction."""

from __future__ import annotations

from uuid import UUID

import psycopg

from porchlight.audit.recording import AuditEvent, record
from porchlight.contracts import RiskDecision, RiskDecisions


def decide_risk(
    service_dsn: str, decisions: RiskDecisions, actor: str, review_id: UUID, decision: RiskDecision
) -> None:
    """Decide the risk of an activity that the engine does not know. `app.notify_risk_decided` notifies all workers.

    Raises NotFound, and Conflict if another admin decided in the meantime.
    """
    with psycopg.connect(service_dsn) as conn:
        decisions.decide_risk(conn, actor, review_id, decision)
        # Without the activity: the log outlives the account of the user who typed it.
        details = {
            "level": decision.level,
            "before": decision.replaces,
            "note": decision.note,
        }
        record(conn, AuditEvent(actor, "risk.decide", "activity", str(review_id), details))
