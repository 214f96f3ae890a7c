"""Request and response schemas of email settings."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from porchlight.emails.kinds import CHOICES, MailKind
from tenants.kit.schemas import Payload, ResponseModel


def _check_kind(text: str) -> str:
    if text not in {kind.value for kind in CHOICES}:
        raise ValueError("is not a kind of email that you can turn off")
    return MailKind(text).value


class EmailSettingPayload(Payload):
    """Turn a kind of email on or off."""

    kind: Annotated[str, AfterValidator(_check_kind)]
    is_on: bool


class EmailSettingItem(ResponseModel):
    """A kind of email, as the page shows it."""

    kind: str
    title: str
    description: str
    is_on: bool


class EmailSettingsData(ResponseModel):
    """The settings of a person. `complete`: all of them; else the one of the link in an email."""

    settings: list[EmailSettingItem]
    complete: bool


class EmailSettingsResponse(ResponseModel):
    """The response of the calls about email settings."""

    success: bool
    data: EmailSettingsData
