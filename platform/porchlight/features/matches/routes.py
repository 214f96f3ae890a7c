"""GET /api/skills/matches/{userId} (SPEC 7.2), suggested skills and swap rings."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response

from porchlight.dependencies import Context, CurrentUser, FreeTimes, require_main_host
from porchlight.features.matches import actions, queries
from porchlight.features.matches.schemas import (
    MatchesResponse,
    RingPayload,
    RingsData,
    RingsResponse,
    SuggestedSkillsData,
    SuggestedSkillsResponse,
)
from porchlight.plans.entitlements import effective_plan
from porchlight.plans.limits import PlanFeature, allowance
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(
    prefix="/api/skills", tags=["matches"], route_class=StrictRoute, dependencies=[Depends(require_main_host)]
)


async def _free_times(request: Request) -> FreeTimes:
    free_times: FreeTimes = request.app.state.free_times
    return free_times


FormatTimes = Annotated[FreeTimes, Depends(_free_times)]


@router.get(
    "/matches/{user_id}",
    response_model=MatchesResponse,
    operation_id="list_matches",
    summary="List my matches",
)
async def list_matches(
    response: Response,
    context: Context,
    user: CurrentUser,
    user_id: Annotated[str, Path(max_length=128, description="My user id, or my id at the identity provider.")],
    limit: Annotated[int, Query(ge=1, le=queries.MAX_LIMIT)] = queries.DEFAULT_LIMIT,
    min_score: Annotated[float, Query(ge=0, le=100, alias="minScore", allow_inf_nan=False)] = queries.DEFAULT_MIN_SCORE,
) -> MatchesResponse:
    """Return the user's matches: all that fit both ways, and of the others as many as the plan shows.

    Another user's id is a 404. Accepts both ids: the web knows the identity provider's, and the API's responses have
    the user id.
    """
    if user_id not in (str(user.user_id), user.firebase_uid):
        raise NotFound
    response.headers["cache-control"] = "no-store"
    shown = allowance(await effective_plan(context.db, user.user_id), PlanFeature.MATCHES)
    return MatchesResponse(success=True, data=await queries.matches(context.db, user.user_id, limit, min_score, shown))


@router.get(
    "/openings",
    response_model=SuggestedSkillsResponse,
    operation_id="list_suggested_skills",
    summary="Suggest skills I could offer",
)
async def list_suggested_skills(response: Response, context: Context, user: CurrentUser) -> SuggestedSkillsResponse:
    """Return the skills that would give the user the most new matches, best first."""
    response.headers["cache-control"] = "no-store"
    skills = await queries.suggested_skills(context.db, user.user_id)
    return SuggestedSkillsResponse(success=True, data=SuggestedSkillsData(skills=skills))


@router.get("/rings", response_model=RingsResponse, operation_id="list_swap_rings", summary="List my swap rings")
async def list_swap_rings(
    response: Response, context: Context, user: CurrentUser, format_times: FormatTimes
) -> RingsResponse:
    """Return the user's proposed and agreed rings."""
    response.headers["cache-control"] = "no-store"
    rings = await queries.rings(context.db, user.user_id, format_times)
    return RingsResponse(success=True, data=RingsData(rings=rings))


@router.post(
    "/rings/{ring_id}",
    response_model=RingsResponse,
    operation_id="respond_to_ring",
    summary="Accept or decline a swap ring",
)
async def respond_to_ring(
    context: Context, user: CurrentUser, ring_id: str, payload: RingPayload, format_times: FormatTimes
) -> RingsResponse:
    """Answer a proposed ring and return the user's rings."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.respond_to_ring(session, user.user_id, parse_id_or_404(ring_id), payload.answer)
    rings = await queries.rings(context.db, user.user_id, format_times)
    return RingsResponse(success=True, data=RingsData(rings=rings))
