"""Photos of listings: the owner's changes, and the images for every user who may see the listing."""

from __future__ import annotations

from fastapi import Depends, Request, Response, status

from porchlight.dependencies import Context, CurrentUser, OptionalUser, require_flag, require_main_host
from porchlight.features.listings import photos, queries
from porchlight.features.listings.schemas import OwnSkillsResponse, PhotosPayload
from tenants.db.unit_of_work import unit_of_work
from tenants.http.photos import photo_response
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import images
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(
    prefix="/api/skills",
    tags=["listings"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host), Depends(require_flag("skillListing"))],
)


@router.post(
    "/offers/{offer_id}/photos",
    response_model=OwnSkillsResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_listing_photo",
    summary="Add photo to my listing",
    openapi_extra=images.IMAGE_REQUEST_BODY,
)
async def create_listing_photo(
    request: Request, context: Context, user: CurrentUser, offer_id: str
) -> OwnSkillsResponse:
    """Add the image in the body (JPEG, PNG, WebP, GIF, AVIF or HEIC). It is re-encoded without metadata."""
    wanted = parse_id_or_404(offer_id)
    body = await request.body()
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await photos.next_photo_position(session, user.user_id, wanted)  # fails before the slow re-encoding
    image, thumbnail = await photos.encode_photo(body, user.user_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await photos.add_photo(session, user.user_id, wanted, image, thumbnail)
        return await queries.own_skills_response(session, user.user_id, context.risk)


@router.put(
    "/offers/{offer_id}/photos",
    response_model=OwnSkillsResponse,
    operation_id="update_listing_photos",
    summary="Update order and alt texts of my photos",
)
async def update_listing_photos(
    context: Context, user: CurrentUser, offer_id: str, payload: PhotosPayload
) -> OwnSkillsResponse:
    """Set the order and the alt texts of all photos. Cards show the first one."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await photos.update_photos(session, user.user_id, parse_id_or_404(offer_id), payload.photos)
        return await queries.own_skills_response(session, user.user_id, context.risk)


@router.delete(
    "/offers/{offer_id}/photos/{photo_id}",
    response_model=OwnSkillsResponse,
    operation_id="delete_listing_photo",
    summary="Delete photo of my listing",
)
async def delete_listing_photo(context: Context, user: CurrentUser, offer_id: str, photo_id: str) -> OwnSkillsResponse:
    """Delete the photo."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await photos.delete_photo(session, user.user_id, parse_id_or_404(offer_id), parse_id_or_404(photo_id))
        return await queries.own_skills_response(session, user.user_id, context.risk)


@router.get(
    "/photos/{name}",
    operation_id="get_listing_photo",
    summary="Get photo of a listing",
    response_class=Response,
    responses={200: {"content": {"image/webp": {}}, "description": "The image."}},
)
async def get_listing_photo(request: Request, context: Context, user: OptionalUser, name: str) -> Response:
    """Return the photo `{id}.webp` or the thumbnail `{id}-small.webp`. A hidden listing's photo is for its owner."""
    stem = name.removesuffix(".webp") if name.endswith(".webp") else ""
    photo_id = parse_id_or_404(stem.removesuffix("-small"))
    async with unit_of_work(context.db, user_id=user.user_id if user else None) as session:
        body = await photos.photo(session, photo_id, thumbnail=stem.endswith("-small"))
    return photo_response(request, photo_id, body, variant="-small" if stem.endswith("-small") else "")
