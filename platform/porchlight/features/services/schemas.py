"""Request and response schemas of services."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from porchlight.plans.schemas import Usage
from sites.services.limits import (
    MAX_DESCRIPTION_LENGTH,
    MAX_DURATION_LABEL_LENGTH,
    MAX_DURATION_MINUTES,
    MAX_FEATURE_LENGTH,
    MAX_FEATURES,
    MAX_NAME_LENGTH,
    MAX_PRICE_CENTS,
    MIN_DURATION_MINUTES,
)
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel, field_error

MAX_SERVICES = 150


def _without_empty(features: list[str]) -> list[str]:
    return [feature for feature in features if feature]


class ServicePayload(Payload):
    """A service. `durationLabel` ("Monthly") replaces `durationMinutes` for a service that is not a bookable slot."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_LENGTH), ONE_LINE]
    description: Annotated[str, StringConstraints(max_length=MAX_DESCRIPTION_LENGTH), PRINTABLE] = ""
    price_cents: Annotated[int, Field(ge=0, le=MAX_PRICE_CENTS)]
    duration_minutes: Annotated[int, Field(ge=MIN_DURATION_MINUTES, le=MAX_DURATION_MINUTES)] | None = None
    duration_label: Annotated[str, StringConstraints(max_length=MAX_DURATION_LABEL_LENGTH), ONE_LINE] = ""
    popular: bool = False
    features: Annotated[
        list[Annotated[str, StringConstraints(max_length=MAX_FEATURE_LENGTH), ONE_LINE]],
        Field(max_length=MAX_FEATURES),
        AfterValidator(_without_empty),
    ] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check_duration(self) -> ServicePayload:
        if (self.duration_minutes is None) == (not self.duration_label):
            raise field_error("durationMinutes", "Enter a number of minutes, or a label instead.")
        return self


class ServiceOrderPayload(Payload):
    """The ids of all services, in their new order."""

    ids: Annotated[list[Annotated[str, StringConstraints(max_length=36)]], Field(max_length=MAX_SERVICES)]


class ConsoleService(ResponseModel):
    """A service as its guru edits it. `openForBooking`: neighbors see its free times once services are shown.

    `overLimit`: visitors don't see it, because it exceeds the owner's plan.
    """

    id: str
    name: str
    description: str
    price_cents: int
    currency: str
    duration_minutes: int | None
    duration_label: str
    popular: bool
    features: list[str]
    open_for_booking: bool
    over_limit: bool


class ConsoleServiceList(ResponseModel):
    """All services in their order, and how many of the priced ones the plan allows.

    `shown`: visitors see them; not until one of the guru's categories is listed.
    """

    shown: bool
    services: list[ConsoleService]
    priced: Usage


class ConsoleServicesResponse(ResponseModel):
    """The response of all routes of services."""

    success: bool
    data: ConsoleServiceList
