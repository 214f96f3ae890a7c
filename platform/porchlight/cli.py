"""The command line an operator meets (DESIGN 9)."""

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

from porchlight import cli_sites
from porchlight.settings import Settings
from porchlight.terminal import console, fail, needed, overseer
from tenants.kit.errors import ProductError

app = typer.Typer(help="Porchlight: a neighbourhood marketplace.", no_args_is_help=True, add_completion=False)
staff_app = typer.Typer(help="The admin area.", no_args_is_help=True)
audit_app = typer.Typer(help="The log of acts.", no_args_is_help=True)
app.add_typer(cli_sites.guru_app, name="guru")
flags_app = typer.Typer(help="Features, switched on and off.", no_args_is_help=True)
app.add_typer(cli_sites.domain_app, name="domain")
app.add_typer(staff_app, name="admin")
app.add_typer(audit_app, name="audit")
app.add_typer(flags_app, name="flags")


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Processes; one a core.")] = 1,
) -> None:
    """Serve the API, the main platform and every guru's site."""
    from porchlight.server import serve as run
    from tenants.roles import OverPrivilegedRole, refuse_privilege

    settings = Settings()
    for fault in settings.faults():
        raise fail(fault)
    try:
        refuse_privilege(settings.database_url)
    except OverPrivilegedRole as fault:
        raise fail(str(fault)) from fault
    except psycopg.OperationalError as fault:
        raise fail(f"The database does not answer: {str(fault).splitlines()[0]}") from fault
    if workers > 1:
        os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="porchlight-metrics-"))
    if broken := run(host, port, workers):
        raise fail(f"This installation is broken ({broken}): run `make setup` again.")


@app.command()
def worker() -> None:
    """Run jobs: mail, sweeps."""
    from porchlight import jobs, logs
    from porchlight.app import embedder, geocoder, identity, payments
    from porchlight.files.stores import store_at
    from porchlight.notices.mail import mailer

    logs.configure()
    settings = Settings()
    dsn = needed(settings.overseer_database_url, "PORCHLIGHT_OVERSEER_DATABASE_URL")
    sender = settings.mail_from or f"Porchlight <notices@{settings.base_host}>"
    out = mailer(settings.smtp_url, sender, dsn)
    helpers = jobs.Helpers(
        mailer=out,
        staff_address=settings.staff_address,
        identity=identity(settings),
        main_origin=settings.main_origin,
        files=store_at(settings.files_url),
        payments=payments(settings),
        embedder=embedder(settings),
        geocoder=geocoder(settings),
    )
    asyncio.run(jobs.work(dsn, helpers, settings))


@app.command()
def provision() -> None:
    """Make the three roles, the database and its extensions, as a superuser. Harmless when they are there."""
    from psycopg.conninfo import conninfo_to_dict

    from tenants import roles

    settings = Settings()
    superuser = needed(os.environ.get("PORCHLIGHT_SUPERUSER_DATABASE_URL", ""), "PORCHLIGHT_SUPERUSER_DATABASE_URL")
    addresses = {
        roles.OWNER: ("PORCHLIGHT_OWNER_DATABASE_URL", settings.owner_database_url),
        roles.APP: ("DATABASE_URL", settings.database_url),
        roles.OVERSEER: ("PORCHLIGHT_OVERSEER_DATABASE_URL", settings.overseer_database_url),
    }
    passwords: dict[str, str] = {}
    databases: set[str] = set()
    for role, (name, address) in addresses.items():
        parts = conninfo_to_dict(needed(address, name))
        if parts.get("user") != role or not parts.get("password") or not parts.get("dbname"):
            raise fail(f"{name} must name the role {role}, its password and the database.")
        passwords[role] = str(parts["password"])
        databases.add(str(parts["dbname"]))
    if len(databases) > 1:
        raise fail(f"The three addresses name different databases: {', '.join(sorted(databases))}.")
    try:
        roles.provision(superuser, database=databases.pop(), passwords=passwords)
    except psycopg.OperationalError as fault:
        raise fail(f"The database does not answer: {str(fault).splitlines()[0]}") from fault
    console.print("The roles and the database are there: run `porchlight migrate` next.")


@app.command()
def migrate() -> None:
    """Bring the database to this release. Runs as the owner role."""
    from porchlight.migrations import upgrade

    settings = Settings()
    dsn = settings.owner_database_url or settings.database_url
    try:
        upgrade(needed(dsn, "PORCHLIGHT_OWNER_DATABASE_URL"))
    except psycopg.OperationalError as fault:
        raise fail(f"The database does not answer: {str(fault).splitlines()[0]}") from fault


@app.command()
def seed(
    gurus: Annotated[int, typer.Option(min=0, help="Also add this many gurus of a large world.")] = 0,
) -> None:
    """Tell the demo's stories; with --gurus also make a large world."""
    from porchlight.seeds import angels, neighbours, stories, world

    dsn = needed(Settings().overseer_database_url, "PORCHLIGHT_OVERSEER_DATABASE_URL")
    told = stories.tell_all(dsn)
    people = neighbours.tell_all(dsn)
    angels.tell_all(dsn)
    console.print(f"{told} stories are told, with {people} neighbours.")
    if gurus:
        with Progress(console=console) as progress:
            task = progress.add_task("Gurus of the large world", total=gurus)
            world.build(dsn, gurus, told=lambda done, _all: progress.update(task, completed=done))


