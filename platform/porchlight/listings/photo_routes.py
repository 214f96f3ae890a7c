"""Photos on one's listings, and for everybody who may see the listing (flag skillListing)."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response, status

from porchlight.listings import photos, queries
from porchlight.listings.schemas import OwnSkillsAnswer, PhotosPayload
from porchlight.parts import CurrentUser, MaybeUser, Parts, on_main_host, while_on
from sites.parts import StrictRoute
from tenants.kit import pictures
from tenants.kit.ids import known_id
from tenants.session import unit_of_work

router = APIRouter(
    prefix="/api/skills",
    tags=["skills"],
    route_class=StrictRoute,
    dependencies=[Depends(on_main_host), Depends(while_on("skillListing"))],
)

SIDE, SMALL_SIDE = 1600, 480  # pixels of the longer side on the page, and on cards


@router.post(
    "/offers/{offer_id}/photos",
    response_model=OwnSkillsAnswer,
    status_code=status.HTTP_201_CREATED,
    operation_id="add_listing_photo",
    summary="Add a photo to my listing",
    openapi_extra=pictures.BODY,
)
async def post_photo(request: Request, parts: Parts, person: CurrentUser, offer_id: str) -> OwnSkillsAnswer:
    """The picture itself as the body: JPEG, PNG or WebP. It is drawn anew without metadata."""
    wanted = known_id(offer_id)
    body = await request.body()
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await photos.refuse_photo(session, person.user_id, wanted)  # before any drawing
    picture = await pictures.drawn_anew(body, (SIDE, SIDE), field="photo")
    small = await pictures.drawn_anew(picture.data, (SMALL_SIDE, SMALL_SIDE), field="photo")
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await photos.add_photo(session, person.user_id, wanted, picture, small)
        return await queries.own_answer(session, person.user_id, parts.risk)


@router.put(
    "/offers/{offer_id}/photos",
    response_model=OwnSkillsAnswer,
    operation_id="arrange_listing_photos",
    summary="Order and describe my listing's photos",
)
async def put_photos(parts: Parts, person: CurrentUser, offer_id: str, sent: PhotosPayload) -> OwnSkillsAnswer:
    """All of them, in the order they are shown; the first stands on cards."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await photos.arrange_photos(session, person.user_id, known_id(offer_id), sent.photos)
        return await queries.own_answer(session, person.user_id, parts.risk)


@router.delete(
    "/offers/{offer_id}/photos/{photo_id}",
    response_model=OwnSkillsAnswer,
    operation_id="remove_listing_photo",
    summary="Take a photo off my listing",
)
async def delete_photo(parts: Parts, person: CurrentUser, offer_id: str, photo_id: str) -> OwnSkillsAnswer:
    """It is gone for good."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await photos.remove_photo(session, person.user_id, known_id(offer_id), known_id(photo_id))
        return await queries.own_answer(session, person.user_id, parts.risk)


@router.get(
    "/photos/{name}",
    operation_id="listing_photo",
    summary="A photo of a listing",
    response_class=Response,
    responses={200: {"content": {"image/webp": {}}, "description": "The picture."}},
)
async def read_photo(parts: Parts, person: MaybeUser, name: str) -> Response:
    """`{id}.webp`, or `{id}-small.webp` for cards: for who may see the listing; a hidden one's for its owner alone."""
    plain = name.removesuffix(".webp") if name.endswith(".webp") else ""
    wanted = known_id(plain.removesuffix("-small"))
    async with unit_of_work(parts.db, user_id=person.user_id if person else None) as session:
        body, shown = await photos.photo(session, wanted, little=plain.endswith("-small"))
    # Not for good: staff may hide a listing, and its neighbor may change their mind.
    headers = {"cache-control": "public, max-age=3600" if shown else "private, no-store", **pictures.HEADERS}
    return Response(body, media_type="image/webp", headers=headers)
