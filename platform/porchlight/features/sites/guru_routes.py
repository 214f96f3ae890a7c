"""The console's first page, the site profile, and previews of unsaved changes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from fastapi import Request, Response, status
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.console_context import ConsoleContext, CurrentConsole
from porchlight.dependencies import Context, OptionalUser, OwnedGuru, own_guru, own_origin
from porchlight.features.sites import guru_queries
from porchlight.features.sites.guru_schemas import (
    MyGuru,
    MyGuruResponse,
    MySite,
    PresetColors,
    PreviewPayload,
    SiteOverview,
    SiteOverviewResponse,
    SitePreviewResponse,
    SitePreviewUrl,
    SiteProfile,
    SiteProfilePayload,
    SiteProfileResponse,
    SiteProfileUpdate,
    SiteReadiness,
    SiteVisits,
)
from porchlight.geo.checks import town_problem
from porchlight.plans.entitlements import check_quota, session_plan
from porchlight.plans.limits import LIMITS, PlanFeature, allowance
from porchlight.plans.plans import PlanSlug
from porchlight.site_addresses import site_origin
from sites.guru import SiteThemeResponse, valid_color
from sites.guru_profile import actions
from sites.guru_profile.actions import guru_row, revision
from sites.leads.queries import new_lead_count
from sites.posts.markdown import read_time, render
from sites.posts.queries import to_cover
from sites.posts.render import PostText, find_omissions, render_post
from sites.posts.schemas import PostCounts, PostTextPayload
from sites.previews.actions import PREVIEW_PATH, SitePreviewLink, create_preview
from sites.slugs import tag_slug
from sites.stats.queries import StatsResponse, daily_visitors
from sites.theme.presets import PRESET_COLORS
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.errors import Forbidden, NotFound, ValidationFailed
from tenants.kit.ids import new_id
from tenants.tenancy.models import Guru

router = FeatureRouter(prefix="/api/guru", tags=["site"], route_class=StrictRoute)

# Columns whose name differs from the payload's field. `about` is stored as Markdown and as HTML.
_COLUMNS = {"about": "about_markdown"}


@router.get("", response_model=MyGuruResponse, operation_id="get_my_guru", summary="Get my site's summary")
async def get_my_guru(request: Request, response: Response, context: Context, user: OptionalUser) -> MyGuruResponse:
    """Return a summary of the signed-in user's site, or null for a user without one."""
    response.headers["cache-control"] = "no-store"
    try:
        guru = await own_guru(request, user)
    except NotFound:
        return MyGuruResponse(success=True, data=MyGuru(guru=None))
    origin = await site_origin(request, context, guru.label)
    async with unit_of_work(context.db, tenant_id=guru.tenant_id) as session:
        site = await _my_site(session, guru, origin)
    return MyGuruResponse(success=True, data=MyGuru(guru=site))


@router.get(
    "/overview", response_model=SiteOverviewResponse, operation_id="get_site_overview", summary="Get my site's overview"
)
async def get_site_overview(console: CurrentConsole) -> SiteOverviewResponse:
    """Return the site's address and status, its statistics, and which parts are missing."""
    origin = await console.site_origin()
    async with console.unit_of_work() as session:
        guru = await guru_row(session, console.tenant_id)
        found = await guru_queries.overview(session, console.tenant_id)
        visits = await _site_visits(console, session, found.plan)
    data = SiteOverview(
        site=_to_site(console.guru, origin, found.new_leads, guru),
        character=guru.character,
        stats=StatsResponse.model_validate(found.stats),
        visits=visits,
        posts=PostCounts(
            draft=found.drafts,
            scheduled=found.scheduled_posts,
            published=found.published_posts,
            hidden=found.hidden_posts,
        ),
        ready=SiteReadiness(
            tagline=bool(guru.tagline),
            about=bool(guru.about_markdown.strip()),
            skills=bool(guru.primary_skills),
            seo=bool(guru.seo_title and guru.seo_description),
            contact_email=bool(guru.contact_email),
            services=found.has_services,
            pictures=found.has_pictures,
            hours=found.hours_confirmed,
            posts=found.published_posts > 0,
        ),
    )
    return SiteOverviewResponse(success=True, data=data)


