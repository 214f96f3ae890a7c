"""The wizard's calls (SPEC 7.2), and those by which a site comes, moves and goes."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.status import HTTP_201_CREATED

from porchlight.onboarding import actions, publishing, queries
from porchlight.onboarding.queries import FoundGuru
from porchlight.onboarding.schemas import (
    CategoriesPayload,
    DraftPayload,
    NeededData,
    OnboardingCategories,
    OnboardingProfile,
    OnboardingRequirements,
    OnboardingStatus,
    PicksData,
    PublishAnswer,
    PublishData,
    PublishPayload,
    StatusProfile,
    SubdomainAnswer,
    SubdomainData,
    SubdomainPayload,
    WizardProfilePayload,
    WizardSite,
    WizardStatus,
)
from porchlight.parts import CurrentUser, Parts, on_main_host
from sites.parts import StrictRoute
from tenants.kit import clock
from tenants.kit.schemas import ONE_LINE
from tenants.session import unit_of_work

router = APIRouter(
    prefix="/api/onboarding", tags=["onboarding"], route_class=StrictRoute, dependencies=[Depends(on_main_host)]
)

PUBLISHED = "Submitted. A badge appears after any required docs are approved."  # SPEC 4


def _no_store(response: Response) -> None:
    response.headers["cache-control"] = "no-store"


def _url(request: Request, base_host: str, label: str) -> str:
    port = request.scope["porchlight.host"].port
    return f"{request.scope['scheme']}://{label}.{base_host}" + (f":{port}" if port else "") + "/"


@router.get("/status", response_model=OnboardingStatus, operation_id="onboarding_status", summary="How far am I")
async def read_status(request: Request, response: Response, parts: Parts, person: CurrentUser) -> OnboardingStatus:
    """The steps, and what was told at each. Any device goes on from here."""
    _no_store(response)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        draft = await queries.draft(session, person.user_id)
        step = await queries.steps(session, person.user_id)
        picks = await queries.picks(session, person.user_id)
        docs = await queries.documents(session, person.user_id)
        own = await queries.guru(session, person.user_id)
        site = None
        if own is not None:
            url = _url(request, parts.settings.base_host, own.label)
            site = await _site(session, own, url, person.user_id, picks)
    profile = StatusProfile(
        display_name=draft.display_name, photo_url=draft.photo_url, city=draft.city, zip=draft.zip, bio=draft.bio
    )
    return OnboardingStatus(
        success=True,
        data=WizardStatus(
            step=step,
            profile=profile,
            picks=dict.fromkeys(picks, True),
            docs=docs,
            subdomain=own.label if own else draft.subdomain,
            site=site,
        ),
    )


async def _site(session: AsyncSession, own: FoundGuru, url: str, user_id: UUID, picks: list[str]) -> WizardSite:
    await queries.enter(session, own.tenant_id)
    draft = await queries.draft(session, user_id)
    return WizardSite.model_validate(
        {
            "subdomain": own.label,
            "url": url,
            "status": own.status,
            "publishedAt": clock.wire(draft.published_at) if draft.published_at else None,
            "changed": await publishing.changed_since(session, draft, own.tenant_id, picks),
            "categories": await queries.site_categories(session, own.tenant_id),
        }
    )


@router.get("/profile", response_model=OnboardingProfile, operation_id="onboarding_profile", summary="The profile step")
async def read_profile(response: Response, parts: Parts, person: CurrentUser) -> OnboardingProfile:
    """The profile step as it was last saved, finished or not."""
    _no_store(response)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        return OnboardingProfile(success=True, data=queries.shown(await queries.draft(session, person.user_id)))


@router.post(
    "/profile", response_model=OnboardingProfile, operation_id="save_onboarding_profile", summary="Finish the profile"
)
async def post_profile(parts: Parts, person: CurrentUser, sent: WizardProfilePayload) -> OnboardingProfile:
    """Keep the profile step as it must be to go on."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.save_profile(session, person.user_id, sent)
        return OnboardingProfile(success=True, data=queries.shown(await queries.draft(session, person.user_id)))


