"""The onboarding wizard (SPEC 7.2), and publishing, unpublishing and renaming the site."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.status import HTTP_200_OK, HTTP_201_CREATED

from porchlight.contracts import ProfileParts
from porchlight.dependencies import AppContext, Context, CurrentUser, OwnedGuru, require_main_host
from porchlight.features.onboarding import actions, photos, publishing, queries
from porchlight.features.onboarding.models import Onboarding
from porchlight.features.onboarding.queries import GuruSummary
from porchlight.features.onboarding.schemas import (
    CategoriesPayload,
    OnboardingDraftPayload,
    PublishData,
    PublishPayload,
    PublishResponse,
    SkillProposals,
    SkillProposalsResponse,
    StatusProfile,
    SubdomainData,
    SubdomainPayload,
    SubdomainResponse,
    WizardCategories,
    WizardCategoriesResponse,
    WizardProfilePayload,
    WizardProfileResponse,
    WizardRequirements,
    WizardRequirementsResponse,
    WizardServicesPayload,
    WizardServicesResponse,
    WizardSite,
    WizardSkillsPayload,
    WizardSkillsResponse,
    WizardStatus,
    WizardStatusResponse,
)
from porchlight.site_addresses import site_origin
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock, images
from tenants.kit.schemas import ONE_LINE

router = FeatureRouter(
    prefix="/api/onboarding", tags=["onboarding"], route_class=StrictRoute, dependencies=[Depends(require_main_host)]
)

PHOTO_SIZE_PIXELS = (512, 512)
PUBLISHED_MESSAGE = "Submitted. A badge appears after any required docs are approved."  # SPEC 4


def _no_store(response: Response) -> None:
    response.headers["cache-control"] = "no-store"


@router.get(
    "/status",
    response_model=WizardStatusResponse,
    operation_id="get_onboarding_status",
    summary="Get onboarding status",
)
async def get_status(request: Request, response: Response, context: Context, user: CurrentUser) -> WizardStatusResponse:
    """Return the steps and all answers so far, so that the user can continue on any device."""
    _no_store(response)
    own = user.owned_guru
    tenant_id = own.tenant_id if own else None
    url = f"{await site_origin(request, context, own.label)}/" if own else ""
    async with unit_of_work(context.db, tenant_id=tenant_id, user_id=user.user_id) as session:
        draft = await queries.draft(session, user.user_id)
        progress = await queries.progress(session, user.user_id)
        skills = await queries.wizard_skills(session, draft)
        site = None
        if own is not None:
            site = await _wizard_site(session, own, url, draft, progress.picks)
    profile = StatusProfile(
        display_name=draft.display_name, photo_url=draft.photo_url, city=draft.city, zip=draft.zip, bio=draft.bio
    )
    return WizardStatusResponse(
        success=True,
        data=WizardStatus(
            step=progress.steps,
            profile=profile,
            picks=dict.fromkeys(progress.picks, True),
            docs=progress.documents,
            skills=skills,
            services=queries.wizard_services(draft),
            subdomain=own.label if own else draft.subdomain,
            site=site,
        ),
    )


async def _wizard_site(
    session: AsyncSession, guru: OwnedGuru, url: str, draft: Onboarding, picks: list[str]
) -> WizardSite:
    categories = await queries.site_categories(session, guru.tenant_id)
    return WizardSite.model_validate(
        {
            "subdomain": guru.label,
            "url": url,
            "status": guru.status,
            "publishedAt": clock.to_iso8601(draft.published_at) if draft.published_at else None,
            "changed": publishing.has_unpublished_changes(draft, categories, picks),
            "categories": categories,
        }
    )


@router.get(
    "/profile",
    response_model=WizardProfileResponse,
    operation_id="get_onboarding_profile",
    summary="Get the profile step",
)
async def get_profile(response: Response, context: Context, user: CurrentUser) -> WizardProfileResponse:
    """Return the profile step as last saved, complete or not."""
    _no_store(response)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return WizardProfileResponse(
            success=True, data=queries.wizard_profile(await queries.draft(session, user.user_id))
        )


@router.post(
    "/profile",
    response_model=WizardProfileResponse,
    operation_id="update_onboarding_profile",
    summary="Save the profile step",
)
async def update_profile(context: Context, user: CurrentUser, payload: WizardProfilePayload) -> WizardProfileResponse:
    """Save a complete profile step. What it says also fills in the user's profile where that is empty."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        photo = await photos.photo_body(session, user.user_id, payload.photo_url)
        await actions.save_profile(session, user.user_id, payload, context.geocoder)
        external_url = "" if photo else payload.photo_url
        parts = ProfileParts(bio=payload.bio, city=payload.city, photo=photo, photo_url=external_url)
        await context.profiles.fill_in(session, user.user_id, parts)
        return WizardProfileResponse(
            success=True, data=queries.wizard_profile(await queries.draft(session, user.user_id))
        )


