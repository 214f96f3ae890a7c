"""`make schema` and `make sql-migration`: keep the SQL files and the migrations in agreement."""

from __future__ import annotations

import contextlib
import re
import socket
import sys
import tempfile
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import psycopg

import porchlight
import sites
import tenants
from porchlight.db import FOLDER, migrations, queue_schema
from porchlight_dev.postgres.server import DATABASE, SUPERUSER, LocalPostgres
from porchlight_dev.schema_file import render
from tenants.db import roles
from tenants.db.rows import Connection

# Their packages hold SQL files in folders `sql/functions`, `sql/views` and `sql/triggers`.
ROOTS = [Path(folder) for package in (tenants, sites, porchlight) for folder in package.__path__]

# Above each file that a migration copies: the newest copy shows what the database has.
MARK = "-- file: {}\n"
_COPY = re.compile(r"^-- file: (\S+)\n(.*?)(?=^-- file: |\Z)", re.MULTILINE | re.DOTALL)

MIGRATION = '''"""{title}."""

from __future__ import annotations

{imports}

revision = "{revision}"
down_revision = "{previous}"
branch_labels = None
depends_on = None

TABLES = """
{tables}
"""


def upgrade() -> None:
    """Change the tables{subjects}."""
    run_sql(op.get_bind(), TABLES)
{more}

def downgrade() -> None:
    """Fail: migrations go forward only."""
    raise RuntimeError("Migrations go forward only: restore a backup instead.")
'''
IMPORTS = """from alembic import op

from porchlight.db.migrations import run_sql"""
IMPORTS_WITH_FILES = """from pathlib import Path

from alembic import op

from porchlight.db.migrations import run_script, run_sql"""


FIRST = "0001"
INITIAL = '''"""The whole schema, as the SQL files of `porchlight/db` and of the features were at this revision."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from porchlight.db import queue_schema
from porchlight.db.migrations import run_script

revision = "{revision}"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the schema."""
    op.get_bind().exec_driver_sql(queue_schema().replace("%", "%%"))  # psycopg reads % as a placeholder
    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))


def downgrade() -> None:
    """Fail: there is no earlier revision."""
    raise RuntimeError("{revision} is the first migration. To undo it, drop the database.")
'''


def function_files() -> list[Path]:
    """Return the files of SQL functions of all packages, by name: one function each, with its grants."""
    return _files("functions")


def view_files() -> list[Path]:
    """Return the files of views of all packages, each after the views that it reads: one view each, with its grants."""
    files = {path.stem: path for path in _files("views")}
    reads = {name: files.keys() & set(re.findall(r"\w+", path.read_text("utf-8"))) for name, path in files.items()}
    order = TopologicalSorter({name: sorted(reads[name] - {name}) for name in files})
    return [files[name] for name in order.static_order()]


def trigger_files() -> list[Path]:
    """Return the files of triggers of all packages, by name: one family each, with its functions."""
    return _files("triggers")


def sql_files() -> list[Path]:
    """Return the files whose whole text a migration can run again: functions, views and triggers."""
    return [*view_files(), *function_files(), *trigger_files()]


def script(conn: Connection) -> str:
    """Return all SQL files in an order in which an empty database accepts them; they are run through `conn`.

    Policies need functions, and some functions take rows of a table: a function that fails before its table, or a
    function of its defaults, exists comes after the tables.
    """
    foundation, _, tables = (FOLDER / "schema.sql").read_text("utf-8").partition("-- == ")
    parts = [("schema.sql", foundation)]
    conn.execute("SET LOCAL check_function_bodies = off")
    conn.execute(foundation.encode())
    functions = function_files()
    early = [path for path in functions if _accepts(conn, path)]
    rest = [path for path in functions if path not in early]
    parts += [(_name(path), path.read_text("utf-8")) for path in early]
    parts += [("schema.sql", f"-- == {tables}")]
    parts += [(_name(path), path.read_text("utf-8")) for path in [*view_files(), *rest, *trigger_files()]]
    parts += [(name, (FOLDER / name).read_text("utf-8")) for name in ("vectors.sql", "jobs.sql")]
    return "\n".join(MARK.format(name) + text for name, text in parts)


def load(conn: Connection) -> None:
    """Fill an empty, provisioned database from the SQL files, without any migration."""
    with conn.transaction(force_rollback=True):
        text = script(conn)
    with conn.transaction():
        conn.execute(queue_schema().encode())
        conn.execute("SET LOCAL check_function_bodies = off")
        conn.execute(text.encode())


def changed_files() -> dict[str, str]:
    """Return the files, with their text, that no migration holds as they are now."""
    copies: dict[str, str] = {}
    for path in sorted(migrations.VERSIONS.glob("[0-9]*.sql")):
        copies.update(_COPY.findall(path.read_text("utf-8")))
    texts = {_name(path): path.read_text("utf-8") for path in sql_files()}
    return {name: text for name, text in texts.items() if _code(text) != _code(copies.get(name, ""))}


