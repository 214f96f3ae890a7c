"""Rights of functions that run as the owner role: row level security filters none of their tables silently."""

from __future__ import annotations

import re
from typing import Any

import psycopg

from tests.fixtures.databases import Database

# All functions, and whether they run as the owner: triggers too. The owner role has no BYPASSRLS, and its tables force
# row level security on it.
_FUNCTIONS = """
SELECT p.proname, p.prosrc, p.prosecdef FROM pg_proc p WHERE p.pronamespace = 'app'::regnamespace ORDER BY 1"""
_FILTERED = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relforcerowsecurity"
_POLICIES = """
SELECT tablename, cmd FROM pg_policies
 WHERE schemaname = 'public' AND permissive = 'PERMISSIVE' AND roles && ARRAY['porchlight_owner', 'public']::name[]"""
_COMMANDS = {
    "INSERT": r"\bINSERT\s+INTO\s+(\w+)",
    "UPDATE": r"\bUPDATE\s+(\w+)\b(?!\s*;)",
    "DELETE": r"\bDELETE\s+FROM\s+(\w+)",
    "SELECT": r"\b(?:FROM|JOIN|USING)\s+(\w+)",
}


def _as_owner(conn: psycopg.Connection[Any]) -> dict[str, str]:
    """Return the code of the functions that run as the owner role: its own, and those that they call."""
    functions = {
        name: (re.sub(r"--[^\n]*|'[^']*'", " ", source), is_definer)
        for name, source, is_definer in conn.execute(_FUNCTIONS).fetchall()
    }
    reached: dict[str, str] = {}
    waiting = [name for name, (_code, is_definer) in functions.items() if is_definer]
    while waiting:
        name = waiting.pop()
        if name not in reached and name in functions:
            reached[name] = functions[name][0]
            waiting += re.findall(r"app\.(\w+)\(", reached[name])
    return reached


def silently_filtered(conn: psycopg.Connection[Any]) -> list[str]:
    """Return each command of a function on a table where no policy gives the owner role a row."""
    filtered = {name for (name,) in conn.execute(_FILTERED)}
    permitted: set[tuple[str, str]] = set()
    for table, command in conn.execute(_POLICIES):
        permitted |= {(table, one) for one in (_COMMANDS if command == "ALL" else (command,))}
    return sorted(
        f"{name}: {command} {table}"
        for name, code in _as_owner(conn).items()
        for command, pattern in _COMMANDS.items()
        for table in set(re.findall(pattern, code, re.IGNORECASE))
        if table in filtered and (table, command) not in permitted
    )


def test_definer_functions_are_not_filtered_silently(database: Database) -> None:
    """Erasing words once deleted no listing: the owner role could read listings and not delete them."""
    with psycopg.connect(database.superuser_url) as conn:
        assert silently_filtered(conn) == []
