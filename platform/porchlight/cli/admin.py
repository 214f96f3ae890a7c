"""Commands for the admin area: keys of named persons, the lock after wrong keys, and the record of backups."""

from __future__ import annotations

import sys

import typer

from porchlight.cli.terminal import console, service_db
from porchlight.settings import keys
from porchlight.settings.environment import Settings

admin_app = typer.Typer(help="The admin area.", no_args_is_help=True)
backup_app = typer.Typer(help="The record of backups.", no_args_is_help=True)


@admin_app.command("add")
def admin_add(name: str) -> None:
    """Create a person's admin key and print it once. The audit log names the person."""
    from porchlight.features.admin.named_keys import add_key

    with service_db() as conn:
        key = add_key(conn, name)
    console.print(f"Give this key to {name}. It is not shown again.", highlight=False)
    sys.stdout.write(key + "\n")


@admin_app.command("list")
def admin_list() -> None:
    """List the admin keys with their holders, and the shared keys of PORCHLIGHT_ADMIN_KEY."""
    from porchlight.features.admin.named_keys import named_keys

    with service_db() as conn:
        for key in named_keys(conn):
            used = f"last used {key.last_used_at:%Y-%m-%d}" if key.last_used_at else "not used yet"
            state = f"revoked {key.revoked_at:%Y-%m-%d}" if key.revoked_at else used
            sys.stdout.write(f"{key.name:32}added {key.created_at:%Y-%m-%d}   {state}\n")
    for shared in keys.keys_of(Settings().admin_key):
        sys.stdout.write(f"{'Shared key':32}{keys.name_of(shared)} of PORCHLIGHT_ADMIN_KEY\n")


@admin_app.command("revoke")
def admin_revoke(name: str) -> None:
    """Revoke a person's admin key and end its sessions."""
    from porchlight.features.admin.named_keys import revoke_key

    with service_db() as conn:
        console.print(f"The key of {revoke_key(conn, name)} is revoked and its sessions are ended.", highlight=False)


@admin_app.command("unlock")
def admin_unlock() -> None:
    """Unlock the admin sign-in after too many wrong keys."""
    from porchlight.features.admin.sessions import unlock

    with service_db() as conn:
        unlock(conn)


@backup_app.callback()  # without it, `record` would not be a subcommand
def backup() -> None:
    """The record of backups."""


@backup_app.command("record")
def backup_record() -> None:
    """Record that a backup of the database was made. The admin overview shows the time of the last one."""
    from porchlight.features.admin.overview.actions import record_backup

    with service_db() as conn:
        record_backup(conn)
