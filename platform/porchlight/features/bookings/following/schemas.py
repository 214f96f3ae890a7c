"""Request and response bodies of the rest of a series: a session of it, and those after it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.features.bookings.guru.schemas import NeededReason, Reason
from porchlight.features.bookings.schemas import Id, StartTime, Status
from porchlight.features.bookings.series.schemas import MAX_SESSIONS
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel

Digest = Annotated[str, StringConstraints(max_length=64), ONE_LINE]
Chosen = Annotated[list[Id], Field(min_length=1, max_length=MAX_SESSIONS)]
Fit = Literal["free", "taken", "full", "too_soon", "not_open_yet", "not_offered", "fixed"]


class FollowingCancellationPayload(Payload):
    """The digest of the terms that the user saw, and a reason for the guru."""

    terms_digest: Digest
    reason: Reason = ""


class FollowingMovePayload(Payload):
    """The new start of the first session, those that move by as much (`bookings`), and the digest of the seen terms."""

    starts_at: StartTime
    bookings: Chosen
    terms_digest: Digest


class FollowingProposalPayload(Payload):
    """The new start of the first session, those to move by as much (`bookings`), and the reason for the person."""

    starts_at: StartTime
    bookings: Chosen
    reason: NeededReason


class FollowingSessionData(ResponseModel):
    """A session of the rest of a series.

    `owed_cents`: what its cancellation costs now. `refund_cents`: what then comes back to the card of the person, for
    whom it is, and `stays_cents` does not; `rest_cents` is owed beyond what was paid, as after a deposit. All three are
    null if it is not paid by card. `charge_cents`: what a kept card is charged, null without one. `new_start` is where
    it would move, null if no move was asked about.
    `fit` tells whether it can move there: `fixed` if it cannot move at all.
    """

    id: str
    status: Status
    starts_at: str
    ends_at: str
    owed_cents: int
    refund_cents: int | None
    stays_cents: int | None
    rest_cents: int | None
    charge_cents: int | None
    new_start: str | None
    fit: Fit | None


class FollowingData(ResponseModel):
    """The open sessions of a series from one on, the earliest first, and what canceling all of them costs now.

    `digest` changes with the sessions and their terms.
    """

    sessions: list[FollowingSessionData]
    owed_cents: int
    currency: str
    zone: str
    digest: str


class FollowingResponse(ResponseModel):
    """The rest of a series."""

    success: bool
    data: FollowingData
