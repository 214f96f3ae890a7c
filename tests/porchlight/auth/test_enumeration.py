"""Account enumeration: neither texts, statuses nor the work of a response tell whether an account exists.

The tests count work instead of time: database statements, and calls to the identity provider.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from porchlight.auth.account_status import AccountStatusCache
from tenants.db.pool import Database as Pools
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Emulator, Signer, claims
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.auth.api_client import MAIN_ORIGIN, bearer_header, create_session_cookie, register_user

# All workers share the emulator, and two of them may run tests of this module.
_RUN = secrets.token_hex(4)
EXISTING, DELETED = f"existing-{_RUN}", f"deleted-{_RUN}"


@pytest.fixture(scope="module")
async def web(database: Database, emulator: Emulator) -> AsyncIterator[httpx.AsyncClient]:
    """An app that requires signed tokens, as in production."""
    signer = Signer("key-one")
    certificates = CertificateServer(signer)
    async with run_app(
        database,
        firebase_project_id=PROJECT,
        firebase_emulator_host=emulator.host,
        firebase_certs_url=certificates.url,
    ) as app:
        async with http_client(app, BASE_HOST) as client:
            for uid in (EXISTING, DELETED):
                emulator.create(uid)
                await register_user(client, signer.token(claims(uid)))
            response = await client.delete("/api/auth/account", headers=bearer_header(signer.token(claims(DELETED))))
            assert response.status_code == 200
            yield client
    certificates.close()


@contextmanager
def count_work(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Yield a list of the work of the requests inside: database statements, and account status lookups."""
    work: list[str] = []
    run_pipeline, get_status = Pools._execute, AccountStatusCache._status

    async def counted_pipeline(self: Pools, *args: Any, **keywords: Any) -> Any:
        work.append("read")
        return await run_pipeline(self, *args, **keywords)

    async def counted_status(self: AccountStatusCache, *args: Any, **keywords: Any) -> Any:
        work.append("status")
        return await get_status(self, *args, **keywords)

    def count_statement(*_args: Any) -> None:
        work.append("statement")

    with monkeypatch.context() as patched:
        patched.setattr(Pools, "_execute", counted_pipeline)
        patched.setattr(AccountStatusCache, "_status", counted_status)
        event.listen(Engine, "before_cursor_execute", count_statement)
        try:
            yield work
        finally:
            event.remove(Engine, "before_cursor_execute", count_statement)


REQUESTS: dict[str, tuple[str, str, dict[str, Any] | None]] = {
    "get profile": ("GET", "/api/auth/profile", None),
    "register": ("POST", "/api/auth/register", {}),
    "get session": ("GET", "/api/auth/session", None),
    "delete account": ("DELETE", "/api/auth/account", None),
}


@pytest.mark.parametrize("request_name", REQUESTS)
async def test_forged_token_costs_the_same_for_every_account(
    web: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, request_name: str
) -> None:
    """A forged token is rejected before the account is looked up, so an attacker cannot guess uids."""
    method, path, body = REQUESTS[request_name]
    foreign_signer = Signer("key-one")
    results = []
    for uid in (EXISTING, DELETED, "unknown"):
        with count_work(monkeypatch) as work:
            response = await web.request(
                method, path, json=body, headers=bearer_header(foreign_signer.token(claims(uid)))
            )
        results.append((response.status_code, response.content, sorted(response.headers), work))
    assert results[0][0] == 401
    assert results[0][3] == []
    assert all(result == results[0] for result in results)


async def test_session_exchange_with_forged_token_reveals_nothing(
    web: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign_signer = Signer("key-one")
    results = []
    for uid in (EXISTING, DELETED, "unknown"):
        with count_work(monkeypatch) as work:
            response = await web.post(
                "/api/auth/session",
                json={"idToken": foreign_signer.token(claims(uid))},
                headers={"origin": MAIN_ORIGIN},
            )
        results.append((response.status_code, response.content, work))
    assert results[0][0] == 401
    assert results[0][2] == []
    assert all(result == results[0] for result in results)


async def test_forged_cookie_costs_the_same_as_ended_session(
    database: Database, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_app(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as app:
        async with http_client(app, BASE_HOST) as web:
            _, _, token = emulator.sign_up()
            ended = await create_session_cookie(web, token)
            await web.delete("/api/auth/session", headers=ended | {"origin": MAIN_ORIGIN})
            results = []
            for cookie in (ended, {"cookie": "__session=" + "a" * 43}):
                with count_work(monkeypatch) as work:
                    response = await web.get("/api/auth/session", headers=cookie)
                web.cookies.clear()
                results.append((response.status_code, response.content, work))
            assert results[0] == results[1]
            assert results[0][2] == ["read"]


async def test_hidden_deleted_and_unknown_profiles_look_the_same(
    web: httpx.AsyncClient, database: Database, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_app(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as app:
        async with http_client(app, BASE_HOST) as site:
            handles = {}
            for kind in ("hidden", "deleted"):
                _, _, token = emulator.sign_up()
                handles[kind] = (await register_user(site, token))["handle"]
                if kind == "hidden":
                    changes = {"privacy": {"publicProfile": False}}
                    assert (
                        await site.put("/api/auth/profile", json=changes, headers=bearer_header(token))
                    ).status_code == 200
                else:
                    assert (await site.delete("/api/auth/account", headers=bearer_header(token))).status_code == 200
            await site.get("/api/users/first-handle")  # the first request reads the feature flags
            results = []
            for handle in (*handles.values(), "unknown-handle"):
                with count_work(monkeypatch) as work:
                    response = await site.get(f"/api/users/{handle}")
                results.append((response.status_code, response.content, work))
            assert results[0][0] == 404
            assert results[0][2] != []
            assert all(result == results[0] for result in results)
