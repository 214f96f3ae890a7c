"""The schemas of leads (ARCHITECTURE 11)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel

MAX_NAME_LENGTH = 120
MAX_EMAIL_LENGTH = 254
MAX_PHONE_LENGTH = 40
MAX_MESSAGE_LENGTH = 5000
MAX_PAGE_LENGTH = 300


class LeadPayload(Payload):
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
    phone: Annotated[str, StringConstraints(max_length=MAX_PHONE_LENGTH), ONE_LINE] = Field(
        default="", examples=["303 555 0117"]
    )
    service_id: Annotated[str, StringConstraints(max_length=36)] | None = None
    consent: bool = Field(default=False, examples=[True])
    website: Annotated[str, StringConstraints(max_length=MAX_MESSAGE_LENGTH)] = ""
    page: Annotated[str, StringConstraints(max_length=MAX_PAGE_LENGTH), ONE_LINE] = ""


class LeadCreated(ResponseModel):
    """The confirmation of a lead."""

    success: bool
    message: str
