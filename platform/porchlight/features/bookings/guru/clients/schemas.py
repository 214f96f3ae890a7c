"""Request and response bodies of a guru's clients. Times are UTC, prices are cents for the whole party."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from porchlight.features.bookings.guru.clients.models import MAX_NOTE_CHARACTERS
from porchlight.features.bookings.schemas import AnswerData, Status
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel


class ClientNotePayload(Payload):
    """The guru's note about a client, "" for none. `digest` is that of the note that the guru saw, "" for none."""

    body: Annotated[str, StringConstraints(max_length=MAX_NOTE_CHARACTERS), PRINTABLE]
    digest: Annotated[str, StringConstraints(max_length=64), ONE_LINE]


class ClientData(ResponseModel):
    """A person who booked with the guru, or for whom the guru booked.

    `is_customer`: they have no account. `done` sessions took place, `upcoming` ones are confirmed. `last_at` and
    `next_at` are the starts of the last and of the next one, null without one. `is_unseen`: the last session was 60
    days ago or more, and none is ahead. `services` are the names of what they booked. `zone` is the calendar's.
    """

    id: str
    name: str
    is_customer: bool
    done: int
    upcoming: int
    last_at: str | None
    next_at: str | None
    is_unseen: bool
    services: list[str]
    zone: str


class ClientList(ResponseModel):
    """One page of clients, those with the latest session first. `total`: all clients, without search and filter."""

    clients: list[ClientData]
    next_cursor: str | None
    total: int


class ClientListResponse(ResponseModel):
    """One page of clients."""

    success: bool
    data: ClientList


class ClientNoteData(ResponseModel):
    """The guru's note about a client, and the digest to change it with. Both are "" without a note."""

    body: str
    digest: str


class ClientBookingData(ResponseModel):
    """A session that a client booked or asked for."""

    id: str
    status: Status
    service_name: str
    starts_at: str
    ends_at: str
    zone: str
    party: int
    price_cents: int
    currency: str
    package_name: str
    answers: list[AnswerData]


class ClientBookingList(ResponseModel):
    """One page of a client's sessions, the latest first."""

    bookings: list[ClientBookingData]
    next_cursor: str | None


class ClientBookingListResponse(ResponseModel):
    """One page of a client's sessions."""

    success: bool
    data: ClientBookingList


class ClientDetails(ClientData):
    """A client with the guru's note.

    `latest_booking_id` is the booking about which the guru can write. `email` is the address that the guru entered for
    a customer, while it is kept, else "".
    """

    note: ClientNoteData
    latest_booking_id: str
    email: str


class ClientResponse(ResponseModel):
    """A client."""

    success: bool
    data: ClientDetails


class ClientNoteResponse(ResponseModel):
    """The note as it is now."""

    success: bool
    data: ClientNoteData
