"""Commands for plans. Each change is recorded in the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import typer

from porchlight.cli.terminal import console, fail, service_db
from porchlight.plans.plans import PlanSlug
from tenants.kit import clock

plans_app = typer.Typer(help="Plans of users.", no_args_is_help=True)


@plans_app.callback()
def plans() -> None:
    """Give users a plan."""


@plans_app.command("grant")
def plans_grant(
    user: Annotated[str, typer.Argument(help="The user's email address or id.")],
    plan: PlanSlug,
    until: Annotated[datetime, typer.Option(formats=["%Y-%m-%d"], help="The last day (UTC), as in 2027-03-31.")],
    reason: Annotated[str, typer.Option(help="Why, for the audit log and the user's export.")],
) -> None:
    """Give a user a plan without payment. Of several plans, the best one counts."""
    from porchlight.audit.recording import AuditEvent, record
    from porchlight.plans.grants import UnknownUser, end_of_day, find_user, grant_plan

    end = end_of_day(until.date())
    if plan is PlanSlug.COMMUNITY:
        raise fail("Everyone has this plan.")
    if end <= clock.now():
        raise fail("This day has passed.")
    if not reason.strip():
        raise fail("Give a reason.")
    with service_db() as conn:
        try:
            user_id: UUID = find_user(conn, user)
        except UnknownUser as error:
            raise fail(str(error)) from error
        grant_plan(conn, user_id, plan, end, reason.strip())
        details = {"plan": plan.value, "until": end.isoformat(), "reason": reason.strip()}
        record(conn, AuditEvent("cli", "plan.grant", "user", str(user_id), details))
    console.print(f"{user} has {plan.value} through {until:%Y-%m-%d}.", highlight=False)
