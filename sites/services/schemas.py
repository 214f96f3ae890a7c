"""The schemas of services (SPEC 3): prices in whole dollars, as in SPEC's defaults."""

from __future__ import annotations

from typing import Literal

from sites.gallery.schemas import PictureResponse
from tenants.kit.schemas import ResponseModel


class ServiceResponse(ResponseModel):
    """A service. `price` is in dollars; `durationMinutes` is null for a service without bookable slots.

    `bookable`: the guru offers times of it.
    """

    id: str
    name: str
    description: str
    price: float
    currency: Literal["USD"]
    duration: str
    duration_minutes: int | None
    popular: bool
    features: list[str]
    bookable: bool
    pictures: list[PictureResponse]


class ServicesResponse(ResponseModel):
    """A guru's services, in the guru's order."""

    success: bool
    services: list[ServiceResponse]
    message: str
