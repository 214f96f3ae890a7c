"""Bodies of the personal links of participants."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from tenants.kit.schemas import EMAIL, Payload, ResponseModel


class LinkPayload(Payload):
    """Where to send a participant's personal link; "" only returns it. Another address than before makes a new link."""

    email: Annotated[str, StringConstraints(max_length=254), EMAIL] = ""


class LinkData(ResponseModel):
    """A participant's personal link. `sent`: an email with it is on its way."""

    url: str
    sent: bool


class LinkResponse(ResponseModel):
    """A participant's personal link."""

    success: bool
    data: LinkData
