"""Reading whole pages in one statement each, so that a cache miss costs one round trip (docs/webs.md)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sites import guru
from sites.gallery.queries import GALLERY_SQL, gallery
from sites.posts import queries as posts
from sites.reviews.queries import NEWEST_SQL, TOTALS_SQL, site_reviews
from sites.services import queries as services
from sites.stats.queries import FACTS_SQL, POSTS_SQL, STATS_SQL, VIEWS_SQL
from tenants.db.pool import Database
from tenants.db.rows import Columns
from tenants.kit.errors import GuruNotFound

# The last column is the time at which a scheduled post changes the page, or NULL. Before it, pages without statistics
# have whether the site has posts, for the links to the blog.
_WHERE = " WHERE g.id = %(tenant)s"
_FROM_GURU = f", {posts.HAS_POSTS_SQL}, {posts.DUE_SQL}{guru.FROM_GURU}{_WHERE}"
_FROM_STATS = (
    f", {services.SERVICES_SQL}, {STATS_SQL}, {FACTS_SQL}, t.due{guru.FROM_GURU} CROSS JOIN {POSTS_SQL}{_WHERE}"
)
_REVIEWS = f"{TOTALS_SQL}, {NEWEST_SQL}"
_HOME = f"WITH {VIEWS_SQL} SELECT {guru.COLUMNS}, {_REVIEWS}, {posts.FEATURED_SQL}, {GALLERY_SQL}{_FROM_STATS}"
_ABOUT = f"WITH {VIEWS_SQL} SELECT {guru.COLUMNS}, g.about_html, {GALLERY_SQL}{_FROM_STATS}"
_SERVICES = "SELECT " + ", ".join((guru.COLUMNS, _REVIEWS, services.SERVICES_SQL)) + _FROM_GURU
_BLOG = "SELECT " + ", ".join((guru.COLUMNS, posts.TAGS_SQL)) + _FROM_GURU
_SITE_HEADER = "SELECT " + guru.COLUMNS + _FROM_GURU


async def _row(db: Database, tenant_id: UUID, query: str) -> Columns:
    rows = await db.read(tenant_id, query, {"tenant": tenant_id})
    if not rows:
        raise GuruNotFound
    return rows[0]


async def home(db: Database, tenant_id: UUID) -> dict[str, Any]:
    """Return {guru, featuredPosts, gallery, services, stats, facts, reviews, due}. Raise GuruNotFound."""
    *columns, totals, newest, featured, pictures, offered, stats, facts, due = await _row(db, tenant_id, _HOME)
    return {
        "guru": guru.to_response(columns),
        "featuredPosts": [posts.card(stored) for stored in featured],
        "gallery": gallery(pictures),
        "services": [services.to_response(stored) for stored in offered],
        "stats": stats,
        "facts": facts,
        "reviews": site_reviews(totals, newest),
        "due": due,
    }


async def about(db: Database, tenant_id: UUID) -> dict[str, Any]:
    """Return {guru, about, gallery, services, stats, facts, due}; `about` is sanitized HTML. Raise GuruNotFound."""
    *columns, html, pictures, offered, stats, facts, due = await _row(db, tenant_id, _ABOUT)
    return {
        "guru": guru.to_response(columns),
        "about": html,
        "gallery": gallery(pictures),
        "services": [services.to_response(stored) for stored in offered],
        "stats": stats,
        "facts": facts,
        "due": due,
    }


async def services_page(db: Database, tenant_id: UUID) -> dict[str, Any]:
    """Return {guru, services, reviews, hasPosts, due}. Raise GuruNotFound."""
    *columns, totals, newest, offered, has_posts, due = await _row(db, tenant_id, _SERVICES)
    found = [services.to_response(stored) for stored in offered]
    return {
        "guru": guru.to_response(columns),
        "services": found,
        "reviews": site_reviews(totals, newest),
        "hasPosts": has_posts,
        "due": due,
    }


async def blog(db: Database, tenant_id: UUID) -> dict[str, Any]:
    """Return {guru, tags, hasPosts, due}. Raise GuruNotFound."""
    *columns, tags, has_posts, due = await _row(db, tenant_id, _BLOG)
    return {"guru": guru.to_response(columns), "tags": tags, "hasPosts": has_posts, "due": due}


async def site_header(db: Database, tenant_id: UUID) -> dict[str, Any]:
    """Return {guru, hasPosts, due}. Raise GuruNotFound."""
    *columns, has_posts, due = await _row(db, tenant_id, _SITE_HEADER)
    return {"guru": guru.to_response(columns), "hasPosts": has_posts, "due": due}
