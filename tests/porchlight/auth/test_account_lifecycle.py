"""The life of an account through real processes: emulator, API, worker. The logs contain no personal data."""

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

from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.ports import free_ports
from tests.fixtures.product import PROGRAM, eventually
from tests.porchlight.auth.api_client import REGISTRATION, bearer_header

HOST = "porchlight.localhost"


@dataclass
class Deployment:
    """An API and a worker as processes, with their logs."""

    port: int
    logs: list[Path]

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.port}"

    def client(self) -> httpx.Client:
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}", headers={"host": f"{HOST}:{self.port}"}, timeout=60
        )

    def log_text(self) -> str:
        return "".join(log.read_text(errors="replace") for log in self.logs)


@pytest.fixture(scope="module")
def deployment(
    database: Database, emulator: Emulator, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    port = free_ports()
    folder = tmp_path_factory.mktemp("deployment")
    env = os.environ | {
        "DATABASE_URL": database.app_url,
        "PORCHLIGHT_OVERSEER_DATABASE_URL": database.service_url,
        "PORCHLIGHT_BASE_HOST": HOST,
        "PORCHLIGHT_MAIN_URL": f"http://{HOST}:{port}",
        "FIREBASE_PROJECT_ID": PROJECT,
        "FIREBASE_AUTH_EMULATOR_HOST": emulator.host,
    }
    deployment = Deployment(port, [folder / "api.log", folder / "worker.log"])
    processes = []
    for arguments, log in (
        (["serve", "--port", str(port), "--workers", "2"], deployment.logs[0]),
        (["worker"], deployment.logs[1]),
    ):
        with log.open("wb") as output:
            processes.append(subprocess.Popen([PROGRAM, *arguments], env=env, stdout=output, stderr=output))

    def ready() -> bool:
        try:
            with deployment.client() as web:
                return web.get("/readyz").status_code == 200
        except httpx.HTTPError:
            return False

    try:
        eventually("the API is ready", ready)
        yield deployment
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(60)


def _wait_for_email(web: httpx.Client, to: str, subject: str) -> dict[str, Any]:
    matching: list[dict[str, Any]] = []

    def arrived() -> bool:
        messages = web.get("/_mail/messages.json", params={"to": to}).json()["messages"]
        matching[:] = [message for message in messages if subject in message["subject"]]
        return bool(matching)

    eventually(f"an email “{subject}” arrives", arrived)
    email: dict[str, Any] = web.get(f"/_mail/{matching[0]['id']}/message.json").json()
    return email


@pytest.mark.drill
def test_account_lifecycle_leaves_no_secrets_in_logs(deployment: Deployment, emulator: Emulator) -> None:
    email, uid, token = emulator.sign_up()
    secrets = [email, token, uid, "303 555 0142"]
    with deployment.client() as web:
        # Sign up: register, session cookie, email.
        response = web.post("/api/auth/register", json=REGISTRATION | {"email": email}, headers=bearer_header(token))
        assert response.status_code == 201
        own_origin = {"origin": deployment.origin}
        response = web.post("/api/auth/session", json={"idToken": token}, headers=own_origin)
        cookie = response.headers.get_list("set-cookie")[0].split(";")[0]
        web.cookies.clear()
        secrets.append(cookie.removeprefix("__session="))
        assert web.get("/api/auth/session", headers={"cookie": cookie}).json()["data"]["user"]["displayName"]
        emulator.send_code("VERIFY_EMAIL", idToken=token)
        verification = _wait_for_email(web, email, "Verify your email")
        link = re.search(rf"{deployment.origin}/auth/action\?mode=verifyEmail&oobCode=([\w-]+)", verification["plain"])
        assert link is not None
        assert link[1] in verification["html"]
        secrets.append(link[1])
        emulator.call_accounts("update", {"oobCode": link[1]})
        # A new token contains the verification, and the next session exchange updates the profile.
        new_token = emulator.sign_in(email)
        secrets.append(new_token)
        assert web.post("/api/auth/session", json={"idToken": new_token}, headers=own_origin).status_code == 200
        web.cookies.clear()
        assert web.get("/api/auth/profile", headers=bearer_header(new_token)).json()["data"]["emailVerified"] is True
        # Logs of failed requests must not contain the data either.
        web.put("/api/auth/profile", json={"bio": "call 303 555 0142", "role": email}, headers=bearer_header(new_token))
        web.get(f"/api/users/{email}", headers={"x-request-id": "test-request"})
        web.get(f"/api/auth/profile?token={new_token}&email={email}")
        web.get("/api/auth/profile", headers=bearer_header(new_token[:-3] + "x"))
        secrets.append("p" * 43)
        web.get("/api/auth/arrival", params={"to": f"/?{email}", "pass": "p" * 43})
        web.get("/api/auth/pass", params={"to": f"http://{email}/", "browser": "p" * 43}, headers={"cookie": cookie})
        web.post("/api/contact", json={"name": "Ada", "email": email, "message": "303 555 0142", "subject": "Hi"})
        contact = _wait_for_email(web, f"hello@{HOST}", "Hi")
        assert contact["replyTo"] == email
        # Reset the password.
        emulator.send_code("PASSWORD_RESET", email=email)
        assert "resetPassword" in _wait_for_email(web, email, "Reset your password")["plain"]
        # Sign out everywhere, sign in again, delete the account; the worker deletes it at the identity provider.
        assert web.delete("/api/auth/sessions", headers={"cookie": cookie, **own_origin}).status_code == 200
        assert web.get("/api/auth/profile", headers=bearer_header(new_token)).status_code == 401
        last_token = emulator.sign_in(email)
        secrets.append(last_token)
        assert web.delete("/api/auth/account", headers=bearer_header(last_token)).status_code == 200
        eventually("the worker deletes the account", lambda: not emulator.knows(uid))
        assert web.get("/api/auth/profile", headers=bearer_header(last_token)).status_code == 401
    logs = deployment.log_text()
    assert '"route":"/api/auth/register"' in logs  # the logs are not empty
    for secret in secrets:
        assert secret not in logs


@pytest.mark.drill
def test_disabled_account_is_rejected_by_both_workers(deployment: Deployment, emulator: Emulator) -> None:
    """Each worker caches account statuses; both reject the account, without a restart."""
    _, uid, token = emulator.sign_up()
    with deployment.client() as web:
        for _ in range(10):
            assert web.get("/api/auth/profile", headers=bearer_header(token)).status_code == 200
        emulator.disable(uid)
        started_at = time.monotonic()
        rejections = 0

        def is_rejected_everywhere() -> bool:
            nonlocal rejections
            rejections = rejections + 1 if _status_on_new_connection(deployment, token) == 401 else 0
            return rejections >= 12

        eventually("every worker rejects the disabled account", is_rejected_everywhere, 60)
        assert time.monotonic() - started_at <= 60


def _status_on_new_connection(deployment: Deployment, token: str) -> int:
    with deployment.client() as web:  # a new connection may reach the other worker
        return web.get("/api/auth/profile", headers=bearer_header(token)).status_code
