"""GET /api/skills, /api/skills/categories and /api/skills/suggestions/autocomplete (SPEC 7.2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any
from uuid import UUID

import orjson
from fastapi import Query, Request, Response

from porchlight.catalog import catalog, queries
from porchlight.catalog.schemas import CatalogSkillsResponse, SuggestionsResponse, TaxonomyResponse
from sites.context import get_context
from tenants.http.response_cache import cacheable
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.schemas import ONE_LINE

router = FeatureRouter(prefix="/api", tags=["skills"], route_class=StrictRoute)

# The response cache stores responses by tenant. The catalog belongs to no tenant and changes only with a release.
CATALOG_CACHE_ID = UUID("00000000-0000-7000-8000-000000000010")
CACHE_TTL_SECONDS = 300.0
SUGGESTIONS_CACHE_CONTROL = "private, max-age=60"


def _json(body: Any, *, cache_control: str | None = None) -> Response:
    content = body if isinstance(body, bytes) else orjson.dumps(body)
    headers = {"x-content-type-options": "nosniff"} | ({"cache-control": cache_control} if cache_control else {})
    return Response(content, media_type="application/json", headers=headers)


@lru_cache(maxsize=64)
def _skills_body(category: str, popular: bool) -> bytes:
    return orjson.dumps({"success": True, "data": catalog.list_skills(category, popular=popular)})


@router.get(
    "/skills", response_model=CatalogSkillsResponse, operation_id="list_skills", summary="List skills and categories"
)
async def list_skills(
    request: Request,
    category: Annotated[str, Query(max_length=120, description="Only this category, by name or slug."), ONE_LINE] = "",
    search: Annotated[str, Query(max_length=120, description="Part of a name or keyword."), ONE_LINE] = "",
    popular: Annotated[bool, Query(description="Only popular skills.")] = False,
) -> Response:
    """Return the catalog, or the part of it that matches all filters."""
    if search.strip():
        return _json({"success": True, "data": catalog.list_skills(category, search, popular=popular)})
    requested = catalog.find_category(category) if category.strip() else None
    if category.strip() and requested is None:
        return _json({"success": True, "data": {"skills": [], "categories": [], "total": 0}})
    cacheable(request.scope, CATALOG_CACHE_ID, seconds=CACHE_TTL_SECONDS)
    return _json(_skills_body(requested.slug if requested else "", popular))


@router.get(
    "/skills/categories",
    response_model=list[TaxonomyResponse],
    operation_id="list_skill_categories",
    summary="List categories with their requirements",
)
async def list_skill_categories(request: Request) -> Response:
    """Return all categories as a bare list for onboarding, also those marked "coming soon"."""
    cacheable(request.scope, CATALOG_CACHE_ID, seconds=CACHE_TTL_SECONDS)
    return _json(catalog.taxonomy())


@router.get(
    "/skills/suggestions/autocomplete",
    response_model=SuggestionsResponse,
    operation_id="list_skill_suggestions",
    summary="Suggest skills for a partial text",
)
async def list_skill_suggestions(
    request: Request,
    q: Annotated[str, Query(max_length=200, description="The text typed so far."), ONE_LINE] = "",
    limit: Annotated[int, Query(ge=1, le=queries.MAX_LIMIT)] = queries.DEFAULT_LIMIT,
) -> Response:
    """Return the best suggestions first; tolerates one or two typos. Returns none below two characters."""
    suggestions = await queries.suggestions(get_context(request).db, q, limit)
    body = {"success": True, "data": {"suggestions": suggestions}}
    return _json(body, cache_control=SUGGESTIONS_CACHE_CONTROL)
