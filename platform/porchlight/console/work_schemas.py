"""Services and leads of the console on the wire."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from sites.leads.inbox import LeadStatus
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

NAME, DESCRIPTION, FEATURE, FEATURES, LABEL = 80, 500, 120, 12, 40  # characters, or entries, at most
DEAREST = 10_000_00  # cents
NOTE, ANSWER = 4_000, 10_000


def _some(features: list[str]) -> list[str]:
    return [feature for feature in features if feature]


class ServicePayload(Payload):
    """A service. `durationLabel` ("Monthly") stands in for minutes of what is no bookable slot."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME), ONE_LINE]
    description: Annotated[str, StringConstraints(max_length=DESCRIPTION), PRINTABLE] = ""
    price_cents: Annotated[int, Field(ge=0, le=DEAREST)]
    duration_minutes: Annotated[int, Field(ge=5, le=1440)] | None = None
    duration_label: Annotated[str, StringConstraints(max_length=LABEL), ONE_LINE] = ""
    popular: bool = False
    features: Annotated[
        list[Annotated[str, StringConstraints(max_length=FEATURE), ONE_LINE]],
        Field(max_length=FEATURES),
        AfterValidator(_some),
    ] = Field(default_factory=list)

    @model_validator(mode="after")
    def _lasts(self) -> ServicePayload:
        if (self.duration_minutes is None) == (not self.duration_label):
            raise ValueError("must last some minutes, or have a word instead")
        return self


class OrderPayload(Payload):
    """Every service's id, in the order they should have."""

    ids: Annotated[list[Annotated[str, StringConstraints(max_length=36)]], Field(max_length=100)]


class DeskServiceAnswer(Answer):
    """A service as its guru edits it."""

    id: str
    name: str
    description: str
    price_cents: int
    currency: str
    duration_minutes: int | None
    duration_label: str
    popular: bool
    features: list[str]


class DeskServicesAnswer(Answer):
    """Every service in its order."""

    services: list[DeskServiceAnswer]


class DeskServices(Answer):
    """The answer of calls about services."""

    success: bool
    data: DeskServicesAnswer


class LeadRow(Answer):
    """A lead in the inbox."""

    id: str
    name: str
    email: str
    service: str
    message: str
    status: LeadStatus
    created_at: str


class LeadCountsAnswer(Answer):
    """How many leads stand how."""

    new: int
    read: int
    answered: int
    archived: int


class InboxAnswer(Answer):
    """A page of leads, the newest first. Messages are cut to a beginning."""

    leads: list[LeadRow]
    counts: LeadCountsAnswer
    next_cursor: str | None


class Inbox(Answer):
    """The answer of GET /api/guru/leads."""

    success: bool
    data: InboxAnswer


class LeadMailAnswer(Answer):
    """A mail to the person. `sentAt` is null while it is on its way."""

    id: str
    body: str
    created_at: str
    sent_at: str | None


class LeadNoteAnswer(Answer):
    """A private note."""

    id: str
    body: str
    created_at: str


class DeskLeadAnswer(LeadRow):
    """A whole lead with what came of it."""

    phone: str
    page: str
    answers: list[LeadMailAnswer]
    notes: list[LeadNoteAnswer]


class DeskLead(Answer):
    """The answer of calls about one lead."""

    success: bool
    data: DeskLeadAnswer


class LeadStatusPayload(Payload):
    """Where a lead belongs now."""

    status: LeadStatus


class NotePayload(Payload):
    """A note for oneself."""

    body: Annotated[str, StringConstraints(min_length=1, max_length=NOTE), PRINTABLE]


class AnswerPayload(Payload):
    """A mail to the person who left the lead."""

    body: Annotated[str, StringConstraints(min_length=1, max_length=ANSWER), PRINTABLE]
