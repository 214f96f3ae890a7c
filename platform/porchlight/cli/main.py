"""The command line (docs/operations.md)."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import psycopg
import typer
from rich.progress import Progress

from porchlight.cli import sites as cli_sites
from porchlight.cli.admin import admin_app, backup_app
from porchlight.cli.billing import billing_app
from porchlight.cli.domains import domain_app
from porchlight.cli.money import money_app
from porchlight.cli.plans import plans_app
from porchlight.cli.terminal import console, fail, require_setting, service_db
from porchlight.cli.waivers import waivers_app
from porchlight.settings.environment import Settings
from tenants.kit.errors import ProductError

app = typer.Typer(help="Porchlight: a neighborhood marketplace.", no_args_is_help=True, add_completion=False)
audit_app = typer.Typer(help="The audit log.", no_args_is_help=True)
app.add_typer(cli_sites.guru_app, name="guru")
flags_app = typer.Typer(help="Feature flags.", no_args_is_help=True)
app.add_typer(domain_app, name="domain")
app.add_typer(admin_app, name="admin")
app.add_typer(billing_app, name="billing")
app.add_typer(audit_app, name="audit")
app.add_typer(flags_app, name="flags")
app.add_typer(money_app, name="money")
app.add_typer(waivers_app, name="waivers")
app.add_typer(backup_app, name="backup")
app.add_typer(plans_app, name="plans")


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Number of processes; use one per core.")] = 1,
) -> None:
    """Serve the API, the main platform and all guru sites."""
    from porchlight.server import serve as run
    from tenants.db.clock_offset import ClockMismatch, require_same_clock
    from tenants.db.roles import OverPrivilegedRole, require_least_privilege

    settings = Settings()
    for problem in settings.problems():
        raise fail(problem)
    try:
        require_least_privilege(settings.database_url)
        require_same_clock(settings.database_url)
    except (OverPrivilegedRole, ClockMismatch) as error:
        raise fail(str(error)) from error
    except psycopg.OperationalError as error:
        raise fail(f"The database does not respond: {str(error).splitlines()[0]}") from error
    if workers > 1:
        os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="porchlight-metrics-"))
    if broken := run(host, port, workers):
        raise fail(f"This installation is broken ({broken}): run `make setup` again.")


@app.command()
def worker() -> None:
    """Run background jobs."""
    from porchlight.adapters import embedder, geocoder, identity, payments, push_sender, stripe_api
    from porchlight.emails.sender import create_mailer
    from porchlight.features.domains.certificates import TlsServer
    from porchlight.features.domains.resolver import DnsResolver
    from porchlight.job_dependencies import JobDependencies
    from porchlight.settings.secret_box import secret_box
    from porchlight.storage.stores import create_store
    from porchlight.worker import app as worker_app
    from tenants.kit import heap, logs
    from tenants.kit.email_addresses import split_sender

    heap.limit_malloc_arenas()
    logs.configure()
    settings = Settings()
    for problem in settings.clock_problems():
        raise fail(problem)
    dsn = require_setting(settings.overseer_database_url, "PORCHLIGHT_OVERSEER_DATABASE_URL")
    for problem in settings.email_problems():
        raise fail(problem)
    sender = settings.sender
    out = create_mailer(settings.smtp_url, sender, dsn)
    dependencies = JobDependencies(
        app_dsn=require_setting(settings.database_url, "DATABASE_URL"),
        mailer=out,
        staff_address=settings.staff_address,
        identity=identity(settings),
        main_origin=settings.main_origin,
        base_host=settings.base_host,
        sender_address=split_sender(sender)[1],
        sign_in_secret=settings.sign_in_secret,
        reply_domain=settings.reply_domain,
        files=create_store(settings.files_url),
        payments=payments(settings),
        push=push_sender(settings),
        stripe=stripe_api(settings),
        embedder=embedder(settings),
        geocoder=geocoder(settings),
        resolver=DnsResolver(settings.dns_servers),
        certificates=TlsServer(settings.base_host, settings.https_port),
        secret_box=secret_box(settings),
        local_calendars=settings.local_calendar_servers,
    )
    asyncio.run(worker_app.work(dsn, dependencies, settings))


@app.command()
def receive_mail(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
) -> None:
    """Receive replies to messages and answers to invitations by SMTP."""
    from porchlight.mail_receiver import receive_mail as run
    from tenants.kit import heap, logs

    heap.limit_malloc_arenas()
    logs.configure()
    settings = Settings()
    for problem in [*settings.clock_problems(), *settings.email_problems()]:
        raise fail(problem)
    require_setting(settings.reply_domain, "PORCHLIGHT_REPLY_DOMAIN")
    require_setting(settings.database_url, "DATABASE_URL")
    asyncio.run(run(settings, host))


@app.command()
def provision() -> None:
    """Create the three roles, the database and its extensions, as a superuser. Safe to repeat."""
    from psycopg.conninfo import conninfo_to_dict

    from tenants.db import roles

    settings = Settings()
    superuser = require_setting(
        os.environ.get("PORCHLIGHT_SUPERUSER_DATABASE_URL", ""), "PORCHLIGHT_SUPERUSER_DATABASE_URL"
    )
    addresses = {
        roles.OWNER_ROLE: ("PORCHLIGHT_OWNER_DATABASE_URL", settings.owner_database_url),
        roles.APP_ROLE: ("DATABASE_URL", settings.database_url),
        roles.SERVICE_ROLE: ("PORCHLIGHT_OVERSEER_DATABASE_URL", settings.overseer_database_url),
    }
    passwords: dict[str, str] = {}
    databases: set[str] = set()
    for role, (name, address) in addresses.items():
        parts = conninfo_to_dict(require_setting(address, name))
        if parts.get("user") != role or not parts.get("password") or not parts.get("dbname"):
            raise fail(f"{name} must name the role {role}, its password and the database.")
        passwords[role] = str(parts["password"])
        databases.add(str(parts["dbname"]))
    if len(databases) > 1:
        raise fail(f"The three URLs name different databases: {', '.join(sorted(databases))}.")
    try:
        roles.provision(superuser, database=databases.pop(), passwords=passwords)
    except psycopg.OperationalError as error:
        raise fail(f"The database does not respond: {str(error).splitlines()[0]}") from error
    console.print("The roles and the database exist. Next, run `porchlight migrate`.")


@app.command()
def migrate() -> None:
    """Migrate the database to this release, as the owner role."""
    from porchlight.db.migrations import UnknownRevision, upgrade

    settings = Settings()
    dsn = settings.owner_database_url or settings.database_url
    try:
        upgrade(require_setting(dsn, "PORCHLIGHT_OWNER_DATABASE_URL"), live_money=settings.live_money)
    except UnknownRevision as error:
        raise fail(str(error)) from error
    except psycopg.OperationalError as error:
        raise fail(f"The database does not respond: {str(error).splitlines()[0]}") from error


async def _load_money(settings: Settings) -> None:
    from porchlight.adapters import payments, stripe_api
    from porchlight.demo_data import money

    await money.load_all(settings, payments(settings), stripe_api(settings))


@app.command()
def seed(
    gurus: Annotated[int, typer.Option(min=0, help="Also create this many gurus for load tests.")] = 0,
) -> None:
    """Load the demo data; with --gurus, also create bulk data."""
    import porchlight.registry  # noqa: F401 - a foreign key needs the model of the table that it names
    from porchlight.demo_data import (
        admin_queue,
        angels,
        bookings,
        bulk_data,
        connected_calendar,
        exchanges,
        messages,
        neighbors,
        notifications,
        pictures,
        plans,
        porch_lights,
        reviews,
        waivers,
    )
    from porchlight.demo_data import gurus as gurus_data
    from porchlight.worker.guru_facts import count_guru_facts
    from tenants.kit import clock

    settings = Settings()
    for problem in settings.clock_problems():
        raise fail(problem)
    dsn = require_setting(settings.overseer_database_url, "PORCHLIGHT_OVERSEER_DATABASE_URL")
    guru_count = gurus_data.load_all(dsn)
    neighbor_count = neighbors.load_all(dsn)
    plans.load_all(dsn)
    angels.load_all(dsn)
    porch_lights.load_all(dsn)
    exchanges.load_all(dsn)
    bookings.load_all(dsn)
    notifications.load_all(dsn, clock.now())
    connected_calendar.load_all(settings)
    reviews.load_all(dsn)
    count_guru_facts(dsn)
    asyncio.run(waivers.load_all(settings))
    asyncio.run(pictures.load_all(settings))
    asyncio.run(admin_queue.load_all(settings))
    asyncio.run(messages.load_all(settings))
    asyncio.run(_load_money(settings))
    console.print(f"Loaded {guru_count} gurus and {neighbor_count} neighbors.")
    if gurus:
        with Progress(console=console) as progress:
            task = progress.add_task("Bulk gurus", total=gurus)
            bulk_data.build(dsn, gurus, on_progress=lambda done, _total: progress.update(task, completed=done))


@app.command()
def demo(
    port: Annotated[int, typer.Option(help="First port; the other services use the next ones.")] = 8000,
    state: Annotated[Path, typer.Option("--state", help="State folder.")] = Path(".state"),
    tls_port: Annotated[int | None, typer.Option(help="Also serve HTTPS through Caddy on this port.")] = None,
    seed: Annotated[bool, typer.Option("--seed/--no-seed", help="Load the demo data on first start.")] = True,
) -> None:
    """Run the whole product on this machine, as `make run` does."""
    try:
        from porchlight_dev.demo import run_demo
    except ModuleNotFoundError as error:
        if error.name != "porchlight_dev":
            raise
        raise fail("`porchlight demo` needs a source checkout: clone the repository and run `make run`.") from error

    raise typer.Exit(run_demo(port, state, tls_port, seed))


@app.command()
def openapi() -> None:
    """Print the OpenAPI document."""
    sys.stdout.write(json.dumps(document(), indent=2, ensure_ascii=False) + "\n")


def document() -> dict[str, Any]:
    """Return the OpenAPI document. Needs no database."""
    from porchlight import api
    from porchlight.app import admin_context, compose
    from porchlight.catalog.catalog import rated_categories
    from porchlight.features.risk.assessor import RiskService
    from porchlight.flags.queries import StoredFlags
    from sites.context import SiteContext
    from tenants.db.pool import Database
    from tenants.tenancy.directory import Directory

    db = Database("postgresql://unused@127.0.0.1:1/none")
    site = SiteContext(db, Directory(db), "porchlight.localhost", b"")
    return api.build(
        site,
        compose(Settings(), db, RiskService(db, rated_categories()), StoredFlags(db)),
        admin_context(None, ""),
    ).openapi()


@app.command()
@app.command("catalogue", hidden=True)  # the name before 0.2, kept as an alias
def catalog() -> None:
    """Print the skill catalog that the web app bundles (main-web/shared/catalog.gen.json)."""
    from porchlight.catalog.catalog import web_bundle

    sys.stdout.write(web_bundle())


@app.command()
def precompress(folders: Annotated[list[Path], typer.Argument(help="Folders of web builds.")]) -> None:
    """Write compressed copies (.br, .zst, .gz) beside the files of web builds."""
    from tenants.http.static_files import precompress as run

    for folder in folders:
        console.print(f"{folder}: {run(folder)} files compressed.")


@app.command()
def doctor() -> None:
    """Check this installation: settings, database, role, migrations, row-level security, web builds."""
    from porchlight.cli.doctor import findings

    labels = {True: "[green]ok[/]    ", False: "[red]fault[/] ", None: "[yellow]warn[/]  "}
    worst = 0
    for ok, sentence in findings(Settings()):
        console.print(labels[ok] + sentence, highlight=False)
        worst = max(worst, 1 if ok is False else 0)
    raise typer.Exit(worst)


@audit_app.command("verify")
def audit_verify(
    stored_head: Annotated[str, typer.Option("--head", help="A chain head printed earlier and stored elsewhere.")] = "",
) -> None:
    """Verify the audit log's hash chain and signatures, and print the chain head to store elsewhere."""
    from porchlight.audit.verification import chain_head, fault, has_chain_head

    with service_db() as conn:
        error = fault(conn)
        if error is None and stored_head and not has_chain_head(conn, stored_head):
            error = "The audit log no longer has the entry with this chain head."
        newest = chain_head(conn)
    if error:
        raise fail(error)
    console.print("Audit log verified. Store its chain head elsewhere:")
    sys.stdout.write(newest + "\n")


