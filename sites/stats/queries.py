"""What a guru's site may say about itself in numbers (SPEC 3, guru stats)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from tenants.kit.schemas import Answer

MONTH = 30  # days
LEADS_COUNTED = 10_000  # beyond, the number stands still: nothing is unbounded


class StatsAnswer(Answer):
    """SPEC 3. `monthlyVisitors` counts the last 30 days; each person once a day."""

    total_posts: int
    total_views: int
    monthly_visitors: int
    total_leads: int


# Each table is read once for all that a page wants of it: every fenced read more costs the database some 4 µs beside
# the read itself. In front of a statement with STATS_SQL: `WITH` and this.
VIEWS_SQL = """
views AS MATERIALIZED (SELECT v.post_id, v.views FROM post_views v WHERE v.tenant_id = %(tenant)s)
"""

# In its FROM: how many posts are out, and when the next scheduled one comes out, or NULL.
POSTS_SQL = """
(SELECT count(*) FILTER (WHERE p.published_at <= now()) AS out,
        min(p.published_at) FILTER (WHERE p.published_at > now()) AS due
   FROM posts p WHERE p.tenant_id = %(tenant)s AND p.status = 'published') t"""

# The numbers as a JSON object; part of the statement of each page that shows them.
STATS_SQL = f"""
json_build_object(
  'totalPosts', t.out,
  'totalViews', (SELECT coalesce(sum(v.views), 0)::bigint FROM views v),
  'monthlyVisitors', (SELECT coalesce(sum(d.visitors), 0)::bigint FROM daily_visits d
                       WHERE d.tenant_id = %(tenant)s AND d.day > current_date - {MONTH}),
  'totalLeads', (SELECT count(*) FROM (SELECT FROM leads l WHERE l.tenant_id = %(tenant)s LIMIT {LEADS_COUNTED}) l))"""

_OWN = text(f"WITH {VIEWS_SQL} SELECT {STATS_SQL} FROM {POSTS_SQL}".replace("%(tenant)s", ":tenant"))


async def own_stats(session: AsyncSession, tenant_id: UUID) -> dict[str, Any]:
    """The numbers (StatsAnswer) within a unit of work of the guru."""
    found: dict[str, Any] = await session.scalar(_OWN, {"tenant": tenant_id})
    return found
