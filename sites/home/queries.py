"""The pages that need several things at once: one statement each, so a miss costs one round trip (DESIGN 5)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sites import guru
from sites.posts import queries as posts
from sites.services import queries as services
from sites.stats.queries import POSTS_SQL, STATS_SQL, VIEWS_SQL
from tenants.kit.db import Database
from tenants.kit.errors import GuruNotFound

# Each ends with the time at which a scheduled post changes the page, or NULL.
_WHERE = " WHERE g.id = %(tenant)s"
_FROM_GURU = ", " + posts.DUE_SQL + guru.FROM_GURU + _WHERE
_FROM_STATS = f", {services.SERVICES_SQL}, {STATS_SQL}, t.due{guru.FROM_GURU} CROSS JOIN {POSTS_SQL}{_WHERE}"
_HOME = f"WITH {VIEWS_SQL} SELECT {guru.COLUMNS}, {posts.FEATURED_SQL}{_FROM_STATS}"
_ABOUT = f"WITH {VIEWS_SQL} SELECT {guru.COLUMNS}, g.about_html{_FROM_STATS}"
_OFFERS = "SELECT " + ", ".join((guru.COLUMNS, services.SERVICES_SQL)) + _FROM_GURU
_BLOG = "SELECT " + ", ".join((guru.COLUMNS, posts.TAGS_SQL)) + _FROM_GURU
_FACE = "SELECT " + guru.COLUMNS + _FROM_GURU


async def _row(db: Database, tenant_id: UUID, query: str) -> tuple[Any, ...]:
    rows = await db.read(tenant_id, query, {"tenant": tenant_id})
    if not rows:
        raise GuruNotFound
    return rows[0]


async def home(db: Database, tenant_id: UUID) -> dict[str, Any]:
    """{guru, featuredPosts, services, stats, due}. Raises GuruNotFound."""
    row = await _row(db, tenant_id, _HOME)
    featured, offered, stats, due = row[guru.WIDTH :]
    return {
        "guru": guru.shape(row),
        "featuredPosts": [posts.card(stored) for stored in featured],
        "services": [services.shape(stored) for stored in offered],
        "stats": stats,
        "due": due,
    }


async def about(db: Database, tenant_id: UUID) -> dict[str, Any]:
    """{guru, about, services, stats, due}: `about` is sanitised HTML. Raises GuruNotFound."""
    row = await _row(db, tenant_id, _ABOUT)
    html, offered, stats, due = row[guru.WIDTH :]
    return {
        "guru": guru.shape(row),
        "about": html,
        "services": [services.shape(stored) for stored in offered],
        "stats": stats,
        "due": due,
    }


async def offers(db: Database, tenant_id: UUID) -> dict[str, Any]:
    """{guru, services, due}. Raises GuruNotFound."""
    row = await _row(db, tenant_id, _OFFERS)
    offered, due = row[guru.WIDTH :]
    return {"guru": guru.shape(row), "services": [services.shape(stored) for stored in offered], "due": due}


async def blog(db: Database, tenant_id: UUID) -> dict[str, Any]:
    """{guru, tags, due}. Raises GuruNotFound."""
    row = await _row(db, tenant_id, _BLOG)
    tags, due = row[guru.WIDTH :]
    return {"guru": guru.shape(row), "tags": tags, "due": due}


async def face(db: Database, tenant_id: UUID) -> dict[str, Any]:
    """{guru, due}. Raises GuruNotFound."""
    row = await _row(db, tenant_id, _FACE)
    return {"guru": guru.shape(row), "due": row[guru.WIDTH]}
