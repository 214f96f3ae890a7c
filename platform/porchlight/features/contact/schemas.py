"""Request and response schemas of the contact form."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from tenants.kit.schemas import EMAIL, ONE_LINE, PRINTABLE, Payload, ResponseModel

MAX_NAME_LENGTH = 120
MAX_EMAIL_LENGTH = 254
MAX_SUBJECT_LENGTH = 160
MAX_MESSAGE_LENGTH = 4000


class ContactPayload(Payload):
    """A message to the Porchlight team. `website` is a honeypot, which people leave empty."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_LENGTH), ONE_LINE] = Field(
        examples=["Ada Alvarez"]
    )
    email: Annotated[str, StringConstraints(min_length=3, max_length=MAX_EMAIL_LENGTH), ONE_LINE, EMAIL] = Field(
        examples=["ada@example.com"]
    )
    subject: Annotated[str, StringConstraints(max_length=MAX_SUBJECT_LENGTH), ONE_LINE] = Field(
        default="", examples=["A question about fees"]
    )
    message: Annotated[str, StringConstraints(min_length=1, max_length=MAX_MESSAGE_LENGTH), PRINTABLE] = Field(
        examples=["Does teaching cost anything?"]
    )
    website: Annotated[str, StringConstraints(max_length=MAX_MESSAGE_LENGTH)] = ""


class ContactResponse(ResponseModel):
    """The response of POST /api/contact."""

    success: bool
    message: str
