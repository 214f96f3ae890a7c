"""Needs: proposed, posted, looked through, taken back, given to an angel, done (see `need_actions`)."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import orjson
from fastapi import APIRouter, Query, Request, Response, status

from porchlight.angels import need_actions, need_queries, proposals
from porchlight.angels.need_schemas import (
    AcceptancePayload,
    CompletionPayload,
    NeedPage,
    NeedPayload,
    NeedsAnswer,
    ProposalAnswer,
    ProposalData,
    ProposalPayload,
)
from porchlight.angels.places import spot_of
from porchlight.parts import CurrentUser, IdempotencyKey, Parts, PlatformParts
from sites.parts import StrictRoute
from tenants.kit import pictures
from tenants.kit.ids import known_id, new_id
from tenants.kit.schemas import ONE_LINE
from tenants.session import unit_of_work

router = APIRouter(prefix="/api", tags=["needs"], route_class=StrictRoute)

PHOTO_SIDE = 1280  # pixels of the longer side we keep
Cursor = Annotated[str | None, Query(max_length=60)]


def answered(data: dict[str, Any], code: int = 200) -> Response:
    """An answer that is one person's alone."""
    headers = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
    return Response(orjson.dumps({"success": True, "data": data}), code, headers, "application/json")


async def _page(parts: PlatformParts, person: CurrentUser, need_id: UUID, code: int = 200) -> Response:
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        return answered(await need_queries.need(session, person.user_id, need_id), code)


@router.post(
    "/need-proposals", response_model=ProposalAnswer, operation_id="propose_need", summary="What a need is about"
)
async def post_proposal(parts: Parts, person: CurrentUser, sent: ProposalPayload) -> ProposalAnswer:
    """The kind of help that some words speak of, and what is fairly paid for it near a place. Nothing is kept."""
    spot = None
    if sent.place is not None:
        place = sent.place
        spot = await spot_of(parts.geocoder, text=place.text, latitude=place.latitude, longitude=place.longitude)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        guess = proposals.Guess(sent.service_id, True)
        if sent.service_id is None:
            guess = await proposals.guessed(session, sent.description)
        fair = await proposals.fair(session, guess.service_id, spot) if guess.service_id else None
    low, high = fair.total(sent.hours) if fair else (None, None)
    data = ProposalData(
        service_id=guess.service_id,
        sure=guess.sure,
        low_rate_cents=fair.low if fair else None,
        high_rate_cents=fair.high if fair else None,
        low_cents=low,
        high_cents=high,
        angels=fair.angels if fair else 0,
        nearby=fair.nearby if fair else False,
        jobs=fair.jobs if fair else 0,
    )
    return ProposalAnswer(success=True, data=data)


@router.post(
    "/needs",
    response_model=NeedPage,
    status_code=status.HTTP_201_CREATED,
    operation_id="post_need",
    summary="Post a need",
    responses={200: {"model": NeedPage, "description": "It was posted already, by the same Idempotency-Key."}},
)
async def post_need(parts: Parts, person: CurrentUser, sent: NeedPayload, key: IdempotencyKey) -> Response:
    """Angels near are told by mail. Of the place only its coarse cell is kept."""
    place = sent.place
    spot = await spot_of(parts.geocoder, text=place.text, latitude=place.latitude, longitude=place.longitude)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        need_id, made = await need_actions.post_need(session, person.user_id, sent, spot, key=key or str(new_id()))
    return await _page(parts, person, need_id, status.HTTP_201_CREATED if made else status.HTTP_200_OK)


@router.get("/needs", response_model=NeedsAnswer, operation_id="open_needs", summary="What neighbors need")
async def read_needs(
    parts: Parts,
    person: CurrentUser,
    service: Annotated[str, Query(max_length=80, description="Only this kind of help."), ONE_LINE] = "",
    fitting: Annotated[bool, Query(description="Only what I help with, and near enough.")] = False,
    cursor: Cursor = None,
) -> Response:
    """Others' open needs, the newest first. Reading them costs nothing."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        return answered(await need_queries.open_needs(session, service=service, fitting=fitting, cursor=cursor))


@router.get("/own-needs", response_model=NeedsAnswer, operation_id="own_needs", summary="What I need")
async def read_own_needs(parts: Parts, person: CurrentUser, cursor: Cursor = None) -> Response:
    """One's own needs, the newest first."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        return answered(await need_queries.own_needs(session, person.user_id, cursor))


