"""Request and response bodies of the risk assessment (SPEC 3, 7.2)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from porchlight.contracts import ActivityRisk
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel


class RiskPayload(Payload):
    """The activity to assess. The category is required; either may be blank."""

    skill_category: Annotated[str, Field(max_length=120), ONE_LINE]
    activity_description: Annotated[str, Field(max_length=2000), PRINTABLE] = ""


class RiskResponse(ResponseModel):
    """POST /api/liability/risk."""

    success: bool
    data: ActivityRisk
