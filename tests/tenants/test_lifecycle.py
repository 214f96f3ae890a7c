"""The lifecycle of a guru through the command line, as seen by visitors."""

from __future__ import annotations

import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from tenants.db.pool import Database as Pools
from tenants.kit.errors import Conflict, ProductError
from tenants.kit.ids import new_id
from tenants.tenancy.directory import Directory
from tenants.tenancy.lifecycle import NewGuru, create_guru, delete_guru, rename_guru, tenant_tables
from tenants.tenancy.on_demand_tls import is_certificate_allowed
from tests.fixtures.command_line import run_command
from tests.fixtures.databases import Database
from tests.porchlight.app_client import http_client, run_app, wait_until
from tests.porchlight.factories import insert_row, row_digests, seed_guru

BOOKS = ["public.invoices", "public.payments", "public.refunds", "public.session_disputes"]  # kept for seven years


@pytest.fixture
def guru(database: Database) -> Callable[..., str]:
    """Return a function that runs `porchlight guru …` and returns its output. `fails` declares an expected failure."""

    def run(*words: str, fails: bool = False) -> str:
        code, output = run_command(
            "guru", *words, env={"PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url, "COLUMNS": "1000"}
        )
        assert (code != 0) == fails, output
        assert "Traceback" not in output
        return output

    return run


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database.service_url, autocommit=True) as connection:
        yield connection


