"""GET /api/skills/matches/{userId} (SPEC 7.2), what else one might offer, and swap rings."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from porchlight.matches import actions, queries
from porchlight.matches.schemas import (
    MatchesAnswer,
    OpeningsAnswer,
    OpeningsData,
    RingPayload,
    RingsAnswer,
    RingsData,
)
from porchlight.parts import CurrentUser, FreeTimes, Parts, on_main_host
from sites.parts import StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import known_id
from tenants.session import unit_of_work

router = APIRouter(prefix="/api/skills", tags=["skills"], route_class=StrictRoute, dependencies=[Depends(on_main_host)])


def _times(request: Request) -> FreeTimes:
    times: FreeTimes = request.app.state.free_times
    return times


@router.get(
    "/matches/{user_id}", response_model=MatchesAnswer, operation_id="matches", summary="Neighbors who fit me, and why"
)
async def read_matches(
    response: Response,
    parts: Parts,
    person: CurrentUser,
    user_id: Annotated[str, Path(max_length=128, description="My own id: the account's, or the identity service's.")],
    limit: Annotated[int, Query(ge=1, le=queries.MOST)] = queries.LIMIT,
    min_score: Annotated[float, Query(ge=0, le=100, alias="minScore", allow_inf_nan=False)] = queries.MIN_SCORE,
) -> MatchesAnswer:
    """Only one's own matches; others answer like unknown (DESIGN 11).

    The web knows its user by the identity service's uid, our answers by the account's id: both name oneself.
    """
    if user_id not in (str(person.user_id), person.firebase_uid):
        raise NotFound
    response.headers["cache-control"] = "no-store"
    return MatchesAnswer(success=True, data=await queries.matches(parts.db, person.user_id, limit, min_score))


@router.get("/openings", response_model=OpeningsAnswer, operation_id="openings", summary="What if I offered one more?")
async def read_openings(response: Response, parts: Parts, person: CurrentUser) -> OpeningsAnswer:
    """The skills to offer that would open the most matches, the best first."""
    response.headers["cache-control"] = "no-store"
    return OpeningsAnswer(success=True, data=OpeningsData(skills=await queries.openings(parts.db, person.user_id)))


@router.get("/rings", response_model=RingsAnswer, operation_id="swap_rings", summary="My swap rings")
async def read_rings(
    response: Response, parts: Parts, person: CurrentUser, times: Annotated[FreeTimes, Depends(_times)]
) -> RingsAnswer:
    """Rings that are proposed to me or agreed on."""
    response.headers["cache-control"] = "no-store"
    return RingsAnswer(success=True, data=RingsData(rings=await queries.rings(parts.db, person.user_id, times)))


@router.post("/rings/{ring_id}", response_model=RingsAnswer, operation_id="answer_ring", summary="Accept or decline")
async def post_ring(
    parts: Parts, person: CurrentUser, ring_id: str, sent: RingPayload, times: Annotated[FreeTimes, Depends(_times)]
) -> RingsAnswer:
    """My answer to a proposed ring."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.answer_ring(session, person.user_id, known_id(ring_id), sent.answer)
    return RingsAnswer(success=True, data=RingsData(rings=await queries.rings(parts.db, person.user_id, times)))
