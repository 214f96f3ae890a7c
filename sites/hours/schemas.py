"""The schemas of free times."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class SlotResponse(ResponseModel):
    """A start that can be booked, in UTC, and the number of seats left."""

    starts_at: str
    seats: int


class SlotsResponse(ResponseModel):
    """The free times of a service.

    `from` is the first local day, `zone` the guru's IANA zone. `next` is the first start that can be booked from now
    on, on any day.
    """

    success: bool
    zone: str
    minutes: int
    capacity: int
    party_max: int
    first_day: str
    days: int
    starts: list[SlotResponse]
    next: SlotResponse | None
    message: str
