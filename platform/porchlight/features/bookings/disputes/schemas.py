"""Request and response bodies of disputes of sessions, for their guru. Amounts are cents, times are UTC."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from porchlight.features.bookings.disputes.models import MAX_WORDS
from porchlight.settlement.disputes import DisputeState
from tenants.kit.schemas import PRINTABLE, Payload, ResponseModel

Words = Annotated[str, StringConstraints(max_length=MAX_WORDS), PRINTABLE]


class DisputeWordsPayload(Payload):
    """The guru's words about a dispute, and what the person wrote to them."""

    words: Words
    customer_words: Words


class GuruDisputeData(ResponseModel):
    """A dispute of what a person paid for sessions. `share_cents` of it is the guru's part that the bank has.

    An `inquiry` has taken nothing yet. `due_by`: until when the guru can answer, null if the bank names no time.
    """

    id: str
    state: DisputeState
    amount_cents: int
    share_cents: int
    reason: str
    person_name: str
    service_name: str
    opened_at: str
    due_by: str | None
    answer_state: Literal["", "requested", "sent", "failed"]
    answered_at: str | None
    can_answer: bool


class GuruDisputeList(ResponseModel):
    """One page of disputes, the newest first."""

    disputes: list[GuruDisputeData]
    next_cursor: str | None


class GuruDisputesResponse(ResponseModel):
    """One page of disputes."""

    success: bool
    data: GuruDisputeList


class FactData(ResponseModel):
    """A fact that is sent to the bank."""

    label: str
    value: str


class GuruDisputeDetails(GuruDisputeData):
    """A dispute with its answer: the facts that are sent, and the guru's words, a draft until then.

    `booking_id` is of the first session.
    """

    booking_id: str | None
    facts: list[FactData]
    words: str
    customer_words: str


class GuruDisputeResponse(ResponseModel):
    """A dispute with its answer."""

    success: bool
    data: GuruDisputeDetails
