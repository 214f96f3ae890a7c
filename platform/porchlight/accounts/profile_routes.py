"""Registration, profiles, photos, export and deletion (SPEC 3, 7.2)."""

from __future__ import annotations

from datetime import timedelta

from fastapi import APIRouter, Request, Response, status
from starlette.responses import StreamingResponse

from porchlight.accounts import actions, export, queries
from porchlight.accounts.cookies import clear_cookies
from porchlight.accounts.door import secret_hash
from porchlight.accounts.schemas import (
    Done,
    EmailChangePayload,
    OwnProfile,
    ProfilePayload,
    PublicProfile,
    RegisterPayload,
)
from porchlight.parts import SESSION_COOKIE, CurrentUser, Parts
from porchlight.ports import FileOutage
from sites.parts import StrictRoute
from tenants.kit import clock, pictures
from tenants.kit.errors import Forbidden, NotFound, Unavailable, ValidationFailed
from tenants.kit.ids import parse_id
from tenants.session import unit_of_work

router = APIRouter(prefix="/api/auth", tags=["accounts"], route_class=StrictRoute)
public = APIRouter(prefix="/api", tags=["accounts"], route_class=StrictRoute)

PHOTO_SIDE = 512  # pixels of the square we keep
RECENTLY = timedelta(minutes=15)


class SignInAgain(Forbidden):
    """Something that cannot be undone wants a fresh sign-in."""

    code = "sign_in_again"
    message = "Please sign in again to do this."


@router.post(
    "/register",
    response_model=OwnProfile,
    status_code=status.HTTP_201_CREATED,
    operation_id="register",
    summary="Make the account of a new sign-in",
    responses={200: {"model": OwnProfile, "description": "The account was there already; nothing is changed."}},
)
async def post_register(response: Response, parts: Parts, person: CurrentUser, sent: RegisterPayload) -> OwnProfile:
    """Called after sign-up and after a Google sign-in. Who it is comes from the ID token alone; safe to repeat."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        if person.by == "bearer":
            await actions.remember_email(session, person.user_id, person.email, person.email_verified)
        first = await actions.register(session, person.user_id, sent, name=person.name, picture=person.picture)
        profile = await queries.own_profile(session, person.user_id)
    if not first:
        response.status_code = status.HTTP_200_OK
    return OwnProfile(success=True, data=profile)


@router.get("/profile", response_model=OwnProfile, operation_id="profile", summary="My profile")
async def read_profile(request: Request, response: Response, parts: Parts, person: CurrentUser) -> OwnProfile:
    """One's own profile. The main platform asks for it on every arrival, so this is where its session is seen."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        if secret := request.cookies.get(SESSION_COOKIE):
            await actions.see_session(session, person.user_id, secret_hash(secret))
        return OwnProfile(success=True, data=await queries.own_profile(session, person.user_id))


@router.put("/profile", response_model=OwnProfile, operation_id="update_profile", summary="Change my profile")
async def put_profile(parts: Parts, person: CurrentUser, sent: ProfilePayload) -> OwnProfile:
    """Change the fields that are sent; the others stay. Unknown fields (role, uid, plan) are refused."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.update_profile(session, person.user_id, sent, email=person.email)
        profile = await queries.own_profile(session, person.user_id)
    return OwnProfile(success=True, data=profile)


@router.put(
    "/photo",
    response_model=OwnProfile,
    operation_id="put_photo",
    summary="Set my photo",
    openapi_extra=pictures.BODY,
)
async def put_photo(request: Request, parts: Parts, person: CurrentUser) -> OwnProfile:
    """The picture itself as the body: JPEG, PNG or WebP. It is drawn anew as a square without metadata."""
    body = await request.body()
    picture = await pictures.drawn_anew(body, (PHOTO_SIDE, PHOTO_SIDE), field="photo", crop=True)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.set_photo(session, person.user_id, picture.data)
        profile = await queries.own_profile(session, person.user_id)
    return OwnProfile(success=True, data=profile)


@router.delete("/photo", response_model=OwnProfile, operation_id="delete_photo", summary="Remove my photo")
async def delete_photo(parts: Parts, person: CurrentUser) -> OwnProfile:
    """Remove one's photo, ours and the one at another service."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.set_photo(session, person.user_id, None)
        profile = await queries.own_profile(session, person.user_id)
    return OwnProfile(success=True, data=profile)


@router.get(
    "/export",
    operation_id="export_account",
    summary="Everything you hold about me",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}, "description": "An archive."}},
)
async def read_export(parts: Parts, person: CurrentUser) -> Response:
    """A ZIP archive of everything we hold about the person who asks, their uploads with it."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        made = await export.gathered(session, person.user_id)
    try:
        await export.only_there(made, parts.files)
    except FileOutage as fault:
        raise Unavailable(retry_after=30) from fault
    headers = {
        "content-disposition": 'attachment; filename="porchlight-my-data.zip"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return StreamingResponse(export.streamed(made, parts.files), media_type="application/zip", headers=headers)


@router.post(
    "/email-change",
    response_model=Done,
    status_code=status.HTTP_202_ACCEPTED,
    operation_id="change_email",
    summary="Announce another email address",
)
async def post_email_change(parts: Parts, person: CurrentUser, sent: EmailChangePayload) -> Done:
    """Said before the identity service is asked to mail its link to the new address; ours follows once it is opened.

    Wants a sign-in of the last quarter of an hour (403 `sign_in_again` otherwise).
    """
    if person.authenticated_at < clock.now() - RECENTLY:
        raise SignInAgain
    if sent.email == person.email.lower():
        raise ValidationFailed(fields={"email": "This is your address already."})
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.ask_for_email(session, person.user_id)
    return Done(success=True, message="Open the link in the mail to your new address.")


@router.delete("/account", response_model=Done, operation_id="delete_account", summary="Delete my account")
async def delete_account(request: Request, response: Response, parts: Parts, person: CurrentUser) -> Done:
    """Erase the account for good. Wants a sign-in of the last quarter of an hour (403 `sign_in_again` otherwise)."""
    if person.authenticated_at < clock.now() - RECENTLY:
        raise SignInAgain
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.erase(session, person.user_id, person.firebase_uid)
    parts.door.changed(person.firebase_uid)
    clear_cookies(request, response, parts.settings)
    return Done(success=True, message="Your account has been deleted.")


@public.get(
    "/users/{handle}", response_model=PublicProfile, operation_id="public_profile", summary="A neighbour's profile"
)
async def read_public_profile(response: Response, parts: Parts, handle: str) -> PublicProfile:
    """What a neighbour lets others see. Unknown, hidden and erased ones answer alike."""
    response.headers["cache-control"] = "no-cache"
    return PublicProfile(success=True, data=await queries.public_profile(parts.db, handle))


@public.get(
    "/photos/{name}",
    operation_id="photo",
    summary="A profile photo",
    response_class=Response,
    responses={200: {"content": {"image/webp": {}}, "description": "The picture."}},
)
async def read_photo(parts: Parts, name: str) -> Response:
    """A photo by its address in a profile. Another picture has another address, so browsers may keep it."""
    photo_id = parse_id(name.removesuffix(".webp")) if name.endswith(".webp") else None
    if photo_id is None:
        raise NotFound
    headers = {"cache-control": "public, max-age=604800, immutable", **pictures.HEADERS}
    return Response(await queries.photo(parts.db, photo_id), media_type="image/webp", headers=headers)
