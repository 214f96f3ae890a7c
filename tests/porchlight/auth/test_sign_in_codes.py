"""Sign-in codes: the email, the digits, the token, and what bounds guessing and floods."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.adapters import identity
from porchlight.app import Porchlight
from porchlight.auth.sign_in_codes.codes import CODE_TTL, CODES_PER_HOUR, MAX_ATTEMPTS, REPEAT_TTL, derive_code
from porchlight.ports import IdentityOutage
from tests.fixtures.databases import Database
from tests.fixtures.identity import PASSWORD, PROJECT, Emulator
from tests.fixtures.jobs import do_jobs
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.auth.api_client import bearer_header, create_session_cookie
from tests.porchlight.mailbox import emails_to

Connection = psycopg.Connection[Any]


def _address() -> str:
    return f"{uuid.uuid4().hex[:12]}@example.com"


async def _ask(web: httpx.AsyncClient, email: str) -> str:
    response = await web.post("/api/auth/codes", json={"email": email})
    assert response.status_code == 202, response.text
    return str(response.json()["data"]["id"])


async def _digits(database: Database, app: Porchlight, conn: Connection, email: str) -> str:
    """Return the digits of the last email to an address."""
    await do_jobs(database, identity=identity(app.settings), sign_in_secret=app.settings.sign_in_secret)
    subject = emails_to(conn, email)[-1]["subject"]
    found = re.fullmatch(r"(\d{6}) is your Porchlight code", subject)
    assert found, subject
    return found[1]


async def _use(web: httpx.AsyncClient, code_id: str, digits: str) -> httpx.Response:
    return await web.post(f"/api/auth/codes/{code_id}/sign-in", json={"code": digits})


def _id_token(emulator: Emulator, response: httpx.Response) -> str:
    """Sign in at the identity provider as the browser's SDK does."""
    assert response.status_code == 200, response.text
    token = response.json()["data"]["token"]
    answer = emulator.call_accounts("signInWithCustomToken", {"token": token, "returnSecureToken": True})
    return str(answer["idToken"])


def _wrong(digits: str) -> str:
    return f"{(int(digits) + 1) % 10**6:06}"


def _make_older(conn: Connection, code_id: str, column: str, age: timedelta) -> None:
    conn.execute(f"UPDATE sign_in_codes SET {column} = {column} - %s WHERE id = %s", [age, code_id])


async def test_code_of_a_new_address_signs_in_verified(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database, service_db: Connection
) -> None:
    email = _address()
    code_id = await _ask(web, email)
    response = await _use(web, code_id, await _digits(database, app, service_db, email))
    assert response.headers["cache-control"] == "no-store"
    assert response.json()["data"]["isNew"] is True
    token = _id_token(emulator, response)
    cookie = await create_session_cookie(web, token)
    assert (await web.get("/api/auth/session", headers=cookie)).json()["data"]["user"] is not None
    profile = (await web.get("/api/auth/profile", headers=bearer_header(token))).json()["data"]
    assert (profile["email"], profile["emailVerified"]) == (email, True)


async def test_code_of_a_known_address_signs_in_to_its_account(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database, service_db: Connection
) -> None:
    email, uid, _ = emulator.sign_up(verified=True)
    code_id = await _ask(web, email.upper())
    response = await _use(web, code_id, await _digits(database, app, service_db, email))
    assert response.json()["data"]["isNew"] is False
    token = response.json()["data"]["token"]
    answer = emulator.call_accounts("signInWithCustomToken", {"token": token, "returnSecureToken": True})
    assert emulator.call_accounts("lookup", {"idToken": answer["idToken"]})["users"][0]["localId"] == uid
    assert emulator.sign_in(email)  # its password still works


async def test_code_of_an_unverified_account_takes_it_over(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database, service_db: Connection
) -> None:
    email, _, old_token = emulator.sign_up()
    old_cookie = await create_session_cookie(web, old_token)
    code_id = await _ask(web, email)
    token = _id_token(emulator, await _use(web, code_id, await _digits(database, app, service_db, email)))
    answer = httpx.post(
        f"http://{emulator.host}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=local",
        json={"email": email, "password": PASSWORD},
        timeout=60,
    )
    assert answer.status_code == 400
    assert (await web.get("/api/auth/session", headers=old_cookie)).json()["data"]["user"] is None
    assert (await web.get("/api/auth/profile", headers=bearer_header(old_token))).status_code == 401
    cookie = await create_session_cookie(web, token)
    assert (await web.get("/api/auth/profile", headers=cookie)).json()["data"]["emailVerified"] is True


async def test_code_after_wrong_digits_counts_the_tries(
    app: Porchlight, web: httpx.AsyncClient, database: Database, service_db: Connection
) -> None:
    email = _address()
    code_id = await _ask(web, email)
    digits = await _digits(database, app, service_db, email)
    messages = []
    for _ in range(MAX_ATTEMPTS - 1):
        response = await _use(web, code_id, _wrong(digits))
        assert response.status_code == 422
        messages.append(response.json()["error"]["fields"]["code"])
    assert messages[-2:] == ["That's not the code. 2 tries left.", "That's not the code. 1 try left."]
    for tried in (_wrong(digits), digits):
        response = await _use(web, code_id, tried)
        assert (response.status_code, response.json()["error"]["code"]) == (409, "code_expired")


