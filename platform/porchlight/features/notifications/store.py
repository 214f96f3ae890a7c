"""Reading a person's settings and adding a notification, in a transaction of that person."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.emails.kinds import CHOICES, TOPICS, MailKind
from porchlight.features.notifications.delivery import ChannelPlan, Hours, MailMode, Preferences, plan_delivery
from porchlight.ports import Notification
from tenants.db.rows import Connection, fetch_one, fetch_value
from tenants.kit import clock
from tenants.kit.ids import new_id

MAX_NOTIFICATIONS = 500  # of a person; older ones are deleted
MAX_TITLE_LENGTH = 300
DELIVER_TASK = "notifications:deliver"

_SETTINGS = """
SELECT coalesce(s.is_on, true) AS is_on, coalesce(s.is_daily, false) AS is_daily, s.push, h.zone, h.quiet_from,
       h.quiet_until, h.digest_at, u.email_verified AND u.email <> '' AND coalesce(d.is_on, true) AS has_digest,
       EXISTS (SELECT FROM push_subscriptions p WHERE p.user_id = u.user_id) AS has_device
  FROM users u LEFT JOIN email_settings s ON s.user_id = u.user_id AND s.kind = %(kind)s
  LEFT JOIN email_settings d ON d.user_id = u.user_id AND d.kind = 'digest'
  LEFT JOIN notification_hours h ON h.user_id = u.user_id
 WHERE u.user_id = %(person)s AND u.status = 'active'"""
_ADD = """
INSERT INTO notifications (user_id, id, key, kind, title, url, is_urgent, created_at, is_mailed, mail_at, push_at)
VALUES (%(person)s, %(id)s, %(key)s, %(kind)s, %(title)s, %(url)s, %(is_urgent)s, %(now)s, %(is_mailed)s, %(mail_at)s,
        %(push_at)s)
ON CONFLICT (user_id, key) DO NOTHING RETURNING id"""
# A job that runs again does with its email what was decided the first time, unless the kind was turned off meanwhile.
_IS_MAILED = "SELECT is_mailed FROM notifications WHERE user_id = %s AND key = %s"
_FORGET_OLDEST = """
DELETE FROM notifications WHERE user_id = %(person)s AND id IN (
  SELECT n.id FROM notifications n WHERE n.user_id = %(person)s ORDER BY n.id DESC OFFSET %(max)s)"""


class _Settings(NamedTuple):
    is_on: bool
    is_daily: bool
    push: bool | None
    zone: str | None
    quiet_from: int | None
    quiet_until: int | None
    digest_at: int | None
    has_digest: bool
    has_device: bool


def add_notification(conn: Connection, note: Notification, key: str, main_origin: str) -> bool:
    """Add a notification of the transaction's person, and return whether its email is to be sent now.

    For an account that is gone there is only the email.
    """
    kind, now = MailKind(note.kind), clock.now()
    found = fetch_one(conn, _Settings, _SETTINGS, {"person": note.person, "kind": kind})
    if found is None:
        return True
    plan = plan_delivery(
        kind, _preferences(kind, found), now,
        is_urgent=note.is_urgent, has_device=found.has_device, has_digest=found.has_digest,
    )  # fmt: skip
    if not _insert(conn, note, key, main_origin, plan, now):
        is_off = kind in CHOICES and not found.is_on
        return not is_off and bool(fetch_value(conn, bool, _IS_MAILED, [note.person, key]))
    conn.execute(_FORGET_OLDEST, {"person": note.person, "max": MAX_NOTIFICATIONS})
    if plan.push_at is not None and plan.push_at <= now:
        conn.execute("SELECT app.enqueue_task(%s, '{}', true)", [DELIVER_TASK])
    return plan.mails_now


def _insert(conn: Connection, note: Notification, key: str, main_origin: str, plan: ChannelPlan, now: datetime) -> bool:
    values = {
        "person": note.person, "id": new_id(), "key": key, "kind": note.kind,
        "title": note.title[:MAX_TITLE_LENGTH], "url": page_of(note.url, main_origin), "is_urgent": note.is_urgent,
        "now": now, "is_mailed": plan.mails_now, "mail_at": plan.mail_at, "push_at": plan.push_at,
    }  # fmt: skip
    return fetch_value(conn, UUID, _ADD, values) is not None


def page_of(url: str, main_origin: str) -> str:
    """Return the path of a page of the main platform, or the URL of a page of a guru's site."""
    parts = urlsplit(url)
    if url.startswith(f"{main_origin}/") and not url.startswith("//"):
        return url.removeprefix(main_origin)
    return url if parts.scheme in ("http", "https") else "/notifications"


def _preferences(kind: MailKind, found: _Settings) -> Preferences:
    mail = MailMode.NEVER if not found.is_on else MailMode.DAILY if found.is_daily else MailMode.NOW
    hours = None
    if found.zone is not None and found.digest_at is not None:
        is_quiet = found.quiet_from is not None and found.quiet_until is not None
        quiet = (found.quiet_from or 0, found.quiet_until or 0) if is_quiet else None
        hours = Hours(ZoneInfo(found.zone), found.digest_at, quiet)
    push = TOPICS[kind].pushes is True if found.push is None else found.push
    return Preferences(mail, push, hours)