@router.put(
    "/draft", response_model=OnboardingProfile, operation_id="save_onboarding_draft", summary="Keep what was typed"
)
async def put_draft(parts: Parts, person: CurrentUser, sent: DraftPayload) -> OnboardingProfile:
    """Keep what was typed so far, however unfinished. What is not sent stays."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.save_profile(session, person.user_id, sent)
        return OnboardingProfile(success=True, data=queries.shown(await queries.draft(session, person.user_id)))


@router.post(
    "/categories",
    response_model=OnboardingCategories,
    operation_id="save_onboarding_categories",
    summary="Choose what I offer",
)
async def post_categories(parts: Parts, person: CurrentUser, sent: CategoriesPayload) -> OnboardingCategories:
    """Make these the person's categories, in place of those before."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        await actions.choose_categories(session, person.user_id, sent.categories)
        kept = await queries.picks(session, person.user_id)
    return OnboardingCategories(success=True, data=PicksData(categories=kept))


@router.get(
    "/requirements",
    response_model=OnboardingRequirements,
    operation_id="onboarding_requirements",
    summary="What my categories want",
)
async def read_requirements(response: Response, parts: Parts, person: CurrentUser) -> OnboardingRequirements:
    """What each chosen category wants to be shown, and how the documents for it stand."""
    _no_store(response)
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        found = await queries.needed(session, person.user_id)
    return OnboardingRequirements(success=True, data=NeededData(needed=found))


@router.get(
    "/subdomain", response_model=SubdomainAnswer, operation_id="check_subdomain", summary="Whether an address is free"
)
async def read_subdomain(
    response: Response,
    parts: Parts,
    person: CurrentUser,
    name: Annotated[str, Query(max_length=100, description="The address; none to have one proposed."), ONE_LINE] = "",
) -> SubdomainAnswer:
    """Whether an address can be had, and one that can. Until it is published, somebody else may be quicker."""
    _no_store(response)
    wanted = name.strip().lower()
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        own = await queries.guru(session, person.user_id)
        draft = await queries.draft(session, person.user_id)
        known = own.label if own else draft.subdomain
        if not wanted and known:
            wanted = known
        reason = await queries.why_not(session, wanted, own.tenant_id if own else None) if wanted else None
        like = wanted if reason is not None and reason.taken else draft.display_name or wanted
        suggestion = await queries.suggestion(session, like) if reason or not wanted else wanted
    return SubdomainAnswer(
        success=True,
        data=SubdomainData(
            subdomain=wanted or suggestion,
            available=reason is None,
            reason=reason.words if reason else None,
            suggestion=suggestion,
        ),
    )


def _published(request: Request, base_host: str, own: FoundGuru, message: str, *, made: bool = False) -> PublishAnswer:
    return PublishAnswer(
        success=True,
        message=message,
        data=PublishData.model_validate(
            {
                "subdomain": own.label,
                "url": _url(request, base_host, own.label),
                "status": own.status,
                "made": made,
            }
        ),
    )


@router.post(
    "/publish",
    response_model=PublishAnswer,
    operation_id="publish",
    summary="Publish my site",
    responses={201: {"model": PublishAnswer, "description": "The site is new."}},
)
async def post_publish(
    request: Request, response: Response, parts: Parts, person: CurrentUser, sent: PublishPayload
) -> PublishAnswer:
    """Make the site, or bring it up to what the wizard says; asked twice, it is done once. 409 `steps_missing` before
    all four steps are done, 409 `subdomain_taken` when somebody was quicker.
    """
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        own, made = await publishing.publish(session, person.user_id, person.email, sent.subdomain)
    response.status_code = HTTP_201_CREATED if made else 200
    return _published(request, parts.settings.base_host, own, PUBLISHED, made=made)


@router.post("/unpublish", response_model=PublishAnswer, operation_id="unpublish", summary="Take my site off the air")
async def post_unpublish(request: Request, parts: Parts, person: CurrentUser) -> PublishAnswer:
    """The site answers 410 until it is published again. Nothing of it is lost, and its address stays the guru's."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        own = await publishing.unpublish(session, person.user_id)
    return _published(request, parts.settings.base_host, own, "Your site is off the air.")


@router.put(
    "/subdomain", response_model=PublishAnswer, operation_id="rename_site", summary="Give my site another address"
)
async def put_subdomain(request: Request, parts: Parts, person: CurrentUser, sent: SubdomainPayload) -> PublishAnswer:
    """The former address redirects (308) and is kept back for this guru."""
    async with unit_of_work(parts.db, user_id=person.user_id) as session:
        own = await publishing.rename(session, person.user_id, sent.subdomain)
    return _published(request, parts.settings.base_host, own, "Your site has a new address.")
