"""What the rooms of `sites` are given at start, and how a call finds its guru."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import orjson
from fastapi import Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect

from sites.limits import LeadLimits
from tenants.directory import Directory, Tenant
from tenants.edge import TTL, keep
from tenants.host import is_label
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import GuruNotFound, Refused, SiteSuspended

_JSON = re.compile(r" *application/(?:json|[!#$&^.+\w-]+\+json) *(?:;|$)", re.ASCII | re.IGNORECASE)


async def _always(tenant_id: UUID | None) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class SiteParts:
    """The database, the directory of gurus, and the settings that guru sites need."""

    db: Database
    directory: Directory
    base_host: str
    secret: bytes  # keys the hashes of addresses
    lead_limits: LeadLimits | None = field(default_factory=LeadLimits)  # None: any number of leads
    takes_reports: Callable[[UUID | None], Awaitable[bool]] = _always  # of one guru's site, or of sites at all


def parts_of(request: Request) -> SiteParts:
    """The parts this app was composed with. Called, not depended on: a dependency costs a call some 20 µs."""
    parts: SiteParts = request.app.state.site_parts
    return parts


Subdomain = Annotated[str, Path(description="A guru's subdomain.", examples=["cooking"])]


async def the_tenant(request: Request, subdomain: str) -> Tenant:
    """The guru a call names. On a guru's own host only themselves; others are as unknown as nobody (DESIGN 11)."""
    here: Tenant | None = request.scope.get("porchlight.tenant")
    if here is not None:
        if subdomain != here.label:
            raise GuruNotFound
        return here
    tenant = await parts_of(request).directory.named(subdomain) if is_label(subdomain) else None
    if tenant is None:
        raise GuruNotFound
    if tenant.suspended:
        raise SiteSuspended
    return tenant


def until_due(seconds: float, due: datetime | None) -> float:
    """How long an answer may be remembered that changes by itself at `due`, if ever."""
    return seconds if due is None else min(seconds, max((due - clock.now()).total_seconds(), 0.0))


def remembered(
    request: Request, tenant: Tenant, body: dict[str, Any], *, seconds: float = TTL, due: datetime | None = None
) -> Response:
    """A JSON answer that the edge may keep until the guru changes something, or something of theirs comes due."""
    keep(request.scope, tenant.id, seconds=until_due(seconds, due))
    return Response(orjson.dumps(body), media_type="application/json", headers={"x-content-type-options": "nosniff"})


class _StrictRequest(Request):
    async def json(self) -> Any:
        # orjson refuses NaN, 1e400, lone surrogates and bottomless nesting, which the standard parser lets in.
        if not hasattr(self, "_json"):
            self._json = orjson.loads(await self.body())
        return self._json


class StrictRoute(APIRoute):
    """A route that reads only JSON as RFC 8259 has it (DESIGN 10)."""

    def get_route_handler(self) -> Any:
        """The handler, reading through the strict parser."""
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            strict = _StrictRequest(request.scope, request.receive)
            if request.method not in ("GET", "HEAD"):
                await _read(strict)
            answer: Response = await inner(strict)
            return answer

        return handler


async def _read(request: Request) -> bytes:
    # Before FastAPI, which would make a plain 400 of whatever the guard says about a body.
    try:
        return await request.body()
    except ClientDisconnect:
        raise Refused(400, "bad_request", "The request ended before its body did.") from None


class BodyRoute(StrictRoute):
    """A route whose endpoint takes the request and one body, and makes its Response itself: for the busiest writes.

    It does what FastAPI does with such a route, without what that does for all others: some 150 µs of a call.
    """

    def get_route_handler(self) -> Any:
        """The handler, which reads and checks the body and calls the endpoint."""
        taken, dependant = self.body_field, self.dependant
        asked = dependant.request_param_name
        others = dependant.path_params + dependant.query_params + dependant.header_params + dependant.cookie_params
        if taken is None or asked is None or len(dependant.body_params) != 1 or others or dependant.dependencies:
            raise TypeError(f"{self.path} takes more than the request and a body, or less")
        named, endpoint = taken.name, self.endpoint

        async def handler(request: Request) -> Response:
            strict = _StrictRequest(request.scope, request.receive)
            body: Any = await _read(strict)
            if not body:
                missing = {"type": "missing", "loc": ("body",), "msg": "Field required", "input": None}
                raise RequestValidationError([missing], body=None)
            if _JSON.match(request.headers.get("content-type", "")):
                try:
                    body = await strict.json()
                except orjson.JSONDecodeError as broken:
                    fault = {"type": "json_invalid", "loc": ("body", broken.pos), "msg": broken.msg, "input": {}}
                    raise RequestValidationError([fault]) from broken
            value, faults = taken.validate(body, loc=("body",))
            if faults:
                raise RequestValidationError(faults, body=body)
            answer: Response = await endpoint(**{asked: strict, named: value})
            return answer

        return handler
