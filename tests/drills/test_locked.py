"""A locked table, an exhausted pool, a database that does not answer: 503 soon, and pages stay quick meanwhile."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import psutil
import psycopg
import pytest

from tests.drills.sender import leave
from tests.platform_.server import Serving, look, served
from tests.platform_.world import tell
from tests.support.databases import Database

REFUSED_WITHIN = 3.0  # seconds: the promise
GURUS = [f"guru-{number}" for number in range(12)]
# Beyond noise: what waits for a lock or a connection waits for hundreds of milliseconds.
MUCH_SLOWER = 10


@pytest.fixture(scope="module")
def server(database: Database) -> Iterator[Serving]:
    with psycopg.connect(database.overseer_url) as conn:
        for label in GURUS:
            tell(conn, label)
    # Without the cache every page asks the database: nothing here is quick because it was remembered.
    env = {"DATABASE_URL": database.app_url, "PORCHLIGHT_LIMITS": "off", "PORCHLIGHT_PAGE_CACHE": "off"}
    with served(env, workers=1) as made:
        yield made


@contextlib.contextmanager
def _locked(database: Database, table: str) -> Iterator[None]:
    with psycopg.connect(database.superuser_url) as holder:
        holder.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
        yield
        holder.rollback()


def _refusal(server: Serving, label: str, number: int) -> tuple[int, float, str | None]:
    """One lead: status, seconds, Retry-After."""
    began = time.monotonic()
    connection = server.connect()
    connection.request(
        "POST",
        f"/api/gurus/{label}/leads",
        b'{"name":"Ada","email":"ada@example.com","message":"%d","consent":true}' % number,
        {"Host": f"{label}.porchlight.localhost", "Content-Type": "application/json"},
    )
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, time.monotonic() - began, answer.getheader("retry-after")


def _pages(server: Serving, count: int) -> list[float]:
    """Seconds that pages took which have nothing to do with leads."""
    taken = []
    with contextlib.closing(server.connect()) as connection:
        for number in range(count):
            label = GURUS[number % len(GURUS)]
            path = (f"/api/gurus/{label}/posts", f"/api/gurus/{label}/services", "/blog", "/services")[number % 4]
            began = time.monotonic()
            status, _ = look(connection, path, f"{label}.porchlight.localhost")
            taken.append(time.monotonic() - began)
            assert status == 200, path
    return taken


def _compare(server: Serving, burden: Callable[[ThreadPoolExecutor], None]) -> tuple[float, float]:
    """The median of pages without and with a burden, in seconds."""
    _pages(server, 20)
    free = statistics.median(_pages(server, 60))
    with ThreadPoolExecutor(40) as crowd:
        burden(crowd)
        burdened = statistics.median(_pages(server, 60))
    return free, burdened


def test_a_locked_table_refuses_leads_soon_and_keeps_no_page_waiting(server: Serving, database: Database) -> None:
    refusals: list[tuple[int, float, str | None]] = []

    def burden(crowd: ThreadPoolExecutor) -> None:
        for number in range(40):
            crowd.submit(
                lambda number=number: refusals.append(_refusal(server, GURUS[number % len(GURUS)], number))  # type: ignore[misc]
            )

    with _locked(database, "leads"):
        free, burdened = _compare(server, burden)
    assert len(refusals) == 40
    assert {status for status, _, _ in refusals} == {503}
    assert all(retry is not None and int(retry) > 0 for _, _, retry in refusals)
    slowest = max(seconds for _, seconds, _ in refusals)
    print(
        f"\nleads locked: 40 refusals, the slowest after {slowest:.2f} s;"
        f" pages {free * 1000:.1f} ms free, {burdened * 1000:.1f} ms meanwhile"
    )
    assert slowest <= REFUSED_WITHIN
    assert burdened <= free * MUCH_SLOWER
    assert leave(server, GURUS[0], "after-the-lock") == 201


def test_pages_that_touch_the_locked_table_keep_no_other_waiting(server: Serving, database: Database) -> None:
    """The home page counts leads: while they are locked it is refused, and the others find connections all the same."""
    answers: list[tuple[int, float]] = []

    def home(label: str) -> None:
        began = time.monotonic()
        status, _ = server.get(f"/api/gurus/{label}/home", f"{label}.porchlight.localhost")
        answers.append((status, time.monotonic() - began))

    def burden(crowd: ThreadPoolExecutor) -> None:
        for number in range(40):
            crowd.submit(home, GURUS[number % len(GURUS)])

    with _locked(database, "leads"):
        free, burdened = _compare(server, burden)
    slowest = max(seconds for _, seconds in answers)
    print(
        f"\nhomes with leads locked: the slowest after {slowest:.2f} s;"
        f" pages {free * 1000:.1f} ms free, {burdened * 1000:.1f} ms meanwhile"
    )
    assert {status for status, _ in answers} == {503}
    assert slowest <= REFUSED_WITHIN
    assert burdened <= free * MUCH_SLOWER


def test_a_database_that_does_not_answer_is_refused_soon(server: Serving, database: Database) -> None:
    """Its processes are there and say nothing, as on a machine that hangs."""
    with psycopg.connect(database.superuser_url) as conn:
        pids = [
            row[0]
            for row in conn.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = 'porchlight_app'"
            ).fetchall()
        ]
    stopped = [psutil.Process(pid) for pid in pids]
    for process in stopped:
        process.suspend()
    try:
        with ThreadPoolExecutor(12) as crowd:
            answers = list(crowd.map(lambda number: _refusal(server, GURUS[number], number), range(12)))
    finally:
        for process in stopped:
            process.resume()
    slowest = max(seconds for _, seconds, _ in answers)
    print(f"\nhung: {sorted({status for status, _, _ in answers})}, the slowest after {slowest:.2f} s")
    assert {status for status, _, _ in answers} <= {201, 503}
    assert slowest <= REFUSED_WITHIN
