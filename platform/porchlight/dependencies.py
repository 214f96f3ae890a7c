"""FastAPI dependencies of the main platform: the app context, the signed-in user, flags and origin checks.

Jobs have theirs in `job_dependencies.py`, without FastAPI.

Features do not import each other. What one feature offers to all others is a protocol here or in `contracts.py`;
`app.py` connects it with the implementation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, Protocol
from uuid import UUID

from fastapi import Depends, Header, Request

from porchlight.contracts import Bookings, ListingCards, OfferCounts, RiskAssessor, UserProfiles, Waivers
from porchlight.payment_ports import Payouts, StripeApi
from porchlight.ports import BioSkills, CertificateReader, FileStore, Geocoder, Identity, QueryRelations, Resolver
from porchlight.settings.environment import Settings
from sites.hours.cache import FreeStartsCache
from tenants.db.pool import Database
from tenants.http.idempotency import check_idempotency_key
from tenants.kit.errors import Forbidden, NotFound, Unauthenticated, Unavailable
from tenants.tenancy.current import host_tenant, request_host
from tenants.tenancy.hosts import HostKind

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
SESSION_COOKIE = "__session"
_DEFAULT_PORT = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True)
class OwnedGuru:
    """A guru and its status: active, unpublished (by its owner) or suspended (by an admin)."""

    tenant_id: UUID
    label: str
    status: str


@dataclass(frozen=True, slots=True)
class AuthenticatedUser:
    """The signed-in user of a request.

    `authenticated_at`: the last sign-in by password or popup. `name` and `picture` come from an ID token; they are
    empty for a cookie session.
    """

    user_id: UUID
    firebase_uid: str
    email: str
    email_verified: bool
    name: str
    picture: str
    authenticated_at: datetime
    token_issued_at: datetime
    auth_method: Literal["bearer", "cookie"]
    session_id: UUID | None
    owned_guru: OwnedGuru | None  # as the request began


class AuthenticatorProtocol(Protocol):
    """Identifies the user of a request."""

    async def by_token(self, token: str, *, strict: bool = False) -> AuthenticatedUser:
        """Return the user of an ID token. Raises Unauthenticated, or Unavailable when it cannot be verified.

        `strict`, for roles and money: ask the identity provider now instead of using a cached status.
        """

    async def by_cookie(self, secret: str) -> AuthenticatedUser | None:
        """Return the user of a valid session cookie, or None."""

    async def by_domain_cookie(self, secret: str, domain: str) -> AuthenticatedUser | None:
        """Return the user of a valid session cookie of a custom domain, or None."""

    def invalidate(self, firebase_uid: str) -> None:
        """Forget the cached status of an account that we changed."""


class Flags(Protocol):
    """Reads feature flags."""

    async def all(self, tenant_id: UUID | None = None) -> dict[str, bool]:
        """Return all flags, globally or for one guru."""

    async def on(self, name: str, tenant_id: UUID | None = None) -> bool:
        """Return whether a flag is on, globally or for one guru."""


class FreeTimes(Protocol):
    """Formats availability bits as text."""

    def __call__(self, bits: int) -> list[str]:
        """Return phrases such as "Tuesday afternoon", in weekday order."""


@dataclass(frozen=True, slots=True)
class AppContext:
    """The database, the settings and the adapters that routes of the main platform use."""

    db: Database
    settings: Settings
    authenticator: AuthenticatorProtocol
    flags: Flags
    identity: Identity | None  # None: no identity provider is configured (offline mode)
    geocoder: Geocoder
    files: FileStore
    payments: Payouts | None  # None: no payment provider is configured
    stripe: StripeApi | None  # the same provider: money and events
    # From the body of a provider's event to the id of the object that it concerns; None: no feature wants it.
    event_object: Callable[[bytes], str | None]
    listing_cards: ListingCards
    offer_counts: OfferCounts
    query_relations: QueryRelations
    bio_skills: BioSkills
    risk: RiskAssessor
    profiles: UserProfiles
    waivers: Waivers
    bookings: Bookings
    free_starts: FreeStartsCache
    resolver: Resolver
    certificates: CertificateReader
    # Descriptions of the tables in the account export, by table name (registry.personal_data).
    personal_data: Mapping[str, str]


def get_context(request: Request) -> AppContext:
    """Return the context that `app.py` composed."""
    context: AppContext = request.app.state.app_context
    return context


# Every dependency is a coroutine: FastAPI runs other functions in a thread, which costs each request some 0.3 ms.
async def _context(request: Request) -> AppContext:
    return get_context(request)


Context = Annotated[AppContext, Depends(_context)]


def require_flag(flag: str) -> Callable[[AppContext], Awaitable[None]]:
    """Create a dependency that raises NotFound while a flag is off (docs/settled-questions.md)."""

    async def check(context: Context) -> None:
        if not await context.flags.on(flag):
            raise NotFound

    return check


async def require_main_host(request: Request) -> None:
    """Raise NotFound on a guru's host. For paths below a prefix that guru hosts do answer."""
    if host_tenant(request.scope) is not None:
        raise NotFound


def own_origin(request: Request) -> str | None:
    """Return the main platform's origin as this request reached it, or None on a guru's host."""
    host = request_host(request.scope)
    if host is None or host.kind is not HostKind.PLATFORM:
        return None
    return _request_origin(request)


