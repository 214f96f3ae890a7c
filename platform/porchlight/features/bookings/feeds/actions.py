"""Creating and revoking calendar feeds, in the user's unit of work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.feeds.models import CalendarFeed
from porchlight.features.bookings.feeds.secret import new_secret, secret_digest
from porchlight.plans.entitlements import check_quota, lock_plan
from porchlight.plans.limits import PlanFeature
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound
from tenants.kit.ids import new_id

MAX_FEEDS = 5


class TooManyFeeds(Conflict):
    """The user has as many feeds as are allowed."""

    code = "too_many_feeds"
    message = f"You can have up to {MAX_FEEDS} calendar links. Please revoke one first."


async def own_feeds(session: AsyncSession, user_id: UUID) -> Sequence[CalendarFeed]:
    """Return the user's feeds, the first one first."""
    query = select(CalendarFeed).where(CalendarFeed.user_id == user_id)
    return (await session.scalars(query.order_by(CalendarFeed.created_at, CalendarFeed.id))).all()


async def create_feed(
    session: AsyncSession, user_id: UUID, kind: Literal["personal", "guru"], name: str, key: str
) -> tuple[CalendarFeed, str]:
    """Create a feed, and return it with its secret, which is stored nowhere.

    The same key again gives the same feed another secret, because the first one may not have arrived. Raises
    PlanRequired and TooManyFeeds.
    """
    check_quota(await lock_plan(session), PlanFeature.CALENDAR_FEED, 0)
    secret = new_secret()
    is_own = CalendarFeed.user_id == user_id
    feed = await session.scalar(select(CalendarFeed).where(is_own, CalendarFeed.idempotency_key == key))
    if feed is None:
        if (await session.scalar(select(func.count()).where(is_own)) or 0) >= MAX_FEEDS:
            raise TooManyFeeds
        feed = CalendarFeed(
            user_id=user_id, id=new_id(), kind=kind, name=name, idempotency_key=key, created_at=clock.now()
        )
        session.add(feed)
    feed.secret_hash = secret_digest(secret) or b""
    return feed, secret


async def revoke_feed(session: AsyncSession, user_id: UUID, feed_id: UUID) -> None:
    """Revoke a feed: its address is gone at once. Raises NotFound."""
    is_own = (CalendarFeed.user_id == user_id, CalendarFeed.id == feed_id)
    if await session.scalar(delete(CalendarFeed).where(*is_own).returning(CalendarFeed.id)) is None:
        raise NotFound
