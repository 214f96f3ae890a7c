"""Request and response schemas of notifications."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from porchlight.features.notifications.delivery import DAY_MINUTES
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel, field_error
from tenants.kit.zones import zone_names

MAX_DEVICE_LENGTH = 60


def _check_zone(name: str) -> str:
    if name not in zone_names():
        raise ValueError("is not a time zone")
    return name


Minute = Annotated[int, Field(ge=0, lt=DAY_MINUTES, description="Minutes after midnight.")]


class NotificationsPayload(Payload):
    """Mark all notifications: seen when the list opens, read when the person says so."""

    state: Literal["seen", "read"]


class NotificationPayload(Payload):
    """Mark one notification as read, or not."""

    is_read: bool


class NotificationHoursPayload(Payload):
    """When the digest comes and when it is quiet, by the clocks of `zone`. Without quiet hours both ends are null."""

    zone: Annotated[str, StringConstraints(max_length=64), AfterValidator(_check_zone)]
    digest_at: Minute
    quiet_from: Minute | None
    quiet_until: Minute | None

    @model_validator(mode="after")
    def _check_quiet(self) -> NotificationHoursPayload:
        if (self.quiet_from is None) != (self.quiet_until is None):
            raise field_error("quietUntil", "Choose both times, or turn quiet hours off.")
        if self.quiet_from is not None and self.quiet_from == self.quiet_until:
            raise field_error("quietUntil", "Choose two different times.")
        return self


class PushKeysPayload(Payload):
    """The keys of a browser's subscription, in base64url (RFC 8291)."""

    p256dh: Annotated[str, StringConstraints(max_length=200)] = Field(alias="p256dh")
    auth: Annotated[str, StringConstraints(max_length=64)]


class PushDevicePayload(Payload):
    """A browser's subscription. `replaces`: the endpoint that it had before."""

    endpoint: Annotated[str, StringConstraints(min_length=1, max_length=1000)]
    keys: PushKeysPayload
    device: Annotated[str, StringConstraints(max_length=MAX_DEVICE_LENGTH), ONE_LINE]
    replaces: Annotated[str, StringConstraints(max_length=1000)] = ""


class NotificationItem(ResponseModel):
    """A notification. `url`: a path of the main platform, or a page of a guru's site."""

    id: UUID
    kind: str
    title: str
    url: str
    created_at: datetime
    is_seen: bool
    is_read: bool


class NotificationPage(ResponseModel):
    """Some notifications, the newest first. `has_more`: there are older ones."""

    items: list[NotificationItem]
    has_more: bool


class NotificationPageResponse(ResponseModel):
    """The response of the list of notifications."""

    success: bool
    data: NotificationPage


class NotificationCount(ResponseModel):
    """How many notifications the person has not seen yet."""

    unseen: int


class NotificationCountResponse(ResponseModel):
    """The response of the calls that change or count notifications."""

    success: bool
    data: NotificationCount


class NotificationHoursData(ResponseModel):
    """When the digest comes and when it is quiet. `zone` is "" until the person has chosen."""

    zone: str
    digest_at: int
    quiet_from: int | None
    quiet_until: int | None


class NotificationHoursResponse(ResponseModel):
    """The response of the calls about hours."""

    success: bool
    data: NotificationHoursData


class PushDevice(ResponseModel):
    """A browser that shows notifications. `endpoint_hash`: SHA-256 in hex, by which a browser finds itself."""

    id: UUID
    device: str
    endpoint_hash: str
    created_at: datetime
    last_ok_at: datetime | None


class PushDevicesData(ResponseModel):
    """The devices. `public_key`: to subscribe with; "" while this installation sends no notes."""

    public_key: str
    devices: list[PushDevice]


class PushDevicesResponse(ResponseModel):
    """The response of the calls about devices."""

    success: bool
    data: PushDevicesData
