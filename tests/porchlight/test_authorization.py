"""Every operation of the OpenAPI document, called by every kind of caller on own, other users' and unknown objects."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import jwt
import psycopg
import pytest

from porchlight.app import Porchlight
from tenants.kit.ids import new_id, parse_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator, claims
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.authorization import CALLERS, KEY, ROWS, Row
from tests.porchlight.factories import SeededGuru, insert_row, seed_guru
from tests.porchlight.openapi import openapi_document
from tests.porchlight.path_values import PATH_VALUES, SeededUser

OPERATIONS = {
    operation["operationId"]: (method.upper(), path)
    for path, methods in openapi_document()["paths"].items()
    for method, operation in methods.items()
}
OWN = {"origin": f"http://{BASE_HOST}"}
_numbers = itertools.count()


def test_matrix_covers_every_operation() -> None:
    missing = [f"{name}  ({method} {path})" for name, (method, path) in OPERATIONS.items() if name not in ROWS]
    assert not missing, (
        "These operations have no row in the authorization matrix. Add each in"
        " tests/porchlight/authorization/, whose docstring explains how:\n  " + "\n  ".join(missing)
    )
    assert set(ROWS) <= set(OPERATIONS), f"rows of removed operations: {sorted(set(ROWS) - set(OPERATIONS))}"


@dataclass(frozen=True)
class Deployment:
    """The app, its database and the Auth emulator."""

    app: Porchlight
    conn: psycopg.Connection[Any]
    emulator: Emulator
    web: httpx.AsyncClient


@pytest.fixture(scope="module")
async def deployment(database: Database, emulator: Emulator) -> AsyncIterator[Deployment]:
    parts = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host, "admin_key": KEY}
    # An unreachable payment provider: authorized callers get 503.
    parts |= {"stripe_secret_key": "sk_test_matrix", "stripe_webhook_secret": "whsec_matrix"}
    parts |= {"stripe_api_base": "http://127.0.0.1:9"}
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        async with run_app(database, **parts) as app, http_client(app, BASE_HOST) as web:
            yield Deployment(app, conn, emulator, web)


def _create_user(conn: psycopg.Connection[Any], guru: SeededGuru, user_id: UUID | None, secret: bytes) -> SeededUser:
    if user_id is None:  # a neighbor
        user_id = new_id()
        row = {"user_id": user_id, "firebase_uid": f"uid-{user_id.hex}", "email": f"{user_id.hex}@mail.example"}
        insert_row(conn, "users", row)
        insert_row(conn, "profiles", {"user_id": user_id, "handle": f"neighbor-{user_id.hex[-12:]}"})
    query = "UPDATE profiles SET display_name = 'Ada', registered_at = app.now() WHERE user_id = %s RETURNING handle"
    profile = conn.execute(query, [user_id]).fetchone()
    assert profile is not None
    return SeededUser(user_id, profile[0], guru, secret)


def _create_guru(conn: psycopg.Connection[Any]) -> SeededGuru:
    """Create a guru whose owner has the largest plan: the matrix is about authorization."""
    guru = seed_guru(conn, f"guru-{next(_numbers)}x{new_id().hex[-6:]}", posts=1)
    grant = {"user_id": guru.owner, "plan": "premium-angel", "until": "2100-01-01", "reason": "test"}
    insert_row(conn, "plan_grants", grant)
    return guru


class Callers:
    """The six callers with their own objects, and another guru, who makes no calls."""

    def __init__(self, deployment: Deployment) -> None:
        conn, secret = deployment.conn, deployment.app.settings.address_secret
        gurus = {caller: _create_guru(conn) for caller in (*CALLERS, "another") if caller != "neighbor"}
        self.users = {caller: _create_user(conn, guru, guru.owner, secret) for caller, guru in gurus.items()}
        self.users["neighbor"] = _create_user(conn, gurus["another"], None, secret)
        conn.execute(
            "UPDATE users SET status = 'suspended', suspended_at = app.now() WHERE user_id = %s",
            [self.users["suspended"].user_id],
        )
        self.headers: dict[str, dict[str, str]] = {"anonymous": {}}
        for caller in ("neighbor", "guru", "other guru", "suspended"):
            user = self.users[caller]
            deployment.emulator.create(f"uid-{user.user_id.hex}")
            token = jwt.encode(claims(f"uid-{user.user_id.hex}", firebase_uid=None), "", algorithm="none")
            self.headers[caller] = {"authorization": f"Bearer {token}"}

    async def sign_in_admin(self, web: httpx.AsyncClient) -> None:
        """Open an admin session."""
        response = await web.post("/api/admin/login", json={"key": KEY}, headers=OWN)
        assert response.status_code == 200, response.text
        web.cookies.clear()
        self.headers["admin"] = {"cookie": response.headers["set-cookie"].split(";")[0]}


@pytest.fixture(scope="module")
async def readers(deployment: Deployment) -> Callers:
    """Callers for all reads, which leave them as they are."""
    callers = Callers(deployment)
    await callers.sign_in_admin(deployment.web)
    return callers


@pytest.fixture
async def callers(deployment: Deployment, readers: Callers, operation: str) -> Callers:
    """Callers of an operation: those of all reads, or new ones, because a write may change or delete their objects."""
    if OPERATIONS[operation][0] == "GET":
        return readers
    created = Callers(deployment)
    await created.sign_in_admin(deployment.web)
    return created


def _unknown_name(name: str) -> str:
    """Return an unknown name of the same format."""
    if name.isdecimal():
        return str(int(name) + 1)
    stem, dot, suffix = name.partition(".")
    if parse_id(stem) is not None:
        return f"{new_id()}{dot}{suffix}"
    return ("n" + new_id().hex[::-1] * 3)[: len(stem)] + dot + suffix


async def _request(
    deployment: Deployment, callers: Callers, caller: str, operation: str, names: dict[str, str], user: SeededUser
) -> httpx.Response:
    method, path = OPERATIONS[operation]
    row: Row = ROWS[operation]
    body = row.body(user) if callable(row.body) else row.body
    options: dict[str, Any] = {"json": body} if body is not None else {}
    headers = OWN | callers.headers[caller]
    if row.content is not None:
        headers["content-type"], options["content"] = row.content
    target = path.format(**names) + (f"?{row.query}" if row.query else "")
    return await deployment.web.request(method, target, headers=headers, **options)


def _normalized(response: httpx.Response, names: dict[str, str]) -> tuple[int, str]:
    text = response.text
    for name in sorted(names.values(), key=len, reverse=True):
        text = text.replace(name, "?")
    return response.status_code, text


@pytest.mark.parametrize("operation", [name for name in OPERATIONS if name in ROWS])
async def test_responses_match_authorization_matrix(deployment: Deployment, callers: Callers, operation: str) -> None:
    row = ROWS[operation]
    path_names = re.findall(r"{(\w+)}", OPERATIONS[operation][1])
    factories = {name: row.names.get(name, name) for name in path_names}
    unknown_factories = set(factories.values()) - set(PATH_VALUES)
    assert not unknown_factories, f"add {sorted(unknown_factories)} to PATH_VALUES in tests/porchlight/path_values.py"
    assert not factories or row.other, "the path names an object: add the statuses for another user's object"
    results: dict[str, tuple[int, ...]] = {}
    # Other users' objects come first, because a call may delete the caller's own objects.
    for side, expected in (("other", row.other), ("own", row.own)):
        if not expected:
            continue
        statuses = []
        for caller in CALLERS:
            user = callers.users["another" if side == "other" else caller]
            names = {name: PATH_VALUES[kind](deployment.conn, user) for name, kind in factories.items()}
            response = await _request(deployment, callers, caller, operation, names, user)
            statuses.append(response.status_code)
            if response.is_success and row.own[CALLERS.index("anonymous")] == 401:
                kept = response.headers.get("cache-control", "")
                assert "no-store" in kept or "private" in kept, "a browser could show it to the next person"
            if caller == "admin" and response.is_success and row.own[CALLERS.index("neighbor")] == 401:
                assert "no-store" in response.headers.get("cache-control", ""), "a cache could keep what staff see"
            # Staff act on what belongs to anyone, and see why it cannot be done now.
            is_for_all = caller == "admin" and row.own == row.other
            if side == "other" and response.status_code >= 400 and factories and not is_for_all:
                unknown_names = {name: _unknown_name(value) for name, value in names.items()}
                unknown_response = await _request(deployment, callers, caller, operation, unknown_names, user)
                assert _normalized(response, names) == _normalized(unknown_response, unknown_names), (
                    f"{caller}: another user's object differs from an unknown one"
                )
        results[side] = tuple(statuses)
    assert results == {side: expected for side, expected in (("other", row.other), ("own", row.own)) if expected}, (
        CALLERS
    )
