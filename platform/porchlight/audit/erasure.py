"""Removing the words of people that older releases wrote into the audit log.

The entries keep their hashes, which the chain and the signatures cover. An entry of the action `audit.erase` has the
hash of the new content of each, so that verification still finds every other change.
"""

from __future__ import annotations

from porchlight.audit.recording import AuditEvent, record
from tenants.db.rows import Connection

ERASE = "audit.erase"


def erase_words(conn: Connection) -> None:
    """Remove names, titles, activities and email addresses from old entries, and record that, as the service role."""
    while True:
        row = conn.execute("SELECT app.erase_audit_words()").fetchone()
        if row is None or row[0] is None:
            return
        record(conn, AuditEvent("maintenance", ERASE, details={"entries": row[0]}))