def migration(title: str, revision: str, previous: str, *, tables: str = "", has_files: bool = False) -> str:
    """Return the Python file of a migration. `tables`: its SQL for tables; `has_files`: it has a `.sql` file too."""
    return MIGRATION.format(
        title=title,
        imports=IMPORTS_WITH_FILES if has_files else IMPORTS,
        revision=revision,
        previous=previous,
        tables=tables or "-- ALTER TABLE ...",
        subjects=", functions and triggers" if has_files else "",
        more='    run_script(op.get_bind(), Path(__file__).with_suffix(".sql"))\n' if has_files else "",
    )


def write_migration(title: str) -> Path:
    """Write a new migration. Returns the path of its Python file, in which its author adds changes of tables.

    If SQL files changed, a `.sql` file next to it holds their text.
    """
    words = "_".join(re.findall(r"[a-z0-9]+", title.lower()))
    if not words:
        raise SystemExit("Name the migration: make sql-migration NAME=add_bookings")
    newest = migrations.head()
    revision = f"{int(newest) + 1:04}"
    title = words.replace("_", " ")
    path = migrations.VERSIONS / f"{revision}_{words}.py"
    changed = changed_files()
    if changed:
        text = "\n".join(MARK.format(name) + text for name, text in changed.items())
        path.with_suffix(".sql").write_text(f"-- {title}\n\n{text}", "utf-8")
    path.write_text(migration(title.capitalize(), revision, newest, has_files=bool(changed)), "utf-8")
    return path


def write_schema() -> None:
    """Write `schema.sql` from a database that the migrations made on a server of its own."""
    path = FOLDER / "schema.sql"
    with _empty_database() as dsn:
        migrations.upgrade(dsn)
        with psycopg.connect(dsn) as conn:
            path.write_text(render(conn, path.read_text("utf-8")), "utf-8")


def write_initial() -> Path:
    """Replace all migrations by one that runs the SQL files as they are now. Return the path of its text.

    Only before a release: a database that was made by the earlier ones has to start again.
    """
    with _empty_database() as dsn, psycopg.connect(dsn) as conn, conn.transaction(force_rollback=True):
        text = script(conn)
    for path in migrations.VERSIONS.glob("[0-9]*_*"):
        path.unlink()
    path = migrations.VERSIONS / f"{FIRST}_initial.sql"
    path.write_text(text, "utf-8")
    path.with_suffix(".py").write_text(INITIAL.format(revision=FIRST), "utf-8")
    return path


def main(words: list[str]) -> None:
    """Run `schema`, `migration NAME`, or `initial`."""
    if words == ["schema"]:
        write_schema()
    elif words == ["initial"]:
        sys.stdout.write(f"{write_initial()} is written. Run `make schema`, and raise FORMAT in state.py.\n")
    elif words[:1] == ["migration"]:
        path = write_migration(" ".join(words[1:]))
        sys.stdout.write(f"{path} is written. Add changes of tables to TABLES, then run `make schema`.\n")
    else:
        raise SystemExit("usage: python -m porchlight_dev.schema schema | migration NAME | initial")


@contextlib.contextmanager
def _empty_database() -> Iterator[str]:
    """Start a PostgreSQL server with a provisioned, empty database. Yields the owner's address."""
    with tempfile.TemporaryDirectory(prefix="porchlight-schema-") as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        Path(folder).chmod(0o711)  # an unprivileged account runs the server
        postgres = LocalPostgres(Path(folder) / "postgres", port, durable=False)
        postgres.start()
        try:
            address = f"127.0.0.1:{port}"
            roles.provision(
                f"postgresql://{SUPERUSER}:{postgres.passwords[SUPERUSER]}@{address}/postgres",
                database=DATABASE,
                passwords=postgres.passwords,
            )
            yield f"postgresql://{roles.OWNER_ROLE}:{postgres.passwords[roles.OWNER_ROLE]}@{address}/{DATABASE}"
        finally:
            postgres.stop()


def _accepts(conn: Connection, path: Path) -> bool:
    try:
        with conn.transaction():
            conn.execute(path.read_bytes())
    except (psycopg.errors.UndefinedObject, psycopg.errors.UndefinedTable, psycopg.errors.UndefinedFunction):
        return False
    return True


def _files(kind: str) -> list[Path]:
    found = [path for root in ROOTS for path in root.rglob(f"sql/{kind}/*.sql")]
    return sorted(found, key=lambda path: path.name)


def _name(path: Path) -> str:
    """Return a name that stays when the file moves to another package: `functions/search.sql`."""
    return f"{path.parent.name}/{path.name}"


def _code(text: str) -> str:
    """Return a file's text without the comment at its top and blank lines around it."""
    return re.sub(r"\A(--.*\n)+", "", text).strip()


if __name__ == "__main__":
    main(sys.argv[1:])
