"""Request and response bodies of passes and check-ins. Times are UTC."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.features.bookings.schemas import Place, StartTime
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel

MAX_DEVICE_CHARACTERS = 40
MAX_PASS_CHARACTERS = 200  # of any QR code that someone shows; a pass has 140


class PassData(ResponseModel):
    """The pass of a session that is booked. `text` is for its QR code, `code` to type by hand.

    `place_text` is the address or the link where they meet.
    """

    booking_id: str
    text: str
    code: str
    service_name: str
    guru_name: str
    starts_at: str
    ends_at: str
    zone: str
    place: Place
    place_text: str
    person_name: str
    participants: list[str]
    party: int
    checked_in_at: str | None


class PassResponse(ResponseModel):
    """A pass."""

    success: bool
    data: PassData


class CheckInPayload(Payload):
    """That the people of a booking came. `at` is the time on the guru's device, `device` the name of the device.

    `pass` is the text of the QR code that they showed, "" if the guru found their name or code. `waiver_due_seen`: the
    guru has seen that a waiver is missing.
    """

    at: StartTime
    device: Annotated[str, StringConstraints(min_length=1, max_length=MAX_DEVICE_CHARACTERS), ONE_LINE]
    shown: Annotated[str, StringConstraints(max_length=MAX_PASS_CHARACTERS), ONE_LINE, Field(alias="pass")] = ""
    waiver_due_seen: bool = False


class RosterPerson(ResponseModel):
    """A booking on the roster: who booked, and who comes along. A pass is good with this `sequence` only.

    `waiver_due`: the session needs a waiver of someone that is not valid at its start.
    """

    booking_id: str
    status: Literal["confirmed", "completed", "missed"]
    name: str
    participants: list[str]
    party: int
    sequence: int
    code: str
    waiver_due: bool
    checked_in_at: str | None
    checked_in_by: str


class RosterSession(ResponseModel):
    """A session, and who booked it. Check-in is from `opens_at` to `closes_at`, with a pass until `passes_until`."""

    id: str
    service_name: str
    starts_at: str
    ends_at: str
    zone: str
    opens_at: str
    passes_until: str
    closes_at: str
    people: list[RosterPerson]


class RosterData(ResponseModel):
    """The sessions of two days before and after now, with what a device needs to check people in by itself.

    `keys` are the Ed25519 keys of passes, 32 bytes in base64url each. `more`: later bookings are left out.
    """

    tenant_id: str
    as_of: str
    keys: list[str]
    sessions: list[RosterSession]
    more: bool


class RosterResponse(ResponseModel):
    """The sessions of now."""

    success: bool
    data: RosterData


class CheckInResponse(ResponseModel):
    """The person as they are on the roster now."""

    success: bool
    data: RosterPerson
