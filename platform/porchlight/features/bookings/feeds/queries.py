"""Reading a feed: who it is of, and its sessions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.bookings.feeds.events import GuruBooking, PersonalSession, guru_events, personal_events
from porchlight.features.bookings.feeds.feed_file import feed_file
from porchlight.features.bookings.feeds.secret import secret_digest
from porchlight.plans.entitlements import session_plan
from porchlight.plans.limits import PlanFeature, allowance
from porchlight.settings.environment import Settings
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import Limited, NotFound

DAYS_BACK, DAYS_AHEAD = 30, 180
MAX_EVENTS = 1_000
MAX_GURU_BOOKINGS = 5_000  # of all sessions together; a class has up to 100
MAX_READS, READS_PERIOD = 60, timedelta(hours=1)
PERSONAL_NAME, GURU_NAME = "Porchlight", "Porchlight: my site"

_FIND = "SELECT user_id, id, kind, tenant_id FROM app.find_feed(%s)"
# One read more, if fewer than `most` were in the period.
_COUNT = text("""
UPDATE calendar_feeds
   SET reads = CASE WHEN reads_since > :period_start THEN least(reads + 1, :most) ELSE 1 END,
       reads_since = CASE WHEN reads_since > :period_start THEN reads_since ELSE :now END, read_at = :now
 WHERE user_id = :user AND id = :id
   AND (NOT :is_limited OR reads < :most OR reads_since IS NULL OR reads_since <= :period_start)
RETURNING name""")
_CHANGED_AT = "date_trunc('second', coalesce(b.confirmed_at, b.created_at))"
# The nearest to today, if there are more.
_PERSONAL = text(f"""
SELECT b.id, b.sequence, {_CHANGED_AT} AS changed_at, b.starts_at, b.ends_at, b.service_name, b.guru_name,
       b.person_name, b.place, b.place_text, b.person_address, b.bring
  FROM bookings b
 WHERE b.person_id = :user AND b.status IN ('confirmed', 'completed', 'missed')
   AND b.starts_at >= :first AND b.starts_at < :last
 ORDER BY abs(extract(epoch FROM b.starts_at - :now)), b.id LIMIT :most""")
_GURU = text(f"""
WITH sessions AS (
  SELECT a.id, a.capacity, a.sequence FROM appointments a
   WHERE a.tenant_id = :tenant AND a.starts_at >= :first AND a.starts_at < :last AND a.live
     AND EXISTS (SELECT FROM bookings b WHERE b.tenant_id = :tenant AND b.appointment_id = a.id
                                          AND b.status IN ('confirmed', 'completed', 'missed'))
   ORDER BY abs(extract(epoch FROM a.starts_at - :now)), a.id LIMIT :most
)
SELECT b.id, b.appointment_id, a.capacity, b.party, b.sequence, a.sequence AS session_sequence,
       {_CHANGED_AT} AS changed_at, b.starts_at, b.ends_at, b.service_name, b.guru_name, b.person_name, b.place,
       b.place_text, b.person_address
  FROM sessions a JOIN bookings b ON b.tenant_id = :tenant AND b.appointment_id = a.id
 WHERE b.status IN ('confirmed', 'completed', 'missed')
 ORDER BY b.starts_at, b.appointment_id, b.confirmed_at, b.id LIMIT :most_bookings""")


class TooManyReads(Limited):
    """A feed was read too often within an hour."""

    message = "This calendar was read very often. Please try again in an hour."


class FoundFeed(NamedTuple):
    """A feed by its secret. `tenant_id` is the guru of a guru's feed."""

    user_id: UUID
    id: UUID
    kind: str
    tenant_id: UUID | None


@dataclass(frozen=True, slots=True)
class _Window:
    now: datetime

    def parameters(self) -> dict[str, object]:
        """Return the parameters of the statements."""
        return {
            "now": self.now,
            "first": self.now - timedelta(days=DAYS_BACK),
            "last": self.now + timedelta(days=DAYS_AHEAD),
            "most": MAX_EVENTS,
        }


async def read_feed(db: Database, settings: Settings, secret: str) -> bytes:
    """Return the calendar file of the feed with a secret.

    Raises NotFound for an unknown or revoked one and for one that the plan does not include, and TooManyReads. The
    secret was shown to the guru alone, so a program that has it acts for them.
    """
    digest = secret_digest(secret)
    found = await db.read(None, _FIND, [digest], row=FoundFeed) if digest else []
    if not found:
        raise NotFound
    (feed,) = found
    is_guru = feed.tenant_id is not None
    async with unit_of_work(db, tenant_id=feed.tenant_id, user_id=feed.user_id, acting=is_guru) as session:
        if allowance(await session_plan(session), PlanFeature.CALENDAR_FEED) <= 0:
            raise NotFound
        name = await _count_read(session, feed, is_limited=settings.limits == "on")
        values = _Window(clock.now()).parameters()
        if is_guru:
            values |= {"tenant": feed.tenant_id, "most_bookings": MAX_GURU_BOOKINGS}
            rows = [GuruBooking(*row) for row in await session.execute(_GURU, values)]
            events = guru_events(rows, settings.main_origin)
        else:
            values |= {"user": feed.user_id}
            sessions = [PersonalSession(*row) for row in await session.execute(_PERSONAL, values)]
            events = personal_events(sorted(sessions, key=lambda one: (one.starts_at, one.id)), settings.main_origin)
    return feed_file(name, events, settings.base_host)


async def _count_read(session: AsyncSession, feed: FoundFeed, *, is_limited: bool) -> str:
    """Count a read and return the feed's name. Raises TooManyReads."""
    now = clock.now()
    values = {
        "user": feed.user_id, "id": feed.id, "now": now, "period_start": now - READS_PERIOD, "most": MAX_READS,
        "is_limited": is_limited,
    }  # fmt: skip
    name: str | None = await session.scalar(_COUNT, values)
    if name is None:
        raise TooManyReads(retry_after=int(READS_PERIOD.total_seconds()))
    return f"{GURU_NAME if feed.kind == 'guru' else PERSONAL_NAME} – {name}"
