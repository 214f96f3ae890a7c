"""The first and the last email of an account."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest

from porchlight.adapters import identity
from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.jobs import do_jobs
from tests.porchlight.auth.api_client import MAIN_ORIGIN, bearer_header, register_user


async def _run_jobs(database: Database, app: Porchlight) -> None:
    await do_jobs(database, identity=identity(app.settings), main_origin=MAIN_ORIGIN)


def _emails_to(database: Database, to: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.service_url) as conn:
        return conn.execute(
            "SELECT subject, plain, html FROM dev_mailbox WHERE recipient = %s ORDER BY sent_at", [to]
        ).fetchall()


async def test_account_emails_are_sent_once_each(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    email, _, token = emulator.sign_up(verified=True)
    for _ in range(2):
        await register_user(web, token, displayName="Wilma <b>Welcome</b>")
    await _run_jobs(database, app)
    ((subject, text, html),) = _emails_to(database, email)
    assert subject == "Welcome to Porchlight"
    assert "Hi Wilma," in text
    assert f"{MAIN_ORIGIN}/profile" in text
    assert "<b>Welcome" not in html
    assert "<img" not in html

    assert (await web.delete("/api/auth/account", headers=bearer_header(token))).status_code == 200
    with psycopg.connect(database.service_url) as conn:
        args = conn.execute("SELECT args::text FROM jobs.procrastinate_jobs").fetchall()
    assert email not in str(args)  # only one table has the address
    await _run_jobs(database, app)
    last = _emails_to(database, email)[-1]
    assert last[0] == "Your Porchlight account has been deleted"
    assert last[1].startswith("Hi Wilma,\n")
    assert f"Contact us:\n{MAIN_ORIGIN}/contact\n" in last[1]
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("SELECT count(*) FROM pending_account_emails").fetchone() == (0,)


async def test_unverified_address_gets_no_account_emails(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    """Registering and deleting in a loop once sent the owner of an address two emails each time."""
    email, _, token = emulator.sign_up()
    await register_user(web, token, displayName="Visit http://evil.example", firstName="Zqxnamed")
    await _run_jobs(database, app)
    assert (await web.delete("/api/auth/account", headers=bearer_header(token))).status_code == 200
    await _run_jobs(database, app)
    assert _emails_to(database, email) == []


async def test_welcome_email_is_sent_once_address_is_verified(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    email, uid, token = emulator.sign_up()
    await register_user(web, token, displayName="Late Verifier")
    await _run_jobs(database, app)
    assert _emails_to(database, email) == []
    for is_verified in (True, False, True):
        with psycopg.connect(database.service_url) as conn:
            conn.execute("UPDATE users SET email_verified = %s WHERE firebase_uid = %s", [is_verified, uid])
        await _run_jobs(database, app)
    assert [mail[0] for mail in _emails_to(database, email)] == ["Welcome to Porchlight"]


async def test_welcome_email_to_deleted_account_is_not_sent(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    email, _, token = emulator.sign_up(verified=True)
    await register_user(web, token)
    await web.delete("/api/auth/account", headers=bearer_header(token))
    await _run_jobs(database, app)
    assert [mail[0] for mail in _emails_to(database, email)] == ["Your Porchlight account has been deleted"]


def test_pending_account_emails_are_closed_to_app_role(database: Database) -> None:
    for statement in (
        "SELECT recipient FROM pending_account_emails",
        "INSERT INTO pending_account_emails (id, recipient, name) VALUES (gen_random_uuid(), 'all@x.example', '')",
        "DELETE FROM pending_account_emails",
    ):
        with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(statement)
