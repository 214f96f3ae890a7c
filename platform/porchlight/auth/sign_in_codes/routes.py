"""Sign in with a code by email: /api/auth/codes. The code proves the address, so no link has to be opened."""

from __future__ import annotations

import asyncio

from fastapi import Depends, Request, Response, status

from porchlight.auth.actions import EmailUnusable, end_all_sign_ins
from porchlight.auth.queries import find_user
from porchlight.auth.sign_in_codes import actions
from porchlight.auth.sign_in_codes.codes import CODE_TTL
from porchlight.auth.sign_in_codes.schemas import (
    CodeData,
    CodePayload,
    CodeResponse,
    DigitsPayload,
    SignInData,
    SignInTokenResponse,
)
from porchlight.dependencies import AppContext, Context, require_main_host, require_own_origin
from porchlight.ports import Identity, IdentityOutage
from tenants.db.rate_limit import hash_sender
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.email_addresses import InvalidEmail, normalize_email
from tenants.kit.errors import Unavailable
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(
    prefix="/api/auth/codes", tags=["sessions"], route_class=StrictRoute, dependencies=[Depends(require_main_host)]
)


@router.post(
    "",
    response_model=CodeResponse,
    status_code=status.HTTP_202_ACCEPTED,
    operation_id="create_sign_in_code",
    summary="Email a sign-in code",
)
async def create_sign_in_code(
    request: Request, response: Response, context: Context, payload: CodePayload
) -> CodeResponse:
    """Email six digits to an address, whether it has an account or not. They work for ten minutes."""
    require_own_origin(request, absent=True)
    _require_identity(context)
    try:
        normalize_email(payload.email)
    except InvalidEmail as error:
        raise EmailUnusable(str(error), fields={"email": str(error)}) from error
    host = request.client.host if request.client else ""
    settings = context.settings
    code_id = await actions.add_code(
        context.db,
        payload.email,
        secret=settings.sign_in_secret,
        sender=hash_sender(settings.address_secret, host, purpose="sign-in codes"),
        is_limited=settings.limits == "on",
    )
    response.headers["cache-control"] = "no-store"
    data = CodeData(id=str(code_id), seconds_left=int(CODE_TTL.total_seconds()))
    return CodeResponse(success=True, data=data)


@router.post(
    "/{code_id}/sign-in",
    response_model=SignInTokenResponse,
    operation_id="use_sign_in_code",
    summary="Sign in with a code",
)
async def use_sign_in_code(
    request: Request, response: Response, context: Context, code_id: str, payload: DigitsPayload
) -> SignInTokenResponse:
    """Return a token for the account of the code's address, which is created if there is none.

    An account without a verified address loses its password and its sign-ins: someone else may have made it.
    """
    require_own_origin(request, absent=True)
    identity = _require_identity(context)
    email = await actions.use_code(
        context.db, parse_id_or_404(code_id), payload.code, secret=context.settings.sign_in_secret
    )
    try:
        account = await identity.sign_in_token(email)
    except IdentityOutage as outage:
        raise Unavailable(retry_after=2) from outage
    if account.is_taken_over:
        await _end_sign_ins(context, account.uid)
    response.headers["cache-control"] = "no-store"
    return SignInTokenResponse(success=True, data=SignInData(token=account.token, is_new=account.is_new))


def _require_identity(context: AppContext) -> Identity:
    if context.identity is None:
        raise actions.SignInOffline
    return context.identity


async def _end_sign_ins(context: AppContext, uid: str) -> None:
    """End the sign-ins of the person who made the account, and wait until new ones are valid."""
    context.authenticator.invalidate(uid)
    account = await find_user(context.db, uid)
    if account is None:
        return
    async with unit_of_work(context.db, user_id=account.user_id) as session:
        valid_from = await end_all_sign_ins(session, account.user_id)
    await asyncio.sleep(max(0.0, (valid_from - clock.now()).total_seconds()))
