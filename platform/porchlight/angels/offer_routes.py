"""Offers for needs: made, looked through, taken back."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from porchlight.angels import need_actions, need_queries
from porchlight.angels.need_routes import answered
from porchlight.angels.need_schemas import NeedOfferPayload, NeedOffersAnswer, NeedPage
from porchlight.parts import CurrentUser, Parts
from sites.parts import StrictRoute
from tenants.kit.ids import known_id
from tenants.session import unit_of_work

router = APIRouter(prefix="/api", tags=["needs"], route_class=StrictRoute)


@router.post(
    "/needs/{need_id}/offers",
    response_model=NeedPage,
    status_code=status.HTTP_201_CREATED,
    operation_id="make_need_offer",
    summary="Offer to do it",
)
async def post_offer(parts: Parts, person: CurrentUser, need_id: str, sent: NeedOfferPayload) -> Response:
    """One offer for each need; the neighbor is told."""
    wanted = known_id(need_id)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await need_actions.make_offer(session, person.user_id, wanted, sent)
        shown = await need_queries.need(session, person.user_id, wanted)
    return answered(shown, status.HTTP_201_CREATED)


@router.get("/need-offers", response_model=NeedOffersAnswer, operation_id="own_need_offers", summary="What I offered")
async def read_offers(
    parts: Parts, person: CurrentUser, cursor: Annotated[str | None, Query(max_length=60)] = None
) -> Response:
    """One's own offers with what became of them, the newest first."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        return answered(await need_queries.own_offers(session, person.user_id, cursor))


@router.delete(
    "/need-offers/{offer_id}", response_model=NeedPage, operation_id="withdraw_need_offer", summary="Take my offer back"
)
async def delete_offer(parts: Parts, person: CurrentUser, offer_id: str) -> Response:
    """As long as it was not accepted."""
    wanted = known_id(offer_id)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        need_id = await need_actions.withdraw_offer(session, person.user_id, wanted)
        shown = await need_queries.need(session, person.user_id, need_id)
    return answered(shown)
