"""/api/auth/session and /api/auth/sessions: the cookie sessions (SPEC 4, DESIGN 7)."""

from __future__ import annotations

import asyncio
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response

from porchlight.accounts import actions, queries
from porchlight.accounts.cookies import clear_cookies, set_cookies
from porchlight.accounts.door import secret_hash
from porchlight.accounts.schemas import (
    Done,
    OpenSessions,
    SessionAnswer,
    SessionPayload,
    SessionsAnswer,
    SessionState,
)
from porchlight.parts import (
    SESSION_COOKIE,
    CurrentUser,
    MaybeUser,
    Parts,
    PlatformParts,
    on_main_host,
    refuse_foreign_origin,
    session_cookie,
)
from porchlight.ports import IdentityOutage
from sites.parts import StrictRoute
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import known_id
from tenants.session import unit_of_work

router = APIRouter(prefix="/api/auth", tags=["accounts"], route_class=StrictRoute)

MAIN_HOST = [Depends(on_main_host)]
AGENT = 200  # characters of a User-Agent that are kept


@router.post("/session", response_model=SessionAnswer, operation_id="open_session", summary="Open a cookie session")
async def post_session(request: Request, response: Response, parts: Parts, sent: SessionPayload) -> SessionAnswer:
    """Exchange an ID token for the `__session` cookie, which guru sites receive too. An older cookie is replaced.

    Refused from other sites' pages: they could sign a visitor in as somebody else.
    """
    refuse_foreign_origin(request, absent=True)
    person = await parts.door.by_token(sent.id_token)
    given = await _given(parts, request)
    own = given is not None and given.user_id == person.user_id
    if given is not None and not own:
        await _end(parts, given)
    secret = actions.new_secret()
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.remember_email(session, person.user_id, person.email, person.email_verified)
        await actions.open_session(
            session,
            person.user_id,
            secret_hash=secret_hash(secret),
            authenticated_at=person.authenticated_at,
            token_issued_at=person.token_issued_at,
            user_agent=_agent(request),
            renewing=given.id if given is not None and own else None,
        )
        user = await queries.session_user(session, person.user_id)
    set_cookies(request, response, parts.settings, secret)
    response.headers["cache-control"] = "no-store"
    return SessionAnswer(success=True, data=SessionState(user=user))


@router.get("/session", response_model=SessionAnswer, operation_id="session", summary="Who is signed in")
async def read_session(request: Request, response: Response, parts: Parts, person: MaybeUser) -> SessionAnswer:
    """The person signed in, or null. Guru sites ask this too."""
    response.headers["cache-control"] = "no-store"
    response.headers["vary"] = "Cookie, Authorization"
    user = None
    if person is not None:
        async with unit_of_work(parts.db, user_id=person.user_id) as session:
            if secret := request.cookies.get(SESSION_COOKIE):
                await actions.see_session(session, person.user_id, secret_hash(secret))
            user = await queries.session_user(session, person.user_id)
    elif session_cookie(request, parts.settings) in request.cookies:
        clear_cookies(request, response, parts.settings)  # it is over: pages need not ask again
    return SessionAnswer(success=True, data=SessionState(user=user))


@router.delete("/session", response_model=SessionAnswer, operation_id="end_session", summary="Sign out")
async def delete_session(request: Request, response: Response, parts: Parts) -> SessionAnswer:
    """End the session of the cookie, if there is one, and take the cookie away. Never fails for being late."""
    bearing = "authorization" in request.headers  # which no other site's page can send here
    refuse_foreign_origin(request, absent=bearing or SESSION_COOKIE not in request.cookies)
    if (given := await _given(parts, request)) is not None:
        await _end(parts, given)
    clear_cookies(request, response, parts.settings)
    response.headers["cache-control"] = "no-store"
    return SessionAnswer(success=True, data=SessionState(user=None))


@router.get(
    "/sessions",
    response_model=SessionsAnswer,
    operation_id="sessions",
    summary="Where I am signed in",
    dependencies=MAIN_HOST,
)
async def read_sessions(request: Request, response: Response, parts: Parts, person: CurrentUser) -> SessionsAnswer:
    """Every living cookie session of one's own. The one of the cookie that came along is the current one."""
    response.headers["cache-control"] = "no-store"
    secret = request.cookies.get(SESSION_COOKIE, "")
    current = secret_hash(secret) if secret else b""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.see_session(session, person.user_id, current)
        found = await queries.open_sessions(session, person.user_id, current)
    return SessionsAnswer(success=True, data=OpenSessions(sessions=found))


@router.delete(
    "/sessions",
    response_model=Done,
    operation_id="end_all_sessions",
    summary="Sign out everywhere",
    dependencies=MAIN_HOST,
)
async def delete_sessions(request: Request, response: Response, parts: Parts, person: CurrentUser) -> Done:
    """End every sign-in of one's own: cookies and ID tokens at once, and at the identity service too."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        moment = await actions.end_all_sessions(session, person.user_id)
    await _revoke(parts, person.user_id, person.firebase_uid)
    clear_cookies(request, response, parts.settings)
    # Sign-ins count from the next second on: whoever signs in after this answer is let in.
    await asyncio.sleep(max(0.0, (moment - clock.now()).total_seconds()))
    return Done(success=True, message="Signed out everywhere.")


@router.delete(
    "/sessions/{session_id}",
    response_model=Done,
    operation_id="end_one_session",
    summary="End one session",
    dependencies=MAIN_HOST,
)
async def delete_one_session(parts: Parts, person: CurrentUser, session_id: str) -> Done:
    """Sign one's own account out on one device: its cookie, and the ID tokens of that sign-in."""
    wanted = known_id(session_id)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.end_sign_in(session, person.user_id, wanted, person.authenticated_at)
    parts.door.changed(person.firebase_uid)
    return Done(success=True, message="Signed out there.")


async def _revoke(parts: PlatformParts, user_id: UUID, firebase_uid: str) -> None:
    """Revoke at the identity service now, or by job when it does not answer. Our own mark holds meanwhile."""
    if parts.identity is None:
        return
    parts.door.changed(firebase_uid)
    try:
        await parts.identity.revoke(firebase_uid)
    except IdentityOutage:
        async with unit_of_work(parts.db, user_id=user_id) as session:
            await actions.enqueue_for_identity(session, actions.REVOKE_TASK, firebase_uid)


async def _given(parts: PlatformParts, request: Request) -> queries.FoundSession | None:
    """The living session of the cookie that came with the request."""
    secret = request.cookies.get(SESSION_COOKIE, "")
    return await queries.found_session(parts.db, secret_hash(secret)) if secret else None


async def _end(parts: PlatformParts, found: queries.FoundSession) -> None:
    async with unit_of_work(parts.db, user_id=found.user_id) as session:
        try:
            await actions.end_session(session, found.user_id, found.id)
        except NotFound:
            return  # another request was quicker


def _agent(request: Request) -> str:
    agent = request.headers.get("user-agent", "")[:AGENT]
    return "".join(character for character in agent if character.isprintable())
