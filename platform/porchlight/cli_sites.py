"""The commands about gurus' sites and their domains. Each is an act in the audit log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import psycopg
import typer

from porchlight.settings import Settings
from porchlight.terminal import console, overseer

guru_app = typer.Typer(help="The life of a guru's site.", no_args_is_help=True)
domain_app = typer.Typer(help="Custom domains of gurus.", no_args_is_help=True)


def _names_of(conn: psycopg.Connection[Any], label: str) -> list[str]:
    query = "SELECT domain FROM domains JOIN gurus ON gurus.id = tenant_id WHERE label = %s"
    return [label, *(domain for (domain,) in conn.execute(query, [label]))]


def _note(conn: psycopg.Connection[Any], action: str, label: str, **details: Any) -> None:
    """Write an act on a guru's site into the audit log, in the act's own transaction."""
    from porchlight.audit import Act, record

    record(conn, Act("cli", action, "site", label.lower(), details))


def _unpublish(names: list[str]) -> None:
    """Remove published copies here and now: the API may be away, and Caddy would go on serving them."""
    from tenants.published import remove_site

    folder = Settings().published_dir
    if folder is not None:
        for name in names:
            remove_site(folder, name)


@guru_app.command("create")
def guru_create(
    label: str,
    character: Annotated[str, typer.Option(help="The guru's name on their site.")] = "Guru",
    category: Annotated[str, typer.Option()] = "general",
    email: Annotated[str, typer.Option(help="Where leads are mailed to.")] = "",
) -> None:
    """Make a guru with SPEC's default services; their site answers at once."""
    from sites.services.defaults import offer_defaults
    from tenants.lifecycle import NewGuru, create

    with overseer() as conn:
        tenant_id = create(conn, NewGuru(label.lower(), character, category, email))
        offer_defaults(conn, tenant_id)
        _note(conn, "site.create", label, character=character, category=category)
    console.print(f"{label} is live ({tenant_id}).")


@guru_app.command("suspend")
def guru_suspend(label: str) -> None:
    """Take a site down: 410 in every worker within a second."""
    from tenants.lifecycle import suspend

    with overseer() as conn:
        suspend(conn, label)
        _note(conn, "site.suspend", label)
        names = _names_of(conn, label)
    _unpublish(names)


@guru_app.command("restore")
def guru_restore(label: str) -> None:
    """Bring a suspended site back."""
    from tenants.lifecycle import restore

    with overseer() as conn:
        restore(conn, label)
        _note(conn, "site.restore", label)


@guru_app.command("rename")
def guru_rename(label: str, new_label: str) -> None:
    """Give a guru another label; the old one redirects and is kept back."""
    from tenants.lifecycle import rename

    with overseer() as conn:
        rename(conn, label, new_label.lower())
        _note(conn, "site.rename", label, to=new_label.lower())
    _unpublish([label])


@guru_app.command("export")
def guru_export(label: str, to: Annotated[Path, typer.Option(help="The archive to write.")]) -> None:
    """Write everything of a guru into one ZIP archive."""
    from tenants.lifecycle import export

    with overseer() as conn:
        archive = export(conn, label)
        _note(conn, "site.export", label, bytes=len(archive))
    to.write_bytes(archive)
    console.print(f"{to}: {len(archive)} bytes.")


@guru_app.command("delete")
def guru_delete(label: str, yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False) -> None:
    """Erase a guru and every row of theirs."""
    from tenants.lifecycle import delete

    if not yes:
        typer.confirm(f"Erase {label} and everything of theirs?", abort=True)
    with overseer() as conn:
        names = _names_of(conn, label)
        delete(conn, label)
        _note(conn, "site.delete", label)
    _unpublish(names)


@domain_app.command("add")
def domain_add(
    label: str, domain: str, verified: Annotated[bool, typer.Option("--verified", help="Trust it now.")] = False
) -> None:
    """Give a guru a custom domain."""
    from tenants.lifecycle import add_domain

    with overseer() as conn:
        add_domain(conn, label, domain, verified=verified)
        _note(conn, "site.domain", label, domain=domain, verified=verified)
