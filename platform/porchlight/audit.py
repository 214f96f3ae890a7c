"""Writing acts down: what every room does that acts for staff, in the transaction of the act itself.

The log is hash-chained by the database, and each entry is sealed with a key that the database never sees: who rewrites
the whole chain by SQL cannot seal it anew. `admin.audit` verifies both.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from porchlight.keys import keys_of
from porchlight.settings import Settings

Connection = psycopg.Connection[Any]

INSERT = (
    "INSERT INTO audit_log (id, actor, action, subject_kind, subject_id, details, previous, hash)"
    " VALUES (0, %s, %s, %s, %s, %s, '', '') RETURNING id, hash"
)
# A seal that stands there already, of an entry that somebody took out, stays: it will not fit, and tells of it.
SEAL = "INSERT INTO audit_seals (id, key_name, seal) VALUES (%s, %s, %s) ON CONFLICT (id, key_name) DO NOTHING"


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


@dataclass(frozen=True, slots=True)
class SealKey:
    """A key of the log. `name` gives nothing of it away."""

    name: str
    secret: bytes

    @classmethod
    def of(cls, words: str) -> SealKey:
        """The key that an operator's secret makes."""
        secret = hashlib.sha256(b"porchlight audit log\0" + words.encode()).digest()
        return cls("seal-" + hashlib.sha256(b"name\0" + secret).hexdigest()[:8], secret)

    def seal(self, entry: int, chained: bytes) -> bytes:
        """The seal of an entry. Its hash covers all entries before, so the seal does too."""
        return hmac.digest(self.secret, f"{entry}:{chained.hex()}".encode(), "sha256")


def seal_keys(conn: Connection) -> list[SealKey]:
    """The keys of the log, the sealing one first: PORCHLIGHT_AUDIT_KEY's, then the password of this connection."""
    return [SealKey.of(words) for words in (*_named(), conn.info.password) if words]


@cache
def _named() -> list[str]:
    return keys_of(Settings().audit_key)


def record(conn: Connection, act: Act) -> None:
    """Write an act down and seal it, in the caller's transaction."""
    keys = seal_keys(conn)
    made = conn.execute(INSERT, act.row()).fetchone()  # from here on, other acts wait for the end of the transaction
    if made is not None and keys:
        entry, chained = made
        conn.execute(SEAL, [entry, keys[0].name, keys[0].seal(entry, chained)])
