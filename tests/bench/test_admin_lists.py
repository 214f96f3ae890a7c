"""Response time of the first page of each admin list, with 50,000 users and 10,000 gurus."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import statistics
import time
from collections.abc import Iterator

import psycopg
import pytest

from porchlight.demo_data import bulk_data
from porchlight_dev.postgres.server import LocalPostgres
from tenants.db import roles
from tests.bench.conftest import BASE, create_bench_database
from tests.bench.figures import print_figure
from tests.bench.servers import product

pytestmark = pytest.mark.bench

USERS = int(os.environ.get("PORCHLIGHT_BENCH_USERS", "50000"))
GURUS = int(os.environ.get("PORCHLIGHT_BENCH_ADMIN_GURUS", "10000"))
REPORTS = 20_000
KEY = "correct-horse-battery-staple-0123456789"
MAX_MS = 200.0  # the required maximum
ROUNDS = 15

# UUIDv7 ids: newer rows sort later.
_ID = "(lpad(to_hex((1.7e12 + n)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')"
_ID += " || '8' || substr(md5(n::text), 1, 15))::uuid"
USERS_SQL = f"""
INSERT INTO users (user_id, firebase_uid, email)
SELECT {_ID}, 'uid-' || n, 'neighbor' || n || '@mail' || n % 97 || '.example' FROM generate_series(1, {USERS}) n;
INSERT INTO profiles (user_id, handle, display_name, registered_at, skills_offered)
SELECT {_ID}, 'neighbor-' || n, 'Neighbor ' || n, app.now(),
       CASE WHEN n % 3 = 0 THEN '[]'::jsonb ELSE jsonb_build_array(jsonb_build_object('name', 'Skill ' || n % 400,
            'level', null)) END
  FROM generate_series(1, {USERS}) n;
INSERT INTO memberships (tenant_id, user_id)
SELECT g.id, u.user_id FROM (SELECT id, row_number() OVER () AS n FROM gurus) g
  JOIN (SELECT user_id, row_number() OVER () AS n FROM users) u ON u.n = g.n;
INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, guru_id, reason, address_hash,
                     idempotency_key, digest)
SELECT {_ID}, 'site', g.id, g.label, g.character, g.id, 'spam', '', 'bench-' || n, ''
  FROM generate_series(1, {REPORTS}) n
  JOIN (SELECT id, label, character, row_number() OVER () AS k FROM gurus) g ON g.k = 1 + n % {GURUS};
"""
FIRST_PAGES = (
    "/api/admin/dashboard",
    "/api/admin/users",
    "/api/admin/users?search=neighbor4999",
    "/api/admin/users?search=example",
    "/api/admin/users?search=ne",
    "/api/admin/users?status=suspended",
    "/api/admin/listings",
    "/api/admin/listings?search=skill",
    "/api/admin/sessions",
    "/api/admin/reports?status=open",
    "/api/admin/reports?search=guru-0042",
    "/api/feature-flags/admin",
    "/api/documents/pending",
    "/api/admin/sites",
    "/api/admin/sites?search=guru-0042",
    "/api/admin/sites?status=suspended",
    "/api/admin/audit",
    "/api/admin/risk-reviews",
)


@pytest.fixture(scope="module")
def staff(durable_postgres: LocalPostgres) -> Iterator[tuple[http.client.HTTPConnection, dict[str, str]]]:
    """A signed-in admin connection to a worker with the large database."""
    bench_database = create_bench_database(durable_postgres, "bench_admin")
    service_db = bench_database.url(roles.SERVICE_ROLE)
    bulk_data.build(service_db, GURUS, posts_per_guru=3)
    with psycopg.connect(service_db, autocommit=True) as conn:
        conn.execute(USERS_SQL.encode())
        conn.execute("SET client_min_messages = error")
        conn.execute("ANALYZE")
    with product(bench_database.env, PORCHLIGHT_ADMIN_KEY=KEY) as worker:
        connection = http.client.HTTPConnection("127.0.0.1", worker.port, timeout=60)
        headers = {"Host": BASE, "Origin": f"http://{BASE}", "Content-Type": "application/json"}
        connection.request("POST", "/api/admin/login", json.dumps({"key": KEY}), headers)
        response = connection.getresponse()
        response.read()
        assert response.status == 200
        with contextlib.closing(connection):
            yield connection, {"Host": BASE, "Cookie": str(response.headers["set-cookie"]).split(";")[0]}


@pytest.mark.parametrize("path", FIRST_PAGES)
def test_admin_first_page_time(staff: tuple[http.client.HTTPConnection, dict[str, str]], path: str) -> None:
    connection, headers = staff
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        response.read()
        times.append((time.perf_counter() - began) * 1000)
        assert response.status == 200
    print_figure(
        f"first page of {path}", statistics.median(times), None, "ms", at_most=MAX_MS, note=f"worst {max(times):.0f} ms"
    )
