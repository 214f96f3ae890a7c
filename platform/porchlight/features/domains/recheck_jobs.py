"""The job that checks custom domains again. Only the worker imports this module.

It works as the service role, because it looks at the domains of all tenants.
"""

from __future__ import annotations

import asyncio

from procrastinate import Blueprint, JobContext

from porchlight.features.domains.actions import DomainChecker, check_due_domains

NAMESPACE = "domains"
CHECK_TASK = "domains:check"


def recheck_blueprint(service_dsn: str, checker: DomainChecker) -> Blueprint:
    """Return the task domains:check."""
    blueprint = Blueprint()

    @blueprint.periodic(cron="*/5 * * * *")
    @blueprint.task(name="check", pass_context=True, queueing_lock=CHECK_TASK)
    async def check(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(check_due_domains, service_dsn, checker)

    return blueprint
