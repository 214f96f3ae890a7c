"""Reviews in the admin area, under the flag `reviews`. Only staff takes one down."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query

from porchlight.auth.staff import CurrentStaff, ServiceDatabase, require_admin_flag, run_as_service
from porchlight.features.reviews import admin_actions, admin_queries
from porchlight.features.reviews.admin_schemas import StaffReviewResponse, StaffReviewsResponse
from porchlight.features.reviews.schemas import RemovalPayload
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(
    prefix="/api/admin/reviews",
    tags=["reviews"],
    route_class=StrictRoute,
    dependencies=[Depends(require_admin_flag("reviews"))],
)


@router.get("", response_model=StaffReviewsResponse, operation_id="list_admin_reviews", summary="List reviews")
async def list_reviews(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    guru: Annotated[str, Query(max_length=63, description="Only of this guru, by subdomain.")] = "",
    removed: Annotated[bool, Query(description="Only those that staff removed.")] = False,
    cursor: Annotated[str | None, Query(max_length=36)] = None,
) -> StaffReviewsResponse:
    """Return a page of published reviews, the newest first. Hidden ones are not among them."""
    page = await admin_queries.reviews(service_db, guru=guru.replace("\0", ""), removed=removed, cursor=cursor)
    return StaffReviewsResponse.model_validate({"success": True, "data": page})


@router.get("/{review_id}", response_model=StaffReviewResponse, operation_id="get_admin_review", summary="Get a review")
async def get_review(service_db: ServiceDatabase, _staff: CurrentStaff, review_id: str) -> StaffReviewResponse:
    """Return a published review."""
    data = await admin_queries.review(service_db, parse_id_or_404(review_id))
    return StaffReviewResponse.model_validate({"success": True, "data": data})


@router.post(
    "/{review_id}/removal",
    response_model=StaffReviewResponse,
    operation_id="remove_review",
    summary="Remove a review",
)
async def remove_review(
    service_db: ServiceDatabase, staff: CurrentStaff, review_id: str, payload: RemovalPayload
) -> StaffReviewResponse:
    """Remove a review. Everyone reads the reason in its place. 409 if another admin removed it first."""
    wanted = parse_id_or_404(review_id)
    await run_as_service(service_db, admin_actions.remove_review, staff.key_name, wanted, payload.reason)
    return StaffReviewResponse.model_validate({"success": True, "data": await admin_queries.review(service_db, wanted)})
