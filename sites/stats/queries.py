"""The public numbers of a guru's site (SPEC 3, guru stats), and the facts that visitors weigh."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from tenants.kit.schemas import ResponseModel

MONTH_DAYS = 30
MAX_COUNTED_LEADS = 10_000  # the cost of counting is bounded


class StatsResponse(ResponseModel):
    """The numbers of SPEC 3. `monthlyVisitors` covers the last 30 days; each visitor counts once per day."""

    total_posts: int
    total_views: int
    monthly_visitors: int
    total_leads: int


class OwnerReview(ResponseModel):
    """A review of the guru's owner as an angel: words, rating (1 to 5), service, and the owner's public profile."""

    words: str
    rating: int
    service: str
    handle: str


class FactsResponse(ResponseModel):
    """Facts that visitors weigh: the usual minutes to the first answer, the sessions done and the newest review.

    `answerMinutes` and `review` are null if there are none.
    """

    answer_minutes: int | None
    sessions: int
    review: OwnerReview | None


# A page's statement reads each table once: every further tenant-isolated read costs the database some 4 µs. A statement
# with STATS_SQL begins with `WITH` and this.
VIEWS_SQL = """
views AS MATERIALIZED (SELECT v.post_id, v.views FROM post_views v WHERE v.tenant_id = %(tenant)s)
"""

# In its FROM clause: the number of published posts, and the time of the next scheduled one, or NULL.
POSTS_SQL = """
(SELECT count(*) FILTER (WHERE p.published_at <= app.now()) AS out,
        min(p.published_at) FILTER (WHERE p.published_at > app.now()) AS due
   FROM posts p WHERE p.tenant_id = %(tenant)s AND p.status = 'published') t"""

# The numbers as a JSON object: part of the statement of each page that shows them. `t.out` is that of POSTS_SQL.
STATS_SQL = f"""
json_build_object(
  'totalPosts', t.out,
  'totalViews', (SELECT coalesce(sum(v.views), 0)::bigint FROM views v),
  'monthlyVisitors', (SELECT coalesce(sum(d.visitors), 0)::bigint FROM daily_visits d
                       WHERE d.tenant_id = %(tenant)s AND d.day > app.now()::date - {MONTH_DAYS}),
  'totalLeads', (SELECT count(*)
                   FROM (SELECT FROM leads l WHERE l.tenant_id = %(tenant)s LIMIT {MAX_COUNTED_LEADS}) l))"""

# The facts as a JSON object, in the same statement.
FACTS_SQL = """
(SELECT json_build_object('answerMinutes', max(f.answer_minutes), 'sessions', coalesce(max(f.sessions), 0),
                          'review', (array_agg(f.review))[1])
   FROM guru_facts f WHERE f.tenant_id = %(tenant)s)"""

_DAILY = text(
    "SELECT day, visitors FROM daily_visits WHERE tenant_id = :tenant AND day > app.now()::date"
    " - CAST(:days AS integer) ORDER BY day"
)


async def daily_visitors(session: AsyncSession, tenant_id: UUID, days: int) -> list[tuple[date, int]]:
    """Return the days (UTC) with visitors among the last `days`, oldest first, within a unit of work of the guru."""
    rows = await session.execute(_DAILY, {"tenant": tenant_id, "days": days})
    return [(day, visitors) for day, visitors in rows.all()]
