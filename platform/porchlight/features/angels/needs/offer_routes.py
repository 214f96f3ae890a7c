"""Offers for needs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response, status

from porchlight.dependencies import Context, CurrentUser
from porchlight.features.angels.needs import actions, queries
from porchlight.features.angels.needs.routes import private_json
from porchlight.features.angels.needs.schemas import NeedOfferPayload, NeedOffersResponse, NeedPage
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api", tags=["needs"], route_class=StrictRoute)


@router.post(
    "/needs/{need_id}/offers",
    response_model=NeedPage,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_need_offer",
    summary="Create offer for a need",
)
async def create_need_offer(context: Context, user: CurrentUser, need_id: str, payload: NeedOfferPayload) -> Response:
    """Create the user's only offer for the need and notify the owner of the need."""
    wanted = parse_id_or_404(need_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.create_offer(session, user.user_id, wanted, payload)
        need = await queries.need(session, user.user_id, wanted)
    return private_json(need, status.HTTP_201_CREATED)


@router.get(
    "/need-offers",
    response_model=NeedOffersResponse,
    operation_id="list_own_need_offers",
    summary="List my offers",
)
async def list_own_need_offers(
    context: Context, user: CurrentUser, cursor: Annotated[str | None, Query(max_length=60)] = None
) -> Response:
    """Return the user's offers with their outcomes, newest first."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return private_json(await queries.own_offers(session, user.user_id, cursor))


@router.delete(
    "/need-offers/{offer_id}",
    response_model=NeedPage,
    operation_id="delete_need_offer",
    summary="Withdraw my offer",
)
async def delete_need_offer(context: Context, user: CurrentUser, offer_id: str) -> Response:
    """Withdraw an offer that was not accepted."""
    wanted = parse_id_or_404(offer_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        need_id = await actions.delete_offer(session, user.user_id, wanted)
        need = await queries.need(session, user.user_id, need_id)
    return private_json(need)
