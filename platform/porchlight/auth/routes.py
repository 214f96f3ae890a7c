"""Routes of cookie sessions and the email change: /api/auth/session, /sessions, /email-change (SPEC 4)."""

from __future__ import annotations

import asyncio
from uuid import UUID

from fastapi import Depends, Request, Response, status
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.auth import actions, queries
from porchlight.auth.authenticator import require_recent_sign_in
from porchlight.auth.cookies import clear_cookies, create_secret, hash_secret, set_cookies
from porchlight.auth.schemas import (
    EmailChangePayload,
    OpenSessions,
    SessionPayload,
    SessionResponse,
    SessionsResponse,
    SessionState,
    SessionUser,
)
from porchlight.contracts import UserProfiles
from porchlight.dependencies import (
    SESSION_COOKIE,
    AppContext,
    AuthenticatedUser,
    Context,
    CurrentUser,
    OptionalUser,
    require_main_host,
    require_own_origin,
    session_cookie,
)
from porchlight.ports import IdentityOutage
from tenants.db.jobs import enqueue
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import MessageResponse

router = FeatureRouter(prefix="/api/auth", tags=["sessions"], route_class=StrictRoute)

MAIN_HOST = [Depends(require_main_host)]
MAX_USER_AGENT_LENGTH = 200


@router.post("/session", response_model=SessionResponse, operation_id="create_session", summary="Create session")
async def create_session(
    request: Request, response: Response, context: Context, payload: SessionPayload
) -> SessionResponse:
    """Exchange an ID token for the `__session` cookie, which guru sites receive too. Replaces an existing session.

    Requests from other origins are rejected: they could sign a visitor in to another user's account.
    """
    require_own_origin(request, absent=True)
    user = await context.authenticator.by_token(payload.id_token)
    existing = await _existing_session(context, request)
    is_own = existing is not None and existing.user_id == user.user_id
    if existing is not None and not is_own:
        await _delete_session(context, existing)
    secret = create_secret()
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.update_email(session, user.user_id, user.email, user.email_verified)
        await actions.create_session(
            session,
            user.user_id,
            secret_hash=hash_secret(secret),
            authenticated_at=user.authenticated_at,
            token_issued_at=user.token_issued_at,
            user_agent=_user_agent(request),
            renewed_id=existing.id if existing is not None and is_own else None,
        )
        session_user = await _session_user(session, context.profiles, user)
    set_cookies(request, response, context.settings, secret)
    response.headers["cache-control"] = "no-store"
    return SessionResponse(success=True, data=SessionState(user=session_user))


@router.get(
    "/session", response_model=SessionResponse, operation_id="get_current_session", summary="Get current session"
)
async def get_current_session(
    request: Request, response: Response, context: Context, user: OptionalUser
) -> SessionResponse:
    """Return the signed-in user, or null. Guru sites call this too."""
    response.headers["cache-control"] = "no-store"
    response.headers["vary"] = "Cookie, Authorization"
    session_user = None
    if user is not None:
        async with unit_of_work(context.db, user_id=user.user_id) as session:
            if secret := request.cookies.get(SESSION_COOKIE):
                await actions.record_session_use(session, user.user_id, hash_secret(secret))
            session_user = await _session_user(session, context.profiles, user)
    elif session_cookie(request, context.settings) in request.cookies:
        clear_cookies(request, response, context.settings)  # the session has ended: scripts need not ask again
    return SessionResponse(success=True, data=SessionState(user=session_user))


@router.delete(
    "/session", response_model=SessionResponse, operation_id="delete_current_session", summary="Delete current session"
)
async def delete_current_session(request: Request, response: Response, context: Context) -> SessionResponse:
    """Delete the cookie and its session. Succeeds without a session too."""
    has_token = "authorization" in request.headers  # other sites' pages cannot send this header here
    require_own_origin(request, absent=has_token or SESSION_COOKIE not in request.cookies)
    if (existing := await _existing_session(context, request)) is not None:
        await _delete_session(context, existing)
    clear_cookies(request, response, context.settings)
    response.headers["cache-control"] = "no-store"
    return SessionResponse(success=True, data=SessionState(user=None))


