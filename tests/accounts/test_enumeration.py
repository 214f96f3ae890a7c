"""Whether an account is there cannot be told: not by words, not by status, not by the work an answer costs.

Work is counted rather than timed: the statements that reach the database, and the questions to the identity service.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from porchlight.accounts.standing import Standings
from tenants.kit.db import Database as Pools
from tests.accounts.calls import MAIN, bearer, cookie_of, registered
from tests.platform_.world import BASE, serving, visitor
from tests.support.databases import Database
from tests.support.identity import PROJECT, CertificateServer, Emulator, Signer, claims


@pytest.fixture(scope="module")
async def web(database: Database, emulator: Emulator) -> AsyncIterator[httpx.AsyncClient]:
    """An app that wants signed tokens, as in production."""
    signer = Signer("key-one")
    certificates = CertificateServer(signer)
    async with serving(
        database,
        firebase_project_id=PROJECT,
        firebase_emulator_host=emulator.host,
        firebase_certs_url=certificates.url,
    ) as app:
        async with visitor(app, BASE) as client:
            for uid in ("here", "gone"):
                emulator.create(uid)
                await registered(client, signer.token(claims(uid)))
            answer = await client.delete("/api/auth/account", headers=bearer(signer.token(claims("gone"))))
            assert answer.status_code == 200
            yield client
    certificates.close()


@contextmanager
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What the requests inside cost: statements, and questions about accounts."""
    done: list[str] = []
    trip, ask = Pools._trip, Standings._standing

    async def counted_trip(self: Pools, *args: Any, **named: Any) -> Any:
        done.append("read")
        return await trip(self, *args, **named)

    async def counted_ask(self: Standings, *args: Any, **named: Any) -> Any:
        done.append("ask")
        return await ask(self, *args, **named)

    def counted(*_args: Any) -> None:
        done.append("statement")

    with monkeypatch.context() as patched:
        patched.setattr(Pools, "_trip", counted_trip)
        patched.setattr(Standings, "_standing", counted_ask)
        event.listen(Engine, "before_cursor_execute", counted)
        try:
            yield done
        finally:
            event.remove(Engine, "before_cursor_execute", counted)


CALLS: dict[str, tuple[str, str, dict[str, Any] | None]] = {
    "profile": ("GET", "/api/auth/profile", None),
    "register": ("POST", "/api/auth/register", {}),
    "session": ("GET", "/api/auth/session", None),
    "erase": ("DELETE", "/api/auth/account", None),
}


@pytest.mark.parametrize("call", CALLS)
async def test_a_token_that_is_not_ours_costs_the_same_for_everybody(
    web: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Somebody guesses uids: a token of another's making is refused before anybody is looked for."""
    method, path, body = CALLS[call]
    stranger = Signer("key-one")
    seen = []
    for uid in ("here", "gone", "never-there"):
        with work(monkeypatch) as done:
            answer = await web.request(method, path, json=body, headers=bearer(stranger.token(claims(uid))))
        seen.append((answer.status_code, answer.content, sorted(answer.headers), done))
    assert seen[0][0] == 401
    assert seen[0][3] == []
    assert all(other == seen[0] for other in seen)


async def test_nor_does_an_exchange_tell(web: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = Signer("key-one")
    seen = []
    for uid in ("here", "gone", "never-there"):
        with work(monkeypatch) as done:
            answer = await web.post(
                "/api/auth/session", json={"idToken": stranger.token(claims(uid))}, headers={"origin": MAIN}
            )
        seen.append((answer.status_code, answer.content, done))
    assert seen[0][0] == 401
    assert seen[0][2] == []
    assert all(other == seen[0] for other in seen)


async def test_a_made_up_cookie_costs_as_much_as_one_that_ended(
    database: Database, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as app:
        async with visitor(app, BASE) as web:
            _, _, token = emulator.sign_up()
            ended = await cookie_of(web, token)
            await web.delete("/api/auth/session", headers=ended | {"origin": MAIN})
            seen = []
            for cookie in (ended, {"cookie": "__session=" + "a" * 43}):
                with work(monkeypatch) as done:
                    answer = await web.get("/api/auth/session", headers=cookie)
                web.cookies.clear()
                seen.append((answer.status_code, answer.content, done))
            assert seen[0] == seen[1]
            assert seen[0][2] == ["read"]


async def test_hidden_erased_and_unknown_profiles_are_one(
    web: httpx.AsyncClient, database: Database, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as app:
        async with visitor(app, BASE) as site:
            handles = {}
            for kind in ("hidden", "erased"):
                _, _, token = emulator.sign_up()
                handles[kind] = (await registered(site, token))["handle"]
                if kind == "hidden":
                    changed = {"privacy": {"publicProfile": False}}
                    assert (await site.put("/api/auth/profile", json=changed, headers=bearer(token))).status_code == 200
                else:
                    assert (await site.delete("/api/auth/account", headers=bearer(token))).status_code == 200
            seen = []
            for handle in (*handles.values(), "never-was-here"):
                with work(monkeypatch) as done:
                    answer = await site.get(f"/api/users/{handle}")
                seen.append((answer.status_code, answer.content, done))
            assert seen[0][0] == 404
            assert seen[0][2] != []
            assert all(other == seen[0] for other in seen)
