"""Writing acts down: what every room does that acts for staff, in the transaction of the act itself.

The log is hash-chained by the database; `admin.audit` verifies it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

Connection = psycopg.Connection[Any]

INSERT = (
    "INSERT INTO audit_log (id, actor, action, subject_kind, subject_id, details, previous, hash)"
    " VALUES (0, %s, %s, %s, %s, %s, '', '')"
)


@dataclass(frozen=True, slots=True)
class Act:
    """Who did what to whom. `details` holds no personal data beyond what the act is about."""

    actor: str
    action: str
    subject_kind: str = ""
    subject_id: str = ""
    details: Mapping[str, Any] | None = None

    def row(self) -> list[Any]:
        """The parameters of INSERT."""
        return [self.actor, self.action, self.subject_kind, self.subject_id, Jsonb(dict(self.details or {}))]


def record(conn: Connection, act: Act) -> None:
    """Write an act down, in the caller's transaction."""
    conn.execute(INSERT, act.row())
