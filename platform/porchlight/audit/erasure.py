"""Removing the words of people that older releases wrote into the audit log.

The entries keep their hashes, which the chain and the signatures cover. An entry of the action `audit.erase` has the
hash of the new content of each, so that verification still finds every other change.
"""

from __future__ import annotations

from porchlight.audit.recording import AuditEvent, record
from tenants.db.rows import Connection, fetch_value

ERASE = "audit.erase"
BATCH_SIZE = 1000  # entries that are recorded by one


def erase_words(conn: Connection) -> None:
    """Remove names, titles, activities and email addresses from old entries, and record that, as the service role."""
    while True:
        entries = fetch_value(conn, dict[str, str], "SELECT app.erase_audit_words(%s)", [BATCH_SIZE])
        if entries is None:
            return
        record(conn, AuditEvent("maintenance", ERASE, details={"entries": entries}))
