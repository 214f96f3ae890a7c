"""Every route of the console: another guru's id gets the response of an unknown id and changes no data."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.app import Porchlight
from tenants.kit.ids import new_id
from tests.fixtures.refusals import refusal
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.factories import row_digests
from tests.porchlight.hours.calendar_calls import BOOKING, local, utc
from tests.porchlight.openapi import documented_routes
from tests.porchlight.owner import POST_TEXT, GuruOwner
from tests.porchlight.services.test_services import SERVICE

ROUTES = [
    (method.upper(), path)
    for method, path in documented_routes()
    if path == "/api/guru" or path.startswith("/api/guru/")
]
WITH_IDS = [(method, path) for method, path in ROUTES if "{" in path]
START = utc(local(30, 9))
BODIES: dict[str, Any] = {
    "PUT /api/guru/posts/{post_id}": POST_TEXT | {"revision": 0, "status": "published"},
    "PUT /api/guru/posts/{post_id}/working-copy": POST_TEXT | {"revision": 0},
    "PUT /api/guru/services/{service_id}": SERVICE,
    "PUT /api/guru/hours/dates/{day}": {"ranges": []},
    "PUT /api/guru/services/{service_id}/booking": BOOKING | {"revision": 0},
    "POST /api/guru/services/{service_id}/starts": {"startsAt": START},
    "POST /api/guru/services/{service_id}/risk-review": {"sentence": "No partner, only footwork."},
    "PUT /api/guru/blocks/{block_id}": {"startsAt": START, "endsAt": utc(local(30, 10))},
    "PUT /api/guru/leads/{lead_id}/status": {"status": "archived"},
    "POST /api/guru/leads/{lead_id}/answers": {"body": "Hello"},
    "POST /api/guru/leads/{lead_id}/notes": {"body": "Hello"},
    "PUT /api/guru/bookings/{booking_id}/review": {"stars": 5},
    "PUT /api/guru/reviews/{review_id}/reply": {"body": "Thanks!"},
    "POST /api/guru/bookings/{booking_id}/answer": {"accept": True, "reason": ""},
    "POST /api/guru/bookings/{booking_id}/cancellation": {"reason": "I am ill."},
    "POST /api/guru/bookings/{booking_id}/move": {"startsAt": START, "reason": "I am ill."},
    "POST /api/guru/bookings/{booking_id}/following/cancellation": {"reason": "I am ill."},
    "POST /api/guru/bookings/{booking_id}/following/move": {
        "startsAt": START,
        "reason": "I am ill.",
        "bookings": ["x"],
    },
    "PUT /api/guru/clients/{client_id}/note": {"body": "Prefers mornings.", "digest": ""},
    "POST /api/guru/bookings/{booking_id}/attendance": {"missed": True},
    "PUT /api/guru/check-ins/{booking_id}": {"at": START, "device": "Front door"},
    "POST /api/guru/bookings/{booking_id}/participants/{number}/link": {},
    "POST /api/guru/bookings/{booking_id}/participants/{number}/device-link": {},
    "PATCH /api/guru/busy-sources/{source_id}": {"name": "Family"},
    "POST /api/guru/busy-sources/{source_id}/reading": {},
    "POST /api/guru/busy-sources/{source_id}/decision": {},
    "PUT /api/guru/packages/{package_id}": {"name": "Four lessons", "sessions": 4, "days": 60},
    "PUT /api/guru/package-grants/{grant_id}/last-day": {"lastDay": "2028-06-01"},
    "POST /api/guru/package-grants/{grant_id}/withdrawal": {"sessions": 1, "left": 5, "reason": "We agreed."},
    "POST /api/guru/domains/{domain}/checks": {},
    "POST /api/guru/bookings/{booking_id}/refunds": {"amountCents": 100, "keptCents": 100},
    "PUT /api/guru/disputes/{dispute_id}/draft": {"words": "We met.", "customerWords": ""},
    "POST /api/guru/disputes/{dispute_id}/answer": {"words": "We met.", "customerWords": ""},
    "POST /api/guru/sessions/{appointment_id}/cancellation": {"reason": "I am ill."},
    "PUT /api/guru/sessions/{appointment_id}/place": {"place": "online", "placeText": "https://meet.example/a"},
}
QUERIES: dict[str, dict[str, Any]] = {
    "DELETE /api/guru/check-ins/{booking_id}": {"at": START},
    "DELETE /api/guru/posts/{post_id}/working-copy": {"revision": 0},
    "GET /api/guru/services/{service_id}/why": {"at": START},
    "GET /api/guru/bookings/{booking_id}/move/starts": {"from": START[:10]},
    "GET /api/guru/bookings/{booking_id}/refunds/preview": {"amountCents": 100},
}


def _of(conn: psycopg.Connection[Any], table: str, tenant: UUID) -> list[UUID]:
    column = "post_id" if table == "post_edits" else "id"
    return [row[0] for row in conn.execute(f"SELECT {column} FROM {table} WHERE tenant_id = %s", [tenant]).fetchall()]


def _clients_of(conn: psycopg.Connection[Any], tenant: UUID) -> list[UUID]:
    return [row[0] for row in conn.execute("SELECT person_id FROM bookings WHERE tenant_id = %s", [tenant]).fetchall()]


@pytest.fixture(scope="module")
def others(database: Any, theo: GuruOwner) -> list[UUID]:
    """Return all ids of the other guru's rows."""
    with psycopg.connect(database.service_url) as conn:
        tables = ("posts", "services", "leads", "site_images", "lead_notes", "lead_replies", "appointments",
                  "bookings", "packages", "package_grants", "reviews", "busy_sources", "session_disputes",
                  "invoices")  # fmt: skip
        row_ids = [created for table in tables for created in _of(conn, table, theo.guru.id)]
        row_ids += _clients_of(conn, theo.guru.id)
    assert len(row_ids) > 10
    return [*row_ids, theo.guru.id]


