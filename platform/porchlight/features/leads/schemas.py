"""Request and response schemas of the lead inbox, and of the link in emails to a lead's address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import StringConstraints

from sites.leads.models import AddressState, LeadStatus
from sites.leads.schemas import LeadDetails
from tenants.kit.schemas import PRINTABLE, Payload, ResponseModel, response_fields

MAX_NOTE_LENGTH = 4_000
MAX_REPLY_LENGTH = 10_000


class LeadRow(ResponseModel):
    """A lead in the inbox."""

    id: str
    name: str
    email: str
    service: str
    message: str
    status: LeadStatus
    created_at: str


class LeadCounts(ResponseModel):
    """The number of leads by status."""

    new: int
    read: int
    answered: int
    archived: int


class LeadPage(ResponseModel):
    """A page of leads, newest first, with shortened messages."""

    leads: list[LeadRow]
    counts: LeadCounts
    next_cursor: str | None


class LeadsResponse(ResponseModel):
    """The response of GET /api/guru/leads."""

    success: bool
    data: LeadPage


class ConsoleLeadReply(ResponseModel):
    """An emailed reply. `sentAt` is null until it is sent."""

    id: str
    body: str
    created_at: str
    sent_at: str | None


class ConsoleLeadNote(ResponseModel):
    """A private note."""

    id: str
    body: str
    created_at: str


if TYPE_CHECKING:  # the fields are made at run time
    LeadDetailsResponse = ResponseModel
else:
    LeadDetailsResponse = response_fields(LeadDetails)


class ConsoleLead(LeadRow, LeadDetailsResponse):
    """A lead with its details, replies and notes. A blocked address gets no email from the site."""

    page: str
    address_state: AddressState
    answers: list[ConsoleLeadReply]
    notes: list[ConsoleLeadNote]


class ConsoleLeadResponse(ResponseModel):
    """The response of routes about one lead."""

    success: bool
    data: ConsoleLead


class LeadStatusPayload(Payload):
    """The new status of a lead."""

    status: LeadStatus


class LeadNotePayload(Payload):
    """A private note about a lead."""

    body: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NOTE_LENGTH), PRINTABLE]


class LeadReplyPayload(Payload):
    """A reply to email to the visitor who left the lead."""

    body: Annotated[str, StringConstraints(min_length=1, max_length=MAX_REPLY_LENGTH), PRINTABLE]


class LeadAddressData(ResponseModel):
    """The answer of an address's owner about email from a site. `label` is the site's subdomain."""

    site: str
    label: str
    state: AddressState


class LeadAddressResponse(ResponseModel):
    """The response of routes about a lead's address."""

    success: bool
    data: LeadAddressData


class LeadAddressPayload(Payload):
    """The owner's answer: `confirmed`, they wrote to the site, or `blocked`, they want no email from it."""

    state: Literal["confirmed", "blocked"]
