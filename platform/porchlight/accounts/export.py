"""Everything we hold about a person, as one archive they can read."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import Table, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.ports import FileGone, FileStore
from tenants.models import Base

README = """This archive holds what Porchlight keeps about you, one file per kind, in JSON.

users.json      your account
profiles.json   your profile, with what you let others see
sessions.json   where you are signed in (the cookies themselves are kept by your browsers alone)
domain_sessions.json  gurus' own domains where you are signed in
skill_offers.json, skill_wants.json  what you teach and want to learn
whereabouts.json  roughly where you are and when you are free, as matches know it
swap_ring_members.json  swap rings you were asked about
saved_searches.json  searches you are mailed about
documents.json, document_events.json  documents you sent in, and what became of them
document_files/ the documents you uploaded, as we keep them
photos/         your photo, if you gave one
need_photos/    photos of what you asked for help with
listing_photos/ photos of what you teach

Messages you left on gurus' sites belong to those gurus' correspondence: ask them for a copy.
Your password is known to the identity service alone; we never see it.
"""
_ENDINGS = {"application/pdf": (".pdf",), "image/png": (".png",), "image/jpeg": (".jpg", ".jpeg")}


@dataclass(slots=True)
class Archive:
    """What goes into an archive: texts and pictures by their names in it, and names of files in the store."""

    parts: dict[str, str | bytes] = field(default_factory=lambda: {"README.txt": README})
    kept: dict[str, str] = field(default_factory=dict)


def own_tables() -> list[Table]:
    """Every table with rows of users: one that a later feature adds is in the archive by itself."""
    return [table for table in Base.metadata.sorted_tables if "user_id" in table.c and "tenant_id" not in table.c]


async def gathered(session: AsyncSession, user_id: UUID) -> Archive:
    """Everything of the user's; secrets of the server are left out.

    Columns say by their `info` what they are: `private` ones are not shown; a `picture` is a file of its own, and
    `kept` names one in the store (beside it stand the `name` it came with and its `kind`).
    """
    made = Archive()
    for table in own_tables():
        columns = [column for column in table.c if not column.info.get("private")]
        rows = (await session.execute(select(*columns).where(table.c.user_id == user_id))).mappings().all()
        made.parts[f"{table.name}.json"] = _json([dict(row) for row in rows])
        for column in table.c:
            if column.info.get("picture"):
                pictures = await session.execute(select(table.c.id, column).where(table.c.user_id == user_id))
                made.parts |= {f"{table.name}/{picture_id}.webp": body for picture_id, body in pictures}
            elif column.info.get("kept"):
                there = select(table.c.id, table.c.name, table.c.kind, column).where(
                    table.c.user_id == user_id, table.c.stored_at.is_not(None)
                )
                for file_id, name, kind, key in await session.execute(there):
                    made.kept[f"{table.name}/{file_id}/{_with_ending(name, kind)}"] = key
    return made


async def only_there(archive: Archive, store: FileStore) -> None:
    """Leave out files that are gone meanwhile. Raises FileOutage before anything was answered."""
    for name, key in list(archive.kept.items()):
        try:
            await store.size(key)
        except FileGone:
            del archive.kept[name]


async def streamed(archive: Archive, store: FileStore) -> AsyncIterator[bytes]:
    """The archive as ZIP, piece by piece: never more than a piece of a kept file is in memory."""
    out = _Outlet()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as files:
        for name, body in archive.parts.items():
            files.writestr(name, body)
            yield out.taken()
        for name, key in archive.kept.items():
            # Pictures and PDFs do not get smaller.
            with files.open(zipfile.ZipInfo(name), "w") as entry:
                async for piece in store.read(key):
                    entry.write(piece)
                    yield out.taken()
    yield out.taken()


class _Outlet(io.RawIOBase):
    """What a ZipFile writes to, to be taken away as it comes. It cannot go back, and ZipFile asks for no more."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._waiting += piece
        return len(piece)

    def taken(self) -> bytes:
        waiting = bytes(self._waiting)
        self._waiting.clear()
        return waiting


def _with_ending(name: str, kind: str) -> str:
    # A picture that came as HEIC is a JPEG now.
    endings = _ENDINGS.get(kind, ("",))
    return name if name.lower().endswith(endings) else name + endings[0]


def _json(rows: list[dict[str, Any]]) -> str:
    def plain(value: Any) -> str:
        return value.hex() if isinstance(value, bytes) else str(value)

    return json.dumps(rows, default=plain, ensure_ascii=False, indent=2)
