"""Routes of the account as a whole: its export and its deletion (SPEC 7.2)."""

from __future__ import annotations

from fastapi import Request, Response
from starlette.responses import StreamingResponse

from porchlight.auth.authenticator import require_recent_sign_in
from porchlight.auth.cookies import clear_cookies
from porchlight.dependencies import Context, CurrentUser
from porchlight.features.account import actions, export
from porchlight.ports import FileOutage
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Unavailable
from tenants.kit.schemas import MessageResponse

router = FeatureRouter(prefix="/api/auth", tags=["profiles"], route_class=StrictRoute)


@router.get(
    "/export",
    operation_id="export_account",
    summary="Export account",
    tags=["account"],
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}, "description": "A ZIP archive."}},
)
async def export_account(context: Context, user: CurrentUser) -> Response:
    """Return a ZIP archive of all data about the user, uploads included."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        archive = await export.collect_personal_data(session, user.user_id, context.personal_data)
    try:
        await export.drop_missing_files(archive, context.files)
    except FileOutage as error:
        raise Unavailable(retry_after=30) from error
    headers = {
        "content-disposition": 'attachment; filename="porchlight-my-data.zip"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return StreamingResponse(export.stream_zip(archive, context.files), media_type="application/zip", headers=headers)


@router.delete(
    "/account",
    response_model=MessageResponse,
    operation_id="delete_account",
    summary="Delete account",
    tags=["account"],
)
async def delete_account(request: Request, response: Response, context: Context, user: CurrentUser) -> MessageResponse:
    """Delete the account permanently. Needs a sign-in of the last 15 minutes (403 `sign_in_again`)."""
    require_recent_sign_in(user)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.delete_account(session, context.bookings, user.user_id)
    context.authenticator.invalidate(user.firebase_uid)
    clear_cookies(request, response, context.settings)
    return MessageResponse(success=True, message="Your account has been deleted.")
