"""Busy sources of a guru: adding, changing and removing them, and the results of reading them.

Their rows are seen by the guru's own units of work only (`acting`), and by jobs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from sites.hours.actions import lock_calendar
from sites.hours.busy_times import Period, replace_busy_times
from sites.hours.models import BusySource
from tenants.db.jobs import enqueue
from tenants.db.rows import Connection, fetch_all, fetch_one
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound

MAX_BUSY_SOURCES = 5
DECIDE_AFTER = timedelta(days=14)  # then the guru decides whether to go by the old times
NOTIFY_AFTER = timedelta(hours=24)
ASKS_GURU = 2  # emails about a failure, of which the second asks for the decision
READ_TASK = "busy_sources:read"


class TooManySources(Conflict):
    """The guru has connected as many calendars as are allowed."""

    code = "too_many_calendars"
    message = f"You can connect up to {MAX_BUSY_SOURCES} calendars. Please remove one first."


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSource:
    """A busy source to add. The same `key` again is a resend. `secret` is encrypted."""

    id: UUID
    kind: Literal["ics", "caldav"]
    name: str
    host: str
    secret: bytes
    all_day_blocks: bool
    key: str


class SourceToRead(NamedTuple):
    """A source as its job reads it. `zone` is the calendar's."""

    kind: Literal["ics", "caldav"]
    name: str
    secret: bytes
    all_day_blocks: bool
    zone: str
    contact_email: str


class SourceState(NamedTuple):
    """The failure of a source: since when, and which emails about it were sent."""

    name: str
    failing_since: datetime
    last_good_at: datetime | None
    notices: int
    kept_at: datetime | None

    def due_notice(self, now: datetime) -> int:
        """Return the number of the email that is due at the time `now`, 0 for none."""
        if self.notices == 0 and now >= self.failing_since + NOTIFY_AFTER:
            return 1
        since = max(self.failing_since, self.kept_at or self.failing_since)
        if self.notices == 1 and now >= since + DECIDE_AFTER:
            return ASKS_GURU
        return 0


_TO_READ = """
SELECT s.kind, s.name, s.secret, s.all_day_blocks, c.zone, g.contact_email
  FROM busy_sources s JOIN calendars c ON c.tenant_id = s.tenant_id JOIN gurus g ON g.id = s.tenant_id
 WHERE s.tenant_id = %(tenant)s AND s.id = %(id)s"""
_UNCHANGED = """
SELECT true FROM busy_sources
 WHERE tenant_id = %(tenant)s AND id = %(id)s AND secret = %(secret)s AND all_day_blocks = %(all_day_blocks)s"""
_LOCK = "SELECT 1 FROM app.lock_calendar()"
_READ = """
UPDATE busy_sources SET last_good_at = %(now)s, failing_since = NULL, failure = '', is_paused = false, notices = 0,
       kept_at = NULL WHERE tenant_id = %(tenant)s AND id = %(id)s"""
_FAILED = """
UPDATE busy_sources SET failing_since = coalesce(failing_since, %(now)s), failure = %(failure)s, is_paused = false
 WHERE tenant_id = %(tenant)s AND id = %(id)s RETURNING name, failing_since, last_good_at, notices, kept_at"""
_NOTIFIED = "UPDATE busy_sources SET notices = %(number)s WHERE tenant_id = %(tenant)s AND id = %(id)s"
_PAUSED = """
UPDATE busy_sources SET is_paused = true, failing_since = NULL, failure = '', notices = 0
 WHERE tenant_id = %(tenant)s AND id = %(id)s"""
_DUE = """
SELECT tenant_id, id FROM busy_sources WHERE read_due_at <= %s ORDER BY read_due_at LIMIT %s FOR UPDATE SKIP LOCKED"""
_POSTPONE = "UPDATE busy_sources SET read_due_at = %(until)s WHERE tenant_id = %(tenant)s AND id = %(id)s"


async def own_sources(session: AsyncSession, tenant_id: UUID) -> Sequence[BusySource]:
    """Return the guru's busy sources, the first one first."""
    query = select(BusySource).where(BusySource.tenant_id == tenant_id).order_by(BusySource.created_at, BusySource.id)
    return (await session.scalars(query.execution_options(populate_existing=True))).all()


async def find_source(session: AsyncSession, tenant_id: UUID, source_id: UUID) -> BusySource:
    """Return a busy source of the guru. Raise NotFound."""
    found = await session.get(BusySource, (tenant_id, source_id), populate_existing=True)
    if found is None:
        raise NotFound
    return found


