"""Following addresses that the identity service changed: its links are opened without our knowing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import psycopg

from porchlight.ports import Address
from tenants.kit import clock

FOLLOWED = timedelta(days=4)  # the service's links are good for three days, those that take a change back too
_ASKED = "SELECT firebase_uid FROM users WHERE email_change_asked_at > %s AND status = 'active'"
_FOLLOW = """
UPDATE users SET email = %s, email_verified = %s, updated_at = now()
 WHERE firebase_uid = %s AND status = 'active' AND (email <> %s OR email_verified <> %s)"""
_FORGET = "UPDATE users SET email_change_asked_at = NULL WHERE email_change_asked_at <= %s"


def changing(overseer_dsn: str) -> list[str]:
    """The uids of accounts whose address may change these days."""
    with psycopg.connect(overseer_dsn) as conn:
        since = clock.now() - FOLLOWED
        conn.execute(_FORGET, [since])
        return [uid for (uid,) in conn.execute(_ASKED, [since]).fetchall()]


def follow(overseer_dsn: str, addresses: Mapping[str, Address]) -> int:
    """Take over the addresses that are others than ours; how many were."""
    changed = 0
    with psycopg.connect(overseer_dsn) as conn:
        for uid, now in addresses.items():
            changed += conn.execute(_FOLLOW, [now.email, now.verified, uid, now.email, now.verified]).rowcount
    return changed
