"""Random edits of the stored waivers, their links and the ends of their chains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from random import Random
from typing import Any

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from psycopg import sql
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from porchlight.features.waivers.audit import audit_fault
from porchlight.features.waivers.canonical import sha256_hex
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database

Connection = psycopg.Connection[Any]

# Columns that prove nothing: an earlier end of a waiver has no advantage for the person who edits it.
_FREE_COLUMNS: dict[str, set[str]] = {
    "waivers": {"idempotency_key", "digest", "ended_at", "withdrawn_at"},
    "waiver_links": set(),
    "waiver_heads": set(),
}


@contextmanager
def editable_waivers(database: Database) -> Iterator[Connection]:
    """Yield a connection that can edit waivers past triggers and constraints. Everything is undone at the end."""
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("SET LOCAL session_replication_role = replica")
        for constraint in ("sha256", "times", "level"):
            conn.execute(f"ALTER TABLE waivers DROP CONSTRAINT ck_waivers_{constraint}".encode())
        yield conn
        conn.rollback()


def missed_edits(random: Random, conn: Connection, keys: Mapping[str, Ed25519PublicKey], count: int) -> list[str]:
    """Make random edits, each undone before the next. Return those that the audit does not find."""
    missed = []
    for _ in range(count):
        with conn.transaction(force_rollback=True):
            edit = edit_stored_waivers(random, conn)
            if audit_fault(conn, keys) is None:
                missed.append(edit)
    return missed


def edit_stored_waivers(random: Random, conn: Connection) -> str:
    """Change one value of a row at random, or delete the row. Return what was changed."""
    table = random.choice(["waivers", "waivers", "waiver_links", "waiver_heads"])
    name = sql.Identifier(table)
    with conn.cursor(row_factory=dict_row) as cursor:
        row = random.choice(
            cursor.execute(sql.SQL("SELECT *, ctid::text FROM {} ORDER BY ctid").format(name)).fetchall()
        )
    position = row.pop("ctid")
    if random.random() < 0.1:
        conn.execute(sql.SQL("DELETE FROM {} WHERE ctid = %s").format(name), [position])
        return f"{table}: deleted"
    column = random.choice(sorted(set(row) - _FREE_COLUMNS[table]))
    values = {column: _other_value(random, column, row[column])}
    if column == "record" and random.random() < 0.5:  # as a forger who corrects the hash
        values["sha256"] = sha256_hex(values[column].encode())
    assignments = sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(each)) for each in values)
    statement = sql.SQL("UPDATE {} SET {} WHERE ctid = %s").format(name, assignments)
    conn.execute(statement, [*values.values(), position])
    return f"{table}: {column}"


def _other_value(random: Random, column: str, value: Any) -> Any:
    if column == "erasable":
        return Jsonb(_other_erasable(random, value))
    if column in ("id", "user_id", "guru_id"):
        return new_id()
    if isinstance(value, bool):
        return not value
    if column == "guru_text_version":
        return (value or 0) + 1
    if isinstance(value, int):
        return value + 1000
    if isinstance(value, str):
        position = random.randrange(len(value))
        letter = random.choice([c for c in "0123456789abcdefABZé李-_ " if c != value[position]])
        return value[:position] + letter + value[position + 1 :]
    if isinstance(value, bytes):
        changed = bytearray(value)
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
        return bytes(changed)
    return value + timedelta(seconds=random.choice([-1, 1, 3600, 30 * 86_400]))


def _other_erasable(random: Random, erasable: dict[str, Any]) -> dict[str, Any]:
    """Return erasable data with another value or salt, or one more entry. Fewer entries are an erasure."""
    name = random.choice([*sorted(erasable), "more"])
    if name == "more":
        return erasable | {"more": {"salt": "00", "value": "x"}}
    kept = erasable[name]
    part = random.choice(["salt", "value"])
    other = {"name": "Mallory"} if isinstance(kept[part], dict) else f"{kept[part]}0"
    return erasable | {name: kept | {part: other}}
