"""Request and response schemas of questions."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from tenants.kit.schemas import PRINTABLE, Payload, ResponseModel

MAX_BODY_CHARACTERS = 2000


class QuestionPayload(Payload):
    """A question to a neighbor."""

    body: Annotated[str, StringConstraints(min_length=1, max_length=MAX_BODY_CHARACTERS), PRINTABLE] = Field(
        examples=["Do you also teach beginners?"]
    )


class AskerResponse(ResponseModel):
    """The neighbor who asks. `handle` is null for a hidden profile."""

    handle: str | None
    name: str
    photo_url: str = Field(alias="photoURL")


class QuestionData(ResponseModel):
    """A question. `mine`: the reader asked it. `replyTo`: the asker's address, for the neighbor who was asked."""

    id: str
    body: str
    created_at: str
    mine: bool
    asker: AskerResponse
    reply_to: str


class QuestionResponse(ResponseModel):
    """GET /api/questions/{questionId}."""

    success: bool
    data: QuestionData
