"""Request and response schemas of porch lights."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel
from tenants.kit.zones import canonical_zone

MAX_ZONE_CHARACTERS = 64


def _canonical_zone(name: str) -> str:
    try:
        return canonical_zone(name)
    except KeyError:
        raise ValueError("is not a time zone") from None


ZoneName = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_ZONE_CHARACTERS), ONE_LINE, AfterValidator(_canonical_zone)
]


class PorchLightPayload(Payload):
    """The time zone in which the evening ends."""

    zone: ZoneName = Field(examples=["America/Denver"])


class OwnPorchLight(ResponseModel):
    """The user's light. `until` is null while it is off. `available`: the user offers something neighbors can see."""

    available: bool
    until: datetime | None


class OwnPorchLightResponse(ResponseModel):
    """GET /api/porch-light and every change to it."""

    success: bool
    data: OwnPorchLight


class PorchLightSite(ResponseModel):
    """The site of a guru, by the label of its subdomain."""

    label: str
    character: str


class PorchLightResponse(ResponseModel):
    """A neighbor who is free this evening.

    `handle` is null for a hidden profile. `services` are the titles of the services on Angel's List. The location is
    approximate, null if unknown. `until`: when the light goes out.
    """

    handle: str | None
    name: str
    photo_url: str = Field(alias="photoURL")
    services: list[str]
    site: PorchLightSite | None
    city: str
    latitude: float | None
    longitude: float | None
    until: datetime


class PorchLightsData(ResponseModel):
    """The lights that are on, the newest first."""

    lights: list[PorchLightResponse]


class PorchLightsResponse(ResponseModel):
    """GET /api/porch-lights."""

    success: bool
    data: PorchLightsData
