"""Activities that the risk engine does not know, and staff's decisions on them, on the wire."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.cards import OfferRisk
from tenants.kit.schemas import PRINTABLE, Answer, Payload

RiskLevel = Literal["low", "medium", "high", "extreme"]


class RiskDecisionPayload(Payload):
    """How risky it is. `replaces` is what was decided when they looked, null for nothing; `note` is for colleagues."""

    level: RiskLevel
    note: Annotated[str, StringConstraints(max_length=1000), PRINTABLE] = ""
    replaces: RiskLevel | None = Field(description="The decision that this one takes the place of.")


class RiskReviewRow(Answer):
    """An activity in the list. `category` is blank for what listings are called; `listings` counts those anybody sees
    that are called so, up to a thousand; `seen` how often it was asked about; `risk` is how it is judged at present.
    """

    id: str
    category: str
    activity: str
    level: RiskLevel | None
    risk: OfferRisk
    listings: int
    seen: int
    first_seen_at: str
    last_seen_at: str
    decided_at: str | None


class RiskReviewPage(Answer):
    """A page: of what waits, the most asked about first; of what is decided, the newest decision first."""

    items: list[RiskReviewRow]
    next_cursor: str | None


class RiskReviewsAnswer(Answer):
    """What waits or is decided, a page at a time."""

    success: bool
    data: RiskReviewPage


class RiskExample(Answer):
    """A listing that is called so, and what it tells."""

    id: str
    title: str
    details: str


class RiskReviewDetail(RiskReviewRow):
    """Everything about one activity. `cut`: only the beginning of its description was kept."""

    cut: bool
    examples: list[RiskExample]
    note: str
    decided_by: str


class RiskReviewAnswer(Answer):
    """One activity."""

    success: bool
    data: RiskReviewDetail
