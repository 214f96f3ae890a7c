"""FastAPI dependencies of admin routes: the admin context and the signed-in admin.

Admins sign in with an admin key and have a session cookie on the main host, not a user account. `features.admin`
implements the sessions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Concatenate, ParamSpec, Protocol, TypeVar

import psycopg
from fastapi import Cookie, Depends, Request, Response

from porchlight.contracts import Books, Staff
from porchlight.dependencies import SAFE_METHODS, Context, require_main_host
from tenants.db.pool import Database
from tenants.db.rows import Connection
from tenants.kit.errors import Forbidden, NotFound

COOKIE = "__Host-porchlight_admin"
P = ParamSpec("P")
T = TypeVar("T")


class StaffAuthenticator(Protocol):
    """Identifies the admin of a request."""

    async def by_cookie(self, service_db: Database, token: str) -> Staff:
        """Return the admin of a valid session. Raises Unauthenticated."""


@dataclass(frozen=True, slots=True)
class AdminContext:
    """The context of admin routes. Without a service database there is no admin area.

    `keys`: the shared keys of the settings; may be empty where every admin has a named key.
    """

    service_db: Database | None
    keys: str
    authenticator: StaffAuthenticator
    books: Books


async def get_admin_context(request: Request) -> AdminContext:
    """Return the context that `app.py` composed. Raises NotFound without an admin area."""
    context: AdminContext = request.app.state.admin_context
    if context.service_db is None:
        raise NotFound("The admin area isn't configured.")
    return context


CurrentAdminContext = Annotated[AdminContext, Depends(get_admin_context)]


async def _service_db(context: CurrentAdminContext) -> Database:
    if context.service_db is None:  # pragma: no cover - get_admin_context raised NotFound
        raise NotFound
    return context.service_db


ServiceDatabase = Annotated[Database, Depends(_service_db)]


async def run_as_service(
    service_db: Database, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Run `work` in a thread, in one transaction of the service role: an admin's action of a feature."""

    def run_in_transaction() -> T:
        with psycopg.connect(service_db.dsn) as conn:
            return work(conn, *args, **kwargs)

    return await asyncio.to_thread(run_in_transaction)


Token = Annotated[str, Cookie(alias=COOKIE, include_in_schema=False)]


async def require_admin_origin(request: Request) -> None:
    """Raise Forbidden for a request from another origin: SameSite cookies do not stop guru subdomains."""
    origin = request.headers.get("origin")
    fetched = request.headers.get("sec-fetch-site")
    own = f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    if (origin is not None and origin != own) or (origin is None and fetched not in (None, "same-origin")):
        raise Forbidden


async def find_staff(request: Request, service_db: Database, token: str) -> Staff:
    """Return the signed-in admin.

    Raises Unauthenticated, Forbidden for a write from another origin, and NotFound on a guru's host.
    """
    await require_main_host(request)
    if request.method not in SAFE_METHODS:
        await require_admin_origin(request)
    context = await get_admin_context(request)
    return await context.authenticator.by_cookie(service_db, token)


async def current_staff(request: Request, response: Response, service_db: ServiceDatabase, token: Token = "") -> Staff:
    """Return the signed-in admin, as `find_staff`. No cache keeps the answer."""
    response.headers["cache-control"] = "no-store"
    return await find_staff(request, service_db, token)


CurrentStaff = Annotated[Staff, Depends(current_staff)]


class FeatureDisabled(NotFound):
    """The response while a flag is off (SPEC 2.12)."""

    code = "feature_disabled"
    message = "This will be available in a future release."


def require_admin_flag(name: str) -> Callable[..., Awaitable[None]]:
    """Create a dependency of admin routes: raises FeatureDisabled while a flag is off (docs/settled-questions.md)."""

    async def check(_staff: CurrentStaff, context: Context) -> None:
        if not await context.flags.on(name):
            raise FeatureDisabled

    return check
