"""The console's first page, the site's texts and look, and previews of them."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response, status

from porchlight.console.desk import AtDesk, site_address
from porchlight.console.schemas import (
    FaceChanges,
    FacePayload,
    Mine,
    MineAnswer,
    MySiteAnswer,
    Overview,
    OverviewAnswer,
    PostCountsAnswer,
    PreviewAnswer,
    PreviewMade,
    PreviewPayload,
    ReadinessAnswer,
    Site,
    SiteAnswer,
    WordsPayload,
)
from porchlight.parts import MaybeUser, OwnedGuru, Parts, own_guru, own_origin
from sites.guru import ThemeAnswer, shown_colour
from sites.leads.inbox import new_leads
from sites.parts import StrictRoute
from sites.posts.desk import counts
from sites.posts.markdown import read_time, render
from sites.posts.writing import Words, rendered
from sites.previews.actions import PATH, Preview, open_preview
from sites.profile.actions import change_face, guru_row, revision
from sites.services.actions import own_services
from sites.stats.queries import StatsAnswer, own_stats
from tenants.kit import clock
from tenants.kit.errors import Forbidden, NotFound, ValidationFailed
from tenants.kit.ids import new_id
from tenants.models import Guru
from tenants.session import unit_of_work

router = APIRouter(prefix="/api/guru", tags=["guru console"], route_class=StrictRoute)

NEW_LEADS = 100  # counted no further
# The columns behind the names of the wire; `about` is kept rendered besides.
_COLUMNS = {"about": "about_markdown"}


@router.get("", response_model=Mine, operation_id="my_guru", summary="My site, if I have one")
async def read_mine(request: Request, response: Response, parts: Parts, person: MaybeUser) -> Mine:
    """The site of who is signed in, in short; null for a neighbour without one."""
    response.headers["cache-control"] = "no-store"
    try:
        owned = await own_guru(request, person, parts)
    except NotFound:
        return Mine(success=True, data=MineAnswer(guru=None))
    async with unit_of_work(parts.db, tenant_id=owned.tenant_id) as session:
        waiting = await new_leads(session, owned.tenant_id, NEW_LEADS)
    mine = _in_short(owned, site_address(request, parts, owned), waiting)
    return Mine(success=True, data=MineAnswer(guru=mine))


@router.get("/overview", response_model=Overview, operation_id="guru_overview", summary="How my site is doing")
async def read_overview(desk: AtDesk) -> Overview:
    """The site's address and status, its numbers, and what it still lacks."""
    async with desk.work() as session:
        guru = await guru_row(session, desk.tenant_id)
        posts = await counts(session, desk.tenant_id)
        offers = await own_services(session, desk.tenant_id)
        waiting = await new_leads(session, desk.tenant_id, NEW_LEADS)
        stats = await own_stats(session, desk.tenant_id)
    data = OverviewAnswer(
        site=_in_short(desk.owned, desk.address, waiting),
        character=guru.character,
        stats=StatsAnswer.model_validate(stats),
        posts=PostCountsAnswer(**posts),
        ready=ReadinessAnswer(
            tagline=bool(guru.tagline),
            about=bool(guru.about_markdown.strip()),
            skills=bool(guru.primary_skills),
            seo=bool(guru.seo_title and guru.seo_description),
            contact_email=bool(guru.contact_email),
            services=bool(offers),
            posts=posts["published"] > 0,
        ),
    )
    return Overview(success=True, data=data)


@router.get("/site", response_model=Site, operation_id="guru_site", summary="My site's texts and look")
async def read_site(desk: AtDesk) -> Site:
    """Everything of the site that its guru may change, and the revision a save must name."""
    async with desk.work() as session:
        return Site(success=True, data=_site(await guru_row(session, desk.tenant_id)))


@router.put("/site", response_model=Site, operation_id="change_guru_site", summary="Change my site's texts and look")
async def put_site(desk: AtDesk, sent: FacePayload) -> Site:
    """Change what is named. 409 `changed_elsewhere` when the site is no longer as of `revision`."""
    changes = await _stored(sent)
    async with desk.work() as session:
        await change_face(session, desk.tenant_id, changes, since=sent.revision)
        return Site(success=True, data=_site(await guru_row(session, desk.tenant_id)))


