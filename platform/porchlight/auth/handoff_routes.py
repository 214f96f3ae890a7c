"""Routes of the login handoff: sign a user in on a custom domain (docs/sign-in.md).

Session cookies do not reach a custom domain, so the browser follows four redirects:

    main   /api/auth/pass?to=https://domain/path        redirects to the domain,
    domain /api/auth/arrival?to=/path                   sets a cookie for this browser and redirects back,
    main   /api/auth/pass?to=…&browser=…                creates a login handoff if a user is signed in,
    domain /api/auth/arrival?to=/path&pass=…            exchanges the handoff for a session of this domain.

A handoff is single-use, valid for 60 seconds, on one domain, in the browser with that cookie: a user cannot sign
another browser in to their own account. The redirects always end at the requested page, signed in or not, and never
lead to a host that is not ours.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated
from urllib.parse import urlencode, urlsplit

from fastapi import Depends, Query, Request
from fastapi.responses import RedirectResponse

from porchlight.auth import handoff, queries
from porchlight.auth.cookies import SECRET_LENGTH, create_secret, hash_secret, set_cookies
from porchlight.dependencies import Context, OptionalUser, is_secure, own_domain, require_main_host
from porchlight.web.exception_handlers import main_origin
from sites.context import get_context as get_site_context
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter
from tenants.kit.base64url import encode_base64url
from tenants.kit.errors import NotFound, Unauthenticated
from tenants.tenancy.hosts import HostKind, parse_host

router = FeatureRouter(prefix="/api/auth", tags=["sessions"])

PASS_PATH, ARRIVAL_PATH = "/api/auth/pass", "/api/auth/arrival"
MAX_URL_LENGTH = 2000
BROWSER_COOKIE_TTL_SECONDS = 300
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029]")

To = Annotated[str, Query(max_length=MAX_URL_LENGTH, description="The page to end at.")]
Secret = Annotated[str, Query(max_length=SECRET_LENGTH)]


@router.get(
    "/pass",
    operation_id="create_login_handoff",
    summary="Create login handoff",
    dependencies=[Depends(require_main_host)],
    response_class=RedirectResponse,
    status_code=303,
)
async def create_login_handoff(
    request: Request, context: Context, user: OptionalUser, to: To = "", browser: Secret = ""
) -> RedirectResponse:
    """Redirect to a page on a verified custom domain, signed in there; to /dashboard for any other URL."""
    target = await _custom_domain_target(request, context.settings.base_host, to)
    if target is None:
        return _redirect("/dashboard")
    origin, domain, path = target
    if user is None or user.session_id is None:
        return _redirect(origin + path)
    if len(browser) != SECRET_LENGTH:
        return _redirect(f"{origin}{ARRIVAL_PATH}?{urlencode({'to': path})}")
    handoff_secret = create_secret()
    try:
        async with unit_of_work(context.db, user_id=user.user_id) as session:
            await handoff.create_login_handoff(
                session,
                user.user_id,
                user.session_id,
                domain,
                pass_hash=hash_secret(handoff_secret),
                browser_hash=hash_secret(browser),
            )
    except Unauthenticated:
        return _redirect(origin + path)
    return _redirect(f"{origin}{ARRIVAL_PATH}?{urlencode({'to': path, 'pass': handoff_secret})}")


@router.get(
    "/arrival",
    operation_id="redeem_login_handoff",
    summary="Redeem login handoff",
    response_class=RedirectResponse,
    status_code=303,
)
async def redeem_login_handoff(
    request: Request,
    context: Context,
    to: To = "",
    pass_: Annotated[str, Query(alias="pass", max_length=SECRET_LENGTH)] = "",
) -> RedirectResponse:
    """Without a handoff, set the browser cookie and redirect for one; with a handoff, create this domain's session."""
    domain = own_domain(request)
    if domain is None:
        raise NotFound
    path = _safe_path(to)
    secure = is_secure(request, context.settings)
    cookie_name = "__Host-arrival" if secure else "arrival"
    if not pass_:
        browser_secret = create_secret()
        origin = f"{request.scope['scheme']}://{request.headers['host']}"
        query = urlencode({"to": origin + path, "browser": _browser_id(browser_secret)})
        response = _redirect(f"{main_origin(request.scope, context.settings.base_host)}{PASS_PATH}?{query}")
        response.set_cookie(
            cookie_name,
            browser_secret,
            max_age=BROWSER_COOKIE_TTL_SECONDS,
            path="/",
            secure=secure,
            httponly=True,
            samesite="lax",
        )
        return response
    response = _redirect(path)
    browser_hash = hash_secret(_browser_id(request.cookies.get(cookie_name, "")))
    found = await queries.find_login_handoff(context.db, hash_secret(pass_), browser_hash, domain, handoff.HANDOFF_TTL)
    if found is not None:
        secret = create_secret()
        async with unit_of_work(context.db, user_id=found.user_id) as session:
            redeemed = await handoff.redeem_login_handoff(session, found.user_id, found.id, hash_secret(secret))
        if redeemed:
            set_cookies(request, response, context.settings, secret)
    response.delete_cookie(cookie_name, path="/", secure=secure, httponly=True, samesite="lax")
    return response


def _browser_id(browser_secret: str) -> str:
    """Return the id of a browser for the main platform: a hash of its cookie, as long as a secret."""
    return encode_base64url(hashlib.sha256(browser_secret.encode()).digest())


async def _custom_domain_target(request: Request, base_host: str, to: str) -> tuple[str, str, str] | None:
    """Return origin, domain and path of a URL on a verified custom domain with this request's scheme; else None."""
    if _UNSAFE.search(to):
        return None
    try:
        url = urlsplit(to)
    except ValueError:
        return None
    host, request_host = parse_host(url.netloc.encode(), base_host), request.scope["porchlight.host"]
    if host.kind is not HostKind.CUSTOM or (url.scheme, host.port) != (request.scope["scheme"], request_host.port):
        return None
    tenant = await get_site_context(request).directory.find(host)
    if tenant is None or tenant.is_suspended:
        return None
    path = url._replace(scheme="", netloc="").geturl()
    return f"{url.scheme}://{host.name}{f':{host.port}' if host.port else ''}", host.name, _safe_path(path)


def _safe_path(to: str) -> str:
    """Return `to` if it is a path of this host; "/" for anything that a browser could read as another host."""
    return to if to.startswith("/") and not to.startswith("//") and not _UNSAFE.search(to) else "/"


def _redirect(to: str) -> RedirectResponse:
    # The URLs contain secrets: they must be neither cached nor sent as a referrer.
    headers = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
    return RedirectResponse(to, 303, headers)
