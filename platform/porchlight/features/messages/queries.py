"""Reads of threads and messages, of one person each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from porchlight.contracts import profile_photo_url
from porchlight.features.messages.delivery.rules import preview
from porchlight.features.messages.errors import BLOCKED, NOT_TAKING_MESSAGES
from porchlight.features.messages.schemas import (
    Box,
    GuruName,
    LastMessage,
    MessageCard,
    MessageFileCard,
    Side,
    ThreadCard,
    ThreadPerson,
)
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.pagination import encode_cursor, parse_cursor

PAGE_THREADS = 30
PAGE_MESSAGES = 50
MAX_CHANGES = 200
DELETED_NAME = "Deleted neighbor"
UNKNOWN_NAME = "A neighbor"

# By the primary key of the thread, which begins with the first of the two people. Joined to the view without OFFSET 0,
# PostgreSQL would read the other sides of all threads of the person.
_THREAD_COLUMNS = """
SELECT m.thread_id, m.side, m.unread, m.muted, m.archived, m.request, m.last_at, m.change, t.number,
       p.handle, p.shown_name, p.photo_id, p.photo_url, p.is_gone, p.label, p.guru_name, p.takes_messages, p.is_blocked,
       l.body AS last_body, l.files AS last_files, l.created_at AS last_sent_at, l.removed_at AS last_removed_at,
       l.sender_id AS last_sender_id"""
_THREAD_TABLES = """
  JOIN threads t ON t.person_a_id = least(m.user_id, m.other_id) AND t.id = m.thread_id
  CROSS JOIN LATERAL (SELECT v.* FROM thread_people v WHERE v.thread_id = m.thread_id OFFSET 0) p
  LEFT JOIN messages l ON l.person_a_id = t.person_a_id AND l.thread_id = t.id AND l.number = t.number"""
_THREADS = f"""{_THREAD_COLUMNS}
  FROM (SELECT * FROM thread_members c
         WHERE c.user_id = %(user)s AND c.archived = (%(box)s = 'archived')
           AND (%(box)s = 'archived' OR c.request = (%(box)s = 'requests'))
           AND (%(side)s::text IS NULL OR c.side = %(side)s)
           AND (%(at)s::timestamptz IS NULL OR (c.last_at, c.thread_id) < (%(at)s, %(id)s::uuid))
         ORDER BY c.last_at DESC, c.thread_id DESC LIMIT %(limit)s) m
{_THREAD_TABLES} ORDER BY m.last_at DESC, m.thread_id DESC"""
_THREADS_BY_ID = f"""{_THREAD_COLUMNS}
  FROM (SELECT * FROM thread_members c WHERE c.user_id = %(user)s AND c.thread_id = ANY (%(ids)s)) m
{_THREAD_TABLES} ORDER BY m.last_at DESC, m.thread_id DESC"""
_MEMBERSHIP = """
SELECT m.other_id, m.side, m.read_number, t.guru_id FROM thread_members m
  JOIN threads t ON t.person_a_id = least(m.user_id, m.other_id) AND t.id = m.thread_id
 WHERE m.user_id = %(user)s AND m.thread_id = %(thread)s"""
_PERSON = "SELECT user_id FROM public_profiles WHERE handle = %(handle)s"
_INBOX = "SELECT change, unread FROM inboxes WHERE user_id = %(user)s"
_MESSAGE_COLUMNS = """
g.thread_id, g.number, g.id, g.sender_id, g.body, g.files, g.created_at, g.removed_at, g.idempotency_key"""
_MESSAGES = f"""
SELECT {_MESSAGE_COLUMNS} FROM thread_members m
  JOIN messages g ON g.person_a_id = least(m.user_id, m.other_id) AND g.thread_id = m.thread_id
 WHERE m.user_id = %(user)s AND m.thread_id = %(thread)s AND (%(before)s::integer IS NULL OR g.number < %(before)s)
 ORDER BY g.number DESC LIMIT %(limit)s"""
_MESSAGE = f"""
SELECT {_MESSAGE_COLUMNS} FROM thread_members m
  JOIN messages g ON g.person_a_id = least(m.user_id, m.other_id) AND g.thread_id = m.thread_id
 WHERE m.user_id = %(user)s AND m.thread_id = %(thread)s AND g.number = %(number)s"""
# Each branch reads the beginning of an index; a change is of one message or of one thread.
_CHANGES = f"""
WITH changed AS (
  (SELECT g.change_a AS change, {_MESSAGE_COLUMNS} FROM messages g
    WHERE g.person_a_id = %(user)s AND g.change_a > %(after)s ORDER BY g.change_a LIMIT %(limit)s)
  UNION ALL
  (SELECT g.change_b, {_MESSAGE_COLUMNS} FROM messages g
    WHERE g.person_b_id = %(user)s AND g.change_b > %(after)s ORDER BY g.change_b LIMIT %(limit)s)
), threads_changed AS (
  SELECT m.change, m.thread_id FROM thread_members m
   WHERE m.user_id = %(user)s AND m.change > %(after)s ORDER BY m.change LIMIT %(limit)s
)
SELECT x.* FROM (
  SELECT c.* FROM changed c
  UNION ALL
  SELECT t.change, t.thread_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM threads_changed t
   WHERE NOT EXISTS (SELECT FROM changed c WHERE c.change = t.change)
) x ORDER BY x.change LIMIT %(limit)s"""


@dataclass(frozen=True, slots=True)
class InboxState:
    """The last change of a person's inbox, and how many messages are unread."""

    change: int = 0
    unread: int = 0