@app.command()
def demo(
    port: Annotated[int, typer.Option(help="The first port; the others follow.")] = 8000,
    state: Annotated[Path, typer.Option("--state", help="Folder that keeps everything.")] = Path(".state"),
    tls_port: Annotated[int | None, typer.Option(help="Put Caddy in front on this port.")] = None,
    seed: Annotated[bool, typer.Option("--seed/--no-seed", help="Tell the stories on first start.")] = True,
) -> None:
    """Run everything on this machine, as `make run` does."""
    from porchlight.local.demo import run_demo

    raise typer.Exit(run_demo(port, state, tls_port, seed))


@app.command()
def openapi() -> None:
    """Print the OpenAPI document."""
    sys.stdout.write(json.dumps(document(), indent=2, ensure_ascii=False) + "\n")


def document() -> dict[str, Any]:
    """The OpenAPI document, made without a database."""
    from porchlight import api
    from porchlight.admin.sessions import KeyDoor
    from porchlight.app import compose
    from porchlight.skills.judging import Judge
    from porchlight.staff import StaffParts
    from sites.parts import SiteParts
    from tenants.directory import Directory
    from tenants.kit.db import Database

    db = Database("postgresql://nobody@127.0.0.1:1/none")
    site = SiteParts(db, Directory(db), "porchlight.localhost", b"")
    return api.build(site, compose(Settings(), db, Judge(db)), StaffParts(None, "", KeyDoor(""))).openapi()


@app.command()
def catalogue() -> None:
    """Print the catalogue of skills as the web carries it (main-web/shared/catalogue.gen.json)."""
    from porchlight.skills.catalogue import bundle

    sys.stdout.write(bundle())


@app.command()
def precompress(folders: Annotated[list[Path], typer.Argument(help="Folders of web builds.")]) -> None:
    """Write .br, .zst and .gz beside the files of web builds."""
    from tenants.static import precompress as run

    for folder in folders:
        console.print(f"{folder}: {run(folder)} files compressed.")


@app.command()
def doctor() -> None:
    """Check this installation: settings, database, role, migrations, fences, web builds."""
    from porchlight.doctor import findings

    marks = {True: "[green]ok[/]    ", False: "[red]fault[/] ", None: "[yellow]warn[/]  "}
    worst = 0
    for ok, sentence in findings(Settings()):
        console.print(marks[ok] + sentence, highlight=False)
        worst = max(worst, 1 if ok is False else 0)
    raise typer.Exit(worst)


@staff_app.command("unlock")
def staff_unlock() -> None:
    """Let the admin key be tried again after too many wrong ones."""
    from porchlight.admin.sessions import unlock

    with overseer() as conn:
        unlock(conn)


@audit_app.command("verify")
def audit_verify(
    kept: Annotated[str, typer.Option("--head", help="A head that was printed before and kept elsewhere.")] = "",
) -> None:
    """Check every link and every seal of the log of acts, and print its head, to be kept elsewhere."""
    from porchlight.admin.audit import fault, head, holds

    with overseer() as conn:
        found = fault(conn)
        if found is None and kept and not holds(conn, kept):
            found = "The audit log no longer holds the entry with this head."
        newest = head(conn)
    if found:
        raise fail(found)
    console.print("The audit log is whole. Its head, to be kept elsewhere:")
    sys.stdout.write(newest + "\n")


@audit_app.command("seal")
def audit_seal(yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False) -> None:
    """Seal the entries that the present key did not: those from before there were seals or before this key."""
    from porchlight.admin.audit import seal_unsealed

    if not yes:
        typer.confirm("Nobody can tell afterwards whether they were changed before. Seal them?", abort=True)
    with overseer() as conn:
        console.print(f"{seal_unsealed(conn)} entries were sealed.")


@flags_app.command("list")
def flags_list(guru: Annotated[str | None, typer.Option(help="As this guru has them.")] = None) -> None:
    """Every flag, whether it is on, and what decides that."""
    from porchlight.flags.actions import stored_flags

    with overseer() as conn:
        for name, (enabled, source) in stored_flags(conn, guru=guru).items():
            sys.stdout.write(f"{name:24}{'on' if enabled else 'off':5}{source}\n")


@flags_app.command("set")
def flags_set(
    name: str,
    value: Annotated[str, typer.Argument(help="on, off, or default.")],
    guru: Annotated[str | None, typer.Option(help="For this guru alone.")] = None,
) -> None:
    """Switch a flag; felt in every worker within seconds."""
    from porchlight.audit import Act, record
    from porchlight.flags.actions import set_flag

    values = {"on": True, "true": True, "off": False, "false": False, "default": None}
    if value.lower() not in values:
        raise fail("Say on, off or default.")
    with overseer() as conn:
        set_flag(conn, name, values[value.lower()], guru=guru)
        record(conn, Act("cli", "flag.set", "flag", name, {"value": value.lower(), "guru": guru}))


def main() -> None:
    """Entry point: refusals end with their words and exit code 1."""
    try:
        app()
    except ProductError as refused:
        console.print(refused.words, style="red", highlight=False)
        sys.exit(1)