@router.get(
    "/visits.csv",
    operation_id="get_site_visits_file",
    summary="Get my site's visitors as a file",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "A line for each day."}},
)
async def get_site_visits_file(console: CurrentConsole) -> Response:
    """Return the number of visitors of each day (UTC) as CSV. 402 without the plan."""
    async with console.unit_of_work() as session:
        plan = await session_plan(session, "tenant")
        check_quota(plan, PlanFeature.ANALYTICS_CSV, 0)
        days = await daily_visitors(session, console.tenant_id, int(LIMITS[plan][PlanFeature.ANALYTICS_DAYS]))
    lines = ["day,visitors", *(f"{day.isoformat()},{visitors}" for day, visitors in days)]
    headers = {"content-disposition": 'attachment; filename="visitors.csv"', "cache-control": "no-store"}
    return Response("\r\n".join(lines) + "\r\n", media_type="text/csv", headers=headers)


@router.get("/site", response_model=SiteProfileResponse, operation_id="get_site_profile", summary="Get my site profile")
async def get_site_profile(console: CurrentConsole) -> SiteProfileResponse:
    """Return the editable texts and theme, and the revision that a save must name."""
    async with console.unit_of_work() as session:
        guru = await guru_row(session, console.tenant_id)
    return SiteProfileResponse(success=True, data=await _site_profile(guru))


@router.put(
    "/site", response_model=SiteProfileResponse, operation_id="update_site_profile", summary="Update my site profile"
)
async def update_site_profile(console: CurrentConsole, payload: SiteProfilePayload) -> SiteProfileResponse:
    """Change the given fields. 409 `changed_elsewhere` when `revision` is outdated; 402 for colors without the plan."""
    changes = await _changed_columns(payload)
    problem = await town_problem(console.app_context.geocoder, payload.city) if payload.city else None
    async with console.unit_of_work() as session:
        # An older town that is not known stays until its guru changes it.
        if problem and payload.city != (await guru_row(session, console.tenant_id)).city:
            raise ValidationFailed(fields={"city": problem})
        await _require_colors(session, console.tenant_id, changes)
        await actions.update_site_profile(session, console.tenant_id, changes, revision=payload.revision)
        guru = await guru_row(session, console.tenant_id)
    return SiteProfileResponse(success=True, data=await _site_profile(guru))


@router.post(
    "/previews",
    response_model=SitePreviewResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="create_site_preview",
    summary="Preview unsaved changes",
)
async def create_site_preview(
    request: Request, console: CurrentConsole, payload: PreviewPayload
) -> SitePreviewResponse:
    """Render a page of the site with unsaved changes. Its URL is secret and works only in the console's frame."""
    framed_by = own_origin(request)
    if framed_by is None:
        raise Forbidden
    if (payload.post is not None) != (payload.page == "/blog/[slug]"):
        raise ValidationFailed(fields={"post": "This is only for previewing a post."})
    page_props: dict[str, Any] = {}
    if payload.post is not None:
        page_props["post"] = await _previewed_post(payload.post, console.tenant_id)
    changes = await _changed_columns(payload.face)
    async with console.unit_of_work() as session:
        guru = await guru_row(session, console.tenant_id)
        page_props["guru"] = _previewed_guru(guru, changes)
        if "about_html" in changes:
            page_props["about"] = changes["about_html"]
        preview = SitePreviewLink(payload.page, page_props, framed_by)
        key = await create_preview(session, console.tenant_id, preview)
    return SitePreviewResponse(
        success=True, data=SitePreviewUrl(address=f"{console.subdomain_origin}{PREVIEW_PATH}?key={key}")
    )


async def _site_visits(console: ConsoleContext, session: AsyncSession, plan: PlanSlug) -> SiteVisits:
    days = int(LIMITS[plan][PlanFeature.ANALYTICS_DAYS])
    counts = await daily_visitors(session, console.tenant_id, days)
    # Validated as a whole, which is faster than to create a year's days one by one.
    return SiteVisits.model_validate(
        {
            "days": days,
            "visitors": sum(visitors for _, visitors in counts),
            "daily": [{"day": day.isoformat(), "visitors": visitors} for day, visitors in counts],
            "hasFile": allowance(plan, PlanFeature.ANALYTICS_CSV) > 0,
        }
    )


