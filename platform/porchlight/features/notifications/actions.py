"""Writes of notifications by their person."""

from __future__ import annotations

import hashlib
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.notifications.models import NotificationHours, NotificationRow, PushSubscriptionRow
from porchlight.features.notifications.pushing import RELEASE_DEVICE_TASK, SEND_TEST_TASK
from porchlight.features.notifications.schemas import NotificationHoursPayload, PushDevicePayload
from tenants.db.jobs import enqueue
from tenants.kit.errors import NotFound
from tenants.kit.ids import new_id

MAX_DEVICES = 10  # of a person; a further one replaces the one that was quiet for longest


async def mark_all(session: AsyncSession, user_id: UUID, *, is_read: bool) -> None:
    """Mark all notifications of the user as seen, or as seen and read."""
    unseen = update(NotificationRow).where(NotificationRow.user_id == user_id, NotificationRow.seen_at.is_(None))
    await session.execute(unseen.values(seen_at=func.app.now()))
    if is_read:
        unread = update(NotificationRow).where(NotificationRow.user_id == user_id, NotificationRow.read_at.is_(None))
        await session.execute(unread.values(read_at=func.app.now()))


async def mark_one(session: AsyncSession, user_id: UUID, notification_id: UUID, *, is_read: bool) -> None:
    """Mark a notification as read, or as unread. Raise NotFound."""
    one = update(NotificationRow).where(NotificationRow.user_id == user_id, NotificationRow.id == notification_id)
    seen_at = func.coalesce(NotificationRow.seen_at, func.app.now())
    changed = await session.scalar(
        one.values(seen_at=seen_at, read_at=func.app.now() if is_read else None).returning(NotificationRow.id)
    )
    if changed is None:
        raise NotFound


async def update_hours(session: AsyncSession, user_id: UUID, hours: NotificationHoursPayload) -> None:
    """Store when the user's digest comes and when it is quiet."""
    values = hours.model_dump() | {"changed_at": func.app.now()}
    await session.execute(
        insert(NotificationHours)
        .values(user_id=user_id, **values)
        .on_conflict_do_update(index_elements=[NotificationHours.user_id], set_=values)
    )


async def register_device(session: AsyncSession, user_id: UUID, payload: PushDevicePayload) -> None:
    """Let a browser show the user's notifications; a job removes it from other accounts.

    Repeating it changes only the keys and the name. Beyond MAX_DEVICES the one that was quiet for longest goes.
    """
    of_user = PushSubscriptionRow.user_id == user_id
    endpoint_hash = hash_of(payload.endpoint)
    if payload.replaces and payload.replaces != payload.endpoint:
        replaced = PushSubscriptionRow.endpoint_hash == hash_of(payload.replaces)
        await session.execute(delete(PushSubscriptionRow).where(of_user, replaced))
    values = {"public_key": payload.keys.p256dh, "auth_secret": payload.keys.auth, "device": payload.device}
    device_id = await session.scalar(
        insert(PushSubscriptionRow)
        .values(user_id=user_id, id=new_id(), endpoint_hash=endpoint_hash, endpoint=payload.endpoint, **values)
        .on_conflict_do_update(
            index_elements=[PushSubscriptionRow.user_id, PushSubscriptionRow.endpoint_hash],
            set_=values | {"created_at": func.app.now()},
        )
        .returning(PushSubscriptionRow.id)
    )
    await enqueue(session, RELEASE_DEVICE_TASK, device_id=str(device_id))
    last_used = func.coalesce(PushSubscriptionRow.last_ok_at, PushSubscriptionRow.created_at)
    others = (
        select(PushSubscriptionRow.id)
        .where(of_user, PushSubscriptionRow.endpoint_hash != endpoint_hash)
        .order_by(last_used.desc(), PushSubscriptionRow.id.desc())
        .offset(MAX_DEVICES - 1)
    )
    await session.execute(delete(PushSubscriptionRow).where(of_user, PushSubscriptionRow.id.in_(others)))


async def remove_device(session: AsyncSession, user_id: UUID, device_id: UUID) -> None:
    """Remove one of the user's devices. Raise NotFound."""
    one = delete(PushSubscriptionRow).where(PushSubscriptionRow.user_id == user_id, PushSubscriptionRow.id == device_id)
    if await session.scalar(one.returning(PushSubscriptionRow.id)) is None:
        raise NotFound


async def send_test(session: AsyncSession, user_id: UUID, device_id: UUID) -> None:
    """Have a test note sent to one of the user's devices; at most one waits. Raise NotFound."""
    query = select(PushSubscriptionRow.id).where(
        PushSubscriptionRow.user_id == user_id, PushSubscriptionRow.id == device_id
    )
    if await session.scalar(query) is None:
        raise NotFound
    await enqueue(session, SEND_TEST_TASK, once=True, device_id=str(device_id))


def hash_of(endpoint: str) -> bytes:
    """Return the hash by which an endpoint is found."""
    return hashlib.sha256(endpoint.encode()).digest()
