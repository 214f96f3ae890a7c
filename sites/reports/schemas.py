"""A report's words: why, and what more there is to say."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, StringConstraints

from tenants.kit.schemas import PRINTABLE, Payload

DETAILS = 2000  # characters at most
Kind = Literal["site", "post", "profile", "listing"]
Reason = Literal["spam", "scam", "offensive", "dangerous", "impersonation", "rights", "other"]
REASONS: tuple[Reason, ...] = get_args(Reason)


class ReportWords(Payload):
    """What whoever reports says. `website` is the honeypot: people never see it, so it stays empty."""

    reason: Reason
    details: Annotated[str, StringConstraints(max_length=DETAILS), PRINTABLE] = Field(
        default="", examples=["The second paragraph asks for a deposit by gift card."]
    )
    website: Annotated[str, StringConstraints(max_length=DETAILS)] = ""
