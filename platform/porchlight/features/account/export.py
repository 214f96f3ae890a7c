"""The account export: a ZIP archive of all data about a user."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    Column,
    ColumnElement,
    CompoundSelect,
    DateTime,
    Float,
    LargeBinary,
    Numeric,
    Select,
    Table,
    Text,
    Uuid,
    and_,
    bindparam,
    cast,
    func,
    literal,
    literal_column,
    or_,
    select,
    text,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.types import TypeEngine

from porchlight.ports import FileGone, FileStore
from tenants.tenancy.models import Base

README_HEAD = "This archive holds the data Porchlight keeps about you: one JSON file per kind, and your uploads.\n"
README_FOLDERS = {
    "document_files/": "documents you uploaded",
    "profile_photos/": "your profile photo",
    "onboarding_photos/": "photos you uploaded in the guru setup",
    "need_photos/": "photos of your needs",
    "message_files/": "files you added to messages",
    "listing_photos/": "photos you added to your listings",
}
README_FOOT = """
Messages you left on gurus' sites belong to those gurus: ask them for a copy.
Your password is stored by the identity provider only; we never see it.
"""
MIN_THREAD_BYTES = 10_000  # of an entry that is written in a thread
_USER = bindparam("user", type_=Uuid())
_OWN_REPORTS = text("SELECT * FROM own_reports ORDER BY id")
_EXTENSIONS = {"application/pdf": (".pdf",), "image/png": (".png",), "image/jpeg": (".jpg", ".jpeg")}


@dataclass(frozen=True, slots=True)
class OwnRows:
    """A user's rows of a table, as the database's JSON array."""

    table: Table
    rows: str

    def values(self) -> list[dict[str, Any]]:
        """Return the rows with the values that the driver would return, where JSON has another form of them."""
        columns = self.table.c
        return [
            {name: _to_value(columns[name].type, value) for name, value in row.items()} for row in json.loads(self.rows)
        ]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(slots=True)
class Archive:
    """The content of an archive by file name: `entries` in memory, and `stored_files` as keys of the file store."""

    entries: dict[str, str | bytes | OwnRows] = field(default_factory=dict)
    stored_files: dict[str, str] = field(default_factory=dict)


def user_tables() -> list[Table]:
    """Return every table whose rows belong to users. A new table of a feature is in the archive by default."""
    tables = Base.metadata.sorted_tables
    # A row with `person_id` belongs to a guru too, and one with `person_a_id` to two people.
    return [
        t for t in tables if "person_id" in t.c or "person_a_id" in t.c or ("user_id" in t.c and "tenant_id" not in t.c)
    ]


def readme(personal_data: Mapping[str, str]) -> str:
    """Return the README of an archive. `personal_data`: descriptions by table name (`registry.personal_data`)."""
    entries = {f"{table}.json": text for table, text in personal_data.items()} | README_FOLDERS
    width = max(map(len, entries)) + 2
    lines = [f"{name:<{width}}{text}\n" for name, text in entries.items()]
    return f"{README_HEAD}\n{''.join(lines)}{README_FOOT}"


async def collect_personal_data(session: AsyncSession, user_id: UUID, personal_data: Mapping[str, str]) -> Archive:
    """Collect all data about a user, except secrets of the server.

    A column's `info` says how it is exported: `private` columns are not in the JSON; a `picture` is a file of its own;
    `kept` is the key of a stored file, next to the columns `name` and `kind` (its media type).
    """
    archive = Archive({"README.txt": readme(personal_data)})
    tables = tuple(user_tables())
    own = {"user": user_id}
    for name, rows in (await read_own_rows(session, user_id, tables)).items():
        archive.entries[f"{name}.json"] = rows
    for folder, image_id, body in await session.execute(_select_pictures(tables), own):
        archive.entries[f"{folder}/{image_id}.webp"] = body
    for folder, file_id, name, media_type, key in await session.execute(_select_stored_files(tables), own):
        archive.stored_files[f"{folder}/{file_id}/{_with_extension(name, media_type)}"] = key
    reports = (await session.execute(_OWN_REPORTS)).mappings().all()
    archive.entries["reports.json"] = _to_json([dict(row) for row in reports])
    return archive


async def read_own_rows(session: AsyncSession, user_id: UUID, tables: tuple[Table, ...]) -> dict[str, OwnRows]:
    """Return the user's rows of each table, without private columns. Reads all tables in one statement."""
    row_lists = (await session.execute(_select_rows(tables), {"user": user_id})).one()
    return {table.name: OwnRows(table, rows) for table, rows in zip(tables, row_lists, strict=True)}


