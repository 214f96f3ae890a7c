"""Every operation of the OpenAPI document, asked by everybody about what is theirs, a stranger's and nobody's."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import jwt
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.cli import document
from tenants.kit.ids import new_id, parse_id
from tests.platform_.authorisation import CALLERS, KEY, ROWS, Row
from tests.platform_.things import THINGS, Being
from tests.platform_.world import BASE, Told, insert, serving, tell, visitor
from tests.support.databases import Database
from tests.support.identity import PROJECT, Emulator, claims, start_emulator
from tests.support.sharing import shared

OPERATIONS = {
    operation["operationId"]: (method.upper(), path)
    for path, methods in document()["paths"].items()
    for method, operation in methods.items()
}
OWN = {"origin": f"http://{BASE}"}
_numbers = itertools.count()


def test_every_operation_has_a_row() -> None:
    missing = [f"{name}  ({method} {path})" for name, (method, path) in OPERATIONS.items() if name not in ROWS]
    assert not missing, (
        "These operations have no row in the authorisation matrix. Add one each to ROWS in"
        " tests/platform_/authorisation.py, whose head says how:\n  " + "\n  ".join(missing)
    )
    assert set(ROWS) <= set(OPERATIONS), f"rows of operations that are gone: {sorted(set(ROWS) - set(OPERATIONS))}"


@pytest.fixture(scope="module")
def emulator(run_directory: Path) -> Iterator[Emulator]:
    with shared(run_directory, "auth-emulator", lambda: start_emulator(run_directory)) as facts:
        made = Emulator(facts["host"])
        yield made
        made.close()


@dataclass(frozen=True)
class House:
    """The app, its database and the identity service."""

    app: Porchlight
    conn: psycopg.Connection[Any]
    emulator: Emulator
    web: httpx.AsyncClient


@pytest.fixture(scope="module")
async def house(database: Database, emulator: Emulator) -> AsyncIterator[House]:
    parts = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host, "admin_key": KEY}
    # A payment provider that nobody reaches: who is let in finds it out (503).
    parts |= {"stripe_secret_key": "sk_test_matrix", "stripe_webhook_secret": "whsec_matrix"}
    parts |= {"stripe_api_base": "http://127.0.0.1:9"}
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        async with serving(database, **parts) as app, visitor(app, BASE) as web:
            yield House(app, conn, emulator, web)


def _person(conn: psycopg.Connection[Any], guru: Told, user_id: UUID | None) -> Being:
    if user_id is None:  # a neighbor
        user_id = new_id()
        row = {"user_id": user_id, "firebase_uid": f"uid-{user_id.hex}", "email": f"{user_id.hex}@mail.example"}
        insert(conn, "users", row)
        insert(conn, "profiles", {"user_id": user_id, "handle": f"neighbor-{user_id.hex[-12:]}"})
    name = "UPDATE profiles SET display_name = 'Somebody', registered_at = now() WHERE user_id = %s RETURNING handle"
    found = conn.execute(name, [user_id]).fetchone()
    assert found is not None
    return Being(user_id, found[0], guru)


def _guru(conn: psycopg.Connection[Any]) -> Told:
    return tell(conn, f"guru-{next(_numbers)}x{new_id().hex[-6:]}", posts=1)


class Cast:
    """The six callers, each with things of their own, and a stranger."""

    def __init__(self, house: House) -> None:
        conn = house.conn
        gurus = {caller: _guru(conn) for caller in (*CALLERS, "stranger") if caller != "neighbor"}
        self.beings = {caller: _person(conn, guru, guru.owner) for caller, guru in gurus.items()}
        self.beings["neighbor"] = _person(conn, gurus["stranger"], None)
        conn.execute(
            "UPDATE users SET status = 'suspended', suspended_at = now() WHERE user_id = %s",
            [self.beings["suspended"].user_id],
        )
        self.headers: dict[str, dict[str, str]] = {"anonymous": {}}
        for caller in ("neighbor", "guru", "other guru", "suspended"):
            being = self.beings[caller]
            house.emulator.create(f"uid-{being.user_id.hex}")
            token = jwt.encode(claims(f"uid-{being.user_id.hex}", firebase_uid=None), "", algorithm="none")
            self.headers[caller] = {"authorization": f"Bearer {token}"}

    async def let_staff_in(self, web: httpx.AsyncClient) -> None:
        """Open a staff session for the admin."""
        answer = await web.post("/api/admin/login", json={"key": KEY}, headers=OWN)
        assert answer.status_code == 200, answer.text
        web.cookies.clear()
        self.headers["admin"] = {"cookie": answer.headers["set-cookie"].split(";")[0]}


def _unlike(name: str) -> str:
    """Something nobody has, of the same shape."""
    stem, dot, suffix = name.partition(".")
    if parse_id(stem) is not None:
        return f"{new_id()}{dot}{suffix}"
    return ("n" + new_id().hex[::-1] * 3)[: len(stem)] + dot + suffix


async def _answer(
    house: House, cast: Cast, caller: str, operation: str, names: dict[str, str], being: Being
) -> httpx.Response:
    method, path = OPERATIONS[operation]
    row: Row = ROWS[operation]
    body = row.body(being) if callable(row.body) else row.body
    sent: dict[str, Any] = {"json": body} if body is not None else {}
    headers = OWN | cast.headers[caller]
    if row.content is not None:
        headers["content-type"], sent["content"] = row.content
    target = path.format(**names) + (f"?{row.query}" if row.query else "")
    return await house.web.request(method, target, headers=headers, **sent)


def _shown(answer: httpx.Response, names: dict[str, str]) -> tuple[int, str]:
    text = answer.text
    for name in sorted(names.values(), key=len, reverse=True):
        text = text.replace(name, "?")
    return answer.status_code, text


@pytest.mark.parametrize("operation", [name for name in OPERATIONS if name in ROWS])
async def test_everybody_is_answered_as_the_matrix_says(house: House, operation: str) -> None:
    row = ROWS[operation]
    wanted = re.findall(r"{(\w+)}", OPERATIONS[operation][1])
    kinds = {name: row.names.get(name, name) for name in wanted}
    unknown_kinds = set(kinds.values()) - set(THINGS)
    assert not unknown_kinds, f"say what {sorted(unknown_kinds)} are: THINGS in tests/platform_/authorisation.py"
    assert not kinds or row.foreign, "the path names something: say what is answered about a stranger's"
    cast = Cast(house)
    await cast.let_staff_in(house.web)
    found: dict[str, tuple[int, ...]] = {}
    # The stranger's first: what people do to their own may well end them.
    for side, expected in (("foreign", row.foreign), ("own", row.own)):
        if not expected:
            continue
        statuses = []
        for caller in CALLERS:
            being = cast.beings["stranger" if side == "foreign" else caller]
            names = {name: THINGS[kind](house.conn, being) for name, kind in kinds.items()}
            answer = await _answer(house, cast, caller, operation, names, being)
            statuses.append(answer.status_code)
            if side == "foreign" and answer.status_code >= 400 and kinds:
                guess = {name: _unlike(given) for name, given in names.items()}
                alike = await _answer(house, cast, caller, operation, guess, being)
                assert _shown(answer, names) == _shown(alike, guess), f"{caller}: a stranger's differs from nobody's"
        found[side] = tuple(statuses)
    assert found == {side: wanted for side, wanted in (("foreign", row.foreign), ("own", row.own)) if wanted}, CALLERS