@audit_app.command("seal")
def audit_seal(yes: Annotated[bool, typer.Option("--yes", help="Skip the confirmation.")] = False) -> None:
    """Sign the entries that the current key has not signed: older ones, or ones from before a key change."""
    from porchlight.audit.verification import sign_entries

    if not yes:
        typer.confirm("Afterwards, earlier changes to these entries cannot be detected. Sign them?", abort=True)
    with service_db() as conn:
        console.print(f"{sign_entries(conn)} entries were signed.")


@flags_app.command("list")
def flags_list(guru: Annotated[str | None, typer.Option(help="Show the flags of this guru.")] = None) -> None:
    """List all flags: their values, and where each value comes from."""
    from porchlight.flags.actions import stored_flags

    with service_db() as conn:
        for name, (enabled, source) in stored_flags(conn, guru=guru).items():
            sys.stdout.write(f"{name:24}{'on' if enabled else 'off':5}{source}\n")


@flags_app.command("set")
def flags_set(
    name: str,
    value: Annotated[str, typer.Argument(help="on, off, or default.")],
    guru: Annotated[str | None, typer.Option(help="Set it for this guru only.")] = None,
) -> None:
    """Set a flag. All workers apply it within seconds."""
    from porchlight.audit.recording import AuditEvent, record
    from porchlight.flags.actions import set_flag

    values = {"on": True, "true": True, "off": False, "false": False, "default": None}
    if value.lower() not in values:
        raise fail("Enter on, off or default.")
    with service_db() as conn:
        set_flag(conn, name, values[value.lower()], guru=guru)
        record(conn, AuditEvent("cli", "flag.set", "flag", name, {"value": value.lower(), "guru": guru}))


def main() -> None:
    """Entry point. A ProductError ends with its message and exit code 1."""
    try:
        app()
    except ProductError as error:
        console.print(error.message, style="red", highlight=False)
        sys.exit(1)
