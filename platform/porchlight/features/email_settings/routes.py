"""Email settings: /api/email-settings for the signed-in person, and below it for anyone with the link of an email."""

from __future__ import annotations

from fastapi import Depends, Request, Response

from porchlight.dependencies import Context, CurrentUser, require_main_host
from porchlight.emails.one_click import require_one_click
from porchlight.features.email_settings import settings
from porchlight.features.email_settings.schemas import EmailSettingPayload, EmailSettingsResponse, TopicPayload
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import MessageResponse

router = FeatureRouter(
    prefix="/api/email-settings",
    tags=["email settings"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host)],
)


@router.get(
    "", response_model=EmailSettingsResponse, operation_id="list_email_settings", summary="List my email settings"
)
async def list_email_settings(response: Response, context: Context, user: CurrentUser) -> EmailSettingsResponse:
    """Return how each kind reaches the user."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        data = await settings.own_settings(session, user.user_id, is_guru=user.owned_guru is not None)
    return EmailSettingsResponse(success=True, data=data)


@router.put(
    "", response_model=EmailSettingsResponse, operation_id="update_email_setting", summary="Update my email setting"
)
async def update_email_setting(context: Context, user: CurrentUser, payload: TopicPayload) -> EmailSettingsResponse:
    """Change how a kind reaches the user: by email, and on their devices."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await settings.update_own_setting(session, user.user_id, payload)
        data = await settings.own_settings(session, user.user_id, is_guru=user.owned_guru is not None)
    return EmailSettingsResponse(success=True, data=data)


@router.get(
    "/{token}",
    response_model=EmailSettingsResponse,
    operation_id="get_email_settings_of_link",
    summary="Get the email settings of a link",
)
async def get_email_settings_of_link(response: Response, context: Context, token: str) -> EmailSettingsResponse:
    """Return the settings that the link of an email is for. It changes nothing: mail scanners open links."""
    response.headers["cache-control"] = "no-store"
    return EmailSettingsResponse(success=True, data=await settings.settings_of_link(context.db, parse_id_or_404(token)))


@router.put(
    "/{token}",
    response_model=EmailSettingsResponse,
    operation_id="update_email_setting_of_link",
    summary="Update an email setting of a link",
)
async def update_email_setting_of_link(
    context: Context, token: str, payload: EmailSettingPayload
) -> EmailSettingsResponse:
    """Turn a kind of email on or off. A link of one kind changes that kind only."""
    parsed = parse_id_or_404(token)
    await settings.update_setting_of_link(context.db, parsed, payload.kind, is_on=payload.is_on)
    return EmailSettingsResponse(success=True, data=await settings.settings_of_link(context.db, parsed))


@router.post(
    "/{token}/unsubscription",
    response_model=MessageResponse,
    operation_id="create_unsubscription",
    summary="Unsubscribe by mail program",
)
async def create_unsubscription(request: Request, context: Context, token: str) -> MessageResponse:
    """Turn off the kind of email that the link is for. Mail programs post here (RFC 8058)."""
    await require_one_click(request)
    await settings.unsubscribe(context.db, parse_id_or_404(token))
    return MessageResponse(success=True, message="You won't get these emails anymore.")


@router.get(
    "/{token}/unsubscription",
    operation_id="get_unsubscription",
    summary="Open the page of an unsubscription",
    response_class=Response,
    status_code=303,
    responses={303: {"description": "A redirect to the page with this setting."}},
)
async def get_unsubscription(context: Context, token: str) -> Response:
    """Redirect to the page where the person decides. Programs without one-click open the link in a browser."""
    page = f"{context.settings.main_origin}/email-settings/{parse_id_or_404(token)}"
    return Response(status_code=303, headers={"location": page, "cache-control": "no-store"})