async def drop_missing_files(archive: Archive, store: FileStore) -> None:
    """Remove files from the archive that were deleted in the meantime. Raises FileOutage."""
    for name, key in list(archive.stored_files.items()):
        try:
            await store.size(key)
        except FileGone:
            del archive.stored_files[name]


async def stream_zip(archive: Archive, store: FileStore) -> AsyncIterator[bytes]:
    """Yield the archive as a ZIP file in chunks, so that a stored file is never in memory as a whole.

    Large entries are formatted and compressed in a thread, because they take tens of milliseconds.
    """
    buffer = _ChunkBuffer()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as files:
        for name, content in archive.entries.items():
            if len(content) < MIN_THREAD_BYTES:
                _write_entry(files, name, content)
            else:
                await asyncio.to_thread(_write_entry, files, name, content)
            yield buffer.take()
        for name, key in archive.stored_files.items():
            # Not compressed: images and PDF files are compressed already.
            with files.open(zipfile.ZipInfo(name), "w") as entry:
                async for chunk in store.read(key):
                    entry.write(chunk)
                    yield buffer.take()
    yield buffer.take()


def _write_entry(files: zipfile.ZipFile, name: str, content: str | bytes | OwnRows) -> None:
    files.writestr(name, _to_json(content.values()) if isinstance(content, OwnRows) else content)


class _ChunkBuffer(io.RawIOBase):
    """A write-only, unseekable file for ZipFile, whose content is taken in chunks."""

    def __init__(self) -> None:
        self._pending = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, chunk: Any) -> int:
        self._pending += chunk
        return len(chunk)

    def take(self) -> bytes:
        """Return and remove the content written so far."""
        content = bytes(self._pending)
        self._pending.clear()
        return content


def _exported_columns(table: Table) -> list[Column[Any]]:
    return [column for column in table.c if not column.info.get("private")]


def _is_own(table: Table) -> ColumnElement[bool]:
    """Return the condition for the user's rows. Of what two people write to each other, it is what the user wrote."""
    columns = table.c
    if "sender_id" in columns:
        return and_(or_(columns.person_a_id == _USER, columns.person_b_id == _USER), columns.sender_id == _USER)
    if "person_a_id" in columns:
        return or_(columns.person_a_id == _USER, columns.person_b_id == _USER)
    return columns["person_id" if "person_id" in columns else "user_id"] == _USER


@cache
def _select_rows(tables: tuple[Table, ...]) -> Select[Any]:
    """Select one column for each table: the user's rows as a JSON array. One statement instead of one per table."""
    row_lists = []
    for table in tables:
        rows = select(*map(_to_json_column, _exported_columns(table))).where(_is_own(table)).subquery("r")
        array = func.coalesce(func.json_agg(func.row_to_json(literal_column("r"))), literal_column("'[]'"))
        row_lists.append(select(cast(array, Text)).select_from(rows).scalar_subquery().label(table.name))
    return select(*row_lists)


@cache
def _select_pictures(tables: tuple[Table, ...]) -> CompoundSelect[Any]:
    columns = [(table, column) for table in tables for column in table.c if column.info.get("picture")]
    return union_all(
        *(select(literal(table.name), table.c.id, column).where(table.c.user_id == _USER) for table, column in columns)
    )


@cache
def _select_stored_files(tables: tuple[Table, ...]) -> CompoundSelect[Any]:
    columns = [(table, column) for table in tables for column in table.c if column.info.get("kept")]
    return union_all(
        *(
            select(literal(table.name), table.c.id, table.c.name, table.c.kind, column).where(
                table.c.user_id == _USER, table.c.stored_at.is_not(None)
            )
            for table, column in columns
        )
    )


def _to_json_column(column: Column[Any]) -> ColumnElement[Any]:
    # JSON has no exact decimals and no bytes.
    if isinstance(column.type, LargeBinary):
        return func.encode(column, "hex").label(column.name)
    return cast(column, Text).label(column.name) if type(column.type) is Numeric else column


def _to_value(column_type: TypeEngine[Any], value: Any) -> Any:
    if value is None:
        return None
    if isinstance(column_type, ARRAY):
        return [_to_value(column_type.item_type, item) for item in value]
    if isinstance(column_type, DateTime):
        return datetime.fromisoformat(value)
    return float(value) if isinstance(column_type, Float) else value


def _with_extension(name: str, media_type: str) -> str:
    # An image that was uploaded as HEIC is stored as JPEG.
    extensions = _EXTENSIONS.get(media_type, ("",))
    return name if name.lower().endswith(extensions) else name + extensions[0]


def _to_json(rows: list[dict[str, Any]]) -> str:
    def to_plain(value: Any) -> str:
        return value.hex() if isinstance(value, bytes) else str(value)

    return json.dumps(rows, default=to_plain, ensure_ascii=False, indent=2)
