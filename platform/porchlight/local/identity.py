"""The local identity service: the official Auth emulator, and the accounts of the demo in it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import psycopg

from porchlight.local.errors import LocalError
from porchlight.local.processes import refuse_taken_port
from porchlight.local.supervisor import Part
from porchlight.seeds.neighbours import Neighbour, everybody

if TYPE_CHECKING:
    from porchlight.local.parts import World

PROJECT = "demo-porchlight"
_ACCOUNTS = f"/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts"


def identity_environment(world: World) -> dict[str, str]:
    """What the API and the worker need to know of the emulator (DESIGN 9)."""
    return {"FIREBASE_PROJECT_ID": PROJECT, "FIREBASE_AUTH_EMULATOR_HOST": f"127.0.0.1:{world.auth_port}"}


def identity_part(world: World) -> Part:
    """The Auth emulator with its accounts in the state folder; the people of the stories are put in."""
    from porchlight.local.parts import ROOT, answers_http

    folder = world.state.path / "auth"
    world.facts["auth_url"] = f"http://127.0.0.1:{world.auth_port}"

    async def prepare() -> None:
        if not (ROOT / "node_modules" / "firebase-tools").is_dir():
            raise LocalError("The Auth emulator is not installed: run `make setup`.")
        refuse_taken_port(world.auth_port, "sign-in")
        folder.mkdir(mode=0o700, exist_ok=True)

    def argv() -> list[str]:
        node = shutil.which("node")
        if node is None:
            raise LocalError("Node was not found: install Node 20 or newer.")
        server = str(ROOT / "infra" / "auth-emulator" / "server.js")
        return [node, server, "--port", str(world.auth_port), "--project", PROJECT, "--state", str(folder)]

    async def welcome() -> None:
        world.facts["users"] = await asyncio.to_thread(put_in, world.auth_port, world.superuser_url)

    return Part(
        name="auth",
        argv=argv,
        env={"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder), "CI": "1"},
        prepare=prepare,
        ready=answers_http(world.auth_port, "/"),
        after_ready=welcome,
        cwd=ROOT,
        ready_seconds=180,  # it reads a large API description, which takes a busy machine its time
    )


def put_in(port: int, database_url: str) -> list[dict[str, Any]]:
    """Give every living person of the stories an account to sign in with; `users` of `demo.json`."""
    with psycopg.connect(database_url) as conn:
        rows = conn.execute("SELECT firebase_uid FROM users WHERE status = 'active'").fetchall()
    living = {row[0] for row in rows}
    people = [person for person in everybody() if person.uid in living]
    there = _there(port, people) if people else set()
    for person in people:
        if person.uid not in there:
            account = {
                "localId": person.uid,
                "email": person.email,
                "emailVerified": True,
                "displayName": person.display_name,
                "password": person.password,
            }
            _post(port, _ACCOUNTS, account)
    return [
        {"email": person.email, "password": person.password, "role": person.role, "guru": person.guru}
        for person in people
    ]


def _there(port: int, people: list[Neighbour]) -> set[str]:
    found = _post(port, f"{_ACCOUNTS}:lookup", {"localId": [person.uid for person in people]})
    return {user["localId"] for user in found.get("users", [])}


def _post(port: int, path: str, body: dict[str, Any]) -> dict[str, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        headers = {"Authorization": "Bearer owner", "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
    finally:
        connection.close()
    if answer.status != 200:
        raise LocalError(f"The Auth emulator refused an account of the stories ({answer.status}).")
    made: dict[str, Any] = json.loads(text)
    return made
