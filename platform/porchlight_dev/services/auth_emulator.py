"""The official Firebase Auth emulator as a service, with the accounts of the demo data."""

from __future__ import annotations

import json
import os
import shutil
from http.client import HTTPConnection
from typing import Any

import psycopg

from porchlight.demo_data.neighbors import Neighbor, load_neighbors
from porchlight_dev.environment import ROOT, DevEnvironment
from porchlight_dev.errors import DevError
from porchlight_dev.probes import http_probe
from porchlight_dev.processes import require_free_port
from porchlight_dev.supervisor import DevService
from tenants.db.rows import fetch_values

PROJECT = "demo-porchlight"
_ACCOUNTS_PATH = f"/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts"


def firebase_settings(environment: DevEnvironment) -> dict[str, str]:
    """Return the Firebase settings of the API and the worker (docs/operations.md)."""
    return {"FIREBASE_PROJECT_ID": PROJECT, "FIREBASE_AUTH_EMULATOR_HOST": f"127.0.0.1:{environment.auth_port}"}


def auth_emulator_service(environment: DevEnvironment) -> DevService:
    """Return the Auth emulator, which stores its accounts in the state folder."""
    folder = environment.state.path / "auth"
    environment.facts["auth_url"] = f"http://127.0.0.1:{environment.auth_port}"

    async def prepare() -> None:
        if not (ROOT / "node_modules" / "firebase-tools").is_dir():
            raise DevError("The Auth emulator is not installed: run `make setup`.")
        require_free_port(environment.auth_port, "sign-in")
        folder.mkdir(mode=0o700, exist_ok=True)

    def argv() -> list[str]:
        node = shutil.which("node")
        if node is None:
            raise DevError("Node was not found: install Node 20 or newer.")
        server = str(ROOT / "infra" / "auth-emulator" / "server.js")
        return [node, server, "--port", str(environment.auth_port), "--project", PROJECT, "--state", str(folder)]

    return DevService(
        name="auth",
        argv=argv,
        env={"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder), "CI": "1"},
        prepare=prepare,
        ready=http_probe(environment.auth_port, "/"),
        cwd=ROOT,
    )


def create_demo_accounts(port: int, database_url: str) -> list[dict[str, Any]]:
    """Create a missing account for each active user of the demo data; return the `users` of `demo.json`."""
    with psycopg.connect(database_url) as conn:
        active = set(fetch_values(conn, str, "SELECT firebase_uid FROM users WHERE status = 'active'"))
    users = [user for user in load_neighbors() if user.uid in active]
    existing = _existing_uids(port, users) if users else set()
    for user in users:
        if user.uid not in existing:
            account = {
                "localId": user.uid,
                "email": user.email,
                "emailVerified": True,
                "displayName": user.display_name,
                "password": user.password,
            }
            _post(port, _ACCOUNTS_PATH, account)
    return [{"email": user.email, "password": user.password, "role": user.role, "guru": user.guru} for user in users]


def _existing_uids(port: int, users: list[Neighbor]) -> set[str]:
    response = _post(port, f"{_ACCOUNTS_PATH}:lookup", {"localId": [user.uid for user in users]})
    return {user["localId"] for user in response.get("users", [])}


def _post(port: int, path: str, body: dict[str, Any]) -> dict[str, Any]:
    connection = HTTPConnection("127.0.0.1", port)  # however long it takes: its end closes the connection
    try:
        headers = {"Authorization": "Bearer owner", "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read()
    finally:
        connection.close()
    if response.status != 200:
        raise DevError(f"The Auth emulator rejected an account of the demo data (status {response.status}).")
    result: dict[str, Any] = json.loads(text)
    return result
