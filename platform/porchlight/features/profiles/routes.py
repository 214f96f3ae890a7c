"""Routes of profiles: registration, profile, photo, public profiles (SPEC 3, 7.2)."""

from __future__ import annotations

from fastapi import Depends, Request, Response, status

from porchlight.auth.actions import record_session_use, update_email
from porchlight.auth.cookies import hash_secret
from porchlight.dependencies import SESSION_COOKIE, Context, CurrentUser, OptionalUser, Reader, require_flag
from porchlight.features.profiles import actions, queries
from porchlight.features.profiles.schemas import OwnProfile, ProfilePayload, PublicProfile, RegisterPayload
from tenants.db.unit_of_work import unit_of_work
from tenants.http.photos import photo_response
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import images
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id

router = FeatureRouter(prefix="/api/auth", tags=["profiles"], route_class=StrictRoute)
public = FeatureRouter(prefix="/api", tags=["profiles"], route_class=StrictRoute)


@router.post(
    "/register",
    response_model=OwnProfile,
    status_code=status.HTTP_201_CREATED,
    operation_id="register",
    summary="Register account",
    tags=["account"],
    responses={200: {"model": OwnProfile, "description": "The account exists already; nothing was changed."}},
)
async def register(response: Response, context: Context, user: CurrentUser, payload: RegisterPayload) -> OwnProfile:
    """Fill in the profile after sign-up or the first Google sign-in. Repeated requests change nothing.

    The ID token identifies the user.
    """
    location = await actions.location_to_store(context.geocoder, payload.location or "")
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        if user.auth_method == "bearer":
            await update_email(session, user.user_id, user.email, user.email_verified)
        is_first = await actions.register(
            session, user.user_id, payload, name=user.name, picture=user.picture, location=location
        )
        profile = await queries.own_profile(session, user.user_id)
    if not is_first:
        response.status_code = status.HTTP_200_OK
    return OwnProfile(success=True, data=profile)


@router.get("/profile", response_model=OwnProfile, operation_id="get_profile", summary="Get profile")
async def get_profile(request: Request, response: Response, context: Context, user: CurrentUser) -> OwnProfile:
    """Return the user's own profile. The main platform requests it on every load, so this records session use."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        if secret := request.cookies.get(SESSION_COOKIE):
            await record_session_use(session, user.user_id, hash_secret(secret))
        return OwnProfile(success=True, data=await queries.own_profile(session, user.user_id))


@router.put("/profile", response_model=OwnProfile, operation_id="update_profile", summary="Update profile")
async def update_profile(context: Context, user: CurrentUser, payload: ProfilePayload) -> OwnProfile:
    """Update the fields in the request; the others stay. Unknown fields (role, uid, plan) are rejected."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.update_profile(
            session,
            user.user_id,
            payload,
            email=user.email,
            geocoder=context.geocoder,
            offer_counts=context.offer_counts,
        )
        profile = await queries.own_profile(session, user.user_id)
    return OwnProfile(success=True, data=profile)


@router.put(
    "/photo",
    response_model=OwnProfile,
    operation_id="update_profile_photo",
    summary="Update profile photo",
    openapi_extra=images.IMAGE_REQUEST_BODY,
)
async def update_profile_photo(request: Request, context: Context, user: CurrentUser) -> OwnProfile:
    """Store the body (JPEG, PNG, WebP, GIF, AVIF or HEIC) as the profile photo: re-encoded, square, no metadata."""
    photo = await actions.encode_photo(await request.body(), user.user_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.update_photo(session, user.user_id, photo)
        profile = await queries.own_profile(session, user.user_id)
    return OwnProfile(success=True, data=profile)


@router.delete("/photo", response_model=OwnProfile, operation_id="delete_profile_photo", summary="Delete profile photo")
async def delete_profile_photo(context: Context, user: CurrentUser) -> OwnProfile:
    """Remove the profile photo, both the uploaded one and a link to another service."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.update_photo(session, user.user_id, None)
        profile = await queries.own_profile(session, user.user_id)
    return OwnProfile(success=True, data=profile)


@public.get(
    "/users/{handle}",
    response_model=PublicProfile,
    operation_id="get_public_profile",
    summary="Get public profile",
    dependencies=[Depends(require_flag("userProfiles"))],
)
async def get_public_profile(response: Response, context: Context, reader: Reader, handle: str) -> PublicProfile:
    """Return the public part of a profile. Unknown, hidden and deleted profiles are a 404 alike."""
    response.headers["cache-control"] = "no-cache"
    return PublicProfile(success=True, data=await queries.public_profile(context.db, handle, reader))


@public.get(
    "/photos/{name}",
    operation_id="get_profile_photo",
    summary="Get profile photo",
    response_class=Response,
    responses={200: {"content": {"image/webp": {}}, "description": "The photo."}},
)
async def get_profile_photo(request: Request, context: Context, user: OptionalUser, name: str) -> Response:
    """Return a profile photo. One of a private profile is for its owner."""
    photo_id = parse_id(name.removesuffix(".webp")) if name.endswith(".webp") else None
    if photo_id is None:
        raise NotFound
    body = await queries.photo(context.db, photo_id, user.user_id if user else None)
    return photo_response(request, photo_id, body)
