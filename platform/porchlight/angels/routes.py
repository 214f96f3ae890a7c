"""GET /api/angels: Angel's List (SPEC 2.9)."""

from __future__ import annotations

from typing import Annotated

import orjson
from fastapi import APIRouter, Query, Request, Response

from porchlight.angels import queries
from porchlight.angels.schemas import AngelsAnswer
from sites.parts import StrictRoute, parts_of
from tenants.kit.schemas import ONE_LINE

router = APIRouter(prefix="/api", tags=["angels"], route_class=StrictRoute)


@router.get("/angels", response_model=AngelsAnswer, operation_id="angels", summary="Local help and odd jobs")
async def read_angels(
    request: Request,
    search: Annotated[str, Query(max_length=120, description="Part of what is offered, or where."), ONE_LINE] = "",
    city: Annotated[str, Query(max_length=80, description="One of `cities`; empty for all."), ONE_LINE] = "",
    category: Annotated[str, Query(max_length=80, description="One of `categories`; empty for all."), ONE_LINE] = "",
) -> Response:
    """The services that all three filters let through."""
    found = await queries.services(parts_of(request).db, search=search, city=city, category=category)
    return Response(
        orjson.dumps({"success": True, "data": found}),
        media_type="application/json",
        headers={"x-content-type-options": "nosniff", "cache-control": "private, max-age=30"},
    )
