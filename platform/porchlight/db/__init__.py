"""The database as SQL files: what an empty database has after all migrations.

- `schema.sql`: schemas, extensions, tables, indexes, constraints, policies and grants; `make schema` writes it.
- `<package>/sql/functions/<name>.sql`: one SQL function each, with its grants, in the package that it belongs to.
- `<package>/sql/triggers/<name>.sql`: one family of triggers each, with its trigger functions.
- `jobs.sql`: changes to procrastinate's own tables. `vectors.sql`: the table that needs pgvector.
- `migrations/`: the steps that bring an existing database there.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def queue_schema() -> str:
    """Return the SQL that installs procrastinate's own tables and functions in the schema `jobs`."""
    from procrastinate.schema import SchemaManager

    return (
        "CREATE SCHEMA jobs;\nSET LOCAL search_path = jobs;\n"
        f"{SchemaManager.get_schema()}\nSET LOCAL search_path = public;\n"
    )
