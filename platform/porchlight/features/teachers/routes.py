"""GET /api/teachers: gurus to book or to write to, and neighbors who teach (flag booking)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Response

from porchlight.dependencies import Context, CurrentUser, require_flag, require_main_host
from porchlight.features.teachers import queries
from porchlight.features.teachers.schemas import TeachersResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import ONE_LINE

router = FeatureRouter(
    prefix="/api/teachers",
    tags=["teachers"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host), Depends(require_flag("booking"))],
)


@router.get("", operation_id="list_teachers", summary="List teachers with their next free times")
async def list_teachers(
    context: Context,
    user: CurrentUser,
    response: Response,
    category: Annotated[str, Query(max_length=160, description="A skill category or a skill."), ONE_LINE] = "",
    guru: Annotated[str, Query(max_length=63, description="Only this guru, by subdomain."), ONE_LINE] = "",
    service: Annotated[str, Query(max_length=40, description="A service of `guru`; by default its main one.")] = "",
    angel: Annotated[
        list[Annotated[str, ONE_LINE]] | None,
        Query(max_length=queries.MAX_HANDLES, description="Handles of angels, whose own gurus are returned."),
    ] = None,
) -> TeachersResponse:
    """Return gurus with free times that are not reserved, and those who take messages only. One filter applies.

    `guru` comes before `angel`, and `angel` before `category`, which also returns neighbors.
    """
    if guru:
        wanted = queries.Wanted(guru=guru, service_id=parse_id_or_404(service) if service else None)
    elif angel:
        wanted = queries.Wanted(angels=angel)
    else:
        wanted = queries.Wanted(category=category.strip())
    response.headers["cache-control"] = "no-store"
    shows_ratings = await context.flags.on("reviews")
    data = await queries.teachers(context.db, user.user_id, wanted, shows_ratings=shows_ratings)
    return TeachersResponse(success=True, data=data)
