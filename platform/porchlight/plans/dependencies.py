"""FastAPI dependencies on the plan of a guru site's owner."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from porchlight.console_context import CurrentConsole
from porchlight.plans.entitlements import check_quota, session_plan
from porchlight.plans.limits import PlanFeature


def needs(feature: PlanFeature) -> Callable[[CurrentConsole], Awaitable[None]]:
    """Create a dependency of console routes that raises PlanRequired unless the owner's plan has a feature."""

    async def check(console: CurrentConsole) -> None:
        async with console.unit_of_work() as session:
            check_quota(await session_plan(session, "tenant"), feature, 0)

    return check
