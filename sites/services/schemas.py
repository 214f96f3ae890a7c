"""Services on the wire (SPEC 3): whole dollars, as SPEC's defaults show them."""

from __future__ import annotations

from typing import Literal

from tenants.kit.schemas import Answer


class ServiceAnswer(Answer):
    """A service. `price` is in dollars; `durationMinutes` is null for one that is no bookable slot."""

    id: str
    name: str
    description: str
    price: float
    currency: Literal["USD"]
    duration: str
    duration_minutes: int | None
    popular: bool
    features: list[str]


class ServicesAnswer(Answer):
    """What a guru offers, in the guru's order."""

    success: bool
    services: list[ServiceAnswer]
    message: str
