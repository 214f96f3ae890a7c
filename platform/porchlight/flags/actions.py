"""Setting and listing flags, for the command line only: requests never set flags (docs/settled-questions.md)."""

from __future__ import annotations

from uuid import UUID

from porchlight.flags.defaults import DEFAULTS
from tenants.db.rows import Connection, fetch_value
from tenants.kit.errors import GuruNotFound, NotFound


class UnknownFlag(NotFound):
    """No flag has this name."""

    code = "unknown_flag"
    message = "There is no flag with that name. Run `porchlight flags list` to see all flags."


def _tenant_id(conn: Connection, label: str) -> UUID:
    tenant_id = fetch_value(conn, UUID, "SELECT id FROM gurus WHERE label = %s", [label])
    if tenant_id is None:
        raise GuruNotFound
    return tenant_id


def set_flag(conn: Connection, name: str, enabled: bool | None, *, guru: str | None = None) -> None:
    """Set a flag globally or for one guru. `enabled` None restores the default. Raises UnknownFlag, GuruNotFound."""
    if name not in DEFAULTS:
        raise UnknownFlag
    if guru is None:
        conn.execute("DELETE FROM flag_settings WHERE name = %s", [name])
        if enabled is not None:
            conn.execute("INSERT INTO flag_settings (name, enabled) VALUES (%s, %s)", [name, enabled])
        return
    tenant_id = _tenant_id(conn, guru)
    conn.execute("DELETE FROM guru_flags WHERE tenant_id = %s AND name = %s", [tenant_id, name])
    if enabled is not None:
        conn.execute(
            "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, %s, %s)", [tenant_id, name, enabled]
        )


def stored_flags(conn: Connection, *, guru: str | None = None) -> dict[str, tuple[bool, str]]:
    """Return all flags with their values and the source of each value: "default", "set" or "guru"."""
    flags = {name: (enabled, "default") for name, enabled in DEFAULTS.items()}
    for name, enabled in conn.execute("SELECT name, enabled FROM flag_settings").fetchall():
        flags[name] = (enabled, "set")
    if guru is not None:
        rows = conn.execute("SELECT name, enabled FROM guru_flags WHERE tenant_id = %s", [_tenant_id(conn, guru)])
        for name, enabled in rows.fetchall():
            flags[name] = (enabled, "guru")
    return {name: flags[name] for name in DEFAULTS}