@dataclass(frozen=True, slots=True)
class Membership:
    """A person's side of a thread."""

    other_id: UUID
    side: Side
    read_number: int
    guru_id: UUID | None


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message as the database returns it."""

    thread_id: UUID
    number: int
    id: UUID
    sender_id: UUID
    body: str
    files: list[dict[str, Any]]
    created_at: datetime
    removed_at: datetime | None
    idempotency_key: str


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A thread as the database returns it to one of its people."""

    thread_id: UUID
    side: Side
    unread: int
    muted: bool
    archived: bool
    request: bool
    last_at: datetime
    change: int
    number: int
    handle: str | None
    shown_name: str | None
    photo_id: UUID | None
    photo_url: str | None
    is_gone: bool
    label: str | None
    guru_name: str | None
    takes_messages: bool
    is_blocked: bool
    last_body: str | None
    last_files: list[dict[str, Any]] | None
    last_sent_at: datetime | None
    last_removed_at: datetime | None
    last_sender_id: UUID | None


@dataclass(frozen=True, slots=True)
class Changes:
    """A page of changes of an inbox: `threads` are the ids of threads that are shown differently now."""

    inbox: InboxState
    messages: list[MessageRow]
    threads: list[UUID]
    more: bool


async def inbox(db: Database, user_id: UUID) -> InboxState:
    """Return a person's inbox, which is empty before their first message."""
    rows = await db.read(None, _INBOX, {"user": user_id}, row=InboxState, user_id=user_id)
    return rows[0] if rows else InboxState()


async def threads(
    db: Database, user_id: UUID, *, box: Box, side: Side | None, cursor: str | None
) -> tuple[list[ThreadRow], str | None]:
    """Return a page of threads, the newest first, and the cursor of the next one. Raises ValidationFailed."""
    at, last_id = parse_cursor(cursor)
    values = {"user": user_id, "box": box, "side": side, "at": at, "id": last_id, "limit": PAGE_THREADS + 1}
    rows = await db.read(None, _THREADS, values, row=ThreadRow, user_id=user_id)
    page = rows[:PAGE_THREADS]
    has_next = len(rows) > PAGE_THREADS
    return page, encode_cursor(page[-1].last_at, page[-1].thread_id) if has_next else None


async def threads_by_id(db: Database, user_id: UUID, ids: Sequence[UUID]) -> list[ThreadRow]:
    """Return those of the threads that are the person's."""
    if not ids:
        return []
    return await db.read(None, _THREADS_BY_ID, {"user": user_id, "ids": list(ids)}, row=ThreadRow, user_id=user_id)


async def thread(db: Database, user_id: UUID, thread_id: UUID) -> ThreadRow:
    """Return a thread of the person. Raises NotFound."""
    for row in await threads_by_id(db, user_id, [thread_id]):
        return row
    raise NotFound


async def membership(db: Database, user_id: UUID, thread_id: UUID) -> Membership:
    """Return a person's side of a thread. Raises NotFound."""
    values = {"user": user_id, "thread": thread_id}
    for row in await db.read(None, _MEMBERSHIP, values, row=Membership, user_id=user_id):
        return row
    raise NotFound


async def public_person(db: Database, user_id: UUID, handle: str) -> UUID:
    """Return the person of a public profile. Raises NotFound, and ValidationFailed for the user's own."""
    other_id = await db.read_value(UUID, None, _PERSON, {"handle": handle}, user_id=user_id)
    if other_id is None:
        raise NotFound
    if other_id == user_id:
        raise ValidationFailed(fields={"handle": "This is your own profile."})
    return other_id


async def sent_at(db: Database, user_id: UUID, thread_id: UUID, number: int) -> datetime | None:
    """Return when a message of a thread was sent, or None for an unknown one."""
    values = {"user": user_id, "thread": thread_id, "number": number}
    rows = await db.read(None, _MESSAGE, values, row=MessageRow, user_id=user_id)
    return rows[0].created_at if rows else None


