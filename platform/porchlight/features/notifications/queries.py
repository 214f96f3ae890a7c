"""Reads of notifications."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from porchlight.features.notifications.delivery import DEFAULT_DIGEST_AT
from porchlight.features.notifications.schemas import (
    NotificationHoursData,
    NotificationItem,
    NotificationPage,
    PushDevice,
)
from tenants.db.pool import Database

PAGE_SIZE = 20
MAX_COUNT = 100  # the bell shows "99+"

_PAGE = """
SELECT id, kind, title, url, created_at, seen_at IS NOT NULL AS is_seen, read_at IS NOT NULL AS is_read
  FROM notifications WHERE user_id = %(user)s AND (%(before)s::uuid IS NULL OR id < %(before)s)
 ORDER BY id DESC LIMIT %(limit)s"""
_UNSEEN = """
SELECT count(*) FROM (SELECT FROM notifications WHERE user_id = %(user)s AND seen_at IS NULL LIMIT %(max)s) n"""
_HOURS = "SELECT zone, digest_at, quiet_from, quiet_until FROM notification_hours WHERE user_id = %(user)s"
_DEVICES = """
SELECT id, device, encode(endpoint_hash, 'hex') AS endpoint_hash, created_at, last_ok_at FROM push_subscriptions
 WHERE user_id = %(user)s ORDER BY id DESC"""


class _Notification(NamedTuple):
    id: UUID
    kind: str
    title: str
    url: str
    created_at: datetime
    is_seen: bool
    is_read: bool


class _Hours(NamedTuple):
    zone: str
    digest_at: int
    quiet_from: int | None
    quiet_until: int | None


class _DeviceRow(NamedTuple):
    id: UUID
    device: str
    endpoint_hash: str
    created_at: datetime
    last_ok_at: datetime | None


async def notification_page(db: Database, user_id: UUID, before: UUID | None) -> NotificationPage:
    """Return the user's notifications, the newest first: those before an id, or the first ones."""
    values = {"user": user_id, "before": before, "limit": PAGE_SIZE + 1}
    rows = await db.read(None, _PAGE, values, row=_Notification, user_id=user_id)
    items = [NotificationItem(**row._asdict()) for row in rows[:PAGE_SIZE]]
    return NotificationPage(items=items, has_more=len(rows) > PAGE_SIZE)


async def unseen_count(db: Database, user_id: UUID) -> int:
    """Return how many notifications the user has not seen, at most MAX_COUNT."""
    return await db.read_value(int, None, _UNSEEN, {"user": user_id, "max": MAX_COUNT}, user_id=user_id) or 0


async def notification_hours(db: Database, user_id: UUID) -> NotificationHoursData:
    """Return the user's hours; those of everyone who has chosen none have no zone."""
    rows = await db.read(None, _HOURS, {"user": user_id}, row=_Hours, user_id=user_id)
    found = rows[0] if rows else _Hours("", DEFAULT_DIGEST_AT, None, None)
    return NotificationHoursData(**found._asdict())


async def push_devices(db: Database, user_id: UUID) -> list[PushDevice]:
    """Return the user's devices, the newest first."""
    rows = await db.read(None, _DEVICES, {"user": user_id}, row=_DeviceRow, user_id=user_id)
    return [PushDevice(**row._asdict()) for row in rows]
