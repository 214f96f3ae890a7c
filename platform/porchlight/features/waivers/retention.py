"""Ending outdated waivers, erasing what a waiver no longer needs, and deleting old ones. Links of the chain stay."""

from __future__ import annotations

from datetime import timedelta

from porchlight.contracts import RISK_LEVELS
from porchlight.features.waivers.texts import oldest_valid_version
from tenants.db.rows import Connection
from tenants.kit import clock

CONTACT_TTL = timedelta(days=30)  # after the last session of the waiver, or after its end if there was none
NETWORK_DATA_TTL = timedelta(days=180)
WAIVER_TTL = timedelta(days=6 * 365 + 2)  # claims can be made for six years

_ERASE_CONTACTS = """
UPDATE waivers w SET erasable = erasable - 'emergencyContact'
 WHERE jsonb_exists(erasable, 'emergencyContact') AND least(expires_at, ended_at) < %(now)s
   AND coalesce((SELECT max(b.ends_at) FROM bookings b WHERE b.person_id = w.user_id AND b.waiver_id = w.id
                                                         AND b.status IN ('confirmed', 'missed', 'completed')),
                least(expires_at, ended_at)) < %(before)s"""
_ERASE_NETWORK_DATA = """
UPDATE waivers SET erasable = erasable - '{networkAddress,userAgent}'::text[]
 WHERE jsonb_exists_any(erasable, '{networkAddress,userAgent}') AND accepted_at < %s"""
_DELETE = "DELETE FROM waivers WHERE expires_at < %s"
_DELETE_VIEWS = "DELETE FROM contact_views WHERE at < %s"
_END_OUTDATED = """
UPDATE waivers SET ended_at = app.now()
 WHERE level = %s AND text_version < %s AND ended_at IS NULL AND expires_at > app.now()"""


def end_outdated_waivers(conn: Connection) -> None:
    """End the waivers with a text that a later one changed in an important point. For the service role."""
    for level in RISK_LEVELS:
        conn.execute(_END_OUTDATED, [level, oldest_valid_version(level)])


def purge_waivers(conn: Connection) -> None:
    """Erase emergency contacts and network data, and delete waivers and views of contacts, after their time."""
    now = clock.now()
    conn.execute(_ERASE_CONTACTS, {"now": now, "before": now - CONTACT_TTL})
    conn.execute(_ERASE_NETWORK_DATA, [now - NETWORK_DATA_TTL])
    conn.execute(_DELETE, [now - WAIVER_TTL])
    conn.execute(_DELETE_VIEWS, [now - WAIVER_TTL])
