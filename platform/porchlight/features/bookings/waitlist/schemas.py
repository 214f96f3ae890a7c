"""Request and response bodies of the waitlist."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.features.bookings.schemas import Id, Place, StartTime
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel

GuruLabel = Annotated[str, StringConstraints(min_length=1, max_length=63), ONE_LINE]


class WaitlistPayload(Payload):
    """A full session of a guru, by their subdomain, and the number of seats."""

    guru: GuruLabel
    service_id: Id
    starts_at: StartTime
    party: Annotated[int, Field(ge=1, le=10)] = 1


class WaitlistEntryData(ResponseModel):
    """A place on the waitlist of a session, whose id it has.

    `position` is 1 for the first who waits, null for someone with an offer, which is theirs until `offered_until`.
    """

    id: str
    status: Literal["waiting", "offered"]
    position: int | None
    offered_until: str | None
    guru_label: str
    guru_name: str
    service_id: str
    service_name: str
    starts_at: str
    ends_at: str
    zone: str
    party: int


class WaitlistSessionData(ResponseModel):
    """A session with several seats, and the user's part in it.

    `seats` are those that anyone can book now; `priceCents` is for one person, in cents. `bookingId` is the user's
    request or booking. `offerEnded` tells that a spot was offered to the user and went on to the next person.
    """

    id: str
    guru_label: str
    guru_name: str
    service_id: str
    service_name: str
    starts_at: str
    ends_at: str
    zone: str
    place: Place
    price_cents: int
    currency: str
    party_max: int
    seats: int
    entry: WaitlistEntryData | None
    booking_id: str | None
    offer_ended: bool


class WaitlistSessionResponse(ResponseModel):
    """A session for which people can wait."""

    success: bool
    data: WaitlistSessionData


class WaitlistEntryResponse(ResponseModel):
    """A place on a waitlist."""

    success: bool
    data: WaitlistEntryData


class WaitlistData(ResponseModel):
    """The user's places on waitlists, by start."""

    entries: list[WaitlistEntryData]


class WaitlistResponse(ResponseModel):
    """The user's places on waitlists."""

    success: bool
    data: WaitlistData


class WaitlistLeftResponse(ResponseModel):
    """The user no longer waits."""

    success: bool


class OpenedOfferData(ResponseModel):
    """The token of the hold that was offered to the user."""

    token: str
    expires_at: str


class OpenedOfferResponse(ResponseModel):
    """The token of the hold that was offered to the user."""

    success: bool
    data: OpenedOfferData