@router.put(
    "/draft",
    response_model=WizardProfileResponse,
    operation_id="update_onboarding_draft",
    summary="Save a draft of the profile step",
)
async def update_draft(context: Context, user: CurrentUser, payload: OnboardingDraftPayload) -> WizardProfileResponse:
    """Save incomplete answers. Omitted fields do not change."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.save_profile(session, user.user_id, payload, context.geocoder)
        return WizardProfileResponse(
            success=True, data=queries.wizard_profile(await queries.draft(session, user.user_id))
        )


@router.put(
    "/photo",
    response_model=WizardProfileResponse,
    operation_id="update_onboarding_photo",
    summary="Upload the photo of my site",
    openapi_extra=images.IMAGE_REQUEST_BODY,
)
async def update_photo(request: Request, context: Context, user: CurrentUser) -> WizardProfileResponse:
    """Store the body (JPEG, PNG, WebP, GIF, AVIF or HEIC) as the draft's photo: re-encoded, square, no metadata."""
    body = await request.body()
    image = await images.reencode_image(body, PHOTO_SIZE_PIXELS, owner=user.user_id, field="photo", crop=True)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.lock_wizard(session, user.user_id)
        path = await photos.create_photo(session, user.user_id, image.data)
        draft = OnboardingDraftPayload.model_validate({"photoUrl": path})
        await actions.save_profile(session, user.user_id, draft, context.geocoder)
        return WizardProfileResponse(
            success=True, data=queries.wizard_profile(await queries.draft(session, user.user_id))
        )


@router.post(
    "/categories",
    response_model=WizardCategoriesResponse,
    operation_id="update_onboarding_categories",
    summary="Choose my categories",
)
async def update_categories(
    context: Context, user: CurrentUser, payload: CategoriesPayload
) -> WizardCategoriesResponse:
    """Replace the user's categories."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.update_categories(session, user.user_id, payload.categories)
        picks = await queries.picks(session, user.user_id)
    return WizardCategoriesResponse(success=True, data=WizardCategories(categories=picks))


@router.get(
    "/requirements",
    response_model=WizardRequirementsResponse,
    operation_id="get_onboarding_requirements",
    summary="Get the documents that my categories require",
)
async def get_requirements(response: Response, context: Context, user: CurrentUser) -> WizardRequirementsResponse:
    """Return the documents that each chosen category requires, and their states."""
    _no_store(response)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        required = await queries.required_documents(session, user.user_id)
    return WizardRequirementsResponse(success=True, data=WizardRequirements(needed=required))


@router.put(
    "/services",
    response_model=WizardServicesResponse,
    operation_id="confirm_onboarding_services",
    summary="Confirm the services of my new site",
)
async def confirm_services(
    context: Context, user: CurrentUser, payload: WizardServicesPayload
) -> WizardServicesResponse:
    """Save the services as the user wants them. A new site is only published after this."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.confirm_services(
            session, user.user_id, payload.services, place=payload.place, place_text=payload.place_text
        )
        draft = await queries.draft(session, user.user_id)
        return WizardServicesResponse(success=True, data=queries.wizard_services(draft))


@router.get(
    "/skill-proposals",
    response_model=SkillProposalsResponse,
    operation_id="get_onboarding_skill_proposals",
    summary="Get skills to choose from for my new site",
)
async def get_skill_proposals(response: Response, context: Context, user: CurrentUser) -> SkillProposalsResponse:
    """Return skills that the saved bio is about, by meaning, then those of the chosen categories.

    Without a model, or above the limit of bios that the server reads for a user, only those of the categories.
    """
    _no_store(response)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        bio = (await queries.draft(session, user.user_id)).bio
    of_bio = await context.bio_skills.of(bio, user.user_id)
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        skills = await queries.skill_proposals(session, user.user_id, of_bio)
    return SkillProposalsResponse(success=True, data=SkillProposals(skills=skills))


