"""The life of a guru by the real command line, seen from outside."""

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

from tenants.directory import Directory
from tenants.kit.db import Database as Pools
from tenants.kit.errors import Conflict, ProductError
from tenants.kit.ids import new_id
from tenants.lifecycle import NewGuru, create, delete, rename, tenant_tables
from tests.platform_.world import checksum, insert, serving, tell, until, visitor
from tests.support.databases import Database
from tests.support.product import run_program


@pytest.fixture
def guru(database: Database) -> Callable[..., str]:
    """Runs `porchlight guru …`; answers what it said. A failure must be foretold."""

    def run(*words: str, fails: bool = False) -> str:
        code, said = run_program(
            "guru", *words, env={"PORCHLIGHT_OVERSEER_DATABASE_URL": database.overseer_url, "COLUMNS": "1000"}
        )
        assert (code != 0) == fails, said
        assert "Traceback" not in said
        return said

    return run


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database.overseer_url, autocommit=True) as made:
        yield made


def traces(database: Database, words: list[str]) -> list[str]:
    """Where any of these words stands: every column of every table of every schema, as text."""
    found = []
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
                found.append(".".join(table))
    return found


async def test_a_guru_is_made_found_and_refused_twice(database: Database, guru: Callable[..., str]) -> None:
    async with serving(database) as app:
        async with visitor(app, "newcomer.porchlight.localhost") as client:
            assert (await client.get("/api/gurus/newcomer/home")).status_code == 404
            assert "Newcomer is live" in guru("create", "Newcomer", "--character", "New Guru")

            async def lives() -> bool:
                return (await client.get("/api/gurus/newcomer/home")).status_code == 200

            await until("the new guru answers", lives)
            home = (await client.get("/api/gurus/newcomer/home")).json()
        assert home["guru"]["character"] == "New Guru"
        assert [(s["name"], s["price"], s["duration"], s["popular"]) for s in home["services"]] == [
            ("One-on-One Consultation", 75, "60 minutes", True),
            ("Group Workshop", 45, "90 minutes", False),
            ("Monthly Mentorship", 200, "Monthly", False),
        ]
    assert "already taken" in guru("create", "newcomer", fails=True)
    assert "reserved" in guru("create", "admin", fails=True)
    assert "at least 3" in guru("create", "ab", fails=True)
    assert "only letters" in guru("create", "a_b; DROP TABLE gurus", fails=True)
    for verb in ("suspend", "restore"):
        assert "There is no guru" in guru(verb, "nobody", fails=True)
    assert "There is no guru" in guru("rename", "nobody", "somebody", fails=True)
    assert "There is no guru" in guru("delete", "nobody", "--yes", fails=True)
    assert "There is no guru" in guru("export", "nobody", "--to", "nobody.zip", fails=True)


async def test_a_renamed_gurus_old_address_leads_to_the_new_one(
    database: Database, guru: Callable[..., str], conn: psycopg.Connection[Any]
) -> None:
    tell(conn, "oldname")
    async with serving(database) as app, visitor(app, "oldname.porchlight.localhost:8000") as client:
        assert (await client.get("/api/gurus/oldname/home")).status_code == 200
        guru("rename", "oldname", "NewName")

        async def moves() -> bool:
            return (await client.get("/api/gurus/oldname/home")).status_code == 308

        await until("the old address redirects", moves)
        for path in ("/", "/blog/post-oldname-1?from=a%20b&x=%2F", "/api/gurus/oldname/home", "/%2e%2e//evil.example/"):
            moved = await client.get(path)
            assert moved.status_code == 308
            assert moved.headers["location"] == f"http://newname.porchlight.localhost:8000{path}"
        posted = await client.post("/api/gurus/oldname/leads", json={})
        assert posted.status_code == 308
    assert "kept back" in guru("create", "oldname", fails=True)
    tell(conn, "thirdguru")
    assert "kept back" in guru("rename", "thirdguru", "oldname", fails=True)
    assert "already taken" in guru("rename", "thirdguru", "newname", fails=True)
    assert "already" in guru("rename", "thirdguru", "thirdguru", fails=True)
    guru("rename", "newname", "oldname")  # its own former label may return
    assert (
        conn.execute("SELECT label, id FROM app.find_label('newname')").fetchone()
        == conn.execute("SELECT label, id FROM gurus WHERE label = 'oldname'").fetchone()
    )


def test_an_export_holds_everything(
    database: Database, guru: Callable[..., str], conn: psycopg.Connection[Any], tmp_path: Path
) -> None:
    told, other = tell(conn, "exported"), tell(conn, "bystander")
    target = tmp_path / "exported.zip"
    guru("export", "exported", "--to", str(target))
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        for table in tenant_tables(conn):
            rows = json.loads(archive.read(f"{table}.json"))
            query = sql.SQL("SELECT count(*) FROM {} WHERE tenant_id = %s").format(sql.Identifier(table))
            assert (len(rows),) == conn.execute(query, [told.id]).fetchone(), table
        assert json.loads(archive.read("guru.json"))[0]["contact_email"] == f"{told.mark}@mail.example"
        for slug in told.slugs:
            assert told.mark.encode() in archive.read(f"posts/{slug}.md")
        everything = b"".join(archive.read(name) for name in archive.namelist())
    assert other.mark.encode() not in everything
    assert str(other.id).encode() not in everything


