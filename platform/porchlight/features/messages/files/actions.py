"""Files of messages: uploaded before the message is sent, and read by its two people."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.messages.files import formats
from porchlight.features.messages.models import MessageFile
from porchlight.ports import FileStore
from tenants.db.counted_limits import lock_count
from tenants.db.pool import Database
from tenants.db.rows import Connection
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock, images
from tenants.kit.errors import Limited, NotFound, TooLarge, ValidationFailed
from tenants.kit.ids import new_id

MAX_UPLOADS_A_DAY = 100
DAY = timedelta(days=1)
UNUSED_TTL = DAY
MAX_SIDE = 1600  # pixels of the longer side
THUMBNAIL_SIDE = 480
_FILE = "SELECT id, key, name, kind, size, thumbnail FROM visible_message_files WHERE id = %(id)s"
_DELETE_UNUSED = "DELETE FROM message_files WHERE thread_id IS NULL AND created_at < %s"
DELETE_FILE_TASK = "messages:delete_file"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file as it is stored. `thumbnail`, `width` and `height`: of an image."""

    content: bytes
    kind: str
    name: str
    thumbnail: bytes | None = None
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that the reader may see."""

    id: UUID
    key: str
    name: str
    kind: str
    size: int
    thumbnail: bytes | None


async def check_file(content: bytes, name: str, *, owner: UUID) -> CheckedFile:
    """Return what is stored of an upload: a photo without its metadata, any other file as it is.

    Raises ValidationFailed for a file of another kind, TooLarge, and the errors of the image queue.
    """
    if not content:
        raise ValidationFailed(fields={"file": "This file is empty."})
    if len(content) > formats.MAX_FILE_BYTES:
        raise TooLarge("That file is too large. Please choose one up to 10 MB.")
    if not formats.is_image(content):
        kind = await asyncio.to_thread(formats.document_type, content)
        if kind is None:
            raise ValidationFailed(fields={"file": formats.ACCEPTED})
        return CheckedFile(content, kind, formats.shown_name(name, kind))
    if len(content) > images.MAX_UPLOAD_BYTES:
        raise TooLarge("That photo is too large. Please choose one up to 8 MB.")
    photo = await images.reencode_image(content, (MAX_SIDE, MAX_SIDE), owner=owner, field="file")
    small = await images.reencode_image(photo.data, (THUMBNAIL_SIDE, THUMBNAIL_SIDE), owner=owner, field="file")
    shown = formats.shown_name(name, formats.WEBP)
    return CheckedFile(photo.data, formats.WEBP, shown, small.data, photo.width, photo.height)


async def create_upload(session: AsyncSession, user_id: UUID, *, is_limited: bool) -> tuple[UUID, str]:
    """Insert the row of an upload before its file is stored. Return its id and its secret key. Raises Limited.

    A crash in between leaves a row without a file, which is deleted later, rather than a file without a row.
    """
    await lock_count(session, "message files", user_id)
    recent = select(func.count()).select_from(MessageFile)
    recent = recent.where(MessageFile.user_id == user_id, MessageFile.created_at > clock.now() - DAY)
    if is_limited and (await session.scalar(recent) or 0) >= MAX_UPLOADS_A_DAY:
        raise Limited("You've added a lot of files today. Please try again tomorrow.", retry_after=3600)
    file_id, random = new_id(), secrets.token_urlsafe(32)
    key = f"messages/{random[:2]}/{random}"
    session.add(MessageFile(user_id=user_id, id=file_id, key=key, name=""))
    return file_id, key


async def store_file(db: Database, store: FileStore, user_id: UUID, checked: CheckedFile, *, is_limited: bool) -> UUID:
    """Store a file for a message to come. Return its id. Raises Limited, FileOutage."""
    async with unit_of_work(db, user_id=user_id) as session:
        file_id, key = await create_upload(session, user_id, is_limited=is_limited)
    with tempfile.TemporaryDirectory(prefix="porchlight-message-") as folder:
        path = Path(folder) / "file"
        await asyncio.to_thread(path.write_bytes, checked.content)
        await store.put(key, path, checked.kind)
    async with unit_of_work(db, user_id=user_id) as session:
        await session.execute(
            update(MessageFile)
            .where(MessageFile.user_id == user_id, MessageFile.id == file_id)
            .values(
                name=checked.name,
                kind=checked.kind,
                size=len(checked.content),
                width=checked.width,
                height=checked.height,
                thumbnail=checked.thumbnail,
                stored_at=clock.now(),
            )
        )
    return file_id


async def visible_file(db: Database, user_id: UUID, file_id: UUID) -> StoredFile:
    """Return a file that the user uploaded or got. Raises NotFound."""
    for row in await db.read(None, _FILE, {"id": file_id}, row=StoredFile, user_id=user_id):
        return row
    raise NotFound


def delete_unused_files(conn: Connection) -> int:
    """Delete the uploads that no message used, as the service role. Return how many; a trigger deletes their files."""
    return conn.execute(_DELETE_UNUSED, [clock.now() - UNUSED_TTL]).rowcount