def tables_containing(database: Database, words: list[str]) -> list[str]:
    """Return the tables that contain any of these words, in any column, over all schemas."""
    result = []
    with psycopg.connect(database.superuser_url) as conn:
        tables = conn.execute(
            "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        assert ("jobs", "procrastinate_jobs") in tables
        for table in tables:
            query = sql.SQL("SELECT count(*) FROM {} t WHERE t::text ILIKE ANY (%s)").format(sql.Identifier(*table))
            row = conn.execute(query, [[f"%{word}%" for word in words]]).fetchone()
            if row and row[0]:
                result.append(".".join(table))
    return result


async def test_create_guru_puts_site_online_once(database: Database, guru: Callable[..., str]) -> None:
    async with run_app(database) as app:
        async with http_client(app, "newcomer.porchlight.localhost") as client:
            assert (await client.get("/api/gurus/newcomer/home")).status_code == 404
            assert "Newcomer is live" in guru("create", "Newcomer", "--character", "New Guru")

            async def is_online() -> bool:
                return (await client.get("/api/gurus/newcomer/home")).status_code == 200

            await wait_until("the new site is online", is_online)
            home = (await client.get("/api/gurus/newcomer/home")).json()
        assert home["guru"]["character"] == "New Guru"
        assert [(s["name"], s["price"], s["duration"], s["popular"]) for s in home["services"]] == [
            ("One-on-One Consultation", 75, "60 minutes", False),
            ("Group Workshop", 45, "90 minutes", False),
            ("Monthly Mentorship", 200, "Monthly", False),
        ]
    assert "already taken" in guru("create", "newcomer", fails=True)
    assert "reserved" in guru("create", "admin", fails=True)
    assert "at least 3" in guru("create", "ab", fails=True)
    assert "only letters" in guru("create", "a_b; DROP TABLE gurus", fails=True)
    for verb in ("suspend", "restore"):
        assert "There is no guru" in guru(verb, "unknown", fails=True)
    assert "There is no guru" in guru("rename", "unknown", "renamed", fails=True)
    assert "There is no guru" in guru("delete", "unknown", "--yes", fails=True)
    assert "There is no guru" in guru("export", "unknown", "--to", "unknown.zip", fails=True)


async def test_rename_guru_redirects_old_label(
    database: Database, guru: Callable[..., str], conn: psycopg.Connection[Any]
) -> None:
    seed_guru(conn, "oldname")
    async with run_app(database) as app, http_client(app, "oldname.porchlight.localhost:8000") as client:
        assert (await client.get("/api/gurus/oldname/home")).status_code == 200
        guru("rename", "oldname", "NewName")

        async def redirects() -> bool:
            return (await client.get("/api/gurus/oldname/home")).status_code == 308

        await wait_until("the old label redirects", redirects)
        for path in ("/", "/blog/post-oldname-1?from=a%20b&x=%2F", "/api/gurus/oldname/home", "/%2e%2e//evil.example/"):
            redirect = await client.get(path)
            assert redirect.status_code == 308
            assert redirect.headers["location"] == f"http://newname.porchlight.localhost:8000{path}"
        posted = await client.post("/api/gurus/oldname/leads", json={})
        assert posted.status_code == 308
    assert "reserved" in guru("create", "oldname", fails=True)
    seed_guru(conn, "thirdguru")
    assert "reserved" in guru("rename", "thirdguru", "oldname", fails=True)
    assert "already taken" in guru("rename", "thirdguru", "newname", fails=True)
    assert "already" in guru("rename", "thirdguru", "thirdguru", fails=True)
    guru("rename", "newname", "oldname")  # a guru can return to their own former label
    assert (
        conn.execute("SELECT label, id FROM app.find_site('newname')").fetchone()
        == conn.execute("SELECT label, id FROM gurus WHERE label = 'oldname'").fetchone()
    )


def test_export_guru_contains_all_data(
    database: Database, guru: Callable[..., str], conn: psycopg.Connection[Any], tmp_path: Path
) -> None:
    own, other = seed_guru(conn, "exported"), seed_guru(conn, "bystander")
    target = tmp_path / "exported.zip"
    guru("export", "exported", "--to", str(target))
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        for table in tenant_tables(conn):
            rows = json.loads(archive.read(f"{table}.json"))
            query = sql.SQL("SELECT count(*) FROM {} WHERE tenant_id = %s").format(sql.Identifier(table))
            assert (len(rows),) == conn.execute(query, [own.id]).fetchone(), table
        assert json.loads(archive.read("guru.json"))[0]["contact_email"] == f"{own.mark}@mail.example"
        for slug in own.slugs:
            assert own.mark.encode() in archive.read(f"posts/{slug}.md")
        everything = b"".join(archive.read(name) for name in archive.namelist())
    ((address_token,),) = conn.execute("SELECT token FROM lead_addresses WHERE tenant_id = %s", [own.id]).fetchall()
    assert str(address_token).encode() not in everything  # with it, the guru could confirm an address
    assert other.mark.encode() not in everything
    assert str(other.id).encode() not in everything


def test_delete_guru_removes_all_data(
    database: Database, guru: Callable[..., str], conn: psycopg.Connection[Any]
) -> None:
    own, other = seed_guru(conn, "erased", email="owner@erased-mail.example"), seed_guru(conn, "remaining")
    with psycopg.connect(database.app_url) as as_app:
        for tenant in (own, other):
            as_app.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tenant.id)])
            for _ in range(2):
                as_app.execute("SELECT app.enqueue_task('leads:notify_guru', '{\"lead_id\": \"x\"}', false)")
            as_app.commit()
    conn.execute(
        "INSERT INTO jobs.procrastinate_events (job_id, type) SELECT id, 'deferred' FROM jobs.procrastinate_jobs"
    )
    for tenant in (own, other):
        insert_row(conn, "dev_mailbox", {
            "id": new_id(), "key": f"lead-{tenant.label}", "tenant_id": tenant.id, "subject": "x", "plain": tenant.mark,
            "recipient": f"owner@{tenant.label}-mail.example", "html": "",
        })  # fmt: skip
    words = [str(own.id), own.label, own.mark, "owner@erased-mail.example"]
    before = row_digests(conn, other)
    assert {"public.gurus", "public.leads", "public.dev_mailbox", "jobs.procrastinate_jobs"} <= set(
        tables_containing(database, words)
    )
    assert "Aborted" in guru("delete", "erased", fails=True)  # the confirmation is missing
    guru("delete", "erased", "--yes")
    # The audit log keeps the action and the label, and the books keep amounts and ids; nothing else is left.
    assert sorted(tables_containing(database, words)) == ["public.audit_log", *BOOKS]
    assert sorted(tables_containing(database, [word for word in words if word != own.label])) == BOOKS
    # An issued invoice keeps the name of its guru for seven years (docs/MONEY.md 11).
    assert tables_containing(database, [own.mark, "owner@erased-mail.example"]) == ["public.invoices"]
    assert row_digests(conn, other) == before
    guru("create", "erased")  # the label is available again


def _race(database: Database, actions: list[Callable[[psycopg.Connection[Any]], Any]]) -> list[str]:
    """Run actions concurrently, each in its own connection and transaction. Return "done" or the error code of each."""
    ready = threading.Barrier(len(actions))

    def run(action: Callable[[psycopg.Connection[Any]], Any]) -> str:
        with psycopg.connect(database.service_url) as conn:
            conn.execute("SELECT 1")
            ready.wait(60)
            try:
                action(conn)
                conn.commit()
            except ProductError as error:
                return error.code
        return "done"

    with ThreadPoolExecutor(len(actions)) as threads:
        return list(threads.map(run, actions))


