"""Request and response bodies of moves, and of the guru's proposals to move."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from porchlight.features.bookings.guru.schemas import NeededReason, Reason
from porchlight.features.bookings.schemas import StartTime
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel


class MovePayload(Payload):
    """The new start, and the digest of the terms that the user saw."""

    starts_at: StartTime
    terms_digest: Annotated[str, StringConstraints(max_length=64), ONE_LINE]


class MoveProposalPayload(Payload):
    """Another start of the service, and the reason, which the person reads."""

    starts_at: StartTime
    reason: NeededReason


class MoveAnswerPayload(Payload):
    """The answer to a proposal. `starts_at` is the proposed start that the user saw; the guru reads the reason.

    `whole_series`: to all open proposals for its series.
    """

    accept: bool
    starts_at: StartTime
    reason: Reason = ""
    whole_series: bool = False


class ProposableStartsData(ResponseModel):
    """The starts that the guru can propose for a booking, in UTC and in order."""

    starts: list[str]


class ProposableStartsResponse(ResponseModel):
    """The starts that the guru can propose for a booking."""

    success: bool
    data: ProposableStartsData