@router.get("/needs/{need_id}", response_model=NeedPage, operation_id="need", summary="A need")
async def read_need(parts: Parts, person: CurrentUser, need_id: str) -> Response:
    """A need with what belongs to it: all offers for its owner, for others their own."""
    return await _page(parts, person, known_id(need_id))


@router.post(
    "/needs/{need_id}/photos",
    response_model=NeedPage,
    status_code=status.HTTP_201_CREATED,
    operation_id="add_need_photo",
    summary="Add a photo to my need",
    openapi_extra=pictures.BODY,
)
async def post_photo(request: Request, parts: Parts, person: CurrentUser, need_id: str) -> Response:
    """The picture itself as the body: JPEG, PNG or WebP. It is drawn anew without metadata."""
    wanted = known_id(need_id)
    body = await request.body()
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await need_actions.refuse_photo(session, person.user_id, wanted)  # before any drawing
    picture = await pictures.drawn_anew(body, (PHOTO_SIDE, PHOTO_SIDE), field="photo")
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await need_actions.add_photo(session, person.user_id, wanted, picture.data)
    return await _page(parts, person, wanted, status.HTTP_201_CREATED)


@router.delete(
    "/needs/{need_id}/photos/{photo_id}",
    response_model=NeedPage,
    operation_id="remove_need_photo",
    summary="Take a photo off my need",
)
async def delete_photo(parts: Parts, person: CurrentUser, need_id: str, photo_id: str) -> Response:
    """It is gone for good. Not once an offer was accepted: the angel chose to help with what they saw."""
    wanted, photo = known_id(need_id), known_id(photo_id)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await need_actions.remove_photo(session, person.user_id, wanted, photo)
    return await _page(parts, person, wanted)


@router.post(
    "/needs/{need_id}/withdrawal", response_model=NeedPage, operation_id="withdraw_need", summary="Take my need back"
)
async def post_withdrawal(parts: Parts, person: CurrentUser, need_id: str) -> Response:
    """Who offered is told."""
    wanted = known_id(need_id)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await need_actions.withdraw_need(session, person.user_id, wanted)
    return await _page(parts, person, wanted)


@router.post(
    "/needs/{need_id}/acceptance", response_model=NeedPage, operation_id="accept_need_offer", summary="Accept an offer"
)
async def post_acceptance(parts: Parts, person: CurrentUser, need_id: str, sent: AcceptancePayload) -> Response:
    """Exactly one offer is accepted for a need; its angel and the others are told."""
    wanted, offer = known_id(need_id), known_id(sent.offer_id)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await need_actions.accept_offer(session, person.user_id, wanted, offer)
    return await _page(parts, person, wanted)


@router.post("/needs/{need_id}/completion", response_model=NeedPage, operation_id="complete_need", summary="It is done")
async def post_completion(parts: Parts, person: CurrentUser, need_id: str, sent: CompletionPayload) -> Response:
    """Say that the accepted angel has done it, and rate them."""
    wanted = known_id(need_id)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await need_actions.complete_need(session, person.user_id, wanted, sent)
    return await _page(parts, person, wanted)


@router.get(
    "/need-photos/{name}",
    operation_id="need_photo",
    summary="A photo of a need",
    response_class=Response,
    responses={200: {"content": {"image/webp": {}}, "description": "The picture."}},
)
async def read_photo(parts: Parts, person: CurrentUser, name: str) -> Response:
    """For who may see the need."""
    wanted = known_id(name.removesuffix(".webp") if name.endswith(".webp") else "")
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        body = await need_queries.photo(session, wanted)
    headers = {"cache-control": "private, max-age=3600", **pictures.HEADERS}
    return Response(body, media_type="image/webp", headers=headers)
