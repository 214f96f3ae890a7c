"""Email changes: the announcement, and the sync with the identity provider."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest

from porchlight.adapters import identity
from porchlight.app import Porchlight
from porchlight.auth.jobs import SYNC_EMAILS_TASK
from tenants.db.jobs import enqueue_as_service
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.jobs import do_jobs
from tests.porchlight.auth.api_client import MAIN_ORIGIN, bearer_header, create_session_cookie, register_user


def _stored_email(database: Database, uid: str) -> tuple[Any, ...]:
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT email, email_verified FROM users WHERE firebase_uid = %s", [uid]).fetchone()
    assert row is not None
    return row


def _action_code(emulator: Emulator, kind: str, email: str) -> str:
    response = httpx.get(f"http://{emulator.host}/emulator/v1/projects/{PROJECT}/oobCodes", timeout=60)
    codes = response.json()["oobCodes"]
    return str([code for code in codes if code["requestType"] == kind and code["email"] == email][-1]["oobCode"])


async def _sync_emails(database: Database, app: Porchlight) -> None:
    with psycopg.connect(database.service_url) as conn:
        enqueue_as_service(conn, SYNC_EMAILS_TASK)
    await do_jobs(database, identity=identity(app.settings))


async def test_email_sync_applies_change_and_its_undo(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    email, uid, token = emulator.sign_up()
    await register_user(web, token)
    new = f"new-{email}"
    response = await web.post("/api/auth/email-change", json={"email": new}, headers=bearer_header(token))
    assert response.status_code == 202
    await _sync_emails(database, app)  # before the link is opened
    assert _stored_email(database, uid) == (email, False)
    emulator.send_code("VERIFY_AND_CHANGE_EMAIL", idToken=token, newEmail=new)
    emulator.call_accounts("update", {"oobCode": _action_code(emulator, "VERIFY_AND_CHANGE_EMAIL", email)})
    await _sync_emails(database, app)
    assert _stored_email(database, uid) == (new, True)
    new_token = emulator.sign_in(new)  # Firebase sends an undo link to the old address; the emulator does not
    emulator.send_code("VERIFY_AND_CHANGE_EMAIL", idToken=new_token, newEmail=email)
    emulator.call_accounts("update", {"oobCode": _action_code(emulator, "VERIFY_AND_CHANGE_EMAIL", new)})
    await _sync_emails(database, app)
    assert _stored_email(database, uid) == (email, True)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET email_change_asked_at = app.now() - interval '5 days'")
    await _sync_emails(database, app)
    with psycopg.connect(database.service_url) as conn:
        remaining = conn.execute("SELECT count(*) FROM users WHERE email_change_asked_at IS NOT NULL").fetchone()
    assert remaining == (0,)


@pytest.mark.parametrize(
    "invalid", ["", "no-at-sign", "a@b", "a b@c.example", "a@b.example\nc", "a@" + "b" * 300 + ".example"]
)
async def test_email_change_with_invalid_address_is_422(
    web: httpx.AsyncClient, emulator: Emulator, invalid: str
) -> None:
    _, _, token = emulator.sign_up()
    response = await web.post("/api/auth/email-change", json={"email": invalid}, headers=bearer_header(token))
    assert response.status_code == 422
    assert "email" in response.json()["error"]["fields"]


async def test_unreachable_address_is_refused_in_words(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    words = "We can't send email to an address with “ë” before the @. Please use another address."
    _, _, token = emulator.sign_up()
    response = await web.post("/api/auth/email-change", json={"email": "zoë@b.example"}, headers=bearer_header(token))
    assert response.json()["error"]["fields"] == {"email": words}
    _, uid, token = emulator.sign_up("zoë@b.example")
    response = await web.post("/api/auth/session", json={"idToken": token})
    assert (response.status_code, response.json()["error"]["message"]) == (422, words)
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("SELECT FROM users WHERE firebase_uid = %s", [uid]).fetchone() is None


async def test_email_change_needs_recent_sign_in(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    email, uid, token = emulator.sign_up()
    await register_user(web, token)
    cookie = await create_session_cookie(web, token)
    same = await web.post("/api/auth/email-change", json={"email": email.upper()}, headers=bearer_header(token))
    assert same.status_code == 422
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE sessions SET authenticated_at = app.now() - interval '16 minutes'"
            " WHERE user_id = (SELECT user_id FROM users WHERE firebase_uid = %s)",
            [uid],
        )
    response = await web.post(
        "/api/auth/email-change", json={"email": "new@x.example"}, headers=cookie | {"origin": MAIN_ORIGIN}
    )
    assert (response.status_code, response.json()["error"]["code"]) == (403, "sign_in_again")
    with psycopg.connect(database.service_url) as conn:
        requested_at = conn.execute("SELECT email_change_asked_at FROM users WHERE firebase_uid = %s", [uid]).fetchone()
    assert requested_at == (None,)
