"""Commands for guru sites. Each one is recorded in the audit log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from porchlight.cli.terminal import console, service_db
from porchlight.settings.environment import Settings
from tenants.db.rows import Connection

guru_app = typer.Typer(help="Create, suspend, rename, export and delete guru sites.", no_args_is_help=True)


def _names_of(conn: Connection, label: str) -> list[str]:
    query = "SELECT domain FROM domains JOIN gurus ON gurus.id = tenant_id WHERE label = %s"
    return [label, *(domain for (domain,) in conn.execute(query, [label]))]


def record_site_action(conn: Connection, action: str, label: str, **details: Any) -> None:
    """Record an action on a guru site in the audit log, in the same transaction."""
    from porchlight.audit.recording import AuditEvent, record

    record(conn, AuditEvent("cli", action, "site", label.lower(), details))


def remove_snapshots(names: list[str]) -> None:
    """Remove page snapshots now: while the API is down, Caddy would keep serving them."""
    from sites.rendering.snapshots import remove_site

    folder = Settings().published_dir
    if folder is not None:
        for name in names:
            remove_site(folder, name)


@guru_app.command("create")
def guru_create(
    label: str,
    character: Annotated[str, typer.Option(help="The guru's name on the site.")] = "Guru",
    category: Annotated[str, typer.Option()] = "general",
    email: Annotated[str, typer.Option(help="Email address for leads.")] = "",
    zone: Annotated[str, typer.Option(help="IANA time zone of the proposed hours.")] = "America/Denver",
) -> None:
    """Create a guru with the default services (SPEC 9) and proposed hours. The site is live at once."""
    from sites.hours.proposal import add_proposed_hours
    from sites.services.defaults import add_default_services
    from tenants.kit.email_addresses import InvalidEmail, ascii_email, normalize_email
    from tenants.kit.zones import canonical_zone
    from tenants.tenancy.lifecycle import NewGuru, create_guru

    try:
        zone = canonical_zone(zone)
    except KeyError:
        raise typer.BadParameter(f"“{zone}” is no IANA time zone.") from None
    try:
        email = ascii_email(normalize_email(email)) if email else ""
    except InvalidEmail as error:
        raise typer.BadParameter(str(error)) from error
    with service_db() as conn:
        tenant_id = create_guru(conn, NewGuru(label.lower(), character, category, email))
        add_default_services(conn, tenant_id)
        add_proposed_hours(conn, tenant_id, zone)
        record_site_action(conn, "site.create", label, character=character, category=category)
    console.print(f"{label} is live ({tenant_id}).")


@guru_app.command("suspend")
def guru_suspend(
    label: str, reason: Annotated[str, typer.Option(help="The reason, for the guru and the audit log.")] = ""
) -> None:
    """Take a site offline: every worker responds 410 within a second."""
    from tenants.tenancy.lifecycle import suspend_guru

    with service_db() as conn:
        suspend_guru(conn, label, reason)
        record_site_action(conn, "site.suspend", label, reason=reason)
        names = _names_of(conn, label)
    remove_snapshots(names)


@guru_app.command("restore")
def guru_restore(label: str) -> None:
    """Restore a suspended site."""
    from tenants.tenancy.lifecycle import restore_guru

    with service_db() as conn:
        restore_guru(conn, label)
        record_site_action(conn, "site.restore", label)


@guru_app.command("rename")
def guru_rename(label: str, new_label: str) -> None:
    """Rename a guru's subdomain. The old one redirects and stays reserved."""
    from tenants.tenancy.lifecycle import rename_guru

    with service_db() as conn:
        rename_guru(conn, label, new_label.lower())
        record_site_action(conn, "site.rename", label, to=new_label.lower())
    remove_snapshots([label])


@guru_app.command("export")
def guru_export(label: str, to: Annotated[Path, typer.Option(help="Path of the archive.")]) -> None:
    """Export all data of a guru as a ZIP archive."""
    from tenants.tenancy.lifecycle import export_guru

    with service_db() as conn:
        archive = export_guru(conn, label)
        record_site_action(conn, "site.export", label, bytes=len(archive))
    to.write_bytes(archive)
    console.print(f"{to}: {len(archive)} bytes.")


@guru_app.command("delete")
def guru_delete(label: str, yes: Annotated[bool, typer.Option("--yes", help="Skip the confirmation.")] = False) -> None:
    """Delete a guru and all of its data."""
    from tenants.tenancy.lifecycle import delete_guru

    if not yes:
        typer.confirm(f"Delete {label} and all of its data?", abort=True)
    with service_db() as conn:
        names = _names_of(conn, label)
        delete_guru(conn, label)
        record_site_action(conn, "site.delete", label)
    remove_snapshots(names)
