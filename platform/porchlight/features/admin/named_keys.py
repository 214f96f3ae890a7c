"""Admin keys of named persons: created and revoked on the command line, stored as hashes.

The keys are random, so that a plain hash is enough. Revoking a key ends its sessions.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from porchlight.audit.recording import AuditEvent, record
from tenants.db.rows import Connection, fetch_all, fetch_one
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ValidationFailed
from tenants.kit.ids import new_id

MAX_NAME_LENGTH = 60
# Other actors of the audit log and of documents' histories, and the names of shared keys.
_RESERVED_NAME = re.compile(r"key-.*|shared key|admin|cli|guru|owner|person|staff|sweep|system|visitor|worker")

_INSERT = """
INSERT INTO admin_keys (id, name, key_hash) VALUES (%s, %s, %s)
ON CONFLICT (lower(name)) WHERE revoked_at IS NULL DO NOTHING"""
_REVOKE = """
UPDATE admin_keys SET revoked_at = %s WHERE lower(name) = lower(%s) AND revoked_at IS NULL RETURNING id, name"""
_USE = "UPDATE admin_keys SET last_used_at = %s WHERE key_hash = %s AND revoked_at IS NULL RETURNING id, name"
_LIST = "SELECT name, created_at, last_used_at, revoked_at FROM admin_keys ORDER BY revoked_at DESC NULLS FIRST, name"


@dataclass(frozen=True, slots=True)
class NamedKey:
    """A named key, without its secret."""

    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class _KeyHolder(NamedTuple):
    id: UUID
    name: str


def hash_token(secret: str) -> bytes:
    """Return the hash under which the database knows a random key or token."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def add_key(conn: Connection, name: str) -> str:
    """Create a key for a person and return it; it cannot be shown again.

    Raises ValidationFailed for a name that the audit log uses, and Conflict if the person has a key.
    """
    name = _parse_name(name)
    key = secrets.token_urlsafe(32)
    if conn.execute(_INSERT, [new_id(), name, hash_token(key)]).rowcount == 0:
        raise Conflict(f"{name} already has a key. Revoke it first to issue a new one.")
    record(conn, AuditEvent("cli", "admin.key_add", "key", name))
    return key


def revoke_key(conn: Connection, name: str) -> str:
    """Revoke a person's key and end its sessions. Return the name. Raises NotFound if the person has no key."""
    key = fetch_one(conn, _KeyHolder, _REVOKE, [clock.now(), _squeeze(name)])
    if key is None:
        raise NotFound(f"{_squeeze(name)} has no key. `porchlight admin list` shows the names.")
    ended = conn.execute("DELETE FROM admin_sessions WHERE key_id = %s", [key.id]).rowcount
    record(conn, AuditEvent("cli", "admin.key_revoke", "key", key.name, {"sessions": ended}))
    return key.name


def named_keys(conn: Connection) -> list[NamedKey]:
    """Return all keys: valid ones by name, then revoked ones, the latest first."""
    return fetch_all(conn, NamedKey, _LIST)


def use_key(conn: Connection, key: str) -> tuple[UUID | None, str | None]:
    """Return id and holder of a valid key and record its use, or two times None.

    The row stays locked until the caller's transaction ends: a revocation waits, and ends the session it creates.
    """
    return fetch_one(conn, _KeyHolder, _USE, [clock.now(), hash_token(key)]) or (None, None)


def _squeeze(name: str) -> str:
    return " ".join(name.split())


def _parse_name(name: str) -> str:
    name = _squeeze(name)
    if not name or len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise ValidationFailed(f"Enter the person's name, with at most {MAX_NAME_LENGTH} characters.")
    if _RESERVED_NAME.fullmatch(name.casefold()):
        raise ValidationFailed(f"The audit log uses “{name}” for something else. Enter the person's name.")
    return name