def require_own(row: MessageRow, user_id: UUID) -> None:
    """Raise NotFound for a message of someone else: only its sender can remove it."""
    if row.sender_id != user_id:
        raise NotFound


async def messages(db: Database, user_id: UUID, thread_id: UUID, before: int | None) -> tuple[list[MessageRow], bool]:
    """Return a page of a thread in the order of time, and whether there are earlier ones."""
    values = {"user": user_id, "thread": thread_id, "before": before, "limit": PAGE_MESSAGES + 1}
    rows = await db.read(None, _MESSAGES, values, row=MessageRow, user_id=user_id)
    return rows[:PAGE_MESSAGES][::-1], len(rows) > PAGE_MESSAGES


async def message(db: Database, user_id: UUID, thread_id: UUID, number: int) -> MessageRow:
    """Return a message of a thread of the person. Raises NotFound."""
    values = {"user": user_id, "thread": thread_id, "number": number}
    for row in await db.read(None, _MESSAGE, values, row=MessageRow, user_id=user_id):
        return row
    raise NotFound


async def changes(db: Database, user_id: UUID, after: int | None) -> Changes:
    """Return what changed in a person's inbox after a number, in its order; nothing without a number.

    The number of the inbox is read first: what is delivered meanwhile has a greater one, and comes with the next call.
    """
    now = await inbox(db, user_id)
    if after is None or after >= now.change:
        return Changes(now, [], [], False)
    values = {"user": user_id, "after": after, "limit": MAX_CHANGES + 1}
    rows = await db.read(None, _CHANGES, values, user_id=user_id)
    found: list[MessageRow] = []
    changed: dict[UUID, None] = {}
    last, more = after, len(rows) > MAX_CHANGES
    for row in rows[:MAX_CHANGES]:
        change, thread_id, number, *rest = row
        last = change
        changed[thread_id] = None
        if number is not None:
            found.append(MessageRow(thread_id, number, *rest))
    return Changes(InboxState(last if more else max(last, now.change), now.unread), found, list(changed), more)


def thread_card(row: ThreadRow, user_id: UUID, site_url: Callable[[str], str]) -> ThreadCard:
    """Return a thread as its reader sees it. `site_url` returns the address of a guru's site from its label."""
    last = None
    if row.last_sent_at is not None:
        files = [file["name"] for file in row.last_files or []]
        is_removed = row.last_removed_at is not None
        last = LastMessage(
            preview=preview(row.last_body or "", files, is_removed=is_removed),
            kind="removed" if is_removed else "text" if row.last_body else "files",
            at=clock.to_iso8601(row.last_sent_at),
            mine=row.last_sender_id == user_id,
        )
    refusal = BLOCKED if row.is_blocked else None if row.takes_messages else NOT_TAKING_MESSAGES
    guru = None
    if row.label is not None and row.guru_name is not None:
        guru = GuruName(label=row.label, name=row.guru_name, url=site_url(row.label))
    return ThreadCard(
        id=str(row.thread_id),
        guru=guru,
        side=row.side,
        other=other_person(row, guru if row.side == "person" else None),
        last=last,
        number=row.number,
        unread=row.unread,
        muted=row.muted,
        archived=row.archived,
        request=row.request,
        blocked="by_me" if row.is_blocked else "no",
        can_write=refusal is None,
        refusal=refusal,
    )


def other_person(row: ThreadRow, guru: GuruName | None) -> ThreadPerson:
    """Return the other side as the reader sees it: for a customer, the guru."""
    photo = profile_photo_url(row.photo_id, row.photo_url or "")
    if guru is not None:
        return ThreadPerson(name=guru.name, photo_url=photo, handle=None)
    name = DELETED_NAME if row.is_gone else row.shown_name or UNKNOWN_NAME
    return ThreadPerson(name=name, photo_url=photo, handle=row.handle)


def message_card(row: MessageRow, user_id: UUID) -> MessageCard:
    """Return a message as a person of its thread sees it."""
    is_own = row.sender_id == user_id
    return MessageCard(
        thread_id=str(row.thread_id),
        number=row.number,
        id=str(row.id),
        kind="text",
        mine=is_own,
        body=row.body,
        event=None,
        files=[file_card(file) for file in row.files],
        at=clock.to_iso8601(row.created_at),
        removed=row.removed_at is not None,
        idempotency_key=row.idempotency_key if is_own else None,
    )


def file_card(file: dict[str, Any]) -> MessageFileCard:
    """Return a file of a message."""
    return MessageFileCard(
        id=str(file["id"]),
        name=file["name"],
        bytes=file["bytes"],
        type=file["type"],
        is_image=file["width"] > 0,
        width=file["width"],
        height=file["height"],
    )
