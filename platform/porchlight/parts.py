"""What every feature of the main platform is given at start, and how a call learns who is asking.

Features do not import each other: what one offers to all (who is signed in, which flags are on) stands here as a
protocol, and `app.py` joins them.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, Protocol
from uuid import UUID

from fastapi import Depends, Header, Request

from porchlight.cards import ListingCards, RiskJudge
from porchlight.ports import FileStore, Geocoder, Identity, Payouts
from porchlight.settings import Settings
from tenants.directory import Tenant
from tenants.host import Kind
from tenants.kit.db import Database
from tenants.kit.errors import Forbidden, NotFound, Unauthenticated, ValidationFailed

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
SESSION_COOKIE = "__session"
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
_DEFAULT_PORT = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is signed in. `authenticated_at`: when they last proved who they are, by password or popup.

    `name` and `picture` are what an ID token says; a cookie says nothing of them.
    """

    user_id: UUID
    firebase_uid: str
    email: str
    email_verified: bool
    name: str
    picture: str
    authenticated_at: datetime
    token_issued_at: datetime
    by: Literal["bearer", "cookie"]
    session_id: UUID | None


class Doorkeeper(Protocol):
    """Tells who is asking."""

    async def by_token(self, token: str, *, strict: bool = False) -> Person:
        """The person an ID token names. Raises Unauthenticated; Unavailable when that cannot be found out.

        `strict`, for roles and money: the identity service is asked now, whatever was heard before.
        """

    async def by_cookie(self, secret: str) -> Person | None:
        """The person of a living cookie session."""

    async def by_domain_cookie(self, secret: str, domain: str) -> Person | None:
        """The person of a living session of a guru's own domain."""

    def changed(self, firebase_uid: str) -> None:
        """An account was changed by us: what is known of it is old."""


class Flags(Protocol):
    """Which features are on."""

    async def all(self, tenant_id: UUID | None = None) -> dict[str, bool]:
        """Every flag, for everybody or as one guru has it."""

    async def on(self, name: str, tenant_id: UUID | None = None) -> bool:
        """Whether one flag is on."""


@dataclass(frozen=True, slots=True)
class OwnedGuru:
    """The guru somebody owns. `status`: active, unpublished (by its owner) or suspended (by staff)."""

    tenant_id: UUID
    label: str
    status: str


class Ownership(Protocol):
    """Tells who owns which guru."""

    async def of(self, user_id: UUID) -> OwnedGuru | None:
        """The guru the person owns, whatever its status; None for a neighbour without one."""


class PayoutStanding(Protocol):
    """Tells whether somebody can be paid. Inside a transaction of the user, SQL has app.payouts_connected(user_id)."""

    async def connected(self, user_id: UUID) -> bool:
        """`payoutConnected` (DESIGN 11): connected, and charges, payouts and details all true, as last heard."""


class FreeTimes(Protocol):
    """Says times that are kept as bits (listings' `availability`) in words."""

    def __call__(self, bits: int) -> list[str]:
        """ "Tuesday afternoon" and so on, in the week's order."""


@dataclass(frozen=True, slots=True)
class PlatformParts:
    """The database, the settings and the vendors of the main platform."""

    db: Database
    settings: Settings
    door: Doorkeeper
    flags: Flags
    ownership: Ownership
    identity: Identity | None  # None: no identity service is configured (offline mode)
    geocoder: Geocoder
    files: FileStore
    payments: Payouts | None  # None: no payment provider is configured
    payouts: PayoutStanding
    listing_cards: ListingCards
    risk: RiskJudge


def parts_of(request: Request) -> PlatformParts:
    """The parts this app was composed with."""
    parts: PlatformParts = request.app.state.platform_parts
    return parts


Parts = Annotated[PlatformParts, Depends(parts_of)]


def while_on(flag: str) -> Callable[[PlatformParts], Awaitable[None]]:
    """A dependency of calls that a flag governs (DESIGN 11). Raises NotFound while it is off."""

    async def check(parts: Parts) -> None:
        if not await parts.flags.on(flag):
            raise NotFound

    return check


def tenant_of(request: Request) -> Tenant | None:
    """The guru on whose host this call came; None on the main platform."""
    tenant: Tenant | None = request.scope.get("porchlight.tenant")
    return tenant


