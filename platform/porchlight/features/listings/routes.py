"""The skills that a user offers and wants, and public listings (flag skillListing)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Response, status

from porchlight.dependencies import (
    AppContext,
    AuthenticatedUser,
    Context,
    CurrentUser,
    Reader,
    require_flag,
    require_main_host,
)
from porchlight.features.listings import actions, queries
from porchlight.features.listings.schemas import (
    AreaPayload,
    DraftRisk,
    ListingDraftPayload,
    OwnSkillsResponse,
    PublicSkillListing,
    PublicSkillListingResponse,
    SkillListingPayload,
    SkillOfferPayload,
    WantPayload,
)
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(
    prefix="/api/skills",
    tags=["listings"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host), Depends(require_flag("skillListing"))],
)


async def _request_reviews(
    context: AppContext, user: AuthenticatedUser, response: OwnSkillsResponse
) -> OwnSkillsResponse:
    """Queue the offers with unknown risk for review."""
    for offer in response.data.offers:
        if not offer.risk.known:
            await context.risk.request_review(offer.title, offer.details, owner_id=user.user_id)
    return response


@router.get(
    "/mine", response_model=OwnSkillsResponse, operation_id="get_own_skills", summary="Get the skills I offer and want"
)
async def get_own_skills(response: Response, context: Context, user: CurrentUser) -> OwnSkillsResponse:
    """Return the user's offers, with their listings, and wants."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        skills = await queries.own_skills_response(session, user.user_id, context.risk)
    return await _request_reviews(context, user, skills)


@router.post(
    "/offers",
    response_model=OwnSkillsResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_skill_offer",
    summary="Offer a skill",
)
async def create_skill_offer(context: Context, user: CurrentUser, payload: SkillOfferPayload) -> OwnSkillsResponse:
    """Add an offered skill to the user's profile, with its listing. 402 beyond the plan's limit."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.create_offer(session, user.user_id, payload)
        skills = await queries.own_skills_response(session, user.user_id, context.risk)
    return await _request_reviews(context, user, skills)


@router.put(
    "/offers/{offer_id}",
    response_model=OwnSkillsResponse,
    operation_id="update_skill_offer",
    summary="Update my listing",
)
async def update_skill_offer(
    context: Context, user: CurrentUser, offer_id: str, payload: SkillListingPayload
) -> OwnSkillsResponse:
    """Replace all fields of a listing except its title. 402 beyond the plan's limit."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.update_offer(session, user.user_id, parse_id_or_404(offer_id), payload)
        skills = await queries.own_skills_response(session, user.user_id, context.risk)
    return await _request_reviews(context, user, skills)


@router.delete(
    "/offers/{offer_id}",
    response_model=OwnSkillsResponse,
    operation_id="delete_skill_offer",
    summary="Delete my offer",
)
async def delete_skill_offer(context: Context, user: CurrentUser, offer_id: str) -> OwnSkillsResponse:
    """Delete an offered skill from the user's profile, with its listing."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.delete_skill(session, user.user_id, "offered", parse_id_or_404(offer_id))
        return await queries.own_skills_response(session, user.user_id, context.risk)


@router.post(
    "/wants",
    response_model=OwnSkillsResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_skill_want",
    summary="Add a skill I want to learn",
)
async def create_skill_want(context: Context, user: CurrentUser, payload: WantPayload) -> OwnSkillsResponse:
    """Add a wanted skill to the user's profile."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.add_skill(session, user.user_id, "wanted", payload.title, payload.level)
        return await queries.own_skills_response(session, user.user_id, context.risk)


@router.delete(
    "/wants/{want_id}",
    response_model=OwnSkillsResponse,
    operation_id="delete_skill_want",
    summary="Delete a skill I want to learn",
)
async def delete_skill_want(context: Context, user: CurrentUser, want_id: str) -> OwnSkillsResponse:
    """Delete a wanted skill from the user's profile."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.delete_skill(session, user.user_id, "wanted", parse_id_or_404(want_id))
        return await queries.own_skills_response(session, user.user_id, context.risk)


@router.put("/area", response_model=OwnSkillsResponse, operation_id="update_area", summary="Update my area")
async def update_area(context: Context, user: CurrentUser, payload: AreaPayload) -> OwnSkillsResponse:
    """Set the user's location to the cell of this point. Does not store the point."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.set_area(session, user.user_id, (payload.latitude, payload.longitude))
        return await queries.own_skills_response(session, user.user_id, context.risk)


@router.delete("/area", response_model=OwnSkillsResponse, operation_id="delete_area", summary="Delete my area")
async def delete_area(context: Context, user: CurrentUser) -> OwnSkillsResponse:
    """Set the user's location back to the city of the profile."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.set_area(session, user.user_id, None)
        return await queries.own_skills_response(session, user.user_id, context.risk)


@router.get(
    "/listings/{listing_id}",
    response_model=PublicSkillListing,
    operation_id="get_skill_listing",
    summary="Get public listing",
)
async def get_skill_listing(
    context: Context, reader: Reader, listing_id: Annotated[str, "the listing"]
) -> PublicSkillListing:
    """Return a public listing."""
    listing = await queries.public_listing(context.db, parse_id_or_404(listing_id), reader)
    if listing is None:
        raise NotFound
    (risk,) = await context.risk.assess_listings([(listing.title, listing.details)])
    if not risk.known:
        await context.risk.request_review(listing.title, listing.details)
    return PublicSkillListing(success=True, data=PublicSkillListingResponse(**dict(listing), risk=risk))


@router.post(
    "/listing-risks", response_model=DraftRisk, operation_id="preview_risk", summary="Preview the risk of a listing"
)
async def preview_risk(context: Context, _user: CurrentUser, payload: ListingDraftPayload) -> DraftRisk:
    """Return the risk that the listing would show. Stores nothing."""
    return DraftRisk(success=True, data=await context.risk.assess_offer(payload.title, payload.details))
