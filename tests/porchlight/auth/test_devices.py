"""The list of sessions: device names, last use, and ending one sign-in."""

from __future__ import annotations

from typing import Any

import httpx
import jwt
import psycopg
import pytest

from porchlight.auth import actions
from porchlight.auth.devices import device_name
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.auth.api_client import MAIN_ORIGIN, bearer_header, create_session_cookie, register_user

PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 (KHTML) Version/19.0 Mobile Safari/604.1"
)


AGENTS = {
    PHONE: "Safari on iPhone",
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox on Linux",
    "Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537 Chrome/140.0 Safari/537 Edg/140.0": "Edge on Windows",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/537 Chrome/140.0 Safari/537": "Chrome on Mac",
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537 SamsungBrowser/27 Chrome/140.0": "Samsung Internet on Android",
    "curl/8.9": "Unknown device",
    "": "Unknown device",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_device_name_from_user_agent(agent: str) -> None:
    assert device_name(agent) == AGENTS[agent]


def _age_sessions(database: Database, uid: str) -> None:
    """Move the times of the account's sessions back by an hour."""
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "UPDATE sessions SET last_seen_at = last_seen_at - interval '1 hour',"
            " authenticated_at = authenticated_at - interval '1 hour'"
            " WHERE user_id = (SELECT user_id FROM users WHERE firebase_uid = %s)",
            [uid],
        )


async def _list_sessions(web: httpx.AsyncClient, headers: dict[str, str]) -> list[dict[str, Any]]:
    response = await web.get("/api/auth/sessions", headers=headers)
    assert response.status_code == 200
    sessions: list[dict[str, Any]] = response.json()["data"]["sessions"]
    return sessions


async def test_session_list_shows_last_use(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> None:
    _, uid, token = emulator.sign_up()
    await register_user(web, token)
    response = await web.post(
        "/api/auth/session", json={"idToken": token}, headers={"origin": MAIN_ORIGIN, "user-agent": PHONE}
    )
    phone = {"cookie": response.headers.get_list("set-cookie")[0].split(";")[0]}
    web.cookies.clear()
    desktop = await create_session_cookie(web, token)
    _age_sessions(database, uid)
    # The main platform sends both the token and the cookie.
    current, other = await _list_sessions(web, bearer_header(token) | desktop)
    assert (current["current"], other["current"]) == (True, False)
    assert other["device"] == "Safari on iPhone"
    assert current["lastSeenAt"] > other["lastSeenAt"]
    assert current["authenticatedAt"] < current["lastSeenAt"]
    for path in ("/api/auth/session", "/api/auth/profile"):
        assert (await web.get(path, headers=phone)).status_code == 200
        seen = next(
            device for device in await _list_sessions(web, bearer_header(token) | desktop) if not device["current"]
        )
        assert seen["lastSeenAt"] > other["lastSeenAt"]
        _age_sessions(database, uid)
        other = next(
            device for device in await _list_sessions(web, bearer_header(token) | desktop) if not device["current"]
        )
    _, _, other_token = emulator.sign_up()
    before = await _list_sessions(web, bearer_header(token))
    await web.get("/api/auth/profile", headers=bearer_header(other_token) | phone)  # not their cookie
    assert await _list_sessions(web, bearer_header(token)) == before


def _token_of_earlier_sign_in(token: str, seconds: int) -> str:
    """Return a token whose sign-in was `seconds` earlier. The emulator's tokens have no signature."""
    claims = jwt.decode(token, options={"verify_signature": False})
    return jwt.encode(claims | {"auth_time": claims["auth_time"] - seconds}, "", algorithm="none")


async def test_deleted_session_ends_tokens_of_its_sign_in(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, current = emulator.sign_up()
    lost, other = _token_of_earlier_sign_in(current, 100), _token_of_earlier_sign_in(current, 200)
    await register_user(web, current)
    cookie = await create_session_cookie(web, lost)
    (device,) = await _list_sessions(web, bearer_header(current))
    deleted = await web.delete(f"/api/auth/sessions/{device['id']}", headers=bearer_header(current))
    assert deleted.status_code == 200
    assert (await web.get("/api/auth/session", headers=cookie)).json()["data"]["user"] is None
    assert (await web.get("/api/auth/profile", headers=bearer_header(lost))).status_code == 401
    repeated = await web.post("/api/auth/session", json={"idToken": lost}, headers={"origin": MAIN_ORIGIN})
    assert repeated.status_code == 401
    for token in (current, other):
        assert (await web.get("/api/auth/profile", headers=bearer_header(token))).status_code == 200


async def test_deleted_session_of_current_sign_in_keeps_its_token(web: httpx.AsyncClient, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    await create_session_cookie(web, token)
    (device,) = await _list_sessions(web, bearer_header(token))
    assert (await web.delete(f"/api/auth/sessions/{device['id']}", headers=bearer_header(token))).status_code == 200
    assert await _list_sessions(web, bearer_header(token)) == []


async def test_ended_sign_ins_are_bounded(
    web: httpx.AsyncClient, emulator: Emulator, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "MAX_ENDED_SIGN_INS", 2)
    _, uid, current = emulator.sign_up()
    for seconds in (300, 200, 100):
        await create_session_cookie(web, _token_of_earlier_sign_in(current, seconds))
        (device,) = await _list_sessions(web, bearer_header(current))
        await web.delete(f"/api/auth/sessions/{device['id']}", headers=bearer_header(current))
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT ended_sign_ins FROM users WHERE firebase_uid = %s", [uid]).fetchone()
    assert row is not None
    now = jwt.decode(current, options={"verify_signature": False})["auth_time"]
    signed_in = [moment - clock.offset() for moment in row[0]]  # by the provider's clock, as `now`
    assert [now - int(moment.timestamp()) for moment in signed_in] == [100, 200]