@router.post(
    "/previews",
    response_model=PreviewMade,
    status_code=status.HTTP_201_CREATED,
    operation_id="preview_guru_site",
    summary="Look at a page before it is saved",
)
async def post_preview(request: Request, desk: AtDesk, sent: PreviewPayload) -> PreviewMade:
    """Draw a page of the real site with unsaved changes. Its address is secret, and works in our frame alone."""
    framed_by = own_origin(request)
    if framed_by is None:
        raise Forbidden
    if (sent.post is not None) != (sent.page == "/blog/[slug]"):
        raise ValidationFailed(fields={"post": "This belongs to the preview of a post, and to it alone."})
    changes: dict[str, Any] = {}
    if sent.post is not None:
        changes["post"] = await _post_card(sent.post)
    stored = await _stored(sent.face)
    async with desk.work() as session:
        guru = await guru_row(session, desk.tenant_id)
        changes["guru"] = _shown(guru, stored)
        if "about_html" in stored:
            changes["about"] = stored["about_html"]
        key = await open_preview(session, desk.tenant_id, Preview(sent.page, changes, framed_by))
    return PreviewMade(success=True, data=PreviewAnswer(address=f"{desk.address}{PATH}?key={key}"))


def _in_short(owned: OwnedGuru, address: str, waiting: int) -> MySiteAnswer:
    return MySiteAnswer.model_validate(
        {"label": owned.label, "status": owned.status, "address": address, "newLeads": waiting}
    )


async def _stored(sent: FaceChanges) -> dict[str, Any]:
    """The columns that a payload changes."""
    named = sent.model_dump(exclude_unset=True, exclude_none=True, exclude={"revision"})
    stored = {_COLUMNS.get(name, name): value for name, value in named.items()}
    if sent.about is not None:
        stored["about_html"] = await asyncio.to_thread(render, sent.about)
    return stored


def _site(guru: Guru) -> SiteAnswer:
    return SiteAnswer(
        revision=revision(guru),
        character=guru.character,
        category=guru.category,
        tagline=guru.tagline,
        city=guru.city,
        primary_skills=guru.primary_skills,
        about=guru.about_markdown,
        theme=ThemeAnswer.model_validate(
            {
                "primaryColor": shown_colour(guru.primary_color, 0),
                "secondaryColor": shown_colour(guru.secondary_color, 1),
                "icon": guru.icon,
                "emoji": guru.emoji,
            }
        ),
        seo_title=guru.seo_title,
        seo_description=guru.seo_description,
        contact_email=guru.contact_email,
    )


def _shown(guru: Guru, changes: dict[str, Any]) -> dict[str, Any]:
    """The guru on the wire of their site (SPEC 3) as they would be with these changes."""

    def now(name: str) -> Any:
        return changes.get(name, getattr(guru, name))

    return {
        "character": now("character"),
        "primarySkills": now("primary_skills"),
        "tagline": now("tagline"),
        "city": now("city"),
        "theme": {
            "primaryColor": shown_colour(now("primary_color"), 0),
            "secondaryColor": shown_colour(now("secondary_color"), 1),
            "icon": now("icon"),
            "emoji": now("emoji"),
        },
        "seo": {
            "title": now("seo_title") or now("character"),
            "description": now("seo_description") or now("tagline"),
        },
    }


async def _post_card(post: WordsPayload) -> dict[str, Any]:
    """A post on the wire of the site as it would be."""
    words = Words(post.title or "Untitled", post.slug or "preview", post.tags, post.excerpt, post.content)
    made = await rendered(words)
    return {
        "id": str(new_id()),
        "slug": words.slug,
        "title": words.title,
        "tags": words.tags,
        "excerpt": made.excerpt,
        "publishedAt": clock.wire(clock.now()),
        "views": 0,
        "readTime": read_time(made.words),
        "content": made.html,
    }
