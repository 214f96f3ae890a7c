"""Skill listings as staff see them, hidden and shown again, under the flag skillListing."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from porchlight.admin import actions, listings
from porchlight.admin.schemas import Done, ListingAnswer, ListingsAnswer, NeededReasonPayload
from porchlight.staff import Overseer, TheStaff, needs_flag
from sites.parts import StrictRoute
from tenants.kit import pictures
from tenants.kit.ids import known_id

router = APIRouter(
    prefix="/listings", tags=["admin"], route_class=StrictRoute, dependencies=[Depends(needs_flag("skillListing"))]
)


@router.get("", response_model=ListingsAnswer, operation_id="admin_listings", summary="All skill listings")
async def read_listings(
    overseer: Overseer,
    _staff: TheStaff,
    search: Annotated[str, Query(max_length=100, description="Part of the skill's name.")] = "",
    hidden: Annotated[bool, Query(description="Those alone that staff hid.")] = False,
    cursor: Annotated[str | None, Query(max_length=32)] = None,
) -> ListingsAnswer:
    """What neighbors teach, the newest first."""
    page = await listings.listings(overseer, search=search, hidden=hidden, after=cursor)
    return ListingsAnswer.model_validate({"success": True, "data": page})


@router.get("/{listing_id}", response_model=ListingAnswer, operation_id="admin_listing", summary="One skill listing")
async def read_listing(overseer: Overseer, _staff: TheStaff, listing_id: str) -> ListingAnswer:
    """Everything about one listing."""
    return ListingAnswer.model_validate({"success": True, "data": await listings.listing(overseer, listing_id)})


@router.get(
    "/photos/{name}",
    operation_id="admin_listing_photo",
    summary="A photo of any listing",
    response_class=Response,
    responses={200: {"content": {"image/webp": {}}, "description": "The picture."}},
)
async def read_photo(overseer: Overseer, _staff: TheStaff, name: str) -> Response:
    """Also of hidden ones: staff judge what they see."""
    headers = {"cache-control": "private, no-store", **pictures.HEADERS}
    return Response(await listings.photo(overseer, name), media_type="image/webp", headers=headers)


@router.post("/{listing_id}/hiding", response_model=Done, operation_id="hide_listing", summary="Hide a listing")
async def hide(overseer: Overseer, staff: TheStaff, listing_id: str, payload: NeededReasonPayload) -> Done:
    """Nobody finds it any more, and its owner cannot bring it back by offering the skill anew."""
    wanted = known_id(listing_id)
    await asyncio.to_thread(actions.hide_listing, overseer.dsn, staff.key_name, wanted, payload.reason)
    return Done(success=True)


@router.delete("/{listing_id}/hiding", response_model=Done, operation_id="show_listing", summary="Show it again")
async def show(overseer: Overseer, staff: TheStaff, listing_id: str) -> Done:
    """It is found again, if its owner shows their skills."""
    wanted = known_id(listing_id)
    await asyncio.to_thread(actions.show_listing, overseer.dsn, staff.key_name, wanted)
    return Done(success=True)