def on_main_host(request: Request) -> None:
    """A call that guru hosts do not answer, though its path begins like one they do."""
    if tenant_of(request) is not None:
        raise NotFound


def own_origin(request: Request) -> str | None:
    """The origin of the main platform as this request reached it; None on a guru's host."""
    host = request.scope.get("porchlight.host")
    if host is None or host.kind is not Kind.PLATFORM:
        return None
    scheme = request.scope["scheme"]
    return f"{scheme}://{request.headers['host'].lower().removesuffix(_DEFAULT_PORT.get(scheme, ''))}"


def refuse_foreign_origin(request: Request, *, absent: bool = False) -> None:
    """Refuse a write that another site's page may have caused (DESIGN 7).

    Guru sites are same-site with the main platform, so SameSite cookies do not stop them: only Origin does. `absent`
    lets a request without the header through; browsers always send it with a write.
    """
    origin = request.headers.get("origin")
    own = own_origin(request)
    if own is None or (origin is None and not absent) or (origin is not None and origin != own):
        raise Forbidden


def over_tls(request: Request, settings: Settings) -> bool:
    """Whether cookies may be marked to travel over TLS alone."""
    return settings.production or request.scope["scheme"] == "https"


def own_domain(request: Request) -> str | None:
    """The guru's own domain on which this call came; None on our hosts."""
    host = request.scope.get("porchlight.host")
    return host.name if host is not None and host.kind is Kind.CUSTOM else None


def session_cookie(request: Request, settings: Settings) -> str:
    """The session cookie's name on this host. On a guru's own domain no other host of it may set the cookie."""
    return "__Host-session" if own_domain(request) and over_tls(request, settings) else SESSION_COOKIE


async def maybe_user(request: Request, parts: Parts) -> Person | None:
    """Who is signed in: by Bearer token, else by cookie.

    A token that is sent must be good. A cookie with a write must come from our own pages.
    """
    authorization = request.headers.get("authorization")
    if authorization is not None:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthenticated
        return await parts.door.by_token(token.strip())
    domain = own_domain(request)
    secret = request.cookies.get(session_cookie(request, parts.settings))
    if not secret:
        return None
    if request.method not in SAFE_METHODS:
        refuse_foreign_origin(request)
    return await (parts.door.by_cookie(secret) if domain is None else parts.door.by_domain_cookie(secret, domain))


MaybeUser = Annotated[Person | None, Depends(maybe_user)]


async def current_user(person: MaybeUser) -> Person:
    """Who is signed in. Raises Unauthenticated for nobody."""
    if person is None:
        raise Unauthenticated
    return person


CurrentUser = Annotated[Person, Depends(current_user)]


# Staff who look at a site as its guru name it in this header; see `admin.impersonation_routes`.
LOOKING_AS = "porchlight-as"


class SeenAs(Protocol):
    """Finds the guru that staff look as."""

    async def __call__(self, request: Request, label: str) -> OwnedGuru:
        """Their guru. Raises Unauthenticated or Forbidden, and Forbidden for changes that were not allowed."""


async def own_guru(request: Request, person: MaybeUser, parts: Parts) -> OwnedGuru:
    """The guru of who is signed in, or the one staff look as. Raises NotFound for somebody without one."""
    if (label := request.headers.get(LOOKING_AS)) is not None:
        seen_as: SeenAs = request.app.state.seen_as
        return await seen_as(request, label)
    if person is None:
        raise Unauthenticated
    owned = await parts.ownership.of(person.user_id)
    if owned is None:
        raise NotFound
    return owned


OwnGuru = Annotated[OwnedGuru, Depends(own_guru)]


def idempotency_key(
    key: Annotated[
        str | None, Header(alias="Idempotency-Key", description="Makes a resend the same request.", max_length=4096)
    ] = None,
) -> str | None:
    """The request's Idempotency-Key, if it sent one."""
    if key is not None and not _KEY.fullmatch(key):
        raise ValidationFailed(fields={"Idempotency-Key": "Use 1 to 200 printable characters."})
    return key


IdempotencyKey = Annotated[str | None, Depends(idempotency_key)]