async def _my_site(session: AsyncSession, guru: OwnedGuru, origin: str) -> MySite:
    new_leads = await new_lead_count(session, guru.tenant_id, guru_queries.MAX_COUNTED_NEW_LEADS)
    row = await guru_row(session, guru.tenant_id) if guru.status == "suspended" else None
    return _to_site(guru, origin, new_leads, row)


def _to_site(guru: OwnedGuru, origin: str, new_leads: int, row: Guru | None) -> MySite:
    """Return the summary. `row` is needed for a suspended guru."""
    suspension = None
    if guru.status == "suspended" and row is not None:
        suspension = {"reason": row.suspension_reason, "since": clock.to_iso8601(row.suspended_at or clock.now())}
    summary = {"label": guru.label, "status": guru.status, "address": origin, "newLeads": new_leads}
    return MySite.model_validate(summary | {"suspension": suspension})


async def _require_colors(session: AsyncSession, tenant_id: UUID, changes: Mapping[str, Any]) -> None:
    """Raise PlanRequired for new colors that are no preset, unless the owner's plan includes own colors."""
    names = ("primary_color", "secondary_color")
    if not any(name in changes for name in names):
        return
    guru = await guru_row(session, tenant_id)
    before = tuple(getattr(guru, name) for name in names)
    colors = tuple(changes.get(name, old) for name, old in zip(names, before, strict=True))
    if colors not in {before, *PRESET_COLORS}:
        check_quota(await session_plan(session, "tenant"), PlanFeature.OWN_COLORS, 0)


async def _changed_columns(payload: SiteProfileUpdate) -> dict[str, Any]:
    """Return the columns that a payload changes, with their new values."""
    fields = payload.model_dump(exclude_unset=True, exclude_none=True, exclude={"revision"})
    columns = {_COLUMNS.get(name, name): value for name, value in fields.items()}
    if payload.about is not None:
        columns["about_html"] = await asyncio.to_thread(render, payload.about)
    return columns


async def _site_profile(guru: Guru) -> SiteProfile:
    return SiteProfile(
        revision=revision(guru),
        character=guru.character,
        category=guru.category,
        tagline=guru.tagline,
        city=guru.city,
        primary_skills=guru.primary_skills,
        about=guru.about_markdown,
        about_omissions=await find_omissions(guru.about_markdown, guru.id),
        theme=SiteThemeResponse.model_validate(
            {
                "primaryColor": valid_color(guru.primary_color, 0),
                "secondaryColor": valid_color(guru.secondary_color, 1),
                "icon": guru.icon,
                "emoji": guru.emoji,
                "appearance": guru.appearance,
                "typeface": guru.typeface,
            }
        ),
        seo_title=guru.seo_title,
        seo_description=guru.seo_description,
        contact_email=guru.contact_email,
        preset_colors=[PresetColors(primary_color=one, secondary_color=two) for one, two in PRESET_COLORS],
    )


def _previewed_guru(guru: Guru, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the guru in the site's JSON format (SPEC 3), with the changes applied."""

    def value(name: str) -> Any:
        return changes.get(name, getattr(guru, name))

    return {
        "character": value("character"),
        "primarySkills": value("primary_skills"),
        "tagline": value("tagline"),
        "city": value("city"),
        "theme": {
            "primaryColor": valid_color(value("primary_color"), 0),
            "secondaryColor": valid_color(value("secondary_color"), 1),
            "icon": value("icon"),
            "emoji": value("emoji"),
            "appearance": value("appearance"),
            "typeface": value("typeface"),
        },
        "seo": {
            "title": value("seo_title") or value("character"),
            "description": value("seo_description") or value("tagline"),
        },
    }


async def _previewed_post(post: PostTextPayload, tenant_id: UUID) -> dict[str, Any]:
    """Return the post in the site's JSON format, as if it were published now."""
    text = PostText(post.title or "Untitled", post.slug or "preview", post.tags, post.excerpt, post.content)
    rendered_post = await render_post(text, tenant_id)
    return {
        "id": str(new_id()),
        "slug": text.slug,
        "title": text.title,
        "tags": [{"slug": tag_slug(name), "name": name} for name in text.tags],
        "excerpt": rendered_post.excerpt,
        "publishedAt": clock.to_iso8601(clock.now()),
        "views": 0,
        "readTime": read_time(rendered_post.word_count),
        "cover": to_cover(*rendered_post.cover) if rendered_post.cover else None,
        "content": rendered_post.html,
    }