async def test_code_that_is_used_works_again_for_a_minute(
    app: Porchlight, web: httpx.AsyncClient, database: Database, service_db: Connection
) -> None:
    email = _address()
    code_id = await _ask(web, email)
    digits = await _digits(database, app, service_db, email)
    assert [(await _use(web, code_id, digits)).status_code for _ in range(2)] == [200, 200]
    _make_older(service_db, code_id, "used_at", REPEAT_TTL)
    response = await _use(web, code_id, digits)
    assert (response.status_code, response.json()["error"]["code"]) == (409, "code_expired")


async def test_code_after_its_time_is_409_and_not_emailed(
    app: Porchlight, web: httpx.AsyncClient, database: Database, service_db: Connection
) -> None:
    email = _address()
    code_id = await _ask(web, email)
    _make_older(service_db, code_id, "created_at", CODE_TTL)
    await do_jobs(database, sign_in_secret=app.settings.sign_in_secret)
    assert emails_to(service_db, email) == []
    digits = derive_code(app.settings.sign_in_secret, uuid.UUID(code_id), email)
    assert (await _use(web, code_id, digits)).status_code == 409


async def test_code_of_another_id_is_refused(
    app: Porchlight, web: httpx.AsyncClient, database: Database, service_db: Connection
) -> None:
    email = _address()
    first = await _ask(web, email)
    digits = await _digits(database, app, service_db, email)
    second = await _ask(web, email)
    other = await _digits(database, app, service_db, email)
    assert digits != other or first == second
    assert (await _use(web, str(uuid.uuid4()), digits)).status_code == 409
    assert (await _use(web, "no-id", digits)).status_code == 404
    assert (await _use(web, first, digits)).status_code == 200


async def test_code_during_an_outage_stays_usable(
    app: Porchlight,
    web: httpx.AsyncClient,
    database: Database,
    service_db: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    email = _address()
    code_id = await _ask(web, email)
    digits = await _digits(database, app, service_db, email)

    async def fail(_: str) -> None:
        raise IdentityOutage("down")

    with monkeypatch.context() as patched:
        patched.setattr(app.context.identity, "sign_in_token", fail)
        assert (await _use(web, code_id, digits)).status_code == 503
    assert (await _use(web, code_id, digits)).status_code == 200


@pytest.mark.parametrize("invalid", ["", "no-at-sign", "a b@c.example", "a@" + "b" * 300 + ".example"])
async def test_code_for_an_invalid_address_is_422(web: httpx.AsyncClient, invalid: str) -> None:
    response = await web.post("/api/auth/codes", json={"email": invalid})
    assert response.status_code == 422
    assert "email" in response.json()["error"]["fields"]


@pytest.mark.parametrize("digits", ["", "12345", "1234567", "12a456", "１２３４５６"])
async def test_digits_of_another_form_are_422(web: httpx.AsyncClient, digits: str) -> None:
    response = await _use(web, str(uuid.uuid4()), digits)
    assert response.status_code == 422
    assert "code" in response.json()["error"]["fields"]


async def test_code_from_another_origin_is_403(web: httpx.AsyncClient) -> None:
    headers = {"origin": "https://evil.example"}
    for path, body in (("", {"email": _address()}), (f"/{uuid.uuid4()}/sign-in", {"code": "123456"})):
        response = await web.post(f"/api/auth/codes{path}", json=body, headers=headers)
        assert (response.status_code, response.json()["error"]["code"]) == (403, "forbidden")


@pytest.fixture
async def limited(database: Database, emulator: Emulator) -> AsyncIterator[Porchlight]:
    """The app with its limits."""
    changes: dict[str, Any] = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host}
    async with run_app(database, limits="on", **changes) as created:
        yield created


async def test_codes_per_address_are_limited(limited: Porchlight, service_db: Connection) -> None:
    email = _address()
    async with http_client(limited, BASE_HOST, address="203.0.113.9") as web:
        for _ in range(CODES_PER_HOUR):
            await _ask(web, email)
        response = await web.post("/api/auth/codes", json={"email": email})
        assert (response.status_code, response.json()["error"]["code"]) == (429, "codes_exhausted")
        assert response.headers["retry-after"]
        await _ask(web, _address())
        service_db.execute("UPDATE sign_in_codes SET created_at = created_at - interval '1 hour'")
        await _ask(web, email)


async def test_codes_per_sender_are_limited(limited: Porchlight) -> None:
    async with http_client(limited, BASE_HOST, address="203.0.113.10") as web:
        answers = [(await web.post("/api/auth/codes", json={"email": _address()})).status_code for _ in range(21)]
    assert answers == [202] * 20 + [429]
    async with http_client(limited, BASE_HOST, address="198.51.100.10") as web:
        await _ask(web, _address())


async def test_code_without_an_identity_provider_is_409(database: Database) -> None:
    async with run_app(database) as offline, http_client(offline, BASE_HOST) as web:
        for path, body in (("", {"email": _address()}), (f"/{uuid.uuid4()}/sign-in", {"code": "123456"})):
            response = await web.post(f"/api/auth/codes{path}", json=body)
            assert (response.status_code, response.json()["error"]["code"]) == (409, "sign_in_offline")
