"""Admin sessions: created with an admin key, ended by logout, by time, or by removing the key."""

from __future__ import annotations

import secrets
from datetime import timedelta

import psycopg

from porchlight.audit.recording import AuditEvent, Connection, record
from porchlight.auth.staff import Staff
from porchlight.features.admin import named_keys
from porchlight.features.admin.named_keys import hash_token
from porchlight.settings import keys
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import Limited, Unauthenticated
from tenants.kit.ids import new_id

SESSION_TTL = timedelta(hours=12)
IDLE_TIMEOUT = timedelta(hours=2)
ATTEMPT_WINDOW = timedelta(hours=1)
MAX_ATTEMPTS = 20  # wrong keys within ATTEMPT_WINDOW, from all addresses
_ATTEMPTS_LOCK = 7_204_118_001  # id of the advisory lock that makes attempts wait for each other

_COUNT_ATTEMPTS = """
SELECT count(*), min(at) FROM (SELECT at FROM admin_attempts WHERE at > %s ORDER BY at DESC LIMIT %s) recent"""
_FIND_SESSION = """
UPDATE admin_sessions SET last_seen_at = %(now)s
 WHERE token_hash = %(hash)s AND expires_at > %(now)s AND last_seen_at > %(idle)s
   AND CASE WHEN key_id IS NULL THEN key_name = ANY(%(keys)s)
            ELSE (SELECT revoked_at IS NULL FROM admin_keys k WHERE k.id = key_id) END
RETURNING id, key_name, key_id IS NULL"""
_INSERT_SESSION = """
INSERT INTO admin_sessions (id, token_hash, key_name, key_id, expires_at) VALUES (%s, %s, %s, %s, %s)"""


class InvalidAdminKey(Unauthenticated):
    """The key is not an admin key (SPEC 8.4)."""

    code = "invalid_admin_key"
    message = "Invalid admin key"


def log_in(service_dsn: str, setting: str, key: str) -> str:
    """Create a session with a named key or a shared one of the setting. Return its token, for the cookie.

    Raises InvalidAdminKey. After MAX_ATTEMPTS wrong keys it raises Limited without checking the key; existing sessions
    stay valid. `porchlight admin unlock` resets the limit.
    """
    with psycopg.connect(service_dsn) as conn:
        conn.execute("SELECT pg_advisory_xact_lock(%s)", [_ATTEMPTS_LOCK])
        now = clock.now()
        row = conn.execute(_COUNT_ATTEMPTS, [now - ATTEMPT_WINDOW, MAX_ATTEMPTS]).fetchone()
        if row is not None and row[0] >= MAX_ATTEMPTS:
            raise Limited(retry_after=max(1, int((row[1] + ATTEMPT_WINDOW - now).total_seconds())))
        shared_name = keys.matching(setting, key)
        key_id, name = (None, shared_name) if shared_name else named_keys.use_key(conn, key)
        if name is None:
            conn.execute("INSERT INTO admin_attempts (id, at) VALUES (%s, %s)", [new_id(), now])
            record(conn, AuditEvent("visitor", "admin.login_refused"))
        else:
            token = secrets.token_urlsafe(32)
            session_id = new_id()
            conn.execute(_INSERT_SESSION, [session_id, hash_token(token), name, key_id, now + SESSION_TTL])
            conn.execute("DELETE FROM admin_sessions WHERE expires_at < %s", [now])
            record(conn, AuditEvent(name, "admin.login", "session", str(session_id)))
    if name is None:  # raised after the transaction, which records the attempt
        raise InvalidAdminKey
    return token


class AdminKeyAuthenticator:
    """Identifies admins by the cookie of a session whose key is in `setting`, or is a named key."""

    def __init__(self, setting: str) -> None:
        self._key_names = [keys.name_of(key) for key in keys.keys_of(setting)]

    async def by_cookie(self, service_db: Database, token: str) -> Staff:
        """Return the admin of a valid session. Raises Unauthenticated."""
        now = clock.now()
        params = {"hash": hash_token(token), "now": now, "idle": now - IDLE_TIMEOUT, "keys": self._key_names}
        rows = await service_db.write(None, _FIND_SESSION, params) if token else []
        if not rows:
            raise Unauthenticated
        return Staff(*rows[0])


def log_out(service_dsn: str, staff: Staff) -> None:
    """Delete the admin's session."""
    with psycopg.connect(service_dsn) as conn:
        conn.execute("DELETE FROM admin_sessions WHERE id = %s", [staff.session_id])
        record(conn, AuditEvent(staff.key_name, "admin.logout", "session", str(staff.session_id)))


def unlock(conn: Connection) -> None:
    """Delete the recorded attempts, so that admins can sign in again."""
    conn.execute("DELETE FROM admin_attempts")
    record(conn, AuditEvent("cli", "admin.unlock"))
