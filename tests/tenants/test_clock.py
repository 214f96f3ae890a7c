"""The product's clock: one offset for Python and the database, none in production, and no cost for indexes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from secrets import token_bytes
from typing import Any

import psycopg
import pytest

from tenants.db.clock_offset import ClockMismatch, require_same_clock
from tenants.kit import clock
from tenants.kit.base64url import encode_base64url
from tests.fixtures import clock as suite_clock
from tests.fixtures.clock import INSTANT
from tests.fixtures.databases import Database
from tests.fixtures.product import run_program
from tests.porchlight.app_client import create_settings
from tests.porchlight.factories import seed_guru

SOON = timedelta(hours=1)  # the module may have waited for its turn


def values(url: str, query: str, *params: Any) -> tuple[Any, ...]:
    with psycopg.connect(url) as conn:
        row = conn.execute(query.encode(), params).fetchone()
        assert row is not None
        return row


def test_python_and_database_start_at_the_instant(database: Database) -> None:
    for url in (database.app_url, database.service_url, database.owner_url):
        (now,) = values(url, "SELECT app.now()")
        assert INSTANT - timedelta(seconds=1) <= now < INSTANT + SOON
    assert INSTANT - timedelta(seconds=1) <= clock.now() < INSTANT + SOON


def test_column_defaults_follow_the_clock(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, "dated")
        conn.execute("INSERT INTO domains (tenant_id, domain) VALUES (%s, 'dated.example')", [guru.id])
    (created,) = values(database.service_url, "SELECT created_at FROM domains WHERE domain = 'dated.example'")
    assert abs(created - clock.now()) < SOON


def test_no_column_default_reads_another_clock(database: Database) -> None:
    query = (
        "SELECT coalesce(array_agg(adrelid::regclass::text), '{}') FROM pg_attrdef d JOIN pg_class c ON c.oid = adrelid"
        " WHERE relnamespace = 'public'::regnamespace"
        " AND pg_get_expr(adbin, adrelid) ~* '(^|[^.])now\\(|current_|clock_timestamp'"
    )
    assert values(database.superuser_url, query) == ([],)


def test_audit_entries_follow_the_clock(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("SELECT pg_sleep(0.01)")
        row = conn.execute(
            "INSERT INTO audit_log (actor, action, subject_kind, subject_id, details)"
            " VALUES ('test', 'test', 'test', 'test', '{}') RETURNING at, app.now()"
        ).fetchone()
    assert row is not None
    assert timedelta(milliseconds=10) <= row[0] - row[1] < SOON  # the time of the statement, not of the transaction


def test_job_starts_at_the_time_by_the_queues_clock(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        (job,) = conn.execute(
            "SELECT app.enqueue('test', '{}', NULL, NULL, app.now() + interval '1 hour')"
        ).fetchone() or (None,)
        waits = conn.execute("SELECT scheduled_at - now() FROM jobs.procrastinate_jobs WHERE id = %s", [job]).fetchone()
    assert waits == (timedelta(hours=1),)


def test_clock_is_read_once_for_an_index_scan(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute("SET LOCAL enable_seqscan = off")
        rows = conn.execute("EXPLAIN VERBOSE SELECT id FROM sessions WHERE expires_at < app.now()").fetchall()
        plan = "\n".join(row[0] for row in rows)
        indexed = conn.execute("EXPLAIN SELECT tenant_id FROM bookings WHERE expires_at <= app.now()").fetchall()
    assert "app.now" not in plan
    assert "clock_offset" in plan
    assert any("Index Cond: (expires_at <= (now()" in row[0] for row in indexed)


def test_process_with_another_offset_does_not_start(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    require_same_clock(database.app_url)
    monkeypatch.setattr(clock, "_offset", clock.offset() + timedelta(seconds=1))
    with pytest.raises(ClockMismatch, match="PORCHLIGHT_CLOCK_OFFSET_SECONDS"):
        require_same_clock(database.app_url)


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_production_with_an_offset_does_not_start(database: Database, command: str) -> None:
    settings = create_settings(database, env="production", limits="on", clock_offset_seconds=60)
    assert any("PORCHLIGHT_CLOCK_OFFSET_SECONDS" in problem for problem in settings.problems())
    env = {
        "PORCHLIGHT_ENV": "production",
        "PORCHLIGHT_CLOCK_OFFSET_SECONDS": "60",
        "PORCHLIGHT_WAIVER_KEYS": "2026:" + encode_base64url(token_bytes(32)),
        "DATABASE_URL": database.app_url,
        "PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url,
    }
    code, output = run_program(command, env=env)
    assert (code, "PORCHLIGHT_CLOCK_OFFSET_SECONDS" in output) == (1, True), output


def test_clock_without_an_offset_is_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "_offset", timedelta(0))
    assert abs(clock.now() - datetime.now(UTC)) < SOON


@pytest.mark.parametrize("milliseconds", [0, 1, 499, 500, 501, 999])
def test_suite_clock_never_starts_before_its_instant(monkeypatch: pytest.MonkeyPatch, milliseconds: int) -> None:
    machine = datetime(2026, 11, 28, 20, 6, 12, 1000 * milliseconds, tzinfo=UTC)
    offsets: list[int] = []
    monkeypatch.setattr(clock, "machine_now", lambda: machine)
    monkeypatch.setattr(suite_clock, "use_offset", offsets.append)
    suite_clock.start_at_instant()
    late = machine + timedelta(seconds=offsets[0]) - INSTANT
    assert timedelta(0) <= late < timedelta(seconds=1)
