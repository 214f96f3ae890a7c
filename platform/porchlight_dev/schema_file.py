"""The text of `db/schema.sql`, from the catalog of a migrated database.

Tables are grouped by the feature whose manifest names the module that describes them. Comments are written by hand in
the file: each stays above the line that it explains when the file is generated again.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from graphlib import TopologicalSorter

import tenants.tenancy.models
from porchlight.registry import FEATURES
from tenants.db.roles import OWNER_ROLE
from tenants.db.rows import Connection, fetch_value
from tenants.tenancy.models import Base

WIDTH = 120
HEADING = re.compile(r"-- == (.+) =+$")
# `vectors.sql` makes this one: it exists only where pgvector does.
ELSEWHERE = ("alembic_version", "phrase_vectors")
PRIVILEGES = {"r": "SELECT", "a": "INSERT", "w": "UPDATE", "d": "DELETE", "U": "USAGE", "X": "EXECUTE"}
# The superuser installs the others when the database is made (tenants/db/roles.py).
EXTENSIONS = ("fuzzystrmatch",)

PREAMBLE = (
    "-- The tables of the database by feature, with their indexes, policies and grants. `make schema` writes this file",
    "-- from the migrations; the comments are written by hand and stay. A change of a table is a migration first.",
    "-- Functions and triggers are in the folder sql/ of their feature, the tables of the job queue in jobs.sql.",
    "",
)

_TABLES = (
    "SELECT relname, oid, relacl::text[] FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
)
_COLUMNS = """
SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
       pg_get_expr(d.adbin, d.adrelid, true), a.attstorage <> t.typstorage AND a.attstorage = 'e',
       CASE WHEN a.attcollation <> t.typcollation THEN l.collname END, a.attacl::text[]
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  LEFT JOIN pg_collation l ON l.oid = a.attcollation
 WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""
_CONSTRAINTS = """
SELECT conname, contype::text, pg_get_constraintdef(oid, true), confrelid::regclass::text FROM pg_constraint
 WHERE conrelid = %s AND contype IN ('p', 'u', 'f', 'c', 'x') ORDER BY position(contype IN 'pufcx'), conname
"""
_INDEXES = """
SELECT pg_get_indexdef(indexrelid) FROM pg_index
 WHERE indrelid = %s AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
 ORDER BY indexrelid::regclass::text
"""
_REFERENCES = """
SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint
 WHERE contype = 'f' AND connamespace = 'public'::regnamespace
"""
_POLICIES = """
SELECT policyname, permissive, cmd, array_to_string(roles, ', '), qual, with_check FROM pg_policies
 WHERE schemaname = 'public' AND tablename = %s ORDER BY policyname <> 'tenant', policyname
"""
_EXPRESSIONS = (
    (r"('(?:[^']|'')*')::(?:text|jsonb|timestamp with time zone|smallint)(?:\[\])?", r"\1"),
    (r"= ANY \(ARRAY\[([^]]*)\]\)", r"IN (\1)"),
    (r"(?<![\w'.])(\d+(?:\.\d+)?)::(?:numeric|double precision)", r"\1"),
    (r"'(-\d+)'::integer", r"\1"),
    (r"(\w+(?:\(\w+\))?) >= (\S+) AND \1 <= (\([^()]*\)|[\w.]+)", r"\1 BETWEEN \2 AND \3"),
    (r"\btimestamp with time zone\b", "timestamptz"),
    (r"\b(REFERENCES \w+)\(", r"\1 ("),
    (r" WHERE \((.*)\)$", r" WHERE \1"),
    (r'"([a-z_]+)"', r"\1"),
)


def owners() -> dict[str, str]:
    """Return the module that describes each table, with a model or in its `TABLES`, by the table's name."""
    # A table that a test has removed from the metadata stays mapped until its module is collected.
    tables = Base.metadata.tables
    found = {
        str(mapper.local_table): mapper.class_.__module__
        for mapper in Base.registry.mappers
        if str(mapper.local_table) in tables
    }
    modules = [tenants.tenancy.models, *(module for feature in FEATURES for module in feature.models)]
    return found | {table: module.__name__ for module in modules for table in getattr(module, "TABLES", ())}


