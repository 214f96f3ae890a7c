"""Caring for an account: another address, the devices that are signed in, the first mail and the last."""

from __future__ import annotations

from typing import Any

import httpx
import jwt
import psycopg
import pytest

from porchlight import jobs
from porchlight.accounts import actions, following
from porchlight.accounts.devices import device_name
from porchlight.app import Porchlight, identity
from porchlight.notices.mail import MailboxMailer
from tests.accounts.calls import MAIN, bearer, cookie_of, registered
from tests.support.databases import Database
from tests.support.identity import PROJECT, Emulator
from tests.support.jobs import do_jobs


async def _work(database: Database, app: Porchlight) -> None:
    helpers = jobs.Helpers(MailboxMailer(database.overseer_url), "staff@x.example", identity(app.settings), MAIN)
    await do_jobs(database.overseer_url, helpers)


def _mails(database: Database, to: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.overseer_url) as conn:
        return conn.execute(
            "SELECT subject, plain, html FROM mailbox WHERE recipient = %s ORDER BY sent_at", [to]
        ).fetchall()


def _ours(database: Database, uid: str) -> tuple[Any, ...]:
    with psycopg.connect(database.overseer_url) as conn:
        row = conn.execute("SELECT email, email_verified FROM users WHERE firebase_uid = %s", [uid]).fetchone()
    assert row is not None
    return row


def _code(emulator: Emulator, kind: str, email: str) -> str:
    answer = httpx.get(f"http://{emulator.host}/emulator/v1/projects/{PROJECT}/oobCodes", timeout=60)
    codes = answer.json()["oobCodes"]
    return str([code for code in codes if code["requestType"] == kind and code["email"] == email][-1]["oobCode"])


async def _follow(database: Database, app: Porchlight) -> int:
    service = identity(app.settings)
    assert service is not None
    return following.follow(database.overseer_url, await service.addresses(following.changing(database.overseer_url)))


