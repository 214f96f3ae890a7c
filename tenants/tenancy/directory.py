"""The directory of gurus: finds a host's tenant, through a bounded cache that NOTIFY invalidates (docs/tenancy.md)."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tenants.db.pool import Database
from tenants.db.rows import Connection
from tenants.kit import clock
from tenants.tenancy.hosts import Host
from tenants.tenancy.main_address import ServedDomain, chosen_domain, main_domain

MAX_KNOWN_NAMES = 20_000  # per worker, about 400 bytes each
MAX_UNKNOWN_NAMES = 5_000  # cached as unassigned; kept apart, so that random names evict no guru
TTL_SECONDS = 300.0  # a safeguard, in case a notification is lost
TTL_WHEN_DISCONNECTED_SECONDS = 1.0  # while the change listener has no connection

_FIND = "SELECT id, label, status, main_domain, domains FROM app.find_site(%s)"


@dataclass(frozen=True, slots=True)
class Tenant:
    """A guru as seen by a request. `label` is the current one, whichever name the request used.

    `choice`: the main address that the guru chose, as in the column `main_domain`. `domains`: the connected ones.
    """

    id: UUID
    label: str
    status: str
    choice: str | None = None
    domains: tuple[ServedDomain, ...] = ()

    @classmethod
    def from_row(
        cls, tenant_id: UUID, label: str, status: str, choice: str | None, domains: list[list[Any]] | None
    ) -> Tenant:
        """Return the guru of a row of app.find_site."""
        return cls(tenant_id, label, status, choice, tuple(ServedDomain(*domain) for domain in domains or ()))

    @property
    def is_suspended(self) -> bool:
        """Whether the site is down: suspended by an admin or unpublished by its owner."""
        return self.status != "active"

    @property
    def chosen_domain(self) -> str | None:
        """The domain that is the site's main address once visitors can open it; None for the subdomain."""
        return chosen_domain(self.domains, self.choice)

    def main_host(self, base_host: str) -> str:
        """Return the host of the site's main address: links name it, and the site's other hosts redirect to it."""
        domain = main_domain(self.domains, self.choice, clock.now()) if self.domains else None
        return domain or f"{self.label}.{base_host}"

    def shows_pages(self, host: str, base_host: str) -> bool:
        """Whether pages are shown at a host of the site; at the others they redirect to the main address.

        Visitors who reach the domain that the guru wants stay there, also while others are not sent to it.
        """
        return host in (self.main_host(base_host), self.chosen_domain)


def read_site(conn: Connection, label: str) -> Tenant | None:
    """Return the guru with this label, for jobs."""
    row = conn.execute(_FIND.encode(), [label]).fetchone()
    return Tenant.from_row(*row) if row else None


class Directory:
    """The names of all gurus, read from the database and cached."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._known: OrderedDict[str, tuple[Tenant, float]] = OrderedDict()
        self._names: dict[UUID, set[str]] = {}  # by tenant, so that a change costs the same at any number of gurus
        self._unknown: OrderedDict[str, float] = OrderedDict()
        self._generation = 0
        self._ttl = TTL_WHEN_DISCONNECTED_SECONDS  # until the change listener is connected

    async def find(self, host: Host) -> Tenant | None:
        """Return the tenant of a GURU or CUSTOM host, suspended ones included; None for an unassigned name."""
        return await self.find_by_name(host.name)

    async def find_by_name(self, name: str) -> Tenant | None:
        """Return the tenant with this label or verified custom domain. Raise Unavailable when the database is down."""
        now = time.monotonic()
        if (hit := self._known.get(name)) is not None and now < hit[1]:
            self._known.move_to_end(name)
            return hit[0]
        if now < self._unknown.get(name, 0.0):
            return None
        return await self._read(name, now)

    async def find_now(self, host: Host) -> Tenant | None:
        """Return what `find` returns, without the cache. Raise Unavailable when the database is down."""
        return await self._read(host.name, time.monotonic())

    async def _read(self, name: str, now: float) -> Tenant | None:
        generation = self._generation
        rows = await self._db.read(None, _FIND, [name])
        tenant = Tenant.from_row(*rows[0]) if rows else None
        if generation == self._generation:  # else the rows may be older than a change notified meanwhile
            self._store(name, tenant, now + self._ttl)
        return tenant

    def _store(self, name: str, tenant: Tenant | None, until: float) -> None:
        self._evict(name)
        self._unknown.pop(name, None)
        if tenant is not None:
            self._known[name] = (tenant, until)
            self._names.setdefault(tenant.id, set()).add(name)
            if len(self._known) > MAX_KNOWN_NAMES:
                self._evict(next(iter(self._known)))
        else:
            self._unknown[name] = until
            if len(self._unknown) > MAX_UNKNOWN_NAMES:
                self._unknown.popitem(last=False)

    def _evict(self, name: str) -> None:
        known = self._known.pop(name, None)
        if known is not None:
            names = self._names[known[0].id]
            names.discard(name)
            if not names:
                del self._names[known[0].id]

    def invalidate_names(self, names: list[str]) -> None:
        """Remove these names from the cache."""
        self._generation += 1
        for name in names:
            self._evict(name)
            self._unknown.pop(name, None)

    def invalidate_tenant(self, tenant_id: UUID) -> None:
        """Remove every name of a tenant from the cache, with its retired labels and domains."""
        for name in list(self._names.get(tenant_id, ())):
            self._evict(name)

    def on_connection_change(self, connected: bool) -> None:
        """Clear the cache: changes are missed while the change listener has no connection."""
        self._generation += 1
        self._known.clear()
        self._names.clear()
        self._unknown.clear()
        self._ttl = TTL_SECONDS if connected else TTL_WHEN_DISCONNECTED_SECONDS
