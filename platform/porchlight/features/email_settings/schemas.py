"""Request and response schemas of email settings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, model_validator

from porchlight.emails.kinds import CHOICES, TOPICS, MailKind
from tenants.kit.schemas import Payload, ResponseModel, field_error


def _check_kind(text: str) -> str:
    if text not in {kind.value for kind in CHOICES}:
        raise ValueError("is not a kind of email that you can turn off")
    return MailKind(text).value


def _check_topic(text: str) -> str:
    if text not in {kind.value for kind in (*TOPICS, *CHOICES)}:
        raise ValueError("is not a kind of notification")
    return MailKind(text).value


class TopicPayload(Payload):
    """How a kind reaches the user. Of what is left out, nothing changes. On the page it always is."""

    kind: Annotated[str, AfterValidator(_check_topic)]
    mail: Literal["now", "daily", "never"] | None = None
    push: bool | None = None

    @model_validator(mode="after")
    def _check_choice(self) -> TopicPayload:
        if self.mail is not None and self.mail not in mail_options(MailKind(self.kind)):
            raise field_error("mail", "These emails can't come like that.")
        if self.push is not None and self.kind not in TOPICS:
            raise field_error("push", "This is an email only.")
        return self


def mail_options(kind: MailKind) -> list[Literal["now", "daily", "never"]]:
    """Return how the emails of a kind can come. Those that must come have one way."""
    if kind not in CHOICES:
        return ["now"]
    return ["now", "daily", "never"] if CHOICES[kind].can_wait else ["now", "never"]


class EmailSettingPayload(Payload):
    """Turn a kind of email on or off."""

    kind: Annotated[str, AfterValidator(_check_kind)]
    is_on: bool


class EmailSettingItem(ResponseModel):
    """A kind of email or notification, as the pages show it. `push`: None for one that is an email only."""

    kind: str
    title: str
    description: str
    is_on: bool
    mail: Literal["now", "daily", "never"]
    mail_options: list[Literal["now", "daily", "never"]]
    push: bool | None


class EmailSettingsData(ResponseModel):
    """The settings of a person. `complete`: all of them; else the one of the link in an email."""

    settings: list[EmailSettingItem]
    complete: bool


class EmailSettingsResponse(ResponseModel):
    """The response of the calls about email settings."""

    success: bool
    data: EmailSettingsData
