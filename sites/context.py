"""The context of guru sites: the parts that the app is composed with, and helpers of API routes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import orjson
from fastapi import Path, Request, Response

from tenants.db.pool import Database
from tenants.db.rate_limit import FloodLimit
from tenants.http.response_cache import TTL_SECONDS, cacheable
from tenants.kit import clock
from tenants.tenancy.directory import Directory, Tenant

# To one guru. A flood that reaches the total needs 500 addresses in 167 networks and 5,000 solved proofs of work.
LEADS_PER_HOUR = FloodLimit(per_address=10, per_network=30, flood_from=30, total=5000)


async def _always(tenant_id: UUID | None) -> bool:
    return True


async def _no_email(request: Request) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class SiteContext:
    """The database, the directory of gurus, and the settings of guru sites."""

    db: Database
    directory: Directory
    base_host: str
    secret: bytes  # the key of address hashes and of proofs of work
    lead_limit: FloodLimit | None = LEADS_PER_HOUR  # None: unlimited
    accepts_reports: Callable[[UUID | None], Awaitable[bool]] = _always  # for one guru's site, or for any
    accepts_bookings: Callable[[UUID | None], Awaitable[bool]] = _always
    shows_badges: Callable[[UUID | None], Awaitable[bool]] = _always  # of approved documents
    takes_messages: Callable[[UUID | None], Awaitable[bool]] = _always  # on the main platform
    shows_reviews: Callable[[UUID | None], Awaitable[bool]] = _always  # of sessions
    # The verified address of the visitor who is signed in and sends this form from the site's own page, or "".
    verified_email: Callable[[Request], Awaitable[str]] = _no_email


def get_context(request: Request) -> SiteContext:
    """Return the context of the app. Call it directly: a FastAPI dependency costs each request some 20 µs."""
    context: SiteContext = request.app.state.site_context
    return context


Subdomain = Annotated[str, Path(description="A guru's subdomain.", examples=["cooking"])]


def seconds_until(due: datetime | None, limit_seconds: float) -> float:
    """Return the seconds until `due`, at least 0 and at most `limit_seconds`, as a cache lifetime."""
    return limit_seconds if due is None else min(limit_seconds, max((due - clock.now()).total_seconds(), 0.0))


def cached_json(
    request: Request, tenant: Tenant, body: dict[str, Any], *, seconds: float = TTL_SECONDS, due: datetime | None = None
) -> Response:
    """Return a JSON response that is cached until the guru changes something, or until `due`."""
    cacheable(request.scope, tenant.id, seconds=seconds_until(due, seconds))
    return Response(orjson.dumps(body), media_type="application/json", headers={"x-content-type-options": "nosniff"})
