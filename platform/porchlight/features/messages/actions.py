"""A person's own side of threads: read, mute, archive, accept a request.

Each writes rows of the person alone, in one statement that gives the inbox its next change number, so that the
person's other windows learn of it.
"""

from __future__ import annotations

from uuid import UUID

from porchlight.features.messages.delivery.actions import Wake
from tenants.db.pool import Database
from tenants.kit.errors import NotFound

# The inbox is locked first, in a statement of its own: what is read below is of the time after the lock.
_LOCK = "SELECT FROM inboxes i WHERE i.user_id = %(user)s FOR UPDATE"
# What stays unread is counted from the messages after the number.
_READ = """
WITH member AS MATERIALIZED (
  SELECT m.* FROM thread_members m WHERE m.user_id = %(user)s AND m.thread_id = %(thread)s
), counted AS MATERIALIZED (
  SELECT least(m.unread,
               (SELECT count(*) FROM messages g
                 WHERE g.person_a_id = least(m.user_id, m.other_id) AND g.thread_id = m.thread_id
                   AND g.number > greatest(m.read_number, %(number)s) AND g.sender_id <> m.user_id)) AS unread,
         m.unread AS before, m.held_until,
         least(greatest(m.read_number, %(number)s),
               (SELECT t.number FROM threads t
                 WHERE t.person_a_id = least(m.user_id, m.other_id) AND t.id = m.thread_id)) AS read_number
    FROM member m
), changed AS (
  UPDATE inboxes i SET change = i.change + 1,
         unread = i.unread - CASE WHEN c.held_until IS NULL THEN c.before - c.unread ELSE 0 END
    FROM counted c WHERE i.user_id = %(user)s AND c.unread < c.before
  RETURNING i.change, i.unread
), written AS (
  UPDATE thread_members m SET read_number = c.read_number, unread = c.unread,
         change = coalesce((SELECT x.change FROM changed x), m.change),
         mail_due_at = CASE WHEN c.unread > 0 THEN m.mail_due_at END,
         held_until = CASE WHEN c.unread > 0 THEN m.held_until END
    FROM counted c WHERE m.user_id = %(user)s AND m.thread_id = %(thread)s
  RETURNING m.thread_id
)
SELECT x.change, coalesce(x.unread, (SELECT i.unread FROM inboxes i WHERE i.user_id = %(user)s)) AS unread
  FROM written w LEFT JOIN changed x ON true"""
_SET = """
WITH changed AS (
  UPDATE inboxes i SET change = i.change + 1 WHERE i.user_id = %(user)s
     AND EXISTS (SELECT FROM thread_members m WHERE m.user_id = %(user)s AND m.thread_id = %(thread)s)
  RETURNING i.change, i.unread
), written AS (
  UPDATE thread_members m SET change = c.change, {values}
    FROM changed c WHERE m.user_id = %(user)s AND m.thread_id = %(thread)s RETURNING m.other_id
)
SELECT c.change, c.unread, w.other_id FROM changed c CROSS JOIN written w"""
_SETTINGS = _SET.format(
    values="muted = %(muted)s, archived = %(archived)s,"
    " mail_due_at = CASE WHEN NOT %(muted)s::boolean THEN m.mail_due_at END"
)
_ACCEPT = _SET.format(values="request = false")
_TOUCH = _SET.format(values="archived = m.archived")


async def mark_read(db: Database, user_id: UUID, thread_id: UUID, number: int) -> tuple[int, tuple[Wake, ...]]:
    """Mark a thread as read up to a number. Return how many messages are unread in all threads. Raises NotFound."""
    values = {"user": user_id, "thread": thread_id, "number": number}
    rows = await db.decide(None, (_LOCK, values), ("SELECT 1", ()), lambda _: (_READ, values), user_id=user_id)
    for change, unread in rows:
        return unread, (Wake(user_id, change, unread),) if change is not None else ()
    raise NotFound


async def update_settings(
    db: Database, user_id: UUID, thread_id: UUID, *, muted: bool, archived: bool
) -> tuple[Wake, ...]:
    """Mute or archive a thread, or end that. Raises NotFound."""
    return await _set(db, user_id, thread_id, _SETTINGS, muted=muted, archived=archived)


async def accept_request(db: Database, user_id: UUID, thread_id: UUID) -> tuple[Wake, ...]:
    """Move a request to the inbox. Raises NotFound."""
    return await _set(db, user_id, thread_id, _ACCEPT)


async def touch_thread(db: Database, user_id: UUID, thread_id: UUID) -> tuple[Wake, ...]:
    """Let the person's windows fetch a thread again, whose card has changed. Raises NotFound."""
    return await _set(db, user_id, thread_id, _TOUCH)


async def _set(db: Database, user_id: UUID, thread_id: UUID, statement: str, **values: bool) -> tuple[Wake, ...]:
    rows = await db.write(None, statement, {"user": user_id, "thread": thread_id} | values, user_id=user_id)
    for change, unread, _ in rows:
        return (Wake(user_id, change, unread),)
    raise NotFound
