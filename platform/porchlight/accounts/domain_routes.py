"""/api/auth/pass and /api/auth/arrival: how a neighbour is known on a guru's own domain (DESIGN 7).

Cookies do not reach there, so a browser walks round once, in four redirects:

    main   /api/auth/pass?to=https://domain/path        sends it to the domain,
    domain /api/auth/arrival?to=/path                   marks the browser by a cookie and sends it back,
    main   /api/auth/pass?to=…&browser=…                gives it a pass, if somebody is signed in,
    domain /api/auth/arrival?to=/path&pass=…            takes the pass for a session of this domain.

A pass is good once, for a minute, on one domain, in the browser that was marked there: nobody can bring somebody else
in. Each walk ends at the page that was asked for, signed in or not; no address leads to a host that is not ours.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Annotated
from urllib.parse import urlencode, urlsplit

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import RedirectResponse

from porchlight.accounts import actions, queries
from porchlight.accounts.cookies import set_cookies
from porchlight.accounts.door import SECRET_LENGTH, secret_hash
from porchlight.answers import main_origin
from porchlight.parts import MaybeUser, Parts, on_main_host, over_tls, own_domain
from sites.parts import parts_of as site_parts_of
from tenants.host import Kind, parse
from tenants.kit.errors import NotFound, Unauthenticated
from tenants.session import unit_of_work

router = APIRouter(prefix="/api/auth", tags=["accounts"])

PASS, ARRIVAL = "/api/auth/pass", "/api/auth/arrival"
LONGEST = 2000  # characters of an address
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029]")

To = Annotated[str, Query(max_length=LONGEST, description="Where the person is headed.")]
Secret = Annotated[str, Query(max_length=SECRET_LENGTH)]


@router.get(
    "/pass",
    operation_id="walk_to_domain",
    summary="On to a guru's own domain",
    dependencies=[Depends(on_main_host)],
    response_class=RedirectResponse,
    status_code=303,
)
async def read_pass(
    request: Request, parts: Parts, person: MaybeUser, to: To = "", browser: Secret = ""
) -> RedirectResponse:
    """Leads to an address on a verified custom domain, and there signed in; any other address leads to /dashboard."""
    place = await _place(request, parts.settings.base_host, to)
    if place is None:
        return _walk("/dashboard")
    origin, domain, path = place
    if person is None or person.session_id is None:
        return _walk(origin + path)
    if len(browser) != SECRET_LENGTH:
        return _walk(f"{origin}{ARRIVAL}?{urlencode({'to': path})}")
    made = actions.new_secret()
    try:
        async with unit_of_work(parts.db, user_id=person.user_id) as session:
            await actions.issue_pass(
                session,
                person.user_id,
                person.session_id,
                domain,
                pass_hash=secret_hash(made),
                browser_hash=secret_hash(browser),
            )
    except Unauthenticated:
        return _walk(origin + path)
    return _walk(f"{origin}{ARRIVAL}?{urlencode({'to': path, 'pass': made})}")


@router.get(
    "/arrival",
    operation_id="arrive_at_domain",
    summary="Arrive at a guru's own domain",
    response_class=RedirectResponse,
    status_code=303,
)
async def read_arrival(
    request: Request,
    parts: Parts,
    to: To = "",
    pass_: Annotated[str, Query(alias="pass", max_length=SECRET_LENGTH)] = "",
) -> RedirectResponse:
    """Marks the browser and asks the main platform for a pass; with one, opens the session of this domain."""
    domain = own_domain(request)
    if domain is None:
        raise NotFound
    path = _path(to)
    mark = "__Host-arrival" if over_tls(request, parts.settings) else "arrival"
    if not pass_:
        made = actions.new_secret()
        here = f"{request.scope['scheme']}://{request.headers['host']}"
        asked = {"to": here + path, "browser": _mark_hash(made)}
        answer = _walk(f"{main_origin(request.scope, parts.settings.base_host)}{PASS}?{urlencode(asked)}")
        answer.set_cookie(
            mark, made, max_age=300, path="/", secure=over_tls(request, parts.settings), httponly=True, samesite="lax"
        )
        return answer
    answer = _walk(path)
    marked = secret_hash(_mark_hash(request.cookies.get(mark, "")))
    found = await queries.found_pass(parts.db, secret_hash(pass_), marked, domain, actions.PASS_LIFE)
    if found is not None:
        secret = actions.new_secret()
        async with unit_of_work(parts.db, user_id=found[0]) as session:
            used = await actions.use_pass(session, *found, secret_hash(secret))
        if used:
            set_cookies(request, answer, parts.settings, secret)
    answer.delete_cookie(mark, path="/", secure=over_tls(request, parts.settings), httponly=True, samesite="lax")
    return answer


def _mark_hash(mark: str) -> str:
    """What the main platform learns of a browser's mark: as long as a secret, and of no use without it."""
    return base64.urlsafe_b64encode(hashlib.sha256(mark.encode()).digest()).rstrip(b"=").decode()


async def _place(request: Request, base_host: str, to: str) -> tuple[str, str, str] | None:
    """Origin, domain and path of an address on a verified custom domain, reached as this request was; else None."""
    if _UNSAFE.search(to):
        return None
    try:
        url = urlsplit(to)
    except ValueError:
        return None
    host, here = parse(url.netloc.encode(), base_host), request.scope["porchlight.host"]
    if host.kind is not Kind.CUSTOM or (url.scheme, host.port) != (request.scope["scheme"], here.port):
        return None
    tenant = await site_parts_of(request).directory.find(host)
    if tenant is None or tenant.suspended:
        return None
    rest = url._replace(scheme="", netloc="").geturl()
    return f"{url.scheme}://{host.name}{f':{host.port}' if host.port else ''}", host.name, _path(rest)


def _path(to: str) -> str:
    """A path of this host; "/" for whatever a browser could read as another host."""
    return to if to.startswith("/") and not to.startswith("//") and not _UNSAFE.search(to) else "/"


def _walk(to: str) -> RedirectResponse:
    # Neither the pass nor the mark is anybody's to keep or to be told.
    headers = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
    return RedirectResponse(to, 303, headers)
