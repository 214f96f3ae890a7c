"""The email after a waiver was accepted: a link to the receipt, without what the receipt keeps private."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.jobs import do_jobs
from tests.porchlight.auth.api_client import MAIN_ORIGIN, bearer_header, register_user
from tests.porchlight.waivers.api_client import HIGH_PAYLOAD, SIGNATURE, WaiverUser
from tests.porchlight.waivers.sessions import create_guru, session_waiver

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
async def person(web: httpx.AsyncClient, emulator: Emulator) -> tuple[str, WaiverUser]:
    """Register a user. Return the address too."""
    email, _, token = emulator.sign_up(verified=True)
    profile = await register_user(web, token)
    return email, WaiverUser(web, token, profile["id"])


async def _emails(database: Database, to: str) -> list[tuple[Any, ...]]:
    """Run the jobs. Return the emails about waivers: subject, text, HTML."""
    await do_jobs(database, main_origin=MAIN_ORIGIN)
    query = "SELECT subject, plain, html FROM dev_mailbox WHERE recipient = %s AND key LIKE 'waiver-%%'"
    with psycopg.connect(database.service_url) as conn:
        return conn.execute(query, [to]).fetchall()


async def test_accepted_waiver_is_emailed_once_as_link(person: tuple[str, WaiverUser], database: Database) -> None:
    email, user = person
    guru = create_guru(database)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE services SET name = '<b>Judo</b>\n2' WHERE id = %s", [guru.services[0]])
        conn.execute("UPDATE gurus SET character = 'Ada & Co' WHERE id = %s", [guru.id])
    for _ in range(2):
        data = (await user.accept(session_waiver(guru, signature=SIGNATURE | {"typedName": "Zoe Quill"}), "key")).json()
    ((subject, text, html),) = await _emails(database, email)
    assert subject == "Your waiver for <b>Judo</b> 2"
    assert "with Ada & Co." in text
    assert "Risk level: High" in text
    assert data["data"]["waiverId"] in text
    assert f"{MAIN_ORIGIN}/waivers" in text
    assert "<b>Judo" not in html
    for secret in ("Maria Ortiz", "303 555 0199", "Zoe Quill"):
        assert secret not in text + html
    assert await _emails(database, email) == [(subject, text, html)]


async def test_practice_waiver_is_not_emailed(person: tuple[str, WaiverUser], database: Database) -> None:
    email, user = person
    await user.accepted(HIGH_PAYLOAD)
    assert await _emails(database, email) == []


async def test_waiver_of_deleted_account_is_not_emailed(person: tuple[str, WaiverUser], database: Database) -> None:
    email, user = person
    await user.accepted(session_waiver(create_guru(database)))
    await user.web.delete("/api/auth/account", headers=bearer_header(user.token))
    assert await _emails(database, email) == []


async def test_failed_waiver_is_not_emailed(person: tuple[str, WaiverUser], database: Database) -> None:
    _, user = person
    response = await user.accept(session_waiver(create_guru(database), emergencyContact=None))
    assert response.status_code == 422
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT FROM jobs.procrastinate_jobs WHERE task_name LIKE 'waivers:%%' AND args->>'user_id' = %s"
        assert conn.execute(query, [user.user_id]).fetchall() == []
