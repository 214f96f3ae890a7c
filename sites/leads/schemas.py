"""A lead on the wire (DESIGN 11)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

NAME, EMAIL, PHONE, MESSAGE, PAGE, KEY = 120, 254, 40, 5000, 300, 200  # characters at most


class LeadPayload(Payload):
    """What a visitor sends. `website` is the honeypot: people never see it, so it stays empty."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME), ONE_LINE] = Field(examples=["Ada Alvarez"])
    email: Annotated[str, StringConstraints(min_length=3, max_length=EMAIL), ONE_LINE] = Field(
        examples=["ada@example.com"]
    )
    message: Annotated[str, StringConstraints(min_length=1, max_length=MESSAGE), PRINTABLE] = Field(
        examples=["Could you teach my daughter to bake bread?"]
    )
    phone: Annotated[str, StringConstraints(max_length=PHONE), ONE_LINE] = Field(default="", examples=["303 555 0117"])
    service_id: Annotated[str, StringConstraints(max_length=36)] | None = None
    consent: bool = Field(default=False, examples=[True])
    website: Annotated[str, StringConstraints(max_length=MESSAGE)] = ""
    page: Annotated[str, StringConstraints(max_length=PAGE), ONE_LINE] = ""


class LeadAnswer(Answer):
    """The thanks."""

    success: bool
    message: str
