"""What one teaches and wants to learn, and listings for everybody (flag skillListing)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Response, status
from sqlalchemy import select

from porchlight.listings import actions, queries
from porchlight.listings.models import SkillOffer
from porchlight.listings.schemas import (
    AreaPayload,
    DraftPayload,
    DraftRisk,
    OwnSkillsAnswer,
    PublicSkillListing,
    PublicSkillListingAnswer,
    SkillListingPayload,
    SkillOfferPayload,
    WantPayload,
)
from porchlight.parts import CurrentUser, Parts, PlatformParts, on_main_host, while_on
from sites.parts import StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import known_id
from tenants.session import unit_of_work

router = APIRouter(
    prefix="/api/skills",
    tags=["skills"],
    route_class=StrictRoute,
    dependencies=[Depends(on_main_host), Depends(while_on("skillListing"))],
)


async def _asked(parts: PlatformParts, answer: OwnSkillsAnswer) -> OwnSkillsAnswer:
    """What the risk engine does not know of them waits for a person from now on."""
    for offer in answer.data.offers:
        await parts.risk.ask(offer.title, offer.details)
    return answer


@router.get(
    "/mine", response_model=OwnSkillsAnswer, operation_id="own_skills", summary="What I teach and want to learn"
)
async def read_mine(response: Response, parts: Parts, person: CurrentUser) -> OwnSkillsAnswer:
    """One's own offers, with their listings, and wants."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        answer = await queries.own_answer(session, person.user_id, parts.risk)
    return await _asked(parts, answer)


@router.post(
    "/offers",
    response_model=OwnSkillsAnswer,
    status_code=status.HTTP_201_CREATED,
    operation_id="offer_skill",
    summary="Offer a skill",
)
async def post_offer(parts: Parts, person: CurrentUser, sent: SkillOfferPayload) -> OwnSkillsAnswer:
    """Name a skill in one's profile and say the terms of its listing."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.add_skill(session, person.user_id, "offered", sent.title, sent.level)
        of_mine = (SkillOffer.user_id == person.user_id, SkillOffer.title == sent.title)
        offer_id = await session.scalar(select(SkillOffer.id).where(*of_mine))
        if offer_id is None:
            raise NotFound
        await actions.describe_offer(session, person.user_id, offer_id, sent)
        answer = await queries.own_answer(session, person.user_id, parts.risk)
    return await _asked(parts, answer)


@router.put(
    "/offers/{offer_id}", response_model=OwnSkillsAnswer, operation_id="describe_offer", summary="Change a listing"
)
async def put_offer(parts: Parts, person: CurrentUser, offer_id: str, sent: SkillListingPayload) -> OwnSkillsAnswer:
    """Say everything of a listing anew; its skill keeps its name."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.describe_offer(session, person.user_id, known_id(offer_id), sent)
        answer = await queries.own_answer(session, person.user_id, parts.risk)
    return await _asked(parts, answer)


@router.delete(
    "/offers/{offer_id}", response_model=OwnSkillsAnswer, operation_id="withdraw_offer", summary="Offer it no longer"
)
async def delete_offer(parts: Parts, person: CurrentUser, offer_id: str) -> OwnSkillsAnswer:
    """Take a skill out of one's profile, with its listing."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.remove_skill(session, person.user_id, "offered", known_id(offer_id))
        return await queries.own_answer(session, person.user_id, parts.risk)


@router.post(
    "/wants",
    response_model=OwnSkillsAnswer,
    status_code=status.HTTP_201_CREATED,
    operation_id="want_skill",
    summary="Want to learn a skill",
)
async def post_want(parts: Parts, person: CurrentUser, sent: WantPayload) -> OwnSkillsAnswer:
    """Name a skill one would learn."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.add_skill(session, person.user_id, "wanted", sent.title, sent.level)
        return await queries.own_answer(session, person.user_id, parts.risk)


@router.delete(
    "/wants/{want_id}", response_model=OwnSkillsAnswer, operation_id="drop_want", summary="Want it no longer"
)
async def delete_want(parts: Parts, person: CurrentUser, want_id: str) -> OwnSkillsAnswer:
    """Take a wanted skill out of one's profile."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.remove_skill(session, person.user_id, "wanted", known_id(want_id))
        return await queries.own_answer(session, person.user_id, parts.risk)


@router.put("/area", response_model=OwnSkillsAnswer, operation_id="set_area", summary="Be found around here")
async def put_area(parts: Parts, person: CurrentUser, sent: AreaPayload) -> OwnSkillsAnswer:
    """Be found from the coarse cell of this point. The point itself is kept nowhere."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.set_area(session, person.user_id, (sent.latitude, sent.longitude))
        return await queries.own_answer(session, person.user_id, parts.risk)


@router.delete("/area", response_model=OwnSkillsAnswer, operation_id="forget_area", summary="Be found around my town")
async def delete_area(parts: Parts, person: CurrentUser) -> OwnSkillsAnswer:
    """Be found from the middle of the profile's town again."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.set_area(session, person.user_id, None)
        return await queries.own_answer(session, person.user_id, parts.risk)


@router.get(
    "/listings/{listing_id}",
    response_model=PublicSkillListing,
    operation_id="skill_listing",
    summary="A listing's page",
)
async def read_listing(parts: Parts, listing_id: Annotated[str, "the listing"]) -> PublicSkillListing:
    """What anybody may see of an offer."""
    found = await queries.public_listing(parts.db, known_id(listing_id))
    if found is None:
        raise NotFound
    await parts.risk.ask(found.title, found.details)
    risk = await parts.risk.of_offer(found.title, found.details)
    return PublicSkillListing(success=True, data=PublicSkillListingAnswer(**dict(found), risk=risk))


@router.post(
    "/listing-risks", response_model=DraftRisk, operation_id="judge_draft", summary="How risky what I write looks"
)
async def post_draft(parts: Parts, _person: CurrentUser, sent: DraftPayload) -> DraftRisk:
    """The badge that a listing would carry, and why. Nothing of it is kept."""
    return DraftRisk(success=True, data=await parts.risk.of_offer(sent.title, sent.details))
