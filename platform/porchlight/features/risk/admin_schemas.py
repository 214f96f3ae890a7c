"""Request and response schemas of risk reviews."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.contracts import OfferRisk
from tenants.kit.schemas import PRINTABLE, Payload, ResponseModel

RiskLevel = Literal["low", "medium", "high", "extreme"]


class RiskDecisionPayload(Payload):
    """A decision. `replaces`: the decision that the admin saw, or null. `note`: for other admins."""

    level: RiskLevel
    note: Annotated[str, StringConstraints(max_length=1000), PRINTABLE] = ""
    replaces: RiskLevel | None = Field(description="The decision that this one replaces.")


class RiskReviewRow(ResponseModel):
    """An activity to review.

    `category` is empty for a listing's title. `listings` counts the public listings with that title, up to 1,000;
    `seen` counts the requests for a rating, `gurusAsking` the requests of gurus that are open; `risk` is the current
    assessment.
    """

    id: str
    category: str
    activity: str
    level: RiskLevel | None
    risk: OfferRisk
    listings: int
    gurus_asking: int
    seen: int
    first_seen_at: str
    last_seen_at: str
    decided_at: str | None


class RiskReviewPage(ResponseModel):
    """A page of risk reviews: waiting ones by occurrences, decided ones newest first."""

    items: list[RiskReviewRow]
    next_cursor: str | None


class RiskReviewsResponse(ResponseModel):
    """A page of risk reviews."""

    success: bool
    data: RiskReviewPage


class RiskExample(ResponseModel):
    """An example: a listing with this title."""

    id: str
    title: str
    details: str


class RiskReviewRequestData(ResponseModel):
    """A guru's request to review the rating of a service, and whose it is."""

    id: str
    service: str
    guru: str
    subdomain: str
    sentence: str
    asked_at: str
    answered_at: str | None


class RiskReviewDetail(RiskReviewRow):
    """A risk review with all details. `cut`: the activity was truncated. `requests`: the newest 20, open ones first."""

    cut: bool
    requests: list[RiskReviewRequestData]
    examples: list[RiskExample]
    note: str
    decided_by: str


class RiskReviewResponse(ResponseModel):
    """A risk review."""

    success: bool
    data: RiskReviewDetail
