"""Request and response bodies of sessions that gurus book for customers without an account."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.features.bookings.schemas import Address, Answers, Id, Name, Note, StartTime, Status
from tenants.kit.schemas import EMAIL, ONE_LINE, Payload, ResponseModel

NeededConfirmation = Literal["outside_hours", "busy_elsewhere", "day_full", "over_capacity"]


class CustomerBookingPayload(Payload):
    """The session to book for a customer. `confirmed`: the warnings that the guru has seen and accepts.

    `participants` are all who come, if the session needs waivers. The confirmation goes to `email`, "" for none.
    `package_id` is the customer's package to use, "" for none. `client_id` is the customer who comes again, "" to find
    them by the address. `answers`: what the guru knows of those to the service's questions.
    """

    service_id: Id
    starts_at: StartTime
    party: Annotated[int, Field(ge=1, le=10)] = 1
    name: Name
    participants: Annotated[list[Name], Field(max_length=10, default_factory=list)]
    email: Annotated[str, StringConstraints(max_length=254), EMAIL] = ""
    note: Note = ""
    address: Address = ""
    answers: Answers
    confirmed: Annotated[list[NeededConfirmation], Field(max_length=4, default_factory=list)]
    package_id: Annotated[str, StringConstraints(max_length=40), ONE_LINE] = ""
    client_id: Annotated[str, StringConstraints(max_length=40), ONE_LINE] = ""


class ClaimPayload(Payload):
    """The claim of a customer's bookings. `confirmed`: also if the guru entered another address than the account's."""

    confirmed: bool = False


class ClaimableBookingData(ResponseModel):
    """A session that would be in the account."""

    id: str
    service_name: str
    starts_at: str
    ends_at: str
    zone: str
    status: Status


class ClaimData(ResponseModel):
    """The sessions that the signed-in user can claim with a link, the earliest first.

    `matches`: the guru entered the account's verified address. Else the user has to confirm. `claimed`: it is in the
    user's account already.
    """

    id: str
    claimed: bool
    matches: bool
    bookings: list[ClaimableBookingData]


class ClaimResponse(ResponseModel):
    """The sessions that the signed-in user can claim, or has claimed, with a link."""

    success: bool
    data: ClaimData


class DeviceLinkData(ResponseModel):
    """The link on which a customer's participant signs the waiver, to open on the guru's device."""

    url: str


class DeviceLinkResponse(ResponseModel):
    """The link on which a customer's participant signs the waiver."""

    success: bool
    data: DeviceLinkData
