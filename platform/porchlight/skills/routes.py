"""GET /api/skills, …/categories, …/suggestions/autocomplete (SPEC 7.2); POST /api/liability/risk (DESIGN 11)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any
from uuid import UUID

import orjson
from fastapi import APIRouter, Query, Request, Response

from porchlight.logs import log
from porchlight.parts import Parts
from porchlight.skills import actions, catalogue, queries
from porchlight.skills.schemas import RiskAnswer, RiskPayload, SkillsAnswer, SuggestionsAnswer, TaxonomyAnswer
from sites.parts import StrictRoute, parts_of
from tenants.edge import keep
from tenants.kit.errors import Unavailable
from tenants.kit.schemas import ONE_LINE

router = APIRouter(prefix="/api", tags=["skills"], route_class=StrictRoute)

# The edge keeps answers by whose they are. The catalogue is nobody's and changes with a release only.
CATALOGUE = UUID("00000000-0000-7000-8000-000000000010")
_SECONDS = 300.0


def _json(body: Any, *, cache: str | None = None) -> Response:
    bytes_ = body if isinstance(body, bytes) else orjson.dumps(body)
    headers = {"x-content-type-options": "nosniff"} | ({"cache-control": cache} if cache else {})
    return Response(bytes_, media_type="application/json", headers=headers)


@lru_cache(maxsize=64)
def _whole(category: str, popular: bool) -> bytes:
    return orjson.dumps({"success": True, "data": catalogue.listed(category, popular=popular)})


@router.get("/skills", response_model=SkillsAnswer, operation_id="skills", summary="Skills and their categories")
async def read_skills(
    request: Request,
    category: Annotated[str, Query(max_length=120, description="Only this category, by name or slug."), ONE_LINE] = "",
    search: Annotated[str, Query(max_length=120, description="Part of a name or keyword."), ONE_LINE] = "",
    popular: Annotated[bool, Query(description="Only what many ask for.")] = False,
) -> Response:
    """The catalogue, or the part of it that the filters let through."""
    if search.strip():
        return _json({"success": True, "data": catalogue.listed(category, search, popular=popular)})
    named = catalogue.named(category) if category.strip() else None
    if category.strip() and named is None:
        return _json({"success": True, "data": {"skills": [], "categories": [], "total": 0}})
    keep(request.scope, CATALOGUE, seconds=_SECONDS)
    return _json(_whole(named.slug if named else "", popular))


@router.get(
    "/skills/categories",
    response_model=list[TaxonomyAnswer],
    operation_id="skill_categories",
    summary="Categories with what each requires",
)
async def read_categories(request: Request) -> Response:
    """A bare list for onboarding, the announced categories among them."""
    keep(request.scope, CATALOGUE, seconds=_SECONDS)
    return _json(catalogue.taxonomy())


@router.get(
    "/skills/suggestions/autocomplete",
    response_model=SuggestionsAnswer,
    operation_id="skill_suggestions",
    summary="Skills that the text begins, or nearly",
)
async def read_suggestions(
    request: Request,
    q: Annotated[str, Query(max_length=200, description="What was typed so far."), ONE_LINE] = "",
    limit: Annotated[int, Query(ge=1, le=queries.MOST)] = queries.LIMIT,
) -> Response:
    """The likeliest first; one or two slips of the finger are forgiven. Nothing for fewer than two characters."""
    found = await queries.suggestions(parts_of(request).db, q, limit)
    return _json({"success": True, "data": {"suggestions": found}}, cache="private, max-age=60")


@router.post(
    "/liability/risk", response_model=RiskAnswer, operation_id="assess_risk", summary="How risky is it, and why"
)
async def assess_risk(parts: Parts, payload: RiskPayload) -> Response:
    """The level that the waiver speaks of, and the reasons for it. What nobody knows is medium, and is queued."""
    judged = await parts.risk.of_activity(payload.skill_category, payload.activity_description)
    if not judged.known:
        try:
            await actions.queue_for_review(parts.db, payload.skill_category, payload.activity_description)
        except Unavailable:
            # The judgement stands without the database; the next to ask puts it in the queue.
            log.warning("risk_review_not_queued")
    return _json({"success": True, "data": judged.model_dump(by_alias=True)}, cache="no-store")
