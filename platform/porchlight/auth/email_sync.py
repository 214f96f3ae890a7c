"""Sync email addresses that users changed at the identity provider, which does not notify us."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import psycopg

from porchlight.ports import IdentityEmail
from tenants.kit import clock

# The provider's links are valid for three days, including the link that undoes a change.
EMAIL_CHANGE_TTL = timedelta(days=4)
_PENDING = "SELECT firebase_uid FROM users WHERE email_change_asked_at > %s AND status = 'active'"
_UPDATE = """
UPDATE users SET email = %s, email_verified = %s, updated_at = now()
 WHERE firebase_uid = %s AND status = 'active' AND (email <> %s OR email_verified <> %s)"""
_CLEAR_EXPIRED = "UPDATE users SET email_change_asked_at = NULL WHERE email_change_asked_at <= %s"


def pending_email_changes(service_dsn: str) -> list[str]:
    """Return the uids of accounts with a recent email change request. Clears the requests that expired."""
    with psycopg.connect(service_dsn) as conn:
        since = clock.now() - EMAIL_CHANGE_TTL
        conn.execute(_CLEAR_EXPIRED, [since])
        return [uid for (uid,) in conn.execute(_PENDING, [since]).fetchall()]


def sync_emails(service_dsn: str, emails: Mapping[str, IdentityEmail]) -> int:
    """Store the addresses that differ from ours. Return the number of changed accounts."""
    changed = 0
    with psycopg.connect(service_dsn) as conn:
        for uid, current in emails.items():
            parameters = [current.email, current.verified, uid, current.email, current.verified]
            changed += conn.execute(_UPDATE, parameters).rowcount
    return changed