async def add_source(session: AsyncSession, tenant_id: UUID, new: NewSource) -> UUID:
    """Add a busy source, which a job reads at once, and return its id. Raise TooManySources."""
    await lock_calendar(session, tenant_id)
    same = BusySource.tenant_id == tenant_id
    resent = await session.scalar(select(BusySource.id).where(same, BusySource.idempotency_key == new.key))
    if resent is not None:
        return resent
    if (await session.scalar(select(func.count()).where(same)) or 0) >= MAX_BUSY_SOURCES:
        raise TooManySources
    session.add(
        BusySource(
            tenant_id=tenant_id, id=new.id, kind=new.kind, name=new.name, host=new.host, secret=new.secret,
            all_day_blocks=new.all_day_blocks, idempotency_key=new.key, created_at=clock.now(),
        )
    )  # fmt: skip
    await session.flush()  # a name or a kind that the table refuses fails here, not with the commit
    await enqueue(session, READ_TASK, source_id=str(new.id))
    return new.id


async def update_source(session: AsyncSession, tenant_id: UUID, source_id: UUID, changes: dict[str, Any]) -> None:
    """Change the name and whether days count. Other days are read again at once. Raise NotFound."""
    source = await find_source(session, tenant_id, source_id)
    is_other = changes.get("all_day_blocks", source.all_day_blocks) != source.all_day_blocks
    for name, value in changes.items():
        setattr(source, name, value)
    if is_other:
        await enqueue(session, READ_TASK, source_id=str(source_id))


async def request_reading(session: AsyncSession, tenant_id: UUID, source_id: UUID) -> None:
    """Let a job read a source now. Raise NotFound."""
    await find_source(session, tenant_id, source_id)
    await enqueue(session, READ_TASK, source_id=str(source_id))


async def keep_source(session: AsyncSession, tenant_id: UUID, source_id: UUID) -> None:
    """Keep a source that fails: its last times count for another two weeks. Raise NotFound."""
    is_own = (BusySource.tenant_id == tenant_id, BusySource.id == source_id)
    await find_source(session, tenant_id, source_id)
    await session.execute(update(BusySource).where(*is_own).values(kept_at=clock.now(), notices=1))


async def remove_source(session: AsyncSession, tenant_id: UUID, source_id: UUID) -> None:
    """Remove a source with its secret and its times. Raise NotFound."""
    await lock_calendar(session, tenant_id)
    is_own = (BusySource.tenant_id == tenant_id, BusySource.id == source_id)
    if await session.scalar(delete(BusySource).where(*is_own).returning(BusySource.id)) is None:
        raise NotFound


def source_to_read(conn: Connection, tenant_id: UUID, source_id: UUID) -> SourceToRead | None:
    """Return a source for its job, or None if it is gone."""
    return fetch_one(conn, SourceToRead, _TO_READ, {"tenant": tenant_id, "id": source_id})


def store_reading(
    conn: Connection, tenant_id: UUID, source_id: UUID, read: SourceToRead, periods: Sequence[Period]
) -> None:
    """Store the times that were read. Nothing happens if the source was changed meanwhile: it is read again then."""
    conn.execute(_LOCK)
    source = {"tenant": tenant_id, "id": source_id}
    settings = {"secret": read.secret, "all_day_blocks": read.all_day_blocks}
    if conn.execute(_UNCHANGED, source | settings).fetchone() is None:
        return
    replace_busy_times(conn, tenant_id, source_id, periods)
    conn.execute(_READ, source | {"now": clock.now()})


def store_failure(conn: Connection, tenant_id: UUID, source_id: UUID, failure: str) -> SourceState | None:
    """Note that a source could not be read. Its last times stay. Return its state, None if it is gone."""
    values = {"tenant": tenant_id, "id": source_id, "now": clock.now(), "failure": failure}
    return fetch_one(conn, SourceState, _FAILED, values)


def store_notice(conn: Connection, tenant_id: UUID, source_id: UUID, number: int) -> None:
    """Note that the guru got an email about a failure."""
    conn.execute(_NOTIFIED, {"tenant": tenant_id, "id": source_id, "number": number})


def pause_source(conn: Connection, tenant_id: UUID, source_id: UUID) -> None:
    """Stop going by a source that the plan does not include any more. It is read again when a plan does."""
    conn.execute(_LOCK)
    replace_busy_times(conn, tenant_id, source_id, [])
    conn.execute(_PAUSED, {"tenant": tenant_id, "id": source_id})


class DueSource(NamedTuple):
    """A source that is due to be read."""

    tenant_id: UUID
    id: UUID


def due_sources(conn: Connection, most: int) -> list[DueSource]:
    """Return the sources of all gurus that are due, the oldest first, and lock them. As the service role."""
    return fetch_all(conn, DueSource, _DUE, [clock.now(), most])


def postpone_source(conn: Connection, source: DueSource, until: datetime) -> None:
    """Set when a source is read next. As the service role."""
    conn.execute(_POSTPONE, {"tenant": source.tenant_id, "id": source.id, "until": until})
