"""POST /api/liability/risk (SPEC 7.2, docs/settled-questions.md)."""

from __future__ import annotations

from uuid import UUID

import orjson
from fastapi import Request, Response

from porchlight.dependencies import Context, optional_user
from porchlight.features.risk import actions
from porchlight.features.risk.schemas import RiskPayload, RiskResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import Forbidden, Unauthenticated, Unavailable
from tenants.kit.logs import log

router = FeatureRouter(prefix="/api", tags=["risk"], route_class=StrictRoute)

_HEADERS = {"x-content-type-options": "nosniff", "cache-control": "no-store"}


async def _asking_user_id(request: Request, context: Context) -> UUID | None:
    """Return the id of the user who is signed in. The operation needs no sign-in, so an invalid one counts as none."""
    try:
        user = await optional_user(request, context)
    except (Unauthenticated, Forbidden):
        return None
    return user.user_id if user else None


@router.post(
    "/liability/risk", response_model=RiskResponse, operation_id="assess_risk", summary="Assess the risk of an activity"
)
async def assess_risk(request: Request, context: Context, payload: RiskPayload) -> Response:
    """Return the waiver's risk level and the reasons. An activity that we do not know is queued for review."""
    risk = await context.risk.assess_activity(payload.skill_category, payload.activity_description)
    if not risk.known:
        try:
            user_id = await _asking_user_id(request, context)
            await actions.queue_for_review(context.db, payload.skill_category, payload.activity_description, user_id)
        except Unavailable:
            # The assessment does not need the database. The next request for the activity queues it.
            log.warning("risk_review_not_queued")
    body = orjson.dumps({"success": True, "data": risk.model_dump(by_alias=True)})
    return Response(body, media_type="application/json", headers=_HEADERS)
