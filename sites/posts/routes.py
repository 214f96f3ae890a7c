"""GET /api/gurus/{subdomain}/posts and …/posts/{slug} (SPEC 7.2, docs/settled-questions.md)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from sites.context import Subdomain, cached_json, get_context
from sites.posts import queries
from sites.posts.schemas import PostPageResponse, PostsResponse
from sites.slugs import SLUG, is_tag_slug
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.tenancy.current import current_tenant

router = FeatureRouter(prefix="/api/gurus/{subdomain}", tags=["guru sites"], route_class=StrictRoute)


@router.get("/posts", response_model=PostsResponse, operation_id="guru_posts", summary="A guru's posts")
async def read_posts(
    request: Request,
    subdomain: Subdomain,
    tag: Annotated[str | None, Query(max_length=40, description="Only posts with the tag of this slug.")] = None,
    cursor: Annotated[str | None, Query(max_length=64, description="`nextCursor` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=queries.MAX_PAGE_SIZE, description="Posts on a page.")] = queries.PAGE_SIZE,
) -> Response:
    """Published posts, newest first, a page at a time."""
    tenant = await current_tenant(request)
    if tag and not is_tag_slug(tag):
        raise ValidationFailed(fields={"tag": "The address of a tag has only lower-case letters, digits and hyphens."})
    db = get_context(request).db
    # Read before the posts: a post that becomes due meanwhile is then in the list.
    tags, due = await queries.tags(db, tenant.id)
    page = await queries.posts(db, tenant.id, tag=tag or None, cursor=cursor or None, limit=limit, content=True)
    return cached_json(
        request,
        tenant,
        {"success": True, "posts": page.posts, "tags": tags, "nextCursor": page.next_cursor, "message": ""},
        due=due,
    )


@router.get("/posts/{slug}", response_model=PostPageResponse, operation_id="guru_post", summary="One post")
async def read_post(request: Request, slug: str, subdomain: Subdomain) -> Response:
    """A published post with its content, and what to read next."""
    tenant = await current_tenant(request)
    if not SLUG.fullmatch(slug):
        raise NotFound("That post doesn't exist or is no longer published.")
    db = get_context(request).db
    post, post_id = await queries.post(db, tenant.id, slug)
    related = await queries.related(db, tenant.id, post_id, post["tags"])
    return cached_json(request, tenant, {"success": True, "post": post, "related": related, "message": ""})