def sections(conn: Connection) -> list[tuple[str, list[str]]]:
    """Return each feature with its tables, each table after those that it references.

    Features come after those whose tables they reference; among the others, the most referenced comes first.
    """
    names = {module.__name__: feature.name for feature in FEATURES for module in feature.models}
    owner = {table: names.get(module, "tenancy") for table, module in owners().items() if table not in ELSEWHERE}
    references: dict[str, set[str]] = {table: set() for table in owner}
    for table, target in conn.execute(_REFERENCES):
        if table in owner and target != table:
            references[table].add(target)
    features: dict[str, list[str]] = {}
    for table in TopologicalSorter({table: sorted(references[table]) for table in sorted(owner)}).static_order():
        features.setdefault(owner[table], []).append(table)
    needs = {
        feature: {owner[target] for table in tables for target in references[table]}
        for feature, tables in features.items()
    }
    users = Counter(needed for feature in needs for needed in needs[feature])
    ordered: list[str] = []
    while remaining := sorted(features.keys() - set(ordered)):
        ordered.append(min(remaining, key=lambda feature: (len(needs[feature] - {feature, *ordered}), -users[feature])))
    return [(feature, features[feature]) for feature in ordered]


def render(conn: Connection, previous: str) -> str:
    """Return `schema.sql` for the migrated database behind `conn`, with the comments of the `previous` text."""
    tables = {name: (oid, grants) for name, oid, grants in conn.execute(_TABLES)}
    lines = [*PREAMBLE, *_foundation(conn)]
    done: set[str] = set(ELSEWHERE)
    late: list[str] = []
    for feature, names in sections(conn):
        lines += ["", f"-- == {feature} ".ljust(WIDTH, "=")]
        for name in names:
            oid, grants = tables[name]
            done.add(name)
            body, postponed = _table(conn, name, oid, done)
            lines += ["", *body, *_access(conn, name, oid, grants)]
            late += postponed
    if unknown := tables.keys() - done:
        raise ValueError(f"no feature has the tables {', '.join(sorted(unknown))}")
    if late:
        lines += ["", "-- == foreign keys to later tables ".ljust(WIDTH, "="), "", *sorted(late)]
    return _with_comments(lines, previous)


def _foundation(conn: Connection) -> Iterator[str]:
    for (extension,) in conn.execute("SELECT extname FROM pg_extension WHERE extname = ANY (%s)", [list(EXTENSIONS)]):
        yield f"CREATE EXTENSION IF NOT EXISTS {extension};"
    grants = fetch_value(conn, list[str], "SELECT nspacl::text[] FROM pg_namespace WHERE nspname = 'app'")
    yield "CREATE SCHEMA app;"
    yield from _grants("SCHEMA app", grants)


def _table(conn: Connection, name: str, oid: int, done: set[str]) -> tuple[list[str], list[str]]:
    """Return the lines that create a table with its indexes, and its foreign keys to tables not in `done`."""
    inside: list[str] = []
    after: list[str] = []
    late: list[str] = []
    for column, kind, required, identity, default, external, collation, _grants_of in conn.execute(_COLUMNS, [oid]):
        words = [column, _readable(kind)]
        words += [f'COLLATE "{collation}"'] if collation else []
        words += ["NOT NULL"] if required else []
        words += [f"DEFAULT {_readable(default)}"] if default else []
        words += [f"GENERATED {'ALWAYS' if identity == 'a' else 'BY DEFAULT'} AS IDENTITY"] if identity else []
        inside.append(f"    {' '.join(words)}")
        after += [f"ALTER TABLE {name} ALTER COLUMN {column} SET STORAGE EXTERNAL;"] if external else []
    for constraint, kind, definition, target in conn.execute(_CONSTRAINTS, [oid]):
        text = f"CONSTRAINT {constraint} {_readable(definition)}"
        if kind == "x":  # unlike an index, it needs the parentheses
            text = re.sub(r" WHERE (.+)$", r" WHERE (\1)", text)
        if kind == "f" and target not in done:
            late.append(f"ALTER TABLE {name} ADD {text};")
        else:
            inside.append("\n".join(f"    {line}" for line in _broken(text, " REFERENCES ", WIDTH - 5)))
    for (text,) in conn.execute(_INDEXES, [oid]):
        index = _readable(text).replace(" ON public.", " ON ").replace(" USING btree", "")
        after += _broken(f"{index};", " WHERE ")
    return [f"CREATE TABLE {name} (", *",\n".join(inside).split("\n"), ");", *after], late


