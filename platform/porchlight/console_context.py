"""The dependency of all routes below /api/guru: the guru, its unit of work and the origin of its site."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.dependencies import IMPERSONATE_HEADER, AppContext, Context, OwnedGuru, OwnGuru
from porchlight.site_addresses import origin_on, site_origin
from tenants.db.unit_of_work import unit_of_work
from tenants.tenancy.directory import Directory, Tenant
from tenants.tenancy.hosts import Host, HostKind


class ConsoleContext:
    """A request to the console by the owner of `guru`, or by an admin who impersonates the owner."""

    def __init__(self, app_context: AppContext, guru: OwnedGuru, request: Request) -> None:
        self.app_context = app_context
        self.guru = guru
        self._request = request

    @property
    def tenant_id(self) -> UUID:
        """The guru's tenant id."""
        return self.guru.tenant_id

    @property
    def is_impersonated(self) -> bool:
        """Whether an admin uses the console instead of the owner."""
        return IMPERSONATE_HEADER in self._request.headers

    async def site_origin(self) -> str:
        """Return the origin of the site's main address, with the scheme and port of this request."""
        return await site_origin(self._request, self.app_context, self.guru.label)

    @property
    def subdomain_origin(self) -> str:
        """The origin of the site's subdomain, at which the console's pages may load images and previews."""
        return origin_on(self._request, f"{self.guru.label}.{self.app_context.settings.base_host}")

    async def site(self) -> Tenant | None:
        """Return the site with its connected domains, as its visitors' requests find it from now on."""
        directory: Directory = self._request.app.state.directory
        return await directory.find_now(Host(HostKind.GURU, self.guru.label, None))

    def unit_of_work(self, *, acting: bool = False) -> AbstractAsyncContextManager[AsyncSession]:
        """Open a transaction that sees only this guru's rows.

        With `acting`, it also sees the guru's side of bookings, unless an admin impersonates the guru.
        """
        acting = acting and not self.is_impersonated
        return unit_of_work(self.app_context.db, tenant_id=self.guru.tenant_id, acting=acting)


async def _current_console(request: Request, response: Response, context: Context, guru: OwnGuru) -> ConsoleContext:
    response.headers["cache-control"] = "no-store"
    return ConsoleContext(context, guru, request)


CurrentConsole = Annotated[ConsoleContext, Depends(_current_console)]
