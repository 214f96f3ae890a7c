"""Request and response bodies of sessions that gurus book for customers without an account."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.features.bookings.schemas import Address, Id, Name, Note, StartTime
from tenants.kit.schemas import EMAIL, Payload, ResponseModel

NeededConfirmation = Literal["outside_hours", "day_full", "over_capacity"]


class CustomerBookingPayload(Payload):
    """The session to book for a customer. `confirmed`: the warnings that the guru has seen and accepts.

    `participants` are all who come, if the session needs waivers. The confirmation goes to `email`, "" for none.
    """

    service_id: Id
    starts_at: StartTime
    party: Annotated[int, Field(ge=1, le=10)] = 1
    name: Name
    participants: Annotated[list[Name], Field(max_length=10, default_factory=list)]
    email: Annotated[str, StringConstraints(max_length=254), EMAIL] = ""
    note: Note = ""
    address: Address = ""
    confirmed: Annotated[list[NeededConfirmation], Field(max_length=3, default_factory=list)]


class DeviceLinkData(ResponseModel):
    """The link on which a customer's participant signs the waiver, to open on the guru's device."""

    url: str


class DeviceLinkResponse(ResponseModel):
    """The link on which a customer's participant signs the waiver."""

    success: bool
    data: DeviceLinkData
