"""Custom domains in the guru's console."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from fastapi import Depends, status

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.features.domains import actions, queries
from porchlight.features.domains.actions import DomainChecker, TooManyDomains
from porchlight.features.domains.lookup import site_addresses
from porchlight.features.domains.schemas import (
    CustomDomain,
    CustomDomainResponse,
    CustomDomains,
    CustomDomainsResponse,
    DomainPayload,
    MainAddress,
    MainAddressPayload,
    MainAddressResponse,
    custom_domain,
    main_address,
)
from porchlight.features.domains.state import DomainRow
from porchlight.plans.dependencies import needs
from porchlight.plans.limits import PlanFeature
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.schemas import MessageResponse
from tenants.tenancy.domains import DomainTaken, is_apex, parse_domain, with_or_without_www
from tenants.tenancy.hosts import is_domain

router = FeatureRouter(prefix="/api/guru/domains", tags=["domains"], route_class=StrictRoute)


@router.get("", response_model=CustomDomainsResponse, operation_id="list_domains", summary="List my domains")
async def list_domains(console: CurrentConsole) -> CustomDomainsResponse:
    """Return the site's custom domains, with the DNS records to set and the result of the last check."""
    rows = await queries.own_domains(console.app_context.db, console.tenant_id)
    domains = await asyncio.gather(*(_custom_domain(console, row) for row in rows))
    data = CustomDomains(
        domains=list(domains), max_domains=actions.MAX_DOMAINS, main_address=await _main_address(console)
    )
    return CustomDomainsResponse(success=True, data=data)


@router.post(
    "",
    response_model=CustomDomainResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="add_domain",
    summary="Add a domain",
    dependencies=[Depends(needs(PlanFeature.OWN_DOMAIN))],
)
async def add_domain(console: CurrentConsole, payload: DomainPayload) -> CustomDomainResponse:
    """Add a domain to the site, with its name that has “www” too if wanted. It is served once its records prove it.

    402 without the plan; 409 `domain_taken` when another site serves it, and `too_many_domains`.
    """
    settings = console.app_context.settings
    domain = parse_domain(payload.domain, settings.own_hosts, allow_localhost=not settings.production)
    added = await actions.add_domain(console.app_context.db, console.tenant_id, domain)
    other = with_or_without_www(domain) if payload.with_www else None
    if other is not None:
        with suppress(DomainTaken, TooManyDomains):  # the list shows what was added
            await actions.add_domain(console.app_context.db, console.tenant_id, other)
    return await _response(console, added)


@router.put(
    "/main",
    response_model=MainAddressResponse,
    operation_id="update_main_address",
    summary="Choose my site's main address",
)
async def update_main_address(console: CurrentConsole, payload: MainAddressPayload) -> MainAddressResponse:
    """Choose the address to which the others redirect, and which links, feeds, emails and the QR code name.

    409 `domain_not_connected` for a domain that does not serve the site.
    """
    await actions.choose_main_domain(console.app_context.db, console.tenant_id, payload.domain)
    return MainAddressResponse(success=True, data=await _main_address(console))


@router.post(
    "/{domain}/checks", response_model=CustomDomainResponse, operation_id="check_domain", summary="Check a domain"
)
async def check_domain(console: CurrentConsole, domain: str) -> CustomDomainResponse:
    """Look up a domain's DNS records now, and its certificate once it is connected. Limited per site and hour."""
    context = console.app_context
    checker = DomainChecker(context.resolver, context.certificates, context.settings.base_host)
    limit = None if context.settings.limits == "off" else actions.MAX_CHECKS_PER_HOUR
    service_dsn = context.settings.overseer_database_url
    row = await actions.check_domain(context.db, service_dsn, checker, console.tenant_id, _known(domain), limit=limit)
    return await _response(console, row)


@router.delete("/{domain}", response_model=MessageResponse, operation_id="remove_domain", summary="Remove a domain")
async def remove_domain(console: CurrentConsole, domain: str) -> MessageResponse:
    """Remove a domain from the site. Visitors who open it no longer see the site."""
    await actions.remove_domain(console.app_context.db, console.tenant_id, _known(domain))
    return MessageResponse(success=True, message="Domain removed.")


async def _main_address(console: ConsoleContext) -> MainAddress:
    site = await console.site()
    if site is None:  # deleted meanwhile
        raise NotFound
    return main_address(site, console.app_context.settings.base_host)


def _known(domain: str) -> str:
    if not is_domain(domain):
        raise NotFound
    return domain


async def _response(console: ConsoleContext, row: DomainRow) -> CustomDomainResponse:
    return CustomDomainResponse(success=True, data=await _custom_domain(console, row))


async def _custom_domain(console: ConsoleContext, row: DomainRow) -> CustomDomain:
    """Return a domain with its records. The sites' addresses are looked up only for one that has to be set up."""
    base_host = console.app_context.settings.base_host
    addresses: list[str] = []
    if is_apex(row.domain) and (row.verified_at is None or row.outcome != "ok"):
        addresses = await asyncio.to_thread(site_addresses, console.app_context.resolver, row.target(base_host))
    return custom_domain(row, base_host, addresses)
