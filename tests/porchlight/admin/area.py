"""Two app instances on one database, with a signed-in admin, for the tests of admin routes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import jwt
import psycopg

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator, claims
from tests.porchlight.factories import SeededGuru, seed_guru


@dataclass(frozen=True)
class AdminArea:
    """Two app instances on one database. `staff`: the headers of an admin who is signed in."""

    app: Porchlight
    other: Porchlight
    database: Database
    web: httpx.AsyncClient
    staff: dict[str, str]
    emulator: Emulator

    def rows(self, query: str, *params: Any) -> list[tuple[Any, ...]]:
        """Execute a query with the service role. Return its rows."""
        with psycopg.connect(self.database.service_url, autocommit=True) as conn:
            cursor = conn.execute(query.encode(), params)
            return cursor.fetchall() if cursor.description else []

    async def audit_actions(self, subject: str) -> list[str]:
        """Return the audited actions on a subject, newest first."""
        response = await self.web.get(f"/api/admin/audit?subject={subject}", headers=self.staff)
        return [event["action"] for event in response.json()["data"]["items"]]


def create_guru(area: AdminArea, label: str) -> SeededGuru:
    """Create a guru whose owner can sign in."""
    with psycopg.connect(area.database.service_url) as conn:
        guru = seed_guru(conn, label, posts=1)
        conn.execute("UPDATE profiles SET registered_at = app.now() WHERE user_id = %s", [guru.owner])
    area.emulator.create(firebase_uid(guru.owner))
    return guru


def firebase_uid(user_id: UUID | None) -> str:
    """Return the uid of a guru's owner, as `tell` creates it."""
    assert user_id is not None
    return f"uid-{user_id.hex}"


def create_token(user_id: UUID | None, **changes: Any) -> str:
    """Return an ID token of the user: unsigned, as the emulator's tokens are."""
    return jwt.encode(claims(firebase_uid(user_id), **changes), "", algorithm="none")
