"""Notifications of the signed-in person, when they may disturb, and the devices that show them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Response

from porchlight.dependencies import AppContext, AuthenticatedUser, Context, CurrentUser, require_main_host
from porchlight.features.notifications import actions, queries
from porchlight.features.notifications.schemas import (
    NotificationCount,
    NotificationCountResponse,
    NotificationHoursPayload,
    NotificationHoursResponse,
    NotificationPageResponse,
    NotificationPayload,
    NotificationsPayload,
    PushDevicePayload,
    PushDevicesData,
    PushDevicesResponse,
)
from porchlight.push.endpoints import endpoint_problem
from porchlight.push.keys import public_key_text
from porchlight.push.web_push import keys_problem
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import MessageResponse

router = FeatureRouter(
    prefix="/api", tags=["notifications"], route_class=StrictRoute, dependencies=[Depends(require_main_host)]
)


async def _count(context: AppContext, user: AuthenticatedUser) -> NotificationCountResponse:
    unseen = await queries.unseen_count(context.db, user.user_id)
    return NotificationCountResponse(success=True, data=NotificationCount(unseen=unseen))


async def _devices(context: AppContext, user: AuthenticatedUser) -> PushDevicesResponse:
    devices = await queries.push_devices(context.db, user.user_id)
    data = PushDevicesData(public_key=public_key_text(context.settings), devices=devices)
    return PushDevicesResponse(success=True, data=data)


@router.get(
    "/notification-count",
    response_model=NotificationCountResponse,
    operation_id="get_notification_count",
    summary="Count my new notifications",
)
async def get_notification_count(response: Response, context: Context, user: CurrentUser) -> NotificationCountResponse:
    """Return how many notifications the user has not seen, at most 100."""
    response.headers["cache-control"] = "no-store"
    return await _count(context, user)


@router.get(
    "/notifications",
    response_model=NotificationPageResponse,
    operation_id="list_notifications",
    summary="List my notifications",
)
async def list_notifications(
    response: Response,
    context: Context,
    user: CurrentUser,
    before: Annotated[str, Query(max_length=36, description="The id of the last one on the page before.")] = "",
) -> NotificationPageResponse:
    """Return 20 notifications, the newest first."""
    response.headers["cache-control"] = "no-store"
    last = parse_id_or_404(before) if before else None
    return NotificationPageResponse(success=True, data=await queries.notification_page(context.db, user.user_id, last))


@router.put(
    "/notifications",
    response_model=NotificationCountResponse,
    operation_id="update_notifications",
    summary="Mark all my notifications",
)
async def update_notifications(
    context: Context, user: CurrentUser, payload: NotificationsPayload
) -> NotificationCountResponse:
    """Mark all notifications as seen, or as read."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.mark_all(session, user.user_id, is_read=payload.state == "read")
    return await _count(context, user)


@router.put(
    "/notifications/{notification_id}",
    response_model=NotificationCountResponse,
    operation_id="update_notification",
    summary="Mark a notification",
)
async def update_notification(
    context: Context, user: CurrentUser, notification_id: str, payload: NotificationPayload
) -> NotificationCountResponse:
    """Mark a notification as read, or as unread."""
    parsed = parse_id_or_404(notification_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.mark_one(session, user.user_id, parsed, is_read=payload.is_read)
    return await _count(context, user)


@router.get(
    "/notification-hours",
    response_model=NotificationHoursResponse,
    operation_id="get_notification_hours",
    summary="Get my notification hours",
)
async def get_notification_hours(response: Response, context: Context, user: CurrentUser) -> NotificationHoursResponse:
    """Return when the user's digest comes and when it is quiet."""
    response.headers["cache-control"] = "no-store"
    return NotificationHoursResponse(success=True, data=await queries.notification_hours(context.db, user.user_id))


@router.put(
    "/notification-hours",
    response_model=NotificationHoursResponse,
    operation_id="update_notification_hours",
    summary="Update my notification hours",
)
async def update_notification_hours(
    context: Context, user: CurrentUser, payload: NotificationHoursPayload
) -> NotificationHoursResponse:
    """Store when the user's digest comes and when it is quiet. What already waits keeps its time."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.update_hours(session, user.user_id, payload)
    return NotificationHoursResponse(success=True, data=await queries.notification_hours(context.db, user.user_id))


@router.get(
    "/push-devices", response_model=PushDevicesResponse, operation_id="list_push_devices", summary="List my devices"
)
async def list_push_devices(response: Response, context: Context, user: CurrentUser) -> PushDevicesResponse:
    """Return the devices that show the user's notifications, and the key with which a browser subscribes."""
    response.headers["cache-control"] = "no-store"
    return await _devices(context, user)


@router.put(
    "/push-devices", response_model=PushDevicesResponse, operation_id="update_push_device", summary="Add this device"
)
async def update_push_device(context: Context, user: CurrentUser, payload: PushDevicePayload) -> PushDevicesResponse:
    """Let this browser show the user's notifications, and no one else's. Repeating it is harmless."""
    if not public_key_text(context.settings):
        raise NotFound
    if problem := endpoint_problem(payload.endpoint):
        raise ValidationFailed(fields={"endpoint": problem})
    if problem := keys_problem(payload.keys.p256dh, payload.keys.auth):
        raise ValidationFailed(fields={"keys": problem})
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.register_device(session, user.user_id, payload)
    return await _devices(context, user)


@router.delete(
    "/push-devices/{device_id}",
    response_model=PushDevicesResponse,
    operation_id="delete_push_device",
    summary="Remove a device",
)
async def delete_push_device(context: Context, user: CurrentUser, device_id: str) -> PushDevicesResponse:
    """Stop showing the user's notifications on a device."""
    parsed = parse_id_or_404(device_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.remove_device(session, user.user_id, parsed)
    return await _devices(context, user)


@router.put(
    "/push-devices/{device_id}/test",
    response_model=MessageResponse,
    operation_id="update_push_test",
    summary="Send a test to a device",
)
async def update_push_test(context: Context, user: CurrentUser, device_id: str) -> MessageResponse:
    """Send a test note to a device. Of tests that were not sent yet there is one."""
    parsed = parse_id_or_404(device_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.send_test(session, user.user_id, parsed)
    return MessageResponse(success=True, message="A test is on its way. It takes a few seconds.")