@router.put(
    "/skills",
    response_model=WizardSkillsResponse,
    operation_id="confirm_onboarding_skills",
    summary="Confirm the skills of my new site",
)
async def confirm_skills(context: Context, user: CurrentUser, payload: WizardSkillsPayload) -> WizardSkillsResponse:
    """Save the primary skills as the user wants them. A new site is only published after this."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        await actions.confirm_skills(session, user.user_id, payload.skills)
        draft = await queries.draft(session, user.user_id)
        return WizardSkillsResponse(success=True, data=await queries.wizard_skills(session, draft))


@router.get("/subdomain", response_model=SubdomainResponse, operation_id="check_subdomain", summary="Check a subdomain")
async def check_subdomain(
    response: Response,
    context: Context,
    user: CurrentUser,
    name: Annotated[str, Query(max_length=100, description="The subdomain; empty to get a suggestion."), ONE_LINE] = "",
) -> SubdomainResponse:
    """Return whether a subdomain is available, and a suggestion. It is not reserved until the site is published."""
    _no_store(response)
    requested = name.strip().lower()
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        own = await queries.own_guru(session)
        draft = await queries.draft(session, user.user_id)
        saved = own.label if own else draft.subdomain
        if not requested and saved:
            requested = saved
        own_id = own.tenant_id if own else None
        reason = await queries.unavailable_reason(session, requested, own_id) if requested else None
        base = requested if reason is not None and reason.taken else draft.display_name or requested
        suggestion = await queries.suggestion(session, base) if reason or not requested else requested
    return SubdomainResponse(
        success=True,
        data=SubdomainData(
            subdomain=requested or suggestion,
            available=reason is None,
            reason=reason.message if reason else None,
            suggestion=suggestion,
        ),
    )


async def _publish_response(
    request: Request, context: AppContext, guru: GuruSummary, message: str, *, created: bool = False
) -> PublishResponse:
    return PublishResponse(
        success=True,
        message=message,
        data=PublishData.model_validate(
            {
                "subdomain": guru.label,
                "url": f"{await site_origin(request, context, guru.label)}/",
                "status": guru.status,
                "made": created,
            }
        ),
    )


@router.post(
    "/publish",
    response_model=PublishResponse,
    operation_id="publish_site",
    summary="Publish my site",
    responses={201: {"model": PublishResponse, "description": "The site is new."}},
)
async def publish_site(
    request: Request, response: Response, context: Context, user: CurrentUser, payload: PublishPayload
) -> PublishResponse:
    """Create the site, or update it with the wizard's answers. Safe to repeat.

    409 `steps_missing` until all four steps are complete, 409 `services_unconfirmed` and `skills_unconfirmed` until the
    services and skills of a new site are confirmed, 409 `subdomain_taken` when another guru has the subdomain.
    """
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        guru, created = await publishing.publish(session, user.user_id, user.email, payload.subdomain)
    response.status_code = HTTP_201_CREATED if created else HTTP_200_OK
    return await _publish_response(request, context, guru, PUBLISHED_MESSAGE, created=created)


@router.post("/unpublish", response_model=PublishResponse, operation_id="unpublish_site", summary="Unpublish my site")
async def unpublish_site(request: Request, context: Context, user: CurrentUser) -> PublishResponse:
    """Take the site offline (410) until it is published again. Its data and its subdomain are kept."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        guru = await publishing.unpublish(session, user.user_id)
    return await _publish_response(request, context, guru, "Your site is offline.")


@router.put(
    "/subdomain", response_model=PublishResponse, operation_id="update_subdomain", summary="Change my site's subdomain"
)
async def update_subdomain(
    request: Request, context: Context, user: CurrentUser, payload: SubdomainPayload
) -> PublishResponse:
    """Change the subdomain. The former one redirects (308) and stays reserved for this guru."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        guru = await publishing.rename(session, user.user_id, payload.subdomain)
    return await _publish_response(request, context, guru, "Your site's address has been changed.")
