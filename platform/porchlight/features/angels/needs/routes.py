"""Needs: preview, create, list, withdraw, accept an offer, complete; and their photos."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import orjson
from fastapi import Query, Request, Response, status

from porchlight.dependencies import AppContext, Context, CurrentUser, IdempotencyKey
from porchlight.features.angels.locations import coordinates_of
from porchlight.features.angels.needs import actions, proposals, queries
from porchlight.features.angels.needs.schemas import (
    AcceptancePayload,
    CompletionPayload,
    NeedPage,
    NeedPayload,
    NeedsResponse,
    ProposalData,
    ProposalPayload,
    ProposalResponse,
)
from tenants.db.unit_of_work import unit_of_work
from tenants.http.photos import photo_response
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import images
from tenants.kit.ids import new_id, parse_id_or_404
from tenants.kit.schemas import ONE_LINE

router = FeatureRouter(prefix="/api", tags=["needs"], route_class=StrictRoute)

MAX_PHOTO_SIDE = 1280  # pixels of the longer side
Cursor = Annotated[str | None, Query(max_length=60)]


def private_json(data: dict[str, Any], status_code: int = 200) -> Response:
    """Return a JSON response that no cache may store."""
    headers = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
    return Response(orjson.dumps({"success": True, "data": data}), status_code, headers, "application/json")


async def _need_response(context: AppContext, user: CurrentUser, need_id: UUID, status_code: int = 200) -> Response:
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return private_json(await queries.need(session, user.user_id, need_id), status_code)


@router.post(
    "/need-proposals",
    response_model=ProposalResponse,
    operation_id="preview_need",
    summary="Preview the service and price of a need",
)
async def preview_need(context: Context, user: CurrentUser, payload: ProposalPayload) -> ProposalResponse:
    """Guess the service that a description is about, and return its fair price near a place. Stores nothing."""
    location = None
    if payload.place is not None:
        place = payload.place
        location = await coordinates_of(
            context.geocoder, text=place.text, latitude=place.latitude, longitude=place.longitude
        )
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        guess = proposals.ServiceGuess(payload.service_id, True)
        if payload.service_id is None:
            guess = await proposals.service_guess(session, payload.description)
        price = await proposals.fair_price(session, guess.service_id, location) if guess.service_id else None
    low, high = price.total(payload.hours) if price else (None, None)
    data = ProposalData(
        service_id=guess.service_id,
        sure=guess.sure,
        low_rate_cents=price.low if price else None,
        high_rate_cents=price.high if price else None,
        low_cents=low,
        high_cents=high,
        angels=price.angels if price else 0,
        nearby=price.nearby if price else False,
        jobs=price.jobs if price else 0,
    )
    return ProposalResponse(success=True, data=data)


@router.post(
    "/needs",
    response_model=NeedPage,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_need",
    summary="Create need",
    responses={200: {"model": NeedPage, "description": "The need exists already, with the same Idempotency-Key."}},
)
async def create_need(context: Context, user: CurrentUser, payload: NeedPayload, key: IdempotencyKey) -> Response:
    """Create a need and notify nearby angels by email. Stores only the obfuscated location."""
    place = payload.place
    location = await coordinates_of(
        context.geocoder, text=place.text, latitude=place.latitude, longitude=place.longitude
    )
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        need_id, is_new = await actions.create_need(session, user.user_id, payload, location, key=key or str(new_id()))
    return await _need_response(context, user, need_id, status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)


@router.get(
    "/needs", response_model=NeedsResponse, operation_id="list_open_needs", summary="List other users' open needs"
)
async def list_open_needs(
    context: Context,
    user: CurrentUser,
    service: Annotated[str, Query(max_length=80, description="Only this service."), ONE_LINE] = "",
    fitting: Annotated[bool, Query(description="Only my services, within my radius.")] = False,
    cursor: Cursor = None,
) -> Response:
    """Return other users' open needs, newest first."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return private_json(await queries.open_needs(session, service=service, fitting=fitting, cursor=cursor))


