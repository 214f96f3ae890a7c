"""What is another guru's answers like what nobody has, on every route of the console, and nothing of theirs changes."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.app import Porchlight
from porchlight.cli import document
from tenants.kit.ids import new_id
from tests.console.owner import WORDS, Owner
from tests.console.test_services import OFFER
from tests.platform_.world import BASE, checksum, visitor

ROUTES = [
    (method.upper(), path)
    for path, methods in document()["paths"].items()
    for method in methods
    if path == "/api/guru" or path.startswith("/api/guru/")
]
WITH_IDS = [(method, path) for method, path in ROUTES if "{" in path]
BODIES: dict[str, Any] = {
    "PUT /api/guru/posts/{post_id}": WORDS | {"revision": 0, "status": "published"},
    "PUT /api/guru/posts/{post_id}/working-copy": WORDS | {"revision": 0},
    "PUT /api/guru/services/{service_id}": OFFER,
    "PUT /api/guru/leads/{lead_id}/status": {"status": "archived"},
    "POST /api/guru/leads/{lead_id}/answers": {"body": "Hello"},
    "POST /api/guru/leads/{lead_id}/notes": {"body": "Hello"},
}


def _of(conn: psycopg.Connection[Any], table: str, tenant: UUID) -> list[UUID]:
    column = "post_id" if table == "post_edits" else "id"
    return [row[0] for row in conn.execute(f"SELECT {column} FROM {table} WHERE tenant_id = %s", [tenant]).fetchall()]


@pytest.fixture(scope="module")
def others(database: Any, theo: Owner) -> list[UUID]:
    """Every id that the other guru has, whatever it is of."""
    with psycopg.connect(database.overseer_url) as conn:
        tables = ("posts", "services", "leads", "site_images", "lead_notes", "lead_answers")
        found = [made for table in tables for made in _of(conn, table, theo.guru.id)]
    assert len(found) > 10
    return [*found, theo.guru.id]


def test_every_route_is_here() -> None:
    assert len(ROUTES) >= 25
    for method, path in WITH_IDS:
        assert method in ("GET", "DELETE") or f"{method} {path}" in BODIES, (method, path)


@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
async def test_anothers_id_answers_like_an_unknown_one(
    overseer: psycopg.Connection[Any], rosa: Owner, theo: Owner, others: list[UUID], data: st.DataObject
) -> None:
    method, path = data.draw(st.sampled_from(WITH_IDS))
    names = re.findall(r"\{(\w+)\}", path)
    known = {name: str(data.draw(st.sampled_from(others))) for name in names}
    if "note_id" in known and data.draw(st.booleans()):
        known["lead_id"] = str(rosa.guru.leads[0])  # one's own lead, another's note
    random = {name: known[name] if known[name] == str(rosa.guru.leads[0]) else str(new_id()) for name in names}
    before = checksum(overseer, theo.guru)
    answers = []
    for guess in (known, random):
        body = BODIES.get(f"{method} {path}")
        query = {"revision": 0} if path.endswith("working-copy") and method == "DELETE" else None
        given = {"json": body} if body else {}
        answer = await rosa.web.request(method, path.format(**guess), params=query, **given)
        answers.append((answer.status_code, answer.json()))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404, (method, path)
    assert checksum(overseer, theo.guru) == before


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_nothing_is_for_strangers(app: Porchlight, rosa: Owner, method: str, path: str) -> None:
    target = path.format(post_id=rosa.guru.posts[0], service_id=rosa.guru.services[0], lead_id=rosa.guru.leads[0],
                         image_id=new_id(), note_id=new_id())  # fmt: skip
    async with visitor(app, BASE) as web:
        assert (await web.request(method, target)).status_code == 401
    async with visitor(app, rosa.guru.host) as web:
        web.headers["authorization"] = rosa.web.headers["authorization"]
        assert (await web.request(method, target)).status_code == 404  # not on the guru's own host


@pytest.mark.parametrize(("method", "path"), WITH_IDS)
@pytest.mark.parametrize("odd", ["x", "%00", "..%2f..", "0" * 36, "%F0%9F%98%80"])
async def test_odd_ids_are_unknown(rosa: Owner, method: str, path: str, odd: str) -> None:
    target = re.sub(r"\{\w+\}", odd, path)
    body = BODIES.get(f"{method} {path}")
    given = {"json": body} if body else {}
    answer = await rosa.web.request(method, f"{target}?revision=0", **given)
    assert answer.status_code in (404, 405), answer.text