@router.get(
    "/sessions",
    response_model=SessionsResponse,
    operation_id="list_sessions",
    summary="List sessions",
    dependencies=MAIN_HOST,
)
async def list_sessions(request: Request, response: Response, context: Context, user: CurrentUser) -> SessionsResponse:
    """List the user's valid cookie sessions. The session of the request's cookie is marked as current."""
    response.headers["cache-control"] = "no-store"
    secret = request.cookies.get(SESSION_COOKIE, "")
    current_hash = hash_secret(secret) if secret else b""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.record_session_use(session, user.user_id, current_hash)
        sessions = await queries.active_sessions(session, user.user_id, current_hash)
    return SessionsResponse(success=True, data=OpenSessions(sessions=sessions))


@router.delete(
    "/sessions",
    response_model=MessageResponse,
    operation_id="delete_all_sessions",
    summary="Delete all sessions",
    dependencies=MAIN_HOST,
)
async def delete_all_sessions(
    request: Request, response: Response, context: Context, user: CurrentUser
) -> MessageResponse:
    """End all sign-ins of the user: cookies and ID tokens, here and at the identity provider."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        valid_from = await actions.end_all_sign_ins(session, user.user_id)
    await _revoke_tokens(context, user.user_id, user.firebase_uid)
    clear_cookies(request, response, context.settings)
    # Wait until new sign-ins are valid, so that one right after this response succeeds.
    await asyncio.sleep(max(0.0, (valid_from - clock.now()).total_seconds()))
    return MessageResponse(success=True, message="Signed out everywhere.")


@router.delete(
    "/sessions/{session_id}",
    response_model=MessageResponse,
    operation_id="delete_session",
    summary="Delete session",
    dependencies=MAIN_HOST,
)
async def delete_session(context: Context, user: CurrentUser, session_id: str) -> MessageResponse:
    """End the session of one device: its cookie, and the ID tokens of its sign-in."""
    parsed_id = parse_id_or_404(session_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.end_sign_in(session, user.user_id, parsed_id, user.authenticated_at)
    context.authenticator.invalidate(user.firebase_uid)
    return MessageResponse(success=True, message="Signed out on that device.")


@router.post(
    "/email-change",
    response_model=MessageResponse,
    status_code=status.HTTP_202_ACCEPTED,
    operation_id="create_email_change",
    summary="Create email change",
    tags=["account"],
)
async def create_email_change(context: Context, user: CurrentUser, payload: EmailChangePayload) -> MessageResponse:
    """Announce an email change, before the identity provider sends its link to the new address.

    Our address changes after the user opens that link. Needs a sign-in of the last 15 minutes (403 `sign_in_again`).
    """
    require_recent_sign_in(user)
    if payload.email == user.email.lower():
        raise ValidationFailed(fields={"email": "This is already your email address."})
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.record_email_change_request(session, user.user_id)
    return MessageResponse(success=True, message="Click the link we sent to your new address.")


async def _session_user(session: AsyncSession, profiles: UserProfiles, user: AuthenticatedUser) -> SessionUser | None:
    card = await profiles.card(session, user.user_id)
    if card is None:
        return None
    return SessionUser(
        id=str(user.user_id),
        handle=card.handle,
        display_name=card.display_name,
        photo_url=card.photo_url,
        site=user.owned_guru.label if user.owned_guru else None,
    )


async def _revoke_tokens(context: AppContext, user_id: UUID, firebase_uid: str) -> None:
    """Revoke tokens at the identity provider, or by a job during an outage. `signed_out_at` applies immediately."""
    if context.identity is None:
        return
    context.authenticator.invalidate(firebase_uid)
    try:
        await context.identity.revoke(firebase_uid)
    except IdentityOutage:
        async with unit_of_work(context.db, user_id=user_id) as session:
            await enqueue(session, actions.REVOKE_TOKENS_TASK)


async def _existing_session(context: AppContext, request: Request) -> queries.ActiveSession | None:
    """Return the valid session of the request's cookie, or None."""
    secret = request.cookies.get(SESSION_COOKIE, "")
    return await queries.find_session(context.db, hash_secret(secret)) if secret else None


async def _delete_session(context: AppContext, existing: queries.ActiveSession) -> None:
    async with unit_of_work(context.db, user_id=existing.user_id) as session:
        try:
            await actions.delete_session(session, existing.user_id, existing.id)
        except NotFound:
            return  # another request deleted it first


def _user_agent(request: Request) -> str:
    user_agent = request.headers.get("user-agent", "")[:MAX_USER_AGENT_LENGTH]
    return "".join(character for character in user_agent if character.isprintable())
