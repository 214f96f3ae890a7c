"""The jobs that apply a plan, the command that grants one, and what plans change elsewhere."""

from __future__ import annotations

import psycopg
import pytest
from typer.testing import CliRunner

from porchlight.cli.main import app as cli
from porchlight.plans.entitlements import forget_plan
from porchlight.plans.plans import PlanSlug
from tenants.db.jobs import enqueue_as_service
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.named_users import CreateUser
from tests.porchlight.plans.grants import grant_plan


def _listed_plan(database: Database, user_id: object) -> str:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT listed_plan FROM users WHERE user_id = %s", [user_id]).fetchone()
    assert row is not None
    return str(row[0])


async def test_grant_is_applied_by_job(create_user: CreateUser, database: Database) -> None:
    user, other = await create_user("Ada"), await create_user("Bob")
    await user.offer_service()
    await other.offer_service()
    grant_plan(database, user.user_id)
    await do_jobs(database)
    assert (_listed_plan(database, user.user_id), _listed_plan(database, other.user_id)) == (
        "premium-angel",
        "community",
    )
    angels = (await other.get("/api/angels/handyman-services"))["angels"]
    ours = [(angel["handle"], angel["premium"]) for angel in angels if angel["handle"] in (user.handle, other.handle)]
    assert ours == [(user.handle, True), (other.handle, False)], "a tie goes to the Premium Angel"


async def test_ended_grant_is_applied_when_due(create_user: CreateUser, database: Database) -> None:
    ended, lasting = await create_user("Ada"), await create_user("Bob")
    with psycopg.connect(database.service_url) as conn:
        query = (
            "UPDATE users SET listed_plan = 'premium-angel', plan_check_at = app.now() + %s::interval"
            " WHERE user_id = %s"
        )
        conn.execute(query, ["-1 second", ended.user_id])
        conn.execute(query, ["1 hour", lasting.user_id])
        enqueue_as_service(conn, "plans:apply_due_plans")
    await do_jobs(database)
    assert _listed_plan(database, ended.user_id) == "community"
    assert _listed_plan(database, lasting.user_id) == "premium-angel", "not due yet"


async def test_contact_message_names_promised_time(create_user: CreateUser, database: Database) -> None:
    user = await create_user("Ada")
    grant_plan(database, user.user_id)
    message = {"name": "Ada", "email": user.email, "subject": "Fees", "message": f"Hello from {user.handle}"}
    assert (await user.request("POST", "/api/contact", json=message)).status_code == 201
    stale = message | {"message": f"Hello again from {user.handle}"}
    response = await user.web.post("/api/contact", json=stale, headers={"authorization": "Bearer stale"})
    assert response.status_code == 201, "a sign-in that is no longer valid does not keep anyone from writing"
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT subject FROM contact_messages WHERE email = %s ORDER BY id"
        subjects = [subject for (subject,) in conn.execute(query, [user.email])]
    assert subjects == ["[Premium Angel, 1 business day] Fees", "Fees"]


async def test_command_grants_plan_until_end_of_day(
    create_user: CreateUser, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await create_user("Ada")
    monkeypatch.setenv("PORCHLIGHT_OVERSEER_DATABASE_URL", database.service_url)

    def grant(who: str, plan: str, until: str, reason: str = "Beta tester") -> int:
        words = ["plans", "grant", who, plan, "--until", until, "--reason", reason]
        return CliRunner().invoke(cli, words).exit_code

    assert grant(user.email.upper(), "skill-sharer", "2099-12-31") == 0
    forget_plan(user.user_id)
    billing = await user.get("/api/billing")
    assert (billing["plan"], billing["until"]) == (PlanSlug.SKILL_SHARER, "2100-01-01T00:00:00Z")
    assert grant(str(user.user_id), "premium-angel", "2020-01-01") == 1, "the day is over"
    assert grant(user.email, "community", "2099-12-31") == 1
    assert grant(user.email, "premium-angel", "2099-12-31", " ") == 1
    assert grant("nobody@example.com", "premium-angel", "2099-12-31") == 1
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT details ->> 'reason' FROM audit_log WHERE action = 'plan.grant' AND subject_id = %s"
        assert conn.execute(query, [str(user.user_id)]).fetchall() == [("Beta tester",)]
