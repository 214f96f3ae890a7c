"""Staff sessions: opened by the key, kept on the server, ended by logout, time, or the key's removal."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

import psycopg

from porchlight import audit, keys
from porchlight.audit import Act, Connection
from porchlight.staff import Staff
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import Limited, Unauthenticated
from tenants.kit.ids import new_id

COOKIE = "__Host-porchlight_admin"
LIFETIME = timedelta(hours=12)
IDLE = timedelta(hours=2)
WINDOW = timedelta(hours=1)
GUESSES = 20  # wrong keys looked at within WINDOW, whatever the addresses
_LOCK = 7_204_118_001  # advisory lock: guesses wait for one another

_COUNT = "SELECT count(*), min(at) FROM (SELECT at FROM admin_attempts WHERE at > %s ORDER BY at DESC LIMIT %s) recent"


class WrongKey(Unauthenticated):
    """SPEC 8.4."""

    code = "invalid_admin_key"
    message = "Invalid admin key"


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def log_in(overseer_dsn: str, setting: str, offered: str) -> str:
    """Open a session with the key; its token, for the cookie.

    Raises WrongKey, or Limited once GUESSES wrong keys came within the hour: then no further key is even looked at,
    while sessions that are open go on. `porchlight admin unlock` lifts it.
    """
    with psycopg.connect(overseer_dsn) as conn:
        conn.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        now = clock.now()
        row = conn.execute(_COUNT, [now - WINDOW, GUESSES]).fetchone()
        if row is not None and row[0] >= GUESSES:
            raise Limited(retry_after=max(1, int((row[1] + WINDOW - now).total_seconds())))
        name = keys.matching(setting, offered)
        if name is None:
            conn.execute("INSERT INTO admin_attempts (id, at) VALUES (%s, %s)", [new_id(), now])
            audit.record(conn, Act("visitor", "admin.login_refused"))
        else:
            token = secrets.token_urlsafe(32)
            session_id = new_id()
            conn.execute(
                "INSERT INTO admin_sessions (id, token_hash, key_name, expires_at) VALUES (%s, %s, %s, %s)",
                [session_id, _hash(token), name, now + LIFETIME],
            )
            conn.execute("DELETE FROM admin_sessions WHERE expires_at < %s", [now])
            audit.record(conn, Act(name, "admin.login", "session", str(session_id)))
    if name is None:
        raise WrongKey
    return token


_CHECK = """
UPDATE admin_sessions SET last_seen_at = %(now)s
 WHERE token_hash = %(hash)s AND expires_at > %(now)s AND last_seen_at > %(idle)s AND key_name = ANY(%(keys)s)
RETURNING id, key_name"""


class KeyDoor:
    """Knows staff by the cookie of a session that a key of `setting` opened."""

    def __init__(self, setting: str) -> None:
        self._names = [keys.name_of(key) for key in keys.keys_of(setting)]

    async def by_cookie(self, overseer: Database, token: str) -> Staff:
        """The staff of a living session. Raises Unauthenticated."""
        now = clock.now()
        params = {"hash": _hash(token), "now": now, "idle": now - IDLE, "keys": self._names}
        rows = await overseer.write(None, _CHECK, params) if token else []
        if not rows:
            raise Unauthenticated
        return Staff(rows[0][0], rows[0][1])


def log_out(overseer_dsn: str, staff: Staff) -> None:
    """End a session: its cookie is good for nothing from now on."""
    with psycopg.connect(overseer_dsn) as conn:
        conn.execute("DELETE FROM admin_sessions WHERE id = %s", [staff.session_id])
        audit.record(conn, Act(staff.key_name, "admin.logout", "session", str(staff.session_id)))


def unlock(conn: Connection) -> None:
    """Forget the wrong keys of the last hour."""
    conn.execute("DELETE FROM admin_attempts")
    audit.record(conn, Act("cli", "admin.unlock"))
