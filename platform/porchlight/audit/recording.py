"""Recording of audit events, in the same transaction as the recorded action.

The database chains the entries by hashes. Each entry is also signed with a key that the database does not have: an
attacker who rewrites the whole chain with SQL cannot sign it. `audit.verification` checks both.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from psycopg.types.json import Jsonb

from porchlight.settings.environment import Settings
from porchlight.settings.keys import keys_of
from tenants.db.rows import Connection

_INSERT_ENTRY = (
    "INSERT INTO audit_log (id, actor, action, subject_kind, subject_id, details, previous, hash)"
    " VALUES (0, %s, %s, %s, %s, %s, '', '') RETURNING id, hash"
)
# An existing signature stays: after a manipulation of the log it does not match, and verification reports it.
INSERT_SIGNATURE = (
    "INSERT INTO audit_seals (id, key_name, seal) VALUES (%s, %s, %s) ON CONFLICT (id, key_name) DO NOTHING"
)


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """An action, its actor and its subject. `details` contains only the personal data that the action is about."""

    actor: str
    action: str
    subject_kind: str = ""
    subject_id: str = ""
    details: Mapping[str, Any] | None = None

    def row(self) -> list[Any]:
        """Return the values of the entry's columns."""
        return [self.actor, self.action, self.subject_kind, self.subject_id, Jsonb(dict(self.details or {}))]


@dataclass(frozen=True, slots=True)
class AuditKey:
    """A signing key of the audit log. `name` does not reveal the secret."""

    name: str
    secret: bytes

    @classmethod
    def of(cls, operator_secret: str) -> AuditKey:
        """Derive the key from an operator's secret."""
        secret = hashlib.sha256(b"porchlight audit log\0" + operator_secret.encode()).digest()
        return cls("seal-" + hashlib.sha256(b"name\0" + secret).hexdigest()[:8], secret)

    def sign(self, entry_id: int, entry_hash: bytes) -> bytes:
        """Return the signature of an entry. The entry's hash covers all earlier entries, so the signature does too."""
        return hmac.digest(self.secret, f"{entry_id}:{entry_hash.hex()}".encode(), "sha256")


def signing_keys(conn: Connection) -> list[AuditKey]:
    """Return the accepted keys: those of PORCHLIGHT_AUDIT_KEY, then the connection's password. The first one signs."""
    return [AuditKey.of(secret) for secret in (*_configured_secrets(), conn.info.password) if secret]


@cache
def _configured_secrets() -> list[str]:
    return keys_of(Settings().audit_key)


def record(conn: Connection, event: AuditEvent) -> None:
    """Write an event to the audit log and sign it, in the caller's transaction."""
    keys = signing_keys(conn)
    # The insert locks the log: other events wait for the end of this transaction.
    row = conn.execute(_INSERT_ENTRY, event.row()).fetchone()
    if row is not None and keys:
        entry_id, entry_hash = row
        conn.execute(INSERT_SIGNATURE, [entry_id, keys[0].name, keys[0].sign(entry_id, entry_hash)])
