"""Blocks that the console reads about open bookings: few, however many have ended or were canceled."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from sqlalchemy import Select, create_engine

from porchlight.features.bookings.guru import overview, queries
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.bookings.api import NewGuru
from tests.porchlight.factories import SeededGuru, seed_booking, seed_user
from tests.tenants.isolation import set_tenant

ENDED = 3000  # of each kind
MAX_BLOCKS = 60
DIALECT = create_engine("postgresql+psycopg://").dialect
# Canceled ones ahead, past ones, and open ones of another guru.
OTHERS = """
INSERT INTO bookings
SELECT (jsonb_populate_record(b, jsonb_build_object(
         'id', gen_random_uuid(), 'person_id', gen_random_uuid(), 'hold_hash', NULL, 'status', s.status,
         'tenant_id', CASE WHEN s.is_own THEN b.tenant_id ELSE %(other)s END, 'starts_at', b.starts_at + s.shift,
         'ends_at', b.ends_at + s.shift, 'expires_at', CASE WHEN s.status = 'requested' THEN b.starts_at END))).*
  FROM bookings b, generate_series(1, %(count)s),
       (VALUES ('canceled', true, interval '0'), ('completed', true, interval '-2 years'),
               ('confirmed', false, interval '-1 hour'), ('requested', false, interval '-1 hour'))
       AS s (status, is_own, shift)
 WHERE b.id = %(booking)s"""
READS: dict[str, Select[Any]] = {
    "overview": overview._OVERVIEW,
    "requests": queries._PAGES["requests"].first,
    "number of requests": queries._REQUESTS,
    "upcoming": queries._PAGES["upcoming"].first,
}


@pytest.fixture
def guru(database: Database, new_guru: NewGuru) -> SeededGuru:
    """A guru with one open booking, among thousands that ended or are of another guru."""
    created = new_guru()
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        booked = seed_booking(conn, created, seed_user(conn))
        conn.execute("SET session_replication_role = replica")  # no triggers
        conn.execute(OTHERS, {"count": ENDED, "booking": booked, "other": new_id()})
        conn.execute("VACUUM ANALYZE bookings")
    return created


def test_ended_bookings_are_not_read(database: Database, guru: SeededGuru) -> None:
    now = clock.now()
    values = {"tenant_id": guru.id, "now": now, "today": now.date()}
    with psycopg.connect(database.app_url) as conn:
        set_tenant(conn, guru.id, acting=True)
        blocks = {name: min(_blocks(conn, read, values) for _ in range(3)) for name, read in READS.items()}
    assert max(blocks.values()) < MAX_BLOCKS, blocks


def _blocks(conn: psycopg.Connection[Any], statement: Select[Any], values: dict[str, Any]) -> int:
    """Return the blocks that one call reads. The first one reads the catalog, too."""
    call = statement.compile(dialect=DIALECT).construct_expanded_state(values)
    query = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {call.statement}"
    ((plan,),) = conn.execute(query.encode(), call.parameters).fetchall()
    top = plan[0]["Plan"]
    return int(top["Shared Hit Blocks"] + top["Shared Read Blocks"])
