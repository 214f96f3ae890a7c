"""The queries of the account export: few statements, and the same values as one query per table."""

from __future__ import annotations

import io
import json
import random
import threading
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Double,
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    SmallInteger,
    Table,
    Text,
    Uuid,
    insert,
    select,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.dialects.postgresql.psycopg import dialect
from sqlalchemy.schema import CreateTable

from porchlight.features.account import export
from porchlight.features.account.export import (
    Archive,
    OwnRows,
    collect_personal_data,
    read_own_rows,
    stream_zip,
    user_tables,
)
from porchlight.storage.folder import FolderStore
from tenants.db.pool import Database as Pool
from tenants.db.unit_of_work import unit_of_work
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database, Server
from tests.fixtures.statement_log import StatementLog

ROWS, PICTURES, STORED_FILES, REPORTS = 1, 1, 1, 1
SAMPLE = Table(
    "export_sample",
    MetaData(),
    Column("user_id", Uuid),
    Column("secret", Text, info={"private": True}),
    Column("words", Text),
    Column("word_list", ARRAY(Text())),
    Column("at", DateTime(timezone=True)),
    Column("at_list", ARRAY(DateTime(timezone=True))),
    Column("day", Date),
    Column("small", SmallInteger),
    Column("whole", Integer),
    Column("large", BigInteger),
    Column("precise", Double),
    Column("rate", Numeric(4, 1)),
    Column("yes", Boolean),
    Column("digest", LargeBinary),
    Column("details", JSONB),
)


@pytest.fixture
async def pool(database: Database) -> AsyncIterator[Pool]:
    """Connections of the role of requests."""
    async with Pool(database.app_url) as created:
        yield created


@pytest.fixture(scope="module")
def sample(database: Database) -> Table:
    """A table with a column of every type that tables of users have."""
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        create = CreateTable(SAMPLE).compile(dialect=dialect())  # type: ignore[no-untyped-call]
        conn.execute(str(create).encode())
        conn.execute("GRANT SELECT, INSERT ON export_sample TO porchlight_app")
    return SAMPLE


def _random_row(source: random.Random, user_id: UUID) -> dict[str, Any]:
    def moment() -> datetime:
        microseconds = source.choice([0, 120_000, source.randrange(1_000_000)])
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=source.randrange(9000), microseconds=microseconds)

    def words() -> str:
        return "".join(source.choice("aé\"\\\n\t'{}[]:,漢🎻 ") for _ in range(source.randrange(9)))

    values = {
        "secret": "hidden",
        "words": words(),
        "word_list": [words() for _ in range(source.randrange(3))],
        "at": moment(),
        "at_list": [moment() for _ in range(source.randrange(3))],
        "day": moment().date(),
        "small": source.randrange(-9, 9),
        "whole": source.randrange(2**31),
        "large": source.randrange(2**60, 2**62),
        "precise": source.choice([5.0, 1e22, 1e-7, source.random()]),
        "rate": Decimal(source.randrange(9999)) / 10,
        "yes": source.random() < 0.5,
        "digest": source.randbytes(source.randrange(5)),
        "details": {"b": [1, 2.5, None, words()], "a": {"at": str(moment())}},
    }
    return {"user_id": user_id} | {name: source.choice([value, value, None]) for name, value in values.items()}


def _as_json(rows: list[dict[str, Any]]) -> list[str]:
    def to_plain(value: Any) -> str:
        return value.hex() if isinstance(value, bytes) else str(value)

    return sorted(json.dumps(row, default=to_plain) for row in rows)


@pytest.mark.parametrize("seed", range(3))
async def test_own_rows_equal_those_of_one_query_per_table(pool: Pool, sample: Table, seed: int) -> None:
    source = random.Random(seed)
    user_id, other_id = new_id(), new_id()
    rows = [_random_row(source, source.choice([user_id, other_id])) for _ in range(60)]
    async with unit_of_work(pool, user_id=user_id) as session:
        await session.execute(insert(sample), rows)
        columns = [column for column in sample.c if column.name != "secret"]
        expected = (await session.execute(select(*columns).where(sample.c.user_id == user_id))).mappings().all()
        found = await read_own_rows(session, user_id, (sample,))
    assert _as_json(found["export_sample"].values()) == _as_json([dict(row) for row in expected])
    assert len(expected) > 9


def test_sample_has_every_column_type_of_users() -> None:
    columns = [column for table in user_tables() for column in table.c if not column.info.get("private")]
    assert {type(column.type).__name__ for column in columns} <= {type(column.type).__name__ for column in SAMPLE.c}


async def test_export_of_many_tables_takes_four_statements(server: Server, database: Database) -> None:
    log = StatementLog(server, database)
    user_id = new_id()
    async with Pool(database.app_url) as pool, unit_of_work(pool, user_id=user_id) as session:
        since = log.size()
        archive = await collect_personal_data(session, user_id, {})
        count = log.count(since)
    assert count == ROWS + PICTURES + STORED_FILES + REPORTS
    assert {f"{table.name}.json" for table in user_tables()} <= set(archive.entries)


async def test_large_rows_are_written_in_a_thread(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    threads: list[int] = []

    def to_json(rows: list[dict[str, Any]]) -> str:
        threads.append(threading.get_ident())
        return str(len(rows))

    monkeypatch.setattr(export, "_to_json", to_json)
    tables = {str(count): OwnRows(SAMPLE, json.dumps([{"words": "bread"}] * count)) for count in (1, 9000)}
    parts = [part async for part in stream_zip(Archive(dict(tables)), FolderStore(tmp_path))]
    with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as files:
        assert {name: files.read(name).decode() for name in files.namelist()} == {"1": "1", "9000": "9000"}
    assert threads[0] == threading.get_ident()
    assert threads[1] != threads[0]