def test_a_deleted_guru_leaves_no_trace(
    database: Database, guru: Callable[..., str], conn: psycopg.Connection[Any]
) -> None:
    told, other = tell(conn, "erased", email="owner@erased-mail.example"), tell(conn, "remaining")
    with psycopg.connect(database.app_url) as as_app:
        for gone in (told, other):
            as_app.execute("SELECT set_config('app.tenant_id', %s, true)", [str(gone.id)])
            for _ in range(2):
                as_app.execute("SELECT app.enqueue('tell_guru_of_lead', '{\"lead_id\": \"x\"}', NULL)")
            as_app.commit()
    conn.execute(
        "INSERT INTO jobs.procrastinate_events (job_id, type) SELECT id, 'deferred' FROM jobs.procrastinate_jobs"
    )
    for gone in (told, other):
        insert(conn, "mailbox", {
            "id": new_id(), "key": f"lead-{gone.label}", "tenant_id": gone.id, "subject": "x", "plain": gone.mark,
            "recipient": f"owner@{gone.label}-mail.example", "html": "",
        })  # fmt: skip
    words = [str(told.id), told.label, told.mark, "owner@erased-mail.example"]
    before = checksum(conn, other)
    assert {"public.gurus", "public.leads", "public.mailbox", "jobs.procrastinate_jobs"} <= set(traces(database, words))
    assert "Aborted" in guru("delete", "erased", fails=True)  # nobody answered the question
    guru("delete", "erased", "--yes")
    # The log of acts keeps that it was done, to which label; nothing else.
    assert traces(database, words) == ["public.audit_log"]
    assert traces(database, [word for word in words if word != told.label]) == []
    assert checksum(conn, other) == before
    guru("create", "erased")  # free again


def _race(database: Database, acts: list[Callable[[psycopg.Connection[Any]], Any]]) -> list[str]:
    """Run acts at the same moment, a connection and a transaction each: "won", or why not."""
    ready = threading.Barrier(len(acts))

    def one(act: Callable[[psycopg.Connection[Any]], Any]) -> str:
        with psycopg.connect(database.overseer_url) as conn:
            conn.execute("SELECT 1")
            ready.wait(60)
            try:
                act(conn)
                conn.commit()
            except ProductError as refused:
                return refused.code
        return "won"

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(one, acts))


def test_of_two_who_want_one_label_one_gets_it(database: Database, conn: psycopg.Connection[Any]) -> None:
    for number in range(10):
        label = f"wanted-{number}"
        outcomes = _race(database, [lambda c, label=label: create(c, NewGuru(label, "x"))] * 4)  # type: ignore[misc]
        assert sorted(outcomes) == [Conflict.code] * 3 + ["won"]
    assert conn.execute("SELECT count(*) FROM gurus WHERE label LIKE 'wanted-%'").fetchone() == (10,)


def test_a_label_that_is_just_being_given_up_is_nobodys_to_take(
    database: Database, conn: psycopg.Connection[Any]
) -> None:
    for number in range(10):
        old = f"leaving-{number}"
        create(conn, NewGuru(old, "x"))
        outcomes = _race(
            database,
            [
                lambda c, old=old: rename(c, old, old + "-new"),  # type: ignore[misc]
                lambda c, old=old: create(c, NewGuru(old, "thief")),  # type: ignore[misc]
                lambda c, old=old: create(c, NewGuru(old + "-new", "x")),  # type: ignore[misc]
            ],
        )
        assert outcomes.count("won") == 1 or outcomes[:2] == ["won", Conflict.code], outcomes
        found = conn.execute("SELECT count(*) FROM app.find_label(%s) WHERE label = %s", [old, old]).fetchone()
        retired = conn.execute("SELECT count(*) FROM retired_labels WHERE label = %s", [old]).fetchone()
        assert found is not None
        assert retired is not None
        assert found[0] + retired[0] == 1


def test_what_is_written_while_a_guru_is_deleted_is_deleted_too(
    database: Database, conn: psycopg.Connection[Any]
) -> None:
    told = tell(conn, "closing")
    with psycopg.connect(database.app_url) as late, psycopg.connect(database.overseer_url) as eraser:
        late.execute("SELECT set_config('app.tenant_id', %s, true)", [str(told.id)])
        late.execute("UPDATE leads SET status = 'archived'")
        insert(late, "daily_visits", {"tenant_id": told.id, "day": "2020-01-01", "visitors": 1})
        with ThreadPoolExecutor(1) as thread:
            erased = thread.submit(lambda: (delete(eraser, "closing"), eraser.commit()))
            while not conn.execute(
                "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            ).fetchall():
                assert not erased.done()
            late.execute("SELECT app.enqueue('tell_guru_of_lead', '{}', NULL)")
            late.commit()
            erased.result(60)
    assert traces(database, [str(told.id), told.mark]) == []


async def test_a_directory_asks_again_only_for_what_changed(database: Database, conn: psycopg.Connection[Any]) -> None:
    told, other = tell(conn, "namesake"), tell(conn, "neighbour")
    async with Pools(database.app_url) as db:
        directory = Directory(db)
        directory.heard(True)
        found = await directory.named("namesake")
        assert found is not None
        assert (found.id, found.suspended) == (told.id, False)
        assert await directory.named("nobody-here") is None
        assert (await directory.named(told.domain, domain=True)) == found
        assert (await directory.named(told.former)) == found
        conn.execute("UPDATE gurus SET status = 'suspended' WHERE id IN (%s, %s)", [told.id, other.id])
        directory.forget_tenant(told.id)
        for name, domain in (("namesake", False), (told.domain, True), (told.former, False)):
            again = await directory.named(name, domain=domain)
            assert again is not None
            assert again.suspended
        for number in range(6000):
            directory._remember(f"random-{number}", None, 1e12)
        assert len(directory._unknown) == 5000
        assert "namesake" in directory._known
