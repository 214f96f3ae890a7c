"""Blocking people, and ending a block. It works both ways at once, and the other person does not learn of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tenants.db.pool import Database
from tenants.kit.errors import Conflict

MAX_BLOCKS = 1000
_LIST = """
SELECT id, created_at, shown_name, photo_id, photo_url, is_gone FROM blocked_people
 ORDER BY created_at DESC, id LIMIT %(limit)s"""
_BLOCK = """
WITH added AS (
  INSERT INTO blocks (user_id, blocked_id)
  SELECT %(user)s, %(other)s
   WHERE (SELECT count(*) FROM (SELECT FROM blocks b WHERE b.user_id = %(user)s LIMIT %(most)s) c) < %(most)s
  ON CONFLICT DO NOTHING RETURNING blocked_id
)
SELECT a.blocked_id FROM added a
 UNION ALL
SELECT b.blocked_id FROM blocks b WHERE b.user_id = %(user)s AND b.blocked_id = %(other)s"""
_UNBLOCK = "DELETE FROM blocks WHERE user_id = %(user)s AND blocked_id = %(other)s"
_UNBLOCK_BY_ID = "DELETE FROM blocks WHERE user_id = %(user)s AND id = %(id)s"


class TooManyBlocks(Conflict):
    """The user blocked as many people as the list holds."""

    code = "quota_exceeded"
    message = "Your list of blocked neighbors is full. Remove someone from it first."


@dataclass(frozen=True, slots=True)
class BlockedRow:
    """A person whom the user blocked. `id`: of the block. `is_gone`: the account was deleted."""

    id: UUID
    created_at: datetime
    shown_name: str | None
    photo_id: UUID | None
    photo_url: str | None
    is_gone: bool


async def blocked_people(db: Database, user_id: UUID) -> list[BlockedRow]:
    """Return the people whom the user blocked, the newest first."""
    return await db.read(None, _LIST, {"limit": MAX_BLOCKS}, row=BlockedRow, user_id=user_id)


async def block_person(db: Database, user_id: UUID, other_id: UUID) -> None:
    """Block someone. A second time changes nothing. Raises TooManyBlocks."""
    values = {"user": user_id, "other": other_id, "most": MAX_BLOCKS}
    if not await db.write(None, _BLOCK, values, user_id=user_id):
        raise TooManyBlocks


async def unblock_person(db: Database, user_id: UUID, other_id: UUID) -> None:
    """End the block of someone, if there is one."""
    await db.write(None, _UNBLOCK, {"user": user_id, "other": other_id}, user_id=user_id)


async def end_block(db: Database, user_id: UUID, block_id: UUID) -> None:
    """End a block of the user's list. One that has ended is no error."""
    await db.write(None, _UNBLOCK_BY_ID, {"user": user_id, "id": block_id}, user_id=user_id)