def _access(conn: Connection, name: str, oid: int, grants: list[str] | None) -> Iterator[str]:
    """Yield the lines about who may see and change the rows of a table."""
    enabled, forced = conn.execute(
        "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = %s", [oid]
    ).fetchone() or (False, False)
    yield from [f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY;"] if enabled else []
    yield from [f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY;"] if forced else []
    for policy, permissive, command, roles, using, check in conn.execute(_POLICIES, [name]):
        words = [f"CREATE POLICY {policy} ON {name}"]
        words += ["AS RESTRICTIVE"] if permissive == "RESTRICTIVE" else []
        words += [f"FOR {command}"] if command != "ALL" else []
        words += [f"TO {roles}"]
        words += [f"USING {_enclosed(_readable(using))}"] if using else []
        words += [f"WITH CHECK {_enclosed(_readable(check))}"] if check else []
        yield from _broken(f"{' '.join(words)};", " WITH CHECK ")
    yield from _grants(name, grants)
    columns: dict[str, list[str]] = {}
    for column, *_more, column_grants in conn.execute(_COLUMNS, [oid]):
        for item in column_grants or ():
            columns.setdefault(item, []).append(column)
    for item, granted in sorted(columns.items()):
        role, privileges = _privileges(item)
        some = ", ".join(f"{privilege} ({', '.join(granted)})" for privilege in privileges)
        yield from textwrap.wrap(f"GRANT {some} ON {name} TO {role};", WIDTH, subsequent_indent="    ")


def _privileges(item: str) -> tuple[str, list[str]]:
    """Return the role and the privileges of an ACL item such as `porchlight_app=ar/porchlight_owner`."""
    role, _, letters = item.partition("/")[0].partition("=")
    return role or "PUBLIC", [word for letter, word in PRIVILEGES.items() if letter in letters]


def _grants(target: str, items: list[str] | None) -> Iterator[str]:
    roles: dict[str, list[str]] = {}
    for role, privileges in map(_privileges, items or ()):
        if role != OWNER_ROLE:
            roles.setdefault(", ".join(privileges), []).append(role)
    for privileges_of, granted in sorted(roles.items()):
        yield f"GRANT {privileges_of} ON {target} TO {', '.join(sorted(granted))};"


def _readable(expression: str) -> str:
    for pattern, replacement in _EXPRESSIONS:
        expression = re.sub(pattern, replacement, expression)
    return expression


def _enclosed(expression: str) -> str:
    return expression if expression.startswith("(") else f"({expression})"


def _broken(text: str, before: str, width: int = WIDTH) -> list[str]:
    """Return a statement in lines of at most `width`, broken before the words `before` when it is too long."""
    if len(text) <= width:
        return [text]
    start, keyword, rest = text.partition(before)
    parts = [start, f"    {keyword.strip()} {rest}"] if keyword else [text]
    wrap = partial(textwrap.wrap, width=width, subsequent_indent="    ", break_on_hyphens=False)
    return [line for part in parts for line in wrap(part)]


def _anchor(line: str, table: str) -> str:
    """Return what identifies a line of the file, so that the comment above it finds it again."""
    if heading := HEADING.match(line):
        return f"section {heading[1]}"
    if line.startswith("    "):
        return f"{table}.{line.removeprefix('    CONSTRAINT ').split()[0]}"
    start = line.partition(" (")[0]
    return f"{start} {table}" if start == "GRANT UPDATE" else start


def _anchored(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each line with its anchor."""
    table = ""
    for line in lines:
        if line.startswith("CREATE TABLE "):
            table = line.split()[2]
        yield line, _anchor(line, table) if line.strip() else ""


def _comments(text: str) -> dict[str, list[str]]:
    """Return the comments of the file by the anchor of the line below, or of the section above."""
    comments: dict[str, list[str]] = {}
    pending: list[str] = []
    section = ""
    for line, anchor in _anchored(text.splitlines()):
        if anchor.startswith("section "):
            section = anchor
        elif line.lstrip().startswith("--"):
            pending.append(line)
        else:
            comments[anchor or section] = pending if pending else comments.get(anchor or section, [])
            pending = []
            section = section if anchor else ""
    return comments


def _with_comments(lines: list[str], previous: str) -> str:
    comments = _comments(previous.partition(PREAMBLE[-2])[2])
    text: list[str] = []
    for line, anchor in _anchored(lines):
        about = comments.get(anchor, []) if anchor else []
        text += [line, *about] if anchor.startswith("section ") else [*about, line]
    return "\n".join(text) + "\n"
