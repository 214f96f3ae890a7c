"""Request and response bodies of the risk of a guru's service."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from porchlight.contracts import OfferRisk, RiskLevel
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel


class ServiceReviewPayload(Payload):
    """Why the rating does not fit, in a sentence."""

    sentence: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300), ONE_LINE]


class ServiceReviewData(ResponseModel):
    """The latest review that the guru asked for. `level` and `answeredAt` are null until staff answers."""

    sentence: str
    level: RiskLevel | None
    asked_at: str
    answered_at: str | None


class ServiceRisk(ResponseModel):
    """Our rating of a service, the guru's own one if there is one, and the review. `canAsk`: a review is possible."""

    risk: OfferRisk
    own_rating: RiskLevel | None
    review: ServiceReviewData | None
    can_ask: bool


class ServiceRiskResponse(ResponseModel):
    """The risk of a service."""

    success: bool
    data: ServiceRisk
