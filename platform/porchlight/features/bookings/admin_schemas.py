"""Request and response schemas of sessions for staff."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from tenants.kit.schemas import PRINTABLE, Payload, ResponseModel


class StaffCancellationPayload(Payload):
    """The reason for both parties and for the audit log."""

    reason: Annotated[str, StringConstraints(min_length=1, max_length=500), PRINTABLE]


class BookedSessionRow(ResponseModel):
    """A session in the list: a booking or a request. `zone` is the guru's IANA zone, `personName` who booked.

    `suspendedAt`: since when the guru's site is suspended, or null.
    """

    id: str
    guru: str
    guru_name: str
    person_name: str
    service_name: str
    starts_at: str
    ends_at: str
    zone: str
    status: str
    party: int
    suspended_at: str | None


class BookedSessionPage(ResponseModel):
    """A page of sessions, the earliest first."""

    items: list[BookedSessionRow]
    next_cursor: str | None


class BookedSessionsResponse(ResponseModel):
    """A page of sessions."""

    success: bool
    data: BookedSessionPage


class BookedSessionEvent(ResponseModel):
    """An entry of a session's history. `movedFrom` and `movedTo` are the starts of a move, else null."""

    at: str
    actor: str
    event: str
    reason: str
    owed_cents: int
    moved_from: str | None
    moved_to: str | None


class BookedSessionDetail(BookedSessionRow):
    """A session with its history, the first entry first. `handle`: the person's profile, or null without one.

    `personZone` is the person's IANA zone, "" if it is not known or the session not online. `canCancel`: the session is
    requested or confirmed and has not started.
    """

    handle: str | None
    person_zone: str
    price_cents: int
    currency: str
    owed_cents: int
    waiver_until: str | None
    created_at: str
    can_cancel: bool
    history: list[BookedSessionEvent]


class BookedSessionResponse(ResponseModel):
    """A session with its history."""

    success: bool
    data: BookedSessionDetail
