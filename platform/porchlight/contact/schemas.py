"""The contact form on the wire."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

NAME, EMAIL, SUBJECT, MESSAGE = 120, 254, 160, 4000  # characters at most


class ContactPayload(Payload):
    """A message to the people who run Porchlight. `website` is the honeypot: people leave it empty."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME), ONE_LINE] = Field(examples=["Ada Alvarez"])
    email: Annotated[str, StringConstraints(min_length=3, max_length=EMAIL), ONE_LINE] = Field(
        examples=["ada@example.com"]
    )
    subject: Annotated[str, StringConstraints(max_length=SUBJECT), ONE_LINE] = Field(
        default="", examples=["A question about fees"]
    )
    message: Annotated[str, StringConstraints(min_length=1, max_length=MESSAGE), PRINTABLE] = Field(
        examples=["Does teaching cost anything?"]
    )
    website: Annotated[str, StringConstraints(max_length=MESSAGE)] = ""


class ContactAnswer(Answer):
    """The thanks."""

    success: bool
    message: str
