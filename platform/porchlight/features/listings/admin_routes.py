"""Routes of skill listings for admins, under the flag `skillListing`: list, photos, hiding."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Response

from porchlight.audit.schemas import NeededReasonPayload
from porchlight.auth.staff import CurrentStaff, ServiceDatabase, require_admin_flag, run_as_service
from porchlight.features.listings import admin_actions, admin_queries
from porchlight.features.listings.admin_schemas import ListingResponse, ListingsResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import images
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import SuccessResponse

router = FeatureRouter(
    prefix="/api/admin/listings",
    tags=["admin"],
    route_class=StrictRoute,
    dependencies=[Depends(require_admin_flag("skillListing"))],
)


@router.get("", response_model=ListingsResponse, operation_id="list_admin_listings", summary="List listings")
async def list_listings(
    service_db: ServiceDatabase,
    _staff: CurrentStaff,
    search: Annotated[str, Query(max_length=100, description="A part of the title.")] = "",
    hidden: Annotated[bool, Query(description="Only hidden listings.")] = False,
    cursor: Annotated[str | None, Query(max_length=32)] = None,
) -> ListingsResponse:
    """List skill listings, newest first; hidden ones by the time at which they were hidden, the latest first."""
    page = await admin_queries.listings(service_db, search=search, hidden=hidden, after=cursor)
    return ListingsResponse.model_validate({"success": True, "data": page})


@router.get("/{listing_id}", response_model=ListingResponse, operation_id="get_admin_listing", summary="Get listing")
async def get_listing(service_db: ServiceDatabase, _staff: CurrentStaff, listing_id: str) -> ListingResponse:
    """Return a listing with all details."""
    return ListingResponse.model_validate(
        {"success": True, "data": await admin_queries.listing(service_db, listing_id)}
    )


@router.get(
    "/photos/{name}",
    operation_id="get_admin_listing_photo",
    summary="Get listing photo",
    response_class=Response,
    responses={200: {"content": {"image/webp": {}}, "description": "The photo."}},
)
async def get_listing_photo(service_db: ServiceDatabase, _staff: CurrentStaff, name: str) -> Response:
    """Return a photo of any listing, hidden or not."""
    headers = {"cache-control": "private, no-store", **images.IMAGE_RESPONSE_HEADERS}
    return Response(await admin_queries.photo(service_db, name), media_type="image/webp", headers=headers)


@router.post(
    "/{listing_id}/hiding", response_model=SuccessResponse, operation_id="hide_listing", summary="Hide listing"
)
async def hide_listing(
    service_db: ServiceDatabase,
    staff: CurrentStaff,
    listing_id: str,
    payload: NeededReasonPayload,
) -> SuccessResponse:
    """Hide a listing from all users. It stays hidden if its owner removes and adds the skill again."""
    parsed_id = parse_id_or_404(listing_id)
    await run_as_service(service_db, admin_actions.hide_listing, staff.key_name, parsed_id, payload.reason)
    return SuccessResponse(success=True)


@router.delete(
    "/{listing_id}/hiding", response_model=SuccessResponse, operation_id="show_listing", summary="Show listing"
)
async def show_listing(service_db: ServiceDatabase, staff: CurrentStaff, listing_id: str) -> SuccessResponse:
    """Show a hidden listing again, if its owner's privacy settings allow it."""
    parsed_id = parse_id_or_404(listing_id)
    await run_as_service(service_db, admin_actions.show_listing, staff.key_name, parsed_id)
    return SuccessResponse(success=True)
