"""The schema of a report: its reason and details."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, StringConstraints

from tenants.kit.schemas import PRINTABLE, Payload

MAX_DETAILS_LENGTH = 2000  # characters
ReportKind = Literal["site", "post", "profile", "listing", "review", "thread"]
Reason = Literal["spam", "scam", "offensive", "dangerous", "impersonation", "rights", "other"]
REASONS: tuple[Reason, ...] = get_args(Reason)


class ReportWords(Payload):
    """The content of a report. `website` is the honeypot: it is invisible to people, so it stays empty."""

    reason: Reason
    details: Annotated[str, StringConstraints(max_length=MAX_DETAILS_LENGTH), PRINTABLE] = Field(
        default="", examples=["The second paragraph asks for a deposit by gift card."]
    )
    website: Annotated[str, StringConstraints(max_length=MAX_DETAILS_LENGTH)] = ""