def _request_origin(request: Request) -> str:
    scheme = request.scope["scheme"]
    return f"{scheme}://{request.headers['host'].lower().removesuffix(_DEFAULT_PORT.get(scheme, ''))}"


def require_own_origin(request: Request, *, absent: bool = False) -> None:
    """Raise Forbidden unless the request's Origin is the main platform (CSRF protection, docs/sign-in.md).

    Guru sites are same-site with the main platform, so SameSite cookies do not protect against them. `absent` also
    accepts requests without an Origin header; browsers always send one with a write.
    """
    origin = request.headers.get("origin")
    own = own_origin(request)
    if own is None or (origin is None and not absent) or (origin is not None and origin != own):
        raise Forbidden


def is_secure(request: Request, settings: Settings) -> bool:
    """Return whether cookies get the Secure attribute."""
    return settings.production or request.scope["scheme"] == "https"


def own_domain(request: Request) -> str | None:
    """Return the custom domain of the request, or None on a platform host."""
    host = request_host(request.scope)
    return host.name if host is not None and host.kind is HostKind.CUSTOM else None


def session_cookie(request: Request, settings: Settings) -> str:
    """Return the session cookie's name. On a custom domain, the __Host- prefix keeps other hosts from setting it."""
    return "__Host-session" if own_domain(request) and is_secure(request, settings) else SESSION_COOKIE


async def optional_user(request: Request, context: Context) -> AuthenticatedUser | None:
    """Return the signed-in user, by Bearer token or else by cookie; None when signed out.

    Raises Unauthenticated for an invalid token, and Forbidden for a cookie-authenticated write from another origin.
    """
    authorization = request.headers.get("authorization")
    if authorization is not None:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthenticated
        return await context.authenticator.by_token(token.strip())
    domain = own_domain(request)
    secret = request.cookies.get(session_cookie(request, context.settings))
    if not secret:
        return None
    if request.method not in SAFE_METHODS:
        require_own_origin(request)
    if domain is not None:
        return await context.authenticator.by_domain_cookie(secret, domain)
    return await context.authenticator.by_cookie(secret)


async def visitor_email(context: AppContext, request: Request) -> str:
    """Return the verified address of the user who is signed in by cookie and sends a form from this host, or "".

    A form of another site, also of another guru's, proves nothing: the browser adds the cookie to it too.
    """
    secret = request.cookies.get(session_cookie(request, context.settings))
    if not secret or request.headers.get("origin") != _request_origin(request):
        return ""
    domain = own_domain(request)
    if domain is not None:
        user = await context.authenticator.by_domain_cookie(secret, domain)
    else:
        user = await context.authenticator.by_cookie(secret)
    return user.email if user is not None and user.email_verified else ""


OptionalUser = Annotated[AuthenticatedUser | None, Depends(optional_user)]


async def reader(request: Request, context: Context) -> UUID | None:
    """Return the id of the signed-in reader of a public page, or None. A sign-in that ended hides no public page."""
    try:
        user = await optional_user(request, context)
    except (Unauthenticated, Unavailable):
        return None
    return user.user_id if user is not None else None


# Who blocked someone sees nothing of them on public pages, and the reverse: the database hides their rows.
Reader = Annotated[UUID | None, Depends(reader)]


async def current_user(user: OptionalUser) -> AuthenticatedUser:
    """Return the signed-in user. Raises Unauthenticated."""
    if user is None:
        raise Unauthenticated
    return user


CurrentUser = Annotated[AuthenticatedUser, Depends(current_user)]


async def require_verified_user(request: Request, context: Context) -> AuthenticatedUser:
    """Return the signed-in user. Check a token for revocation now, because of the money (docs/sign-in.md)."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return await context.authenticator.by_token(token.strip(), strict=True)
    user = await optional_user(request, context)
    if user is None:
        raise Unauthenticated
    return user


VerifiedUser = Annotated[AuthenticatedUser, Depends(require_verified_user)]


# Admins who view a console as its guru name the guru in this header; see `features.admin.impersonation`.
IMPERSONATE_HEADER = "porchlight-impersonate"


class ImpersonationResolver(Protocol):
    """Resolves the guru that an admin impersonates."""

    async def __call__(self, request: Request, label: str) -> OwnedGuru:
        """Return the guru. Raises Unauthenticated or Forbidden; Forbidden also for writes that were not allowed."""


async def own_guru(request: Request, user: OptionalUser) -> OwnedGuru:
    """Return the user's guru, or the one an admin impersonates. Raises Unauthenticated, or NotFound without a guru."""
    if (label := request.headers.get(IMPERSONATE_HEADER)) is not None:
        resolve: ImpersonationResolver = request.app.state.impersonation
        return await resolve(request, label)
    if user is None:
        raise Unauthenticated
    if user.owned_guru is None:
        raise NotFound
    return user.owned_guru


OwnGuru = Annotated[OwnedGuru, Depends(own_guru)]


async def idempotency_key(
    key: Annotated[
        str | None, Header(alias="Idempotency-Key", description="Makes a retry the same request.", max_length=4096)
    ] = None,
) -> str | None:
    """Return the request's Idempotency-Key, or None. Raises ValidationFailed."""
    return check_idempotency_key(key)


IdempotencyKey = Annotated[str | None, Depends(idempotency_key)]
