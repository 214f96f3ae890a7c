"""How a call learns that staff are asking, for every room that staff act in.

Staff are known by a cookie of the main host, not by an account: `admin` opens its sessions and joins as the door.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Protocol
from uuid import UUID

from fastapi import Cookie, Depends, Request

from porchlight.parts import SAFE_METHODS, Parts, on_main_host
from tenants.kit.db import Database
from tenants.kit.errors import Forbidden, NotFound

COOKIE = "__Host-porchlight_admin"


@dataclass(frozen=True, slots=True)
class Staff:
    """Who is acting: a session, and the name of the key that opened it, which the audit log calls the actor."""

    session_id: UUID
    key_name: str


class StaffDoor(Protocol):
    """Tells whether staff are asking."""

    async def by_cookie(self, overseer: Database, token: str) -> Staff:
        """The staff of a living session. Raises Unauthenticated."""


@dataclass(frozen=True, slots=True)
class StaffParts:
    """What staff routes are given at start. Without an overseer or a key there is no admin area."""

    overseer: Database | None
    keys: str
    door: StaffDoor


def staff_parts(request: Request) -> StaffParts:
    """The parts this app was composed with. Raises NotFound where there is no admin area."""
    parts: StaffParts = request.app.state.staff_parts
    if parts.overseer is None or not parts.keys:
        raise NotFound("The admin area is not configured.")
    return parts


async def _overseer(parts: Annotated[StaffParts, Depends(staff_parts)]) -> Database:
    if parts.overseer is None:  # pragma: no cover - staff_parts refused it
        raise NotFound
    return parts.overseer


Overseer = Annotated[Database, Depends(_overseer)]
Token = Annotated[str, Cookie(alias=COOKIE, include_in_schema=False)]


async def own_origin(request: Request) -> None:
    """A guru's subdomain is the same site to a browser, so every write names where it comes from (DESIGN 7)."""
    origin = request.headers.get("origin")
    fetched = request.headers.get("sec-fetch-site")
    own = f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    if (origin is not None and origin != own) or (origin is None and fetched not in (None, "same-origin")):
        raise Forbidden


async def current_staff(request: Request, overseer: Overseer, token: Token = "") -> Staff:
    """Who of the staff is asking; a write must come from our own pages.

    Raises Unauthenticated for everybody else, Forbidden for another page's write, NotFound on a guru's host.
    """
    on_main_host(request)
    if request.method not in SAFE_METHODS:
        await own_origin(request)
    return await staff_parts(request).door.by_cookie(overseer, token)


TheStaff = Annotated[Staff, Depends(current_staff)]


class NotYet(NotFound):
    """SPEC 2.12: what stands there while a flag is off."""

    code = "feature_off"
    message = "This will be available in a future release."


def needs_flag(name: str) -> Callable[..., Awaitable[None]]:
    """A dependency of staff calls that a flag governs (DESIGN 11). Raises NotYet while it is off."""

    async def check(_staff: TheStaff, parts: Parts) -> None:
        if not await parts.flags.on(name):
            raise NotYet

    return check
