"""The whole way through real processes: emulator, API, worker. And nothing of a person in their logs."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.accounts.calls import REGISTRATION, bearer
from tests.support.databases import Database
from tests.support.identity import PROJECT, Emulator
from tests.support.ports import free_ports
from tests.support.product import PROGRAM, eventually

HOST = "porchlight.localhost"


@dataclass
class House:
    """An API and a worker as processes."""

    port: int
    logs: list[Path]

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.port}"

    def client(self) -> httpx.Client:
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}", headers={"host": f"{HOST}:{self.port}"}, timeout=60
        )

    def said(self) -> str:
        return "".join(log.read_text(errors="replace") for log in self.logs)


@pytest.fixture(scope="module")
def house(database: Database, emulator: Emulator, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    port = free_ports()
    folder = tmp_path_factory.mktemp("house")
    env = os.environ | {
        "DATABASE_URL": database.app_url,
        "PORCHLIGHT_OVERSEER_DATABASE_URL": database.overseer_url,
        "PORCHLIGHT_BASE_HOST": HOST,
        "PORCHLIGHT_MAIN_URL": f"http://{HOST}:{port}",
        "FIREBASE_PROJECT_ID": PROJECT,
        "FIREBASE_AUTH_EMULATOR_HOST": emulator.host,
    }
    made = House(port, [folder / "api.log", folder / "worker.log"])
    processes = []
    for words, log in ((["serve", "--port", str(port), "--workers", "2"], made.logs[0]), (["worker"], made.logs[1])):
        with log.open("wb") as output:
            processes.append(subprocess.Popen([PROGRAM, *words], env=env, stdout=output, stderr=output))

    def ready() -> bool:
        try:
            with made.client() as web:
                return web.get("/readyz").status_code == 200
        except httpx.HTTPError:
            return False

    try:
        eventually("the API is ready", ready)
        yield made
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(60)


def _mail(web: httpx.Client, to: str, words: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = []

    def arrived() -> bool:
        messages = web.get("/_mail/messages.json", params={"to": to}).json()["messages"]
        found[:] = [message for message in messages if words in message["subject"]]
        return bool(found)

    eventually(f"a mail “{words}” arrives", arrived)
    whole: dict[str, Any] = web.get(f"/_mail/{found[0]['id']}/message.json").json()
    return whole


def test_a_newcomer_from_sign_up_to_deletion(house: House, emulator: Emulator) -> None:
    email, uid, token = emulator.sign_up()
    secrets = [email, token, uid, "303 555 0142"]
    with house.client() as web:
        # Sign up: register, cookie, mail.
        answer = web.post("/api/auth/register", json=REGISTRATION | {"email": email}, headers=bearer(token))
        assert answer.status_code == 201
        own = {"origin": house.origin}
        answer = web.post("/api/auth/session", json={"idToken": token}, headers=own)
        cookie = answer.headers.get_list("set-cookie")[0].split(";")[0]
        web.cookies.clear()
        secrets.append(cookie.removeprefix("__session="))
        assert web.get("/api/auth/session", headers={"cookie": cookie}).json()["data"]["user"]["displayName"]
        emulator.send_code("VERIFY_EMAIL", idToken=token)
        mail = _mail(web, email, "Verify your email")
        link = re.search(rf"{house.origin}/auth/action\?mode=verifyEmail&oobCode=([\w-]+)", mail["plain"])
        assert link is not None
        assert link[1] in mail["html"]
        secrets.append(link[1])
        emulator._accounts("update", {"oobCode": link[1]})
        # A fresh token says so, and the profile follows with the next exchange.
        fresh = emulator.sign_in(email)
        secrets.append(fresh)
        assert web.post("/api/auth/session", json={"idToken": fresh}, headers=own).status_code == 200
        web.cookies.clear()
        assert web.get("/api/auth/profile", headers=bearer(fresh)).json()["data"]["emailVerified"] is True
        # Things that go wrong must not be logged with what they were about either.
        web.put("/api/auth/profile", json={"bio": "call 303 555 0142", "role": email}, headers=bearer(fresh))
        web.get(f"/api/users/{email}", headers={"x-request-id": "quiet-request"})
        web.get(f"/api/auth/profile?token={fresh}&email={email}")
        web.get("/api/auth/profile", headers=bearer(fresh[:-3] + "x"))
        secrets.append("p" * 43)
        web.get("/api/auth/arrival", params={"to": f"/?{email}", "pass": "p" * 43})
        web.get("/api/auth/pass", params={"to": f"http://{email}/", "browser": "p" * 43}, headers={"cookie": cookie})
        web.post("/api/contact", json={"name": "Ada", "email": email, "message": "303 555 0142", "subject": "Hi"})
        contact = _mail(web, f"hello@{HOST}", "Hi")
        assert contact["replyTo"] == email
        # Forgotten password.
        emulator.send_code("PASSWORD_RESET", email=email)
        assert "resetPassword" in _mail(web, email, "Reset your password")["plain"]
        # Sign out everywhere, in again, delete; the worker deletes the sign-in too.
        assert web.delete("/api/auth/sessions", headers={"cookie": cookie, **own}).status_code == 200
        assert web.get("/api/auth/profile", headers=bearer(fresh)).status_code == 401
        last = emulator.sign_in(email)
        secrets.append(last)
        assert web.delete("/api/auth/account", headers=bearer(last)).status_code == 200
        eventually("the worker deletes the account", lambda: not emulator.knows(uid))
        assert web.get("/api/auth/profile", headers=bearer(last)).status_code == 401
    said = house.said()
    assert '"route":"/api/auth/register"' in said  # there are logs, and they are these
    for secret in secrets:
        assert secret not in said


@pytest.mark.drill
def test_disabled_is_felt_by_both_workers(house: House, emulator: Emulator) -> None:
    """Two workers, each with a memory of its own: both refuse in the end, without a restart."""
    _, uid, token = emulator.sign_up()
    with house.client() as web:
        for _ in range(10):
            assert web.get("/api/auth/profile", headers=bearer(token)).status_code == 200
        emulator.disable(uid)
        began = time.monotonic()
        refused = 0

        def felt() -> bool:
            nonlocal refused
            refused = refused + 1 if _fresh_status(house, token) == 401 else 0
            return refused >= 12

        eventually("every worker refuses the disabled account", felt, 60)
        assert time.monotonic() - began <= 60


def _fresh_status(house: House, token: str) -> int:
    with house.client() as web:  # a new connection may reach the other worker
        return web.get("/api/auth/profile", headers=bearer(token)).status_code