def test_isolation_covers_every_route() -> None:
    assert len(ROUTES) >= 25
    for method, path in WITH_IDS:
        assert method in ("GET", "DELETE") or f"{method} {path}" in BODIES, (method, path)


@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
async def test_other_gurus_id_equals_unknown_id(
    service_db: psycopg.Connection[Any], rosa: GuruOwner, theo: GuruOwner, others: list[UUID], data: st.DataObject
) -> None:
    method, path = data.draw(st.sampled_from(WITH_IDS))
    names = re.findall(r"\{(\w+)\}", path)
    known = {name: str(data.draw(st.sampled_from(others))) for name in names}
    if "note_id" in known and data.draw(st.booleans()):
        known["lead_id"] = str(rosa.guru.leads[0])  # an own lead with another guru's note
    random = {name: known[name] if known[name] == str(rosa.guru.leads[0]) else str(new_id()) for name in names}
    before = row_digests(service_db, theo.guru)
    responses = []
    for guess in (known, random):
        body = BODIES.get(f"{method} {path}")
        query = QUERIES.get(f"{method} {path}")
        given = {"json": body} if body else {}
        response = await rosa.web.request(method, path.format(**guess), params=query, **given)
        responses.append((response.status_code, response.json()))
    assert responses[0] == responses[1]
    assert responses[0][0] == 404, (method, path)
    assert row_digests(service_db, theo.guru) == before


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_console_signed_out_is_rejected(app: Porchlight, rosa: GuruOwner, method: str, path: str) -> None:
    target = path.format(post_id=rosa.guru.posts[0], service_id=rosa.guru.services[0], lead_id=rosa.guru.leads[0],
                         image_id=new_id(), note_id=new_id(), day="2027-01-01", block_id=new_id(),
                         start_id=new_id(), booking_id=rosa.guru.booking, appointment_id=new_id(), number=1,
                         domain=rosa.guru.domain, client_id=new_id(), package_id=new_id(), grant_id=new_id(),
                         review_id=new_id(), source_id=new_id(), dispute_id=new_id(), invoice_id=new_id())  # fmt: skip
    async with http_client(app, BASE_HOST) as web:
        assert refusal(await web.request(method, target)) == (401, "unauthenticated")
    async with http_client(app, rosa.guru.host) as web:
        web.headers["authorization"] = rosa.web.headers["authorization"]
        # The console exists on the main host only.
        assert refusal(await web.request(method, target)) == (404, "not_found")


@pytest.mark.parametrize(("method", "path"), WITH_IDS)
@pytest.mark.parametrize("odd", ["x", "%00", "..%2f..", "0" * 36, "%F0%9F%98%80"])
async def test_malformed_id_is_not_found(rosa: GuruOwner, method: str, path: str, odd: str) -> None:
    target = re.sub(r"\{\w+\}", odd, path)
    body = BODIES.get(f"{method} {path}")
    given = {"json": body} if body else {}
    response = await rosa.web.request(method, target, params=QUERIES.get(f"{method} {path}"), **given)
    assert refusal(response) in ((404, "not_found"), (405, "method_not_allowed")), response.text