@router.get("/own-needs", response_model=NeedsResponse, operation_id="list_own_needs", summary="List my needs")
async def list_own_needs(context: Context, user: CurrentUser, cursor: Cursor = None) -> Response:
    """Return the user's needs, newest first."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return private_json(await queries.own_needs(session, user.user_id, cursor))


@router.get("/needs/{need_id}", response_model=NeedPage, operation_id="get_need", summary="Get need")
async def get_need(context: Context, user: CurrentUser, need_id: str) -> Response:
    """Return a need with its offers: all for its owner, otherwise only the user's own."""
    return await _need_response(context, user, parse_id_or_404(need_id))


@router.post(
    "/needs/{need_id}/photos",
    response_model=NeedPage,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_need_photo",
    summary="Add photo to my need",
    openapi_extra=images.IMAGE_REQUEST_BODY,
)
async def create_need_photo(request: Request, context: Context, user: CurrentUser, need_id: str) -> Response:
    """Add the image in the body (JPEG, PNG, WebP, GIF, AVIF or HEIC). It is re-encoded without metadata."""
    wanted = parse_id_or_404(need_id)
    body = await request.body()
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.check_photo_limit(session, user.user_id, wanted)  # before the slow re-encoding
    image = await images.reencode_image(body, (MAX_PHOTO_SIDE, MAX_PHOTO_SIDE), owner=user.user_id, field="photo")
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.add_photo(session, user.user_id, wanted, image.data)
    return await _need_response(context, user, wanted, status.HTTP_201_CREATED)


@router.delete(
    "/needs/{need_id}/photos/{photo_id}",
    response_model=NeedPage,
    operation_id="delete_need_photo",
    summary="Delete photo of my need",
)
async def delete_need_photo(context: Context, user: CurrentUser, need_id: str, photo_id: str) -> Response:
    """Delete the photo. Not possible after an offer was accepted: the angel agreed to the need with its photos."""
    wanted, photo = parse_id_or_404(need_id), parse_id_or_404(photo_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.delete_photo(session, user.user_id, wanted, photo)
    return await _need_response(context, user, wanted)


@router.post(
    "/needs/{need_id}/withdrawal", response_model=NeedPage, operation_id="withdraw_need", summary="Withdraw my need"
)
async def withdraw_need(context: Context, user: CurrentUser, need_id: str) -> Response:
    """Withdraw the need and notify the authors of offers."""
    wanted = parse_id_or_404(need_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.withdraw_need(session, user.user_id, wanted)
    return await _need_response(context, user, wanted)


@router.post(
    "/needs/{need_id}/acceptance",
    response_model=NeedPage,
    operation_id="accept_need_offer",
    summary="Accept an offer",
)
async def accept_need_offer(context: Context, user: CurrentUser, need_id: str, payload: AcceptancePayload) -> Response:
    """Accept exactly one offer and notify the authors of all offers."""
    wanted, offer = parse_id_or_404(need_id), parse_id_or_404(payload.offer_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.accept_offer(session, user.user_id, wanted, offer)
    return await _need_response(context, user, wanted)


@router.post(
    "/needs/{need_id}/completion", response_model=NeedPage, operation_id="complete_need", summary="Complete my need"
)
async def complete_need(context: Context, user: CurrentUser, need_id: str, payload: CompletionPayload) -> Response:
    """Mark the need as done and rate the angel."""
    wanted = parse_id_or_404(need_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.complete_need(session, user.user_id, wanted, payload)
    return await _need_response(context, user, wanted)


@router.get(
    "/need-photos/{name}",
    operation_id="get_need_photo",
    summary="Get photo of a need",
    response_class=Response,
    responses={200: {"content": {"image/webp": {}}, "description": "The image."}},
)
async def get_need_photo(request: Request, context: Context, user: CurrentUser, name: str) -> Response:
    """Return the photo `{id}.webp` if the user may see its need."""
    wanted = parse_id_or_404(name.removesuffix(".webp") if name.endswith(".webp") else "")
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        body = await queries.photo(session, wanted)
    return photo_response(request, wanted, body)
