"""The schemas of leads (docs/settled-questions.md)."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel

MAX_NAME_LENGTH = 120
MAX_EMAIL_LENGTH = 254
MAX_MESSAGE_LENGTH = 5000
MAX_PAGE_LENGTH = 300
MAX_TIME_LENGTH = 100


class LeadDetails(BaseModel):
    """The optional text fields of a lead, in the order of the form. Each is a column of `leads` with its name.

    The insert statement, the search, the email, the console, the CSV export and both contact forms read them from here.
    `title` is the label. `main-web/shared/lead-details.ts` adds how the form shows them.
    """

    phone: Annotated[str, StringConstraints(max_length=40), ONE_LINE] = Field(
        default="", title="Phone", examples=["303 555 0117"]
    )
    preferred_time: Annotated[str, StringConstraints(max_length=MAX_TIME_LENGTH), ONE_LINE] = Field(
        default="", title="Preferred time", examples=["Weekday evenings"]
    )


# Labels by field.
LEAD_DETAILS: dict[str, str] = {name: field.title or name for name, field in LeadDetails.model_fields.items()}


class LeadPayload(LeadDetails, Payload):
    """A visitor's message. `website` is the honeypot: it is invisible to people, so it stays empty."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_LENGTH), ONE_LINE] = Field(
        examples=["Ada Alvarez"]
    )
    email: Annotated[str, StringConstraints(min_length=3, max_length=MAX_EMAIL_LENGTH), ONE_LINE] = Field(
        examples=["ada@example.com"]
    )
    message: Annotated[str, StringConstraints(min_length=1, max_length=MAX_MESSAGE_LENGTH), PRINTABLE] = Field(
        examples=["Could you teach my daughter to bake bread?"]
    )
    service_id: Annotated[str, StringConstraints(max_length=36)] | None = None
    consent: bool = Field(default=False, examples=[True])
    website: Annotated[str, StringConstraints(max_length=MAX_MESSAGE_LENGTH)] = ""
    page: Annotated[str, StringConstraints(max_length=MAX_PAGE_LENGTH), ONE_LINE] = ""


class LeadCreated(ResponseModel):
    """The confirmation of a lead."""

    success: bool
    message: str
