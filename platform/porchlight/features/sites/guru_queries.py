"""The numbers of the console's first page, in one statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.plans.plans import PlanSlug
from sites.stats.queries import STATS_SQL, VIEWS_SQL

MAX_COUNTED_NEW_LEADS = 100

_OVERVIEW = f"""
WITH {VIEWS_SQL}
SELECT {STATS_SQL}, t.drafts, t.scheduled, t.out, t.hidden,
       (SELECT count(*) FROM (
         SELECT FROM leads l WHERE l.tenant_id = %(tenant)s AND l.status = 'new' LIMIT %(most)s) l),
       EXISTS (SELECT FROM services s WHERE s.tenant_id = %(tenant)s),
       EXISTS (SELECT FROM gallery_pictures p WHERE p.tenant_id = %(tenant)s),
       EXISTS (SELECT FROM calendars c WHERE c.tenant_id = %(tenant)s AND c.confirmed_at IS NOT NULL),
       app.tenant_plan(false)
  FROM (SELECT count(*) FILTER (WHERE p.status = 'draft') AS drafts,
               count(*) FILTER (WHERE p.status = 'published' AND p.published_at > app.now()) AS scheduled,
               count(*) FILTER (WHERE p.status = 'published' AND p.published_at <= app.now()) AS out,
               count(*) FILTER (WHERE p.status = 'hidden') AS hidden
          FROM posts p WHERE p.tenant_id = %(tenant)s) t"""


@dataclass(frozen=True, slots=True)
class Overview:
    """The numbers of a site (`stats` are those of StatsResponse), and which of its parts exist.

    `new_leads` are counted up to MAX_COUNTED_NEW_LEADS.
    """

    stats: dict[str, Any]
    drafts: int
    scheduled_posts: int
    published_posts: int
    hidden_posts: int
    new_leads: int
    has_services: bool
    has_pictures: bool
    hours_confirmed: bool
    plan: PlanSlug


async def overview(session: AsyncSession, tenant_id: UUID) -> Overview:
    """Return the numbers of the guru's site within a unit of work of the guru."""
    connection = await session.connection()
    values = {"tenant": tenant_id, "most": MAX_COUNTED_NEW_LEADS}
    row: Any = (await connection.exec_driver_sql(_OVERVIEW, values)).one()
    stats, drafts, scheduled, published, hidden, new_leads, has_services, has_pictures, hours_confirmed, plan = row
    return Overview(
        stats,
        drafts,
        scheduled,
        published,
        hidden,
        new_leads,
        has_services,
        has_pictures,
        hours_confirmed,
        plan=PlanSlug(plan),
    )
