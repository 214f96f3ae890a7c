"""Checks of what the signed-in user, or the owner of a guru site, may do by their plan (SPEC 6).

A quota is counted inside the transaction that writes, after `lock_plan` has locked the user's plan, so that parallel
requests cannot exceed it. A plan that was just bought counts at once there; reads may use a copy for 5 s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import Executable, text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.plans.errors import limit_error
from porchlight.plans.limits import PlanFeature, allowance, limits_json
from porchlight.plans.plans import PlanSlug
from porchlight.plans.site_limits import LIMIT_SITE
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock

CACHE_SECONDS = 5.0
_MAX_CACHED = 10_000

Owner = Literal["user", "tenant"]  # whose plan counts: that of the session's user, or of its guru site's owner

_PLAN = {"user": text("SELECT app.plan_of(app.user_id())"), "tenant": text("SELECT app.tenant_plan(false)")}
_LOCK = {"user": text("SELECT app.lock_plan()"), "tenant": text("SELECT app.tenant_plan(true)")}
_APPLY_LIMITS = {"user": "SELECT app.limit_offers(%(limits)s::jsonb)", "tenant": LIMIT_SITE}
_cache: dict[UUID, tuple[float, PlanSlug]] = {}


async def effective_plan(db: Database, user_id: UUID) -> PlanSlug:
    """Return a user's plan, at most 5 s old. For reads; writes use `require_quota`."""
    now = clock.now().timestamp()
    cached = _cache.get(user_id)
    if cached is not None and 0 <= now - cached[0] < CACHE_SECONDS:
        return cached[1]
    async with unit_of_work(db, user_id=user_id) as session:
        plan = await session_plan(session)
    if len(_cache) >= _MAX_CACHED:
        _cache.clear()
    _cache[user_id] = (now, plan)
    return plan


def forget_plan(user_id: UUID) -> None:
    """Drop this process's copy of a user's plan."""
    _cache.pop(user_id, None)


async def session_plan(session: AsyncSession, of: Owner = "user") -> PlanSlug:
    """Return the plan of the session's user, or of the owner of its guru site."""
    return PlanSlug(await session.scalar(_PLAN[of]))


async def lock_plan(session: AsyncSession, of: Owner = "user") -> PlanSlug:
    """Let other changes of things that plans limit wait until the transaction ends. Return the plan.

    Takes the lock of the user. Call it before any other lock.
    """
    return PlanSlug(await session.scalar(_LOCK[of]))


def check_quota(plan: PlanSlug, feature: PlanFeature, used: int) -> None:
    """Raise PlanRequired or LimitReached when a plan does not allow one more. `used`: without it."""
    if used >= allowance(plan, feature):
        raise limit_error(plan, feature, used)


async def require_quota(
    session: AsyncSession,
    feature: PlanFeature,
    count: Executable,
    params: Mapping[str, Any] | None = None,
    *,
    of: Owner = "user",
) -> PlanSlug:
    """Lock the plan, count, and raise PlanRequired or LimitReached if one more is not allowed. Return the plan."""
    plan = await lock_plan(session, of)
    check_quota(plan, feature, int(await session.scalar(count, params) or 0))
    return plan


async def apply_limits(session: AsyncSession, of: Owner = "user") -> None:
    """Unlist what exceeds the plan, the newest first, and list again what it allows. Expects `lock_plan`.

    With `of` "user", the session's offers and photos; with "tenant", services, categories and domains of its site.
    """
    connection = await session.connection()
    await connection.exec_driver_sql(_APPLY_LIMITS[of], {"limits": limits_json()})
