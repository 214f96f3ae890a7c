"""Commands for custom domains. Each change is recorded in the audit log."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from porchlight.cli.sites import record_site_action, remove_snapshots
from porchlight.cli.terminal import console, require_setting, service_db
from porchlight.settings.environment import Settings
from tenants.db.rows import Connection, fetch_all, fetch_one

if TYPE_CHECKING:
    from porchlight.features.domains.state import DomainRow

domain_app = typer.Typer(help="Custom domains of gurus.", no_args_is_help=True)


@domain_app.command("add")
def domain_add(
    label: str,
    domain: str,
    verified: Annotated[bool, typer.Option("--verified", help="Vouch for it: connect it without a check.")] = False,
) -> None:
    """Add a custom domain to a guru site."""
    from tenants.tenancy.domains import add_domain, parse_domain
    from tenants.tenancy.lifecycle import find_tenant

    settings = Settings()
    name = parse_domain(domain, settings.own_hosts, allow_localhost=not settings.production)
    with service_db() as conn:
        add_domain(conn, find_tenant(conn, label), name, verified=verified)
        record_site_action(conn, "site.domain", label, domain=name, verified=verified)


@domain_app.command("list")
def domain_list(label: str) -> None:
    """List a guru's custom domains with the result of the last check."""
    from porchlight.features.domains.queries import OWN_DOMAINS
    from porchlight.features.domains.state import DomainRow
    from tenants.tenancy.lifecycle import find_tenant

    with service_db() as conn:
        for row in fetch_all(conn, DomainRow, OWN_DOMAINS, {"tenant": find_tenant(conn, label)}):
            sys.stdout.write(_describe(row))


@domain_app.command("check")
def domain_check(label: str, domain: str) -> None:
    """Check the DNS records of a custom domain now."""
    from porchlight.features.domains.actions import DomainChecker, check_as_service
    from porchlight.features.domains.certificates import TlsServer
    from porchlight.features.domains.resolver import DnsResolver
    from tenants.kit import timeouts
    from tenants.kit.errors import NotFound

    settings = Settings()
    with service_db() as conn:
        row = _find(conn, label, domain)
    certificates = TlsServer(settings.base_host, settings.https_port)
    checker = DomainChecker(DnsResolver(settings.dns_servers), certificates, settings.base_host)
    dsn = require_setting(settings.overseer_database_url, "PORCHLIGHT_OVERSEER_DATABASE_URL")
    checked = check_as_service(dsn, checker, row, timeouts.current.certificate_job_seconds)
    if checked is None:
        raise NotFound
    sys.stdout.write(_describe(checked))


@domain_app.command("remove")
def domain_remove(label: str, domain: str) -> None:
    """Remove a custom domain from a guru site."""
    from tenants.tenancy.domains import remove_domain

    with service_db() as conn:
        row = _find(conn, label, domain)
        remove_domain(conn, row.tenant_id, row.domain)
        record_site_action(conn, "site.domain_remove", label, domain=row.domain)
    remove_snapshots([row.domain])
    console.print(f"{row.domain} is removed.", highlight=False)


def _find(conn: Connection, label: str, domain: str) -> DomainRow:
    from porchlight.features.domains.queries import OWN_DOMAIN
    from porchlight.features.domains.state import DomainRow
    from tenants.kit.errors import NotFound
    from tenants.tenancy.domains import parse_domain
    from tenants.tenancy.lifecycle import find_tenant

    name = parse_domain(domain, (), allow_localhost=True)
    row = fetch_one(conn, DomainRow, OWN_DOMAIN, {"tenant": find_tenant(conn, label), "domain": name})
    if row is None:
        raise NotFound(f"{label} has no domain “{name}”.")
    return row


def _describe(row: DomainRow) -> str:
    state = "connected" if row.verified_at else "waiting"
    certificate = f"certificate until {row.certificate_until:%Y-%m-%d}" if row.certificate_until else "no certificate"
    target = row.target(Settings().base_host)
    return f"{row.domain}  {state}  {row.outcome or 'not checked'}  {certificate}  CNAME {target}\n"
