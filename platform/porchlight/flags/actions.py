"""Setting flags: the command line's doing, never a request's (DESIGN 11)."""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.flags.catalogue import DEFAULTS
from tenants.kit.errors import GuruNotFound, NotFound

Connection = psycopg.Connection[Any]


class UnknownFlag(NotFound):
    """A name that is no flag."""

    code = "unknown_flag"
    message = "There is no such flag. `porchlight flags list` names them."


def _tenant(conn: Connection, label: str) -> Any:
    row = conn.execute("SELECT id FROM gurus WHERE label = %s", [label]).fetchone()
    if row is None:
        raise GuruNotFound
    return row[0]


def set_flag(conn: Connection, name: str, enabled: bool | None, *, guru: str | None = None) -> None:
    """Switch a flag for everybody or for one guru; None puts it back. Raises UnknownFlag, GuruNotFound."""
    if name not in DEFAULTS:
        raise UnknownFlag
    if guru is None:
        conn.execute("DELETE FROM flag_settings WHERE name = %s", [name])
        if enabled is not None:
            conn.execute("INSERT INTO flag_settings (name, enabled) VALUES (%s, %s)", [name, enabled])
        return
    tenant = _tenant(conn, guru)
    conn.execute("DELETE FROM guru_flags WHERE tenant_id = %s AND name = %s", [tenant, name])
    if enabled is not None:
        conn.execute("INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, %s, %s)", [tenant, name, enabled])


def stored_flags(conn: Connection, *, guru: str | None = None) -> dict[str, tuple[bool, str]]:
    """Every flag with where its value comes from: "default", "set" or "guru"."""
    found = {name: (enabled, "default") for name, enabled in DEFAULTS.items()}
    for name, enabled in conn.execute("SELECT name, enabled FROM flag_settings").fetchall():
        found[name] = (enabled, "set")
    if guru is not None:
        rows = conn.execute("SELECT name, enabled FROM guru_flags WHERE tenant_id = %s", [_tenant(conn, guru)])
        for name, enabled in rows.fetchall():
            found[name] = (enabled, "guru")
    return {name: found[name] for name in DEFAULTS}
