"""The migrations: one chain, equal to the SQL files, and safe to fail."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
import sqlalchemy.exc
from alembic import command
from alembic.script import ScriptDirectory

from porchlight.db import FOLDER
from porchlight.db.migrations import VERSIONS, UnknownRevision, config, head, upgrade
from porchlight_dev import schema
from porchlight_dev.catalog import catalog, differences
from porchlight_dev.schema_file import render
from tests.fixtures.databases import Database


def test_head_is_newest_revision() -> None:
    assert head() == ScriptDirectory.from_config(config("postgresql://unused@127.0.0.1:1/none")).get_current_head()


def test_migrated_database_equals_sql_files(database: Database, empty_database: Database) -> None:
    with psycopg.connect(empty_database.owner_url) as conn:
        schema.load(conn)
    with psycopg.connect(database.owner_url) as migrated, psycopg.connect(empty_database.owner_url) as loaded:
        tables = catalog(migrated)
        assert len(tables) > 1000
        assert differences(tables, catalog(loaded)) == [], "run `make sql-migration NAME=...`"


def test_schema_file_is_current(database: Database) -> None:
    text = (FOLDER / "schema.sql").read_text("utf-8")
    with psycopg.connect(database.owner_url) as conn:
        assert render(conn, text) == text, "run `make schema`"


def test_changed_sql_file_has_a_migration() -> None:
    assert sorted(schema.changed_files()) == [], "run `make sql-migration NAME=...`"


CHANGES = {
    "column": "ALTER TABLE leads ADD COLUMN extra text",
    "default": "ALTER TABLE leads ALTER COLUMN phone SET DEFAULT 'none'",
    "storage": "ALTER TABLE leads ALTER COLUMN message SET STORAGE EXTERNAL",
    "constraint": "ALTER TABLE leads DROP CONSTRAINT ck_leads_status",
    "index": "DROP INDEX ix_leads_tenant_id_created_at",
    "policy": "ALTER POLICY tenant ON leads USING (true)",
    "row security": "ALTER TABLE leads NO FORCE ROW LEVEL SECURITY",
    "table grant": "GRANT TRUNCATE ON leads TO porchlight_app",
    "column grant": "GRANT UPDATE (label) ON gurus TO porchlight_app",
    "function": "ALTER FUNCTION app.find_site(text) VOLATILE",
    "function grant": "GRANT EXECUTE ON FUNCTION app.find_site(text) TO PUBLIC",
    "view": "CREATE OR REPLACE VIEW public_listing_photos WITH (security_barrier) AS"
    " SELECT id, offer_id, alt, width, height, position, body, thumbnail FROM listing_photos",
    "view option": "ALTER VIEW public_listing_photos RESET (security_barrier)",
    "trigger": "ALTER TABLE posts DISABLE TRIGGER site_changed_insert",
    "type": "CREATE TYPE mood AS ENUM ('good', 'bad')",
    "queue": "DROP INDEX jobs.procrastinate_jobs_lock_idx",
    "schema grant": "GRANT CREATE ON SCHEMA app TO porchlight_app",
}


@pytest.mark.parametrize("what", CHANGES)
def test_catalog_shows_a_change(database: Database, what: str) -> None:
    with psycopg.connect(database.owner_url) as conn:
        before = catalog(conn)
        conn.execute(CHANGES[what].encode())
        assert differences(before, catalog(conn)), what
        conn.rollback()


def test_sql_files_have_comments() -> None:
    text = (FOLDER / "schema.sql").read_text("utf-8").splitlines()
    missing = [
        line for above, line in itertools.pairwise(text)
        if line.startswith("CREATE TABLE") and not above.startswith("-- ")
    ]  # fmt: skip
    assert missing == []
    for path in schema.sql_files():
        comment, _, code = path.read_text("utf-8").partition("\nCREATE ")
        called = {"functions": "Called by: ", "views": "Read by: ", "triggers": "Fires on: "}[path.parent.name]
        assert called in comment, path
        assert ("SECURITY DEFINER" in code) == ("SECURITY DEFINER" in comment), path
        if path.parent.name == "views":
            assert code.startswith(f"OR REPLACE VIEW {path.stem} WITH (security_barrier) AS"), path
            assert "\n-- As the owner: " in comment, path
        if path.parent.name == "functions":
            assert code.startswith(f"OR REPLACE FUNCTION app.{path.stem}("), path
            assert code.count("OR REPLACE FUNCTION") == 1, path


def test_sql_file_names_are_unique() -> None:
    names = Counter(f"{path.parent.name}/{path.name}" for path in schema.sql_files())
    assert [name for name, count in names.items() if count > 1] == [], "a migration knows a file by its name alone"


def test_sql_migration_copies_changed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porchlight.db.migrations.VERSIONS", tmp_path)
    (tmp_path / "0001_initial.py").touch()
    text = "".join(
        schema.MARK.format(f"{path.parent.name}/{path.name}") + path.read_text("utf-8") for path in schema.sql_files()
    )
    (tmp_path / "0001_initial.sql").write_text(text.replace("LIMIT max_results", "LIMIT 7"), "utf-8")
    changed = set(schema.changed_files())
    assert "functions/search.sql" in changed
    assert "functions/find_site.sql" not in changed
    path = schema.write_migration("Add bookings")
    assert path.name == "0002_add_bookings.py"
    assert 'down_revision = "0001"' in path.read_text("utf-8")
    assert schema.changed_files() == {}
    table_only = schema.write_migration("Add a column")
    assert 'down_revision = "0002"' in table_only.read_text("utf-8")
    assert not table_only.with_suffix(".sql").exists()


@pytest.fixture
def migrate_with(database: Database, tmp_path: Path) -> Callable[[str], None]:
    """Runs an additional migration with this SQL on the migrated database."""

    def run(sql: str) -> None:
        text = schema.migration("Test", "9999", head(), tables=sql)
        (tmp_path / "9999_test.py").write_text(text, "utf-8")
        alembic = config(database.owner_url)
        alembic.set_main_option("path_separator", "newline")
        alembic.set_main_option("version_locations", f"{VERSIONS}\n{tmp_path}")
        command.upgrade(alembic, "head")

    return run


def test_failed_migration_changes_nothing(database: Database, migrate_with: Callable[[str], None]) -> None:
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        before = catalog(conn)
        with pytest.raises(sqlalchemy.exc.ProgrammingError, match="no_such_table"):
            migrate_with("CREATE TABLE half_done (id integer); SELECT * FROM no_such_table;")
        assert differences(before, catalog(conn)) == []
        assert conn.execute("SELECT version_num FROM alembic_version").fetchall() == [(head(),)]


def test_migration_gives_up_on_a_locked_table(database: Database, migrate_with: Callable[[str], None]) -> None:
    with psycopg.connect(database.owner_url) as holder:
        holder.execute("LOCK TABLE leads IN ROW EXCLUSIVE MODE")
        started = time.monotonic()
        with pytest.raises(sqlalchemy.exc.OperationalError, match="lock timeout"):
            migrate_with("ALTER TABLE leads ADD COLUMN extra text;")
        assert 4 < time.monotonic() - started < 30


def test_upgrade_refuses_an_unknown_revision(database: Database) -> None:
    with psycopg.connect(database.owner_url) as conn:
        conn.execute("UPDATE alembic_version SET version_num = '0036'")
    try:
        with pytest.raises(UnknownRevision, match="no migration 0036, which the database has"):
            upgrade(database.owner_url)
    finally:
        with psycopg.connect(database.owner_url) as conn:
            conn.execute("UPDATE alembic_version SET version_num = %s", [head()])


def test_upgrade_at_head_loads_no_migrations(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "upgrade", lambda *_: pytest.fail("every migration was read"))
    upgrade(database.owner_url)