def test_concurrent_create_guru_succeeds_once_per_label(database: Database, conn: psycopg.Connection[Any]) -> None:
    for number in range(10):
        label = f"wanted-{number}"
        outcomes = _race(database, [lambda c, label=label: create_guru(c, NewGuru(label, "x"))] * 4)  # type: ignore[misc]
        assert sorted(outcomes) == [Conflict.code] * 3 + ["done"]
    assert conn.execute("SELECT count(*) FROM gurus WHERE label LIKE 'wanted-%'").fetchone() == (10,)


def test_create_guru_during_rename_cannot_take_label(database: Database, conn: psycopg.Connection[Any]) -> None:
    for number in range(10):
        old = f"leaving-{number}"
        create_guru(conn, NewGuru(old, "x"))
        outcomes = _race(
            database,
            [
                lambda c, old=old: rename_guru(c, old, old + "-new"),  # type: ignore[misc]
                lambda c, old=old: create_guru(c, NewGuru(old, "thief")),  # type: ignore[misc]
                lambda c, old=old: create_guru(c, NewGuru(old + "-new", "x")),  # type: ignore[misc]
            ],
        )
        assert outcomes.count("done") == 1 or outcomes[:2] == ["done", Conflict.code], outcomes
        result = conn.execute("SELECT count(*) FROM app.find_site(%s) WHERE label = %s", [old, old]).fetchone()
        retired = conn.execute("SELECT count(*) FROM retired_labels WHERE label = %s", [old]).fetchone()
        assert result is not None
        assert retired is not None
        assert result[0] + retired[0] == 1


def test_delete_guru_removes_concurrent_writes(database: Database, conn: psycopg.Connection[Any]) -> None:
    own = seed_guru(conn, "closing")
    with psycopg.connect(database.app_url) as app_conn, psycopg.connect(database.service_url) as service:
        app_conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(own.id)])
        app_conn.execute("UPDATE leads SET status = 'archived'")
        insert_row(app_conn, "daily_visits", {"tenant_id": own.id, "day": "2020-01-01", "visitors": 1})

        def delete() -> None:
            delete_guru(service, "closing")
            service.commit()

        with ThreadPoolExecutor(1) as thread:
            deletion = thread.submit(delete)
            while not conn.execute(
                "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            ).fetchall():
                assert not deletion.done()
            app_conn.execute("SELECT app.enqueue_task('leads:notify_guru', '{}', false)")
            app_conn.commit()
            deletion.result(60)
    assert sorted(tables_containing(database, [str(own.id), own.mark])) == BOOKS


async def test_certificate_of_new_domain_ignores_cached_miss(database: Database, conn: psycopg.Connection[Any]) -> None:
    """The first handshake follows the verification at once, maybe before the cache is invalidated."""
    own = seed_guru(conn, "freshly-verified")
    async with Pools(database.app_url) as db:
        directory = Directory(db)
        directory.on_connection_change(True)
        directory._store(own.domain, None, 1e12)
        assert await directory.find_by_name(own.domain) is None
        assert await is_certificate_allowed(directory, "porchlight.localhost", own.domain)
        assert await directory.find_by_name(own.domain) is not None


async def test_directory_invalidates_only_changed_tenant(database: Database, conn: psycopg.Connection[Any]) -> None:
    own, other = seed_guru(conn, "namesake"), seed_guru(conn, "neighbor")
    async with Pools(database.app_url) as db:
        directory = Directory(db)
        directory.on_connection_change(True)
        result = await directory.find_by_name("namesake")
        assert result is not None
        assert (result.id, result.is_suspended) == (own.id, False)
        assert await directory.find_by_name("unknown-here") is None
        assert (await directory.find_by_name(own.domain)) == result
        assert (await directory.find_by_name(own.former)) == result
        conn.execute("UPDATE gurus SET status = 'suspended' WHERE id IN (%s, %s)", [own.id, other.id])
        directory.invalidate_tenant(own.id)
        for name in ("namesake", own.domain, own.former):
            again = await directory.find_by_name(name)
            assert again is not None
            assert again.is_suspended
        for number in range(6000):
            directory._store(f"random-{number}", None, 1e12)
        assert len(directory._unknown) == 5000
        assert "namesake" in directory._known
