"""Time of the event loop that an anonymous request takes: a few of them must not occupy a worker.

Walks every operation that the authorization matrix lets anonymous visitors read, the pages of the main platform, and a
guru's site, against the demo data. The cost is the CPU time of the loop's thread; the database and helper threads work
beside it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.demo_data import angels, bookings, gurus, neighbors, plans, porch_lights
from porchlight.worker.guru_facts import count_guru_facts
from tests.bench.figures import print_figure
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, run_app, send_raw
from tests.porchlight.authorization import ROWS
from tests.porchlight.openapi import openapi_document

pytestmark = pytest.mark.bench

MAX_MS = 3.0
ROUNDS = 15
LABEL = "cooking"
# Queries of operations that need one, and of those whose widest answer has another one.
QUERIES = {
    "/api/geocode/reverse": ("latitude=39.74&longitude=-104.99",),
    "/api/geocode/search": ("q=Denver", "q=80202", "q=De&limit=10"),
    "/api/skills": ("", "search=guitar", "search=a", "category=music"),
    "/api/skills/suggestions/autocomplete": ("q=gu", "q=wodworkign&limit=10"),
    "/api/search": ("q=bread", "q=someone+to+help+me+with+sourdough+on+Sundays", "q=bread&near=80202&withinMiles=25"),
    "/api/angels": ("", "search=garden", "search=lawn+mowing&city=Denver"),
    "/api/angels/{service_id}": ("", "city=Denver", "near=80202"),
    "/api/porch-lights": ("", "south=39&west=-106&north=41&east=-104"),
    "/api/gurus/{subdomain}/services/{service_id}/slots": ("", "days=31"),
}
MAIN_PAGES = (
    "/", "/skills", "/angels", "/pricing", "/login", "/nothing-here", "/robots.txt", "/sitemap.xml",
    "/api/openapi.json", "/api/docs", "/api/docs/swagger-ui-bundle.js", "/api/docs/swagger-ui.css",
    "/u/maya-lindqvist", "/no/such.js", "/api/no-such-path", "/healthz", "/readyz", "/metrics",
)  # fmt: skip
GURU_PAGES = ("/", "/blog", "/services", "/contact", "/about", "/book", "/robots.txt", "/sitemap.xml", "/no-such-page")


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of the loop's thread: of the first request, and the median of the others."""

    name: str
    status: int
    first: float
    median: float


@pytest.fixture(scope="module")
def demo_database(database: Database) -> Database:
    """The demo data, without pictures and money."""
    for feature in (gurus, neighbors, plans, angels, porch_lights, bookings):
        feature.load_all(database.service_url)
    count_guru_facts(database.service_url)
    return database


@pytest.fixture(scope="module")
async def app(demo_database: Database) -> AsyncIterator[Porchlight]:
    """The app as production runs it, without the cache of pages: everyone can ask for what is not in it."""
    async with run_app(demo_database, page_cache="off") as created:
        yield created


def path_values(database: Database) -> dict[str, str]:
    """Return the values of path parameters in the demo data."""
    with psycopg.connect(database.service_url) as conn:

        def one(query: str) -> str:
            row = conn.execute(query.encode()).fetchone()
            assert row is not None, query
            return str(row[0])

        tenant = one(f"SELECT id FROM gurus WHERE label = '{LABEL}'")
        return {
            "subdomain": LABEL,
            "slug": one(f"SELECT slug FROM posts WHERE tenant_id = '{tenant}' AND published_at < app.now() LIMIT 1"),
            "service_id": one(f"SELECT id FROM services WHERE tenant_id = '{tenant}' LIMIT 1"),
            "angel": one("SELECT service_id FROM angels GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"),
            "listing_id": one("SELECT id FROM skill_offers LIMIT 1"),
            "handle": one("SELECT handle FROM profiles WHERE is_public LIMIT 1"),
            "level": "high",
        }


def requests(database: Database) -> Iterator[tuple[str, str]]:
    """Return host and target of every request."""
    values = path_values(database)
    for path, methods in openapi_document()["paths"].items():
        operation = methods.get("get")
        if operation is None or ROWS[operation["operationId"]].own[0] != 200:
            continue
        filled = path
        if path.startswith("/api/angels/"):
            filled = path.replace("{service_id}", values["angel"])
        for name, value in values.items():
            filled = filled.replace(f"{{{name}}}", value)
        if "{" not in filled:  # photos: bytes of the database
            for query in QUERIES.get(path, ("",)):
                yield BASE_HOST, f"{filled}?{query}" if query else filled
    for path in MAIN_PAGES:
        yield BASE_HOST, path
    for path in GURU_PAGES:
        yield f"{LABEL}.{BASE_HOST}", path


async def cost_of(app: Any, host: str, target: str) -> Cost:
    """Measure a request some times."""
    spent: list[float] = []
    status = 0
    for _ in range(ROUNDS):
        began = time.thread_time()
        response = await send_raw(app, target.encode(), host)
        spent.append((time.thread_time() - began) * 1000)
        status = response.status
    name = target if host == BASE_HOST else f"{LABEL}: {target}"
    return Cost(name, status, spent[0], statistics.median(spent[1:]))


async def test_anonymous_requests_loop_time(app: Porchlight, demo_database: Database) -> None:
    costs = [await cost_of(app, host, target) for host, target in requests(demo_database)]
    for cost in sorted(costs, key=lambda cost: -cost.median):
        note = f"{cost.status}, first {cost.first:.1f}"
        print_figure(cost.name[:46], cost.median, None, "ms", at_most=MAX_MS, note=note)
    assert {cost.status for cost in costs} <= {200, 302, 404}
