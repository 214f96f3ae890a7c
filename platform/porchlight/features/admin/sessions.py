"""Admin sessions: created with an admin key, ended by logout, by time, or by removing the key."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

import psycopg

from porchlight.audit.recording import AuditEvent, record
from porchlight.contracts import Staff
from porchlight.features.admin import known_devices, named_keys
from porchlight.features.admin.named_keys import hash_token
from porchlight.settings import keys
from tenants.db.pool import Database
from tenants.db.rows import Connection, fetch_one, fetch_value
from tenants.kit import clock
from tenants.kit.errors import Limited, Unauthenticated
from tenants.kit.ids import new_id

SESSION_TTL = timedelta(hours=12)
IDLE_LIMIT = timedelta(hours=2)
ATTEMPT_WINDOW = timedelta(hours=1)
MAX_ATTEMPTS = 20  # wrong keys within ATTEMPT_WINDOW, from one address
MAX_RECORDED = 20  # refusals in the audit log within ATTEMPT_WINDOW, from all addresses
# From all addresses: after each DELAY_STEP wrong keys within ATTEMPT_WINDOW, further keys wait longer for their check.
DELAY_STEP = 20
DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 4.0

_ORIGIN_FACTS = """
SELECT EXISTS (SELECT FROM admin_addresses WHERE address_hash = %(address)s AND signed_in_at > %(known)s),
       (SELECT count(*) FROM admin_attempts WHERE address_hash = %(address)s AND at > %(since)s),
       (SELECT count(*) FROM (SELECT FROM admin_attempts WHERE at > %(since)s LIMIT 1000) recent)"""
_LOCK_ADDRESS = "SELECT pg_advisory_xact_lock(hashtextextended('admin key ' || encode(%s, 'hex'), 0))"
_COUNT_ATTEMPTS = (
    "SELECT count(*) AS number, min(at) AS first_at FROM admin_attempts WHERE address_hash = %s AND at > %s"
)
_COUNT_RECENT = "SELECT count(*) FROM (SELECT FROM admin_attempts WHERE at > %s LIMIT %s) recent"
_REMEMBER_ADDRESS = """
INSERT INTO admin_addresses (address_hash, signed_in_at) VALUES (%s, %s)
ON CONFLICT (address_hash) DO UPDATE SET signed_in_at = excluded.signed_in_at"""
_FIND_SESSION = """
UPDATE admin_sessions SET last_seen_at = %(now)s
 WHERE token_hash = %(hash)s AND expires_at > %(now)s AND last_seen_at > %(idle)s
   AND CASE WHEN key_id IS NULL THEN key_name = ANY(%(keys)s)
            ELSE (SELECT revoked_at IS NULL FROM admin_keys k WHERE k.id = key_id) END
RETURNING id AS session_id, key_name, key_id IS NULL AS is_shared"""
_INSERT_SESSION = """
INSERT INTO admin_sessions (id, token_hash, key_name, key_id, expires_at) VALUES (%s, %s, %s, %s, %s)"""


class InvalidAdminKey(Unauthenticated):
    """The key is not an admin key (SPEC 8.4)."""

    code = "invalid_admin_key"
    message = "Invalid admin key"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a sign-in comes from. `is_known`: an admin signed in there before, so its keys are always checked."""

    address_hash: bytes
    is_known: bool