async def test_our_address_follows_the_change_and_its_taking_back(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    email, uid, token = emulator.sign_up()
    await registered(web, token)
    new = f"new-{email}"
    answer = await web.post("/api/auth/email-change", json={"email": new}, headers=bearer(token))
    assert answer.status_code == 202
    assert await _follow(database, app) == 0  # the link was not opened yet
    assert _ours(database, uid) == (email, False)
    emulator.send_code("VERIFY_AND_CHANGE_EMAIL", idToken=token, newEmail=new)
    emulator._accounts("update", {"oobCode": _code(emulator, "VERIFY_AND_CHANGE_EMAIL", email)})
    assert await _follow(database, app) == 1
    assert _ours(database, uid) == (new, True)
    back = emulator.sign_in(new)  # Firebase mails a link for this to the old address; the emulator does not
    emulator.send_code("VERIFY_AND_CHANGE_EMAIL", idToken=back, newEmail=email)
    emulator._accounts("update", {"oobCode": _code(emulator, "VERIFY_AND_CHANGE_EMAIL", new)})
    assert await _follow(database, app) == 1
    assert _ours(database, uid) == (email, True)
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute("UPDATE users SET email_change_asked_at = now() - interval '5 days'")
    assert following.changing(database.overseer_url) == []
    with psycopg.connect(database.overseer_url) as conn:
        left = conn.execute("SELECT count(*) FROM users WHERE email_change_asked_at IS NOT NULL").fetchone()
    assert left == (0,)


@pytest.mark.parametrize(
    "wrong", ["", "nobody", "a@b", "a b@c.example", "a@b.example\nc", "a@" + "b" * 300 + ".example"]
)
async def test_what_is_no_address_is_refused(web: httpx.AsyncClient, emulator: Emulator, wrong: str) -> None:
    _, _, token = emulator.sign_up()
    answer = await web.post("/api/auth/email-change", json={"email": wrong}, headers=bearer(token))
    assert answer.status_code == 422
    assert "email" in answer.json()["error"]["fields"]


async def test_another_address_wants_a_fresh_sign_in(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    email, uid, token = emulator.sign_up()
    await registered(web, token)
    cookie = await cookie_of(web, token)
    same = await web.post("/api/auth/email-change", json={"email": email.upper()}, headers=bearer(token))
    assert same.status_code == 422
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute(
            "UPDATE sessions SET authenticated_at = now() - interval '16 minutes'"
            " WHERE user_id = (SELECT user_id FROM users WHERE firebase_uid = %s)",
            [uid],
        )
    answer = await web.post(
        "/api/auth/email-change", json={"email": "new@x.example"}, headers=cookie | {"origin": MAIN}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "sign_in_again")
    with psycopg.connect(database.overseer_url) as conn:
        asked = conn.execute("SELECT email_change_asked_at FROM users WHERE firebase_uid = %s", [uid]).fetchone()
    assert asked == (None,)


async def test_a_newcomer_is_welcomed_once_and_a_leaver_gets_a_last_mail(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    email, _, token = emulator.sign_up()
    for _ in range(2):
        await registered(web, token, displayName="Wilma <b>Welcome</b>")
    await _work(database, app)
    ((subject, plain, html),) = _mails(database, email)
    assert subject == "Welcome to Porchlight"
    assert "Hello Wilma <b>Welcome</b>," in plain
    assert f"{MAIN}/profile" in plain
    assert "<b>Welcome" not in html
    assert "<img" not in html

    assert (await web.delete("/api/auth/account", headers=bearer(token))).status_code == 200
    with psycopg.connect(database.overseer_url) as conn:
        args = conn.execute("SELECT args::text FROM jobs.procrastinate_jobs").fetchall()
    assert email not in str(args)  # the address waits in one place alone
    await _work(database, app)
    last = _mails(database, email)[-1]
    assert last[0] == "Your Porchlight account is deleted"
    assert "contact form" in last[1]
    with psycopg.connect(database.overseer_url) as conn:
        assert conn.execute("SELECT count(*) FROM farewells").fetchone() == (0,)


async def test_an_account_that_is_gone_is_welcomed_no_more(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    email, _, token = emulator.sign_up()
    await registered(web, token)
    await web.delete("/api/auth/account", headers=bearer(token))
    await _work(database, app)
    assert [mail[0] for mail in _mails(database, email)] == ["Your Porchlight account is deleted"]


def test_nobody_reads_or_writes_farewells_by_hand(database: Database) -> None:
    for statement in (
        "SELECT recipient FROM farewells",
        "INSERT INTO farewells (id, recipient, name) VALUES (gen_random_uuid(), 'all@x.example', '')",
        "DELETE FROM farewells",
    ):
        with psycopg.connect(database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(statement)


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
def test_devices_are_named_as_people_do(agent: str) -> None:
    assert device_name(agent) == AGENTS[agent]


def _grow_older(database: Database, uid: str) -> None:
    """Move everything about the account's present sign-ins an hour back, and its tokens' moments with them."""
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute(
            "UPDATE sessions SET last_seen_at = last_seen_at - interval '1 hour',"
            " authenticated_at = authenticated_at - interval '1 hour'"
            " WHERE user_id = (SELECT user_id FROM users WHERE firebase_uid = %s)",
            [uid],
        )


async def _devices(web: httpx.AsyncClient, headers: dict[str, str]) -> list[dict[str, Any]]:
    answer = await web.get("/api/auth/sessions", headers=headers)
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()["data"]["sessions"]
    return found


async def test_devices_say_when_they_were_last_seen(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    _, uid, token = emulator.sign_up()
    await registered(web, token)
    answer = await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": MAIN, "user-agent": PHONE})
    phone = {"cookie": answer.headers.get_list("set-cookie")[0].split(";")[0]}
    web.cookies.clear()
    desk = await cookie_of(web, token)
    _grow_older(database, uid)
    # As the main platform asks: with a token, the cookie along with it.
    here, there = await _devices(web, bearer(token) | desk)
    assert (here["current"], there["current"]) == (True, False)
    assert there["device"] == "Safari on iPhone"
    assert here["lastSeenAt"] > there["lastSeenAt"]
    assert here["authenticatedAt"] < here["lastSeenAt"]
    for path in ("/api/auth/session", "/api/auth/profile"):
        assert (await web.get(path, headers=phone)).status_code == 200
        seen = next(device for device in await _devices(web, bearer(token) | desk) if not device["current"])
        assert seen["lastSeenAt"] > there["lastSeenAt"]
        _grow_older(database, uid)
        there = next(device for device in await _devices(web, bearer(token) | desk) if not device["current"])
    _, _, stranger = emulator.sign_up()
    before = await _devices(web, bearer(token))
    await web.get("/api/auth/profile", headers=bearer(stranger) | phone)  # another's cookie is not theirs to touch
    assert await _devices(web, bearer(token)) == before


def _signed_in_earlier(token: str, seconds: int) -> str:
    """The token of a sign-in that was `seconds` earlier. The emulator's are not signed, so we may write one."""
    claims = jwt.decode(token, options={"verify_signature": False})
    return jwt.encode(claims | {"auth_time": claims["auth_time"] - seconds}, "", algorithm="none")


async def test_signing_a_device_out_ends_the_tokens_of_its_sign_in_too(
    web: httpx.AsyncClient, emulator: Emulator
) -> None:
    _, _, home = emulator.sign_up()
    lost, other = _signed_in_earlier(home, 100), _signed_in_earlier(home, 200)
    await registered(web, home)
    cookie = await cookie_of(web, lost)
    (device,) = await _devices(web, bearer(home))
    ended = await web.delete(f"/api/auth/sessions/{device['id']}", headers=bearer(home))
    assert ended.status_code == 200
    assert (await web.get("/api/auth/session", headers=cookie)).json()["data"]["user"] is None
    assert (await web.get("/api/auth/profile", headers=bearer(lost))).status_code == 401
    again = await web.post("/api/auth/session", json={"idToken": lost}, headers={"origin": MAIN})
    assert again.status_code == 401
    for token in (home, other):
        assert (await web.get("/api/auth/profile", headers=bearer(token))).status_code == 200


async def test_ending_a_session_of_ones_own_sign_in_leaves_the_sign_in(
    web: httpx.AsyncClient, emulator: Emulator
) -> None:
    _, _, token = emulator.sign_up()
    await cookie_of(web, token)
    (device,) = await _devices(web, bearer(token))
    assert (await web.delete(f"/api/auth/sessions/{device['id']}", headers=bearer(token))).status_code == 200
    assert await _devices(web, bearer(token)) == []


async def test_the_ended_sign_ins_that_are_remembered_are_bounded(
    web: httpx.AsyncClient, emulator: Emulator, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "ENDED_EACH", 2)
    _, uid, home = emulator.sign_up()
    for seconds in (300, 200, 100):
        await cookie_of(web, _signed_in_earlier(home, seconds))
        (device,) = await _devices(web, bearer(home))
        await web.delete(f"/api/auth/sessions/{device['id']}", headers=bearer(home))
    with psycopg.connect(database.overseer_url) as conn:
        row = conn.execute("SELECT ended_sign_ins FROM users WHERE firebase_uid = %s", [uid]).fetchone()
    assert row is not None
    now = jwt.decode(home, options={"verify_signature": False})["auth_time"]
    assert [now - int(moment.timestamp()) for moment in row[0]] == [100, 200]
