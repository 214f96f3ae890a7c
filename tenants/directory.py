"""Whose name is this? From a parsed host to its tenant, through a bounded cache kept true by NOTIFY (DESIGN 3)."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from uuid import UUID

from tenants.host import Host, Kind
from tenants.kit.db import Database

KNOWN = 20_000  # names remembered per worker, about 400 bytes each
UNKNOWN = 5_000  # names remembered as nobody's; apart, so that random names push out no guru
TTL = 300.0  # seconds; behind the notifications, should one ever be missed
TTL_DEAF = 1.0  # seconds, while the listening connection is down

_FIND_LABEL = "SELECT id, label, status FROM app.find_label(%s)"
_FIND_DOMAIN = "SELECT id, label, status FROM app.find_domain(%s)"


@dataclass(frozen=True, slots=True)
class Tenant:
    """A guru as a request knows it. `label` is its present one, whatever name the request used."""

    id: UUID
    label: str
    status: str

    @property
    def suspended(self) -> bool:
        """Whether the site is down: an admin suspended it, or its owner took it off the air."""
        return self.status != "active"


class Directory:
    """The names of all gurus, asked from the database and remembered for a while."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._known: OrderedDict[str, tuple[Tenant, float]] = OrderedDict()
        self._names: dict[UUID, set[str]] = {}  # of what is known, so that a change costs the same among any number
        self._unknown: OrderedDict[str, float] = OrderedDict()
        self._generation = 0
        self._ttl = TTL_DEAF  # until a listener says that it listens

    async def find(self, host: Host) -> Tenant | None:
        """The tenant that a GURU or CUSTOM host names, suspended ones included; None when it is nobody's."""
        return await self.named(host.name, domain=host.kind is Kind.CUSTOM)

    async def named(self, name: str, *, domain: bool = False) -> Tenant | None:
        """The tenant with this label (or verified custom domain). Raises Unavailable when the database is out."""
        now = time.monotonic()
        if (hit := self._known.get(name)) is not None and now < hit[1]:
            self._known.move_to_end(name)
            return hit[0]
        if now < self._unknown.get(name, 0.0):
            return None
        asked_in = self._generation
        rows = await self._db.read(None, _FIND_DOMAIN if domain else _FIND_LABEL, [name])
        tenant = Tenant(*rows[0]) if rows else None
        if asked_in == self._generation:  # else the answer may be older than the change we were just told of
            self._remember(name, tenant, now + self._ttl)
        return tenant

    def _remember(self, name: str, tenant: Tenant | None, until: float) -> None:
        self._drop(name)
        self._unknown.pop(name, None)
        if tenant is not None:
            self._known[name] = (tenant, until)
            self._names.setdefault(tenant.id, set()).add(name)
            if len(self._known) > KNOWN:
                self._drop(next(iter(self._known)))
        else:
            self._unknown[name] = until
            if len(self._unknown) > UNKNOWN:
                self._unknown.popitem(last=False)

    def _drop(self, name: str) -> None:
        known = self._known.pop(name, None)
        if known is not None:
            names = self._names[known[0].id]
            names.discard(name)
            if not names:
                del self._names[known[0].id]

    def forget(self, names: list[str]) -> None:
        """Ask again for these names."""
        self._generation += 1
        for name in names:
            self._drop(name)
            self._unknown.pop(name, None)

    def forget_tenant(self, tenant_id: UUID) -> None:
        """Ask again for every name of a tenant: a change of the guru may have come by a retired label or a domain."""
        for name in list(self._names.get(tenant_id, ())):
            self._drop(name)

    def heard(self, listening: bool) -> None:
        """The listening connection came up or went down: everything remembered may have changed meanwhile."""
        self._generation += 1
        self._known.clear()
        self._names.clear()
        self._unknown.clear()
        self._ttl = TTL if listening else TTL_DEAF