def delay_seconds(recent_attempts: int) -> float:
    """Return how long a key of an unknown origin waits for its check, after this many wrong keys of all addresses."""
    return min(MAX_DELAY_SECONDS, DELAY_SECONDS * (recent_attempts // DELAY_STEP))


async def origin_of(service_db: Database, address_hash: bytes, *, is_known_device: bool) -> tuple[Origin, float]:
    """Return the origin of a sign-in, and the seconds that it must wait.

    Raises Limited for an unknown address with MAX_ATTEMPTS wrong keys, before anything of the key is checked.
    """
    now = clock.now()
    params = {"address": address_hash, "known": now - known_devices.ADDRESS_TTL, "since": now - ATTEMPT_WINDOW}
    ((is_known_address, from_address, recent),) = await service_db.read(None, _ORIGIN_FACTS, params)
    if is_known_device or is_known_address:
        return Origin(address_hash, True), 0.0
    if from_address >= MAX_ATTEMPTS:
        raise Limited(retry_after=int(ATTEMPT_WINDOW.total_seconds()))
    return Origin(address_hash, False), delay_seconds(recent)


class _Attempts(NamedTuple):
    number: int
    first_at: datetime


def log_in(service_dsn: str, setting: str, key: str, origin: Origin) -> str:
    """Create a session with a named key or a shared one of the setting. Return its token, for the cookie.

    Raises InvalidAdminKey. After MAX_ATTEMPTS wrong keys from an unknown address it raises Limited without checking the
    key; existing sessions stay valid. `porchlight admin unlock` resets the limit.
    """
    with psycopg.connect(service_dsn) as conn:
        conn.execute(_LOCK_ADDRESS, [origin.address_hash])  # attempts of one address are counted one by one
        now = clock.now()
        attempts = fetch_one(conn, _Attempts, _COUNT_ATTEMPTS, [origin.address_hash, now - ATTEMPT_WINDOW])
        if not origin.is_known and attempts is not None and attempts.number >= MAX_ATTEMPTS:
            raise Limited(retry_after=max(1, int((attempts.first_at + ATTEMPT_WINDOW - now).total_seconds())))
        shared_name = keys.matching(setting, key)
        key_id, name = (None, shared_name) if shared_name else named_keys.use_key(conn, key)
        if name is None:
            _record_refusal(conn, origin, now)
        else:
            token = secrets.token_urlsafe(32)
            session_id = new_id()
            conn.execute(_INSERT_SESSION, [session_id, hash_token(token), name, key_id, now + SESSION_TTL])
            conn.execute("DELETE FROM admin_sessions WHERE expires_at < %s", [now])
            conn.execute(_REMEMBER_ADDRESS, [origin.address_hash, now])
            record(conn, AuditEvent(name, "admin.login", "session", str(session_id)))
    if name is None:  # raised after the transaction, which records the attempt
        raise InvalidAdminKey
    return token


def _record_refusal(conn: Connection, origin: Origin, now: datetime) -> None:
    """Count a wrong key. The audit log has the first ones only: many addresses could fill it."""
    recent = fetch_value(conn, int, _COUNT_RECENT, [now - ATTEMPT_WINDOW, MAX_RECORDED]) or 0
    values = [new_id(), now, origin.address_hash]
    conn.execute("INSERT INTO admin_attempts (id, at, address_hash) VALUES (%s, %s, %s)", values)
    if recent < MAX_RECORDED:
        record(conn, AuditEvent("visitor", "admin.login_refused"))


class AdminKeyAuthenticator:
    """Identifies admins by the cookie of a session whose key is in `setting`, or is a named key."""

    def __init__(self, setting: str) -> None:
        self._key_names = [keys.name_of(key) for key in keys.keys_of(setting)]

    async def by_cookie(self, service_db: Database, token: str) -> Staff:
        """Return the admin of a valid session. Raises Unauthenticated."""
        now = clock.now()
        params = {"hash": hash_token(token), "now": now, "idle": now - IDLE_LIMIT, "keys": self._key_names}
        found = await service_db.write(None, _FIND_SESSION, params, row=Staff) if token else []
        if not found:
            raise Unauthenticated
        return found[0]


def log_out(service_dsn: str, staff: Staff) -> None:
    """Delete the admin's session."""
    with psycopg.connect(service_dsn) as conn:
        conn.execute("DELETE FROM admin_sessions WHERE id = %s", [staff.session_id])
        record(conn, AuditEvent(staff.key_name, "admin.logout", "session", str(staff.session_id)))


def unlock(conn: Connection) -> None:
    """Delete the recorded attempts, so that admins can sign in again."""
    conn.execute("DELETE FROM admin_attempts")
    record(conn, AuditEvent("cli", "admin.unlock"))


def forget_origins(conn: Connection) -> None:
    """Delete attempts that no longer count, and addresses from which no admin has signed in for long."""
    now = clock.now()
    conn.execute("DELETE FROM admin_attempts WHERE at < %s", [now - ATTEMPT_WINDOW])
    conn.execute("DELETE FROM admin_addresses WHERE signed_in_at < %s", [now - known_devices.ADDRESS_TTL])
