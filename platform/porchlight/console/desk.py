"""What every call of the console stands on: whose guru it is, their unit of work, and where their site is."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.parts import OwnedGuru, OwnGuru, Parts, PlatformParts
from tenants.session import unit_of_work


class Desk:
    """Somebody at work on the guru they own; or staff who look at it as its owner would."""

    def __init__(self, parts: PlatformParts, owned: OwnedGuru, request: Request) -> None:
        self.parts = parts
        self.owned = owned
        self._request = request

    @property
    def tenant_id(self) -> UUID:
        """Whose rows these are."""
        return self.owned.tenant_id

    @property
    def address(self) -> str:
        """The site's origin, by the way this request came."""
        return site_address(self._request, self.parts, self.owned)

    def work(self) -> AbstractAsyncContextManager[AsyncSession]:
        """A unit of work within the guru's fence."""
        return unit_of_work(self.parts.db, tenant_id=self.owned.tenant_id)


def site_address(request: Request, parts: PlatformParts, owned: OwnedGuru) -> str:
    """A guru's origin: same scheme and port as the main platform was reached by."""
    host = request.scope.get("porchlight.host")
    port = f":{host.port}" if host is not None and host.port else ""
    return f"{request.scope['scheme']}://{owned.label}.{parts.settings.base_host}{port}"


async def _at_desk(request: Request, response: Response, parts: Parts, owned: OwnGuru) -> Desk:
    response.headers["cache-control"] = "no-store"
    return Desk(parts, owned, request)


AtDesk = Annotated[Desk, Depends(_at_desk)]
