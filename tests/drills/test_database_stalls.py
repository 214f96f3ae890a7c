"""A locked table, an exhausted pool, a hung database: fast 503 responses, and other pages stay fast."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import psutil
import psycopg
import pytest

from tests.drills.lead_sender import post_lead
from tests.fixtures.databases import Database, use_production_timeouts
from tests.porchlight.factories import seed_guru
from tests.porchlight.server import ServerProcess, get_over, run_server

MAX_REJECTION_SECONDS = 3.0  # seconds: the promise
GURUS = [f"guru-{number}" for number in range(12)]
# Above noise: waiting for a lock or a connection takes hundreds of milliseconds.
MAX_SLOWDOWN = 10


@pytest.fixture(scope="module")
def server(database: Database) -> Iterator[ServerProcess]:
    use_production_timeouts(database)
    with psycopg.connect(database.service_url) as conn:
        for label in GURUS:
            seed_guru(conn, label)
    # Without the page cache, every page queries the database.
    env = {"DATABASE_URL": database.app_url, "PORCHLIGHT_LIMITS": "off", "PORCHLIGHT_PAGE_CACHE": "off"}
    with run_server(env, workers=1) as server:
        yield server


@contextlib.contextmanager
def _locked(database: Database, table: str) -> Iterator[None]:
    with psycopg.connect(database.superuser_url) as locking_connection:
        locking_connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
        yield
        locking_connection.rollback()


def _timed_lead(server: ServerProcess, label: str, number: int) -> tuple[int, float, str | None]:
    """Send a lead. Return status, seconds and Retry-After."""
    began = time.monotonic()
    connection = server.connect()
    connection.request(
        "POST",
        f"/api/gurus/{label}/leads",
        b'{"name":"Ada","email":"ada@example.com","message":"%d","consent":true}' % number,
        {"Host": f"{label}.porchlight.localhost", "Content-Type": "application/json"},
    )
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status, time.monotonic() - began, response.getheader("retry-after")


def _page_times(server: ServerProcess, count: int) -> list[float]:
    """Return the response times, in seconds, of pages that do not read leads."""
    seconds_taken = []
    with contextlib.closing(server.connect()) as connection:
        for number in range(count):
            label = GURUS[number % len(GURUS)]
            path = (f"/api/gurus/{label}/posts", f"/api/gurus/{label}/services", "/blog", "/services")[number % 4]
            began = time.monotonic()
            status, _ = get_over(connection, path, f"{label}.porchlight.localhost")
            seconds_taken.append(time.monotonic() - began)
            assert status == 200, path
    return seconds_taken


def _compare_page_times(server: ServerProcess, add_load: Callable[[ThreadPoolExecutor], None]) -> tuple[float, float]:
    """Return the median response time of pages without and with load, in seconds."""
    _page_times(server, 20)
    unloaded = statistics.median(_page_times(server, 60))
    with ThreadPoolExecutor(40) as executor:
        add_load(executor)
        loaded = statistics.median(_page_times(server, 60))
    return unloaded, loaded


def test_locked_table_fails_leads_fast_and_keeps_pages_fast(server: ServerProcess, database: Database) -> None:
    rejections: list[tuple[int, float, str | None]] = []

    def send(number: int) -> None:
        rejections.append(_timed_lead(server, GURUS[number % len(GURUS)], number))

    def add_load(executor: ThreadPoolExecutor) -> None:
        for number in range(40):
            executor.submit(send, number)

    with _locked(database, "leads"):
        unloaded, loaded = _compare_page_times(server, add_load)
    assert len(rejections) == 40
    assert {status for status, _, _ in rejections} == {503}
    assert all(retry is not None and int(retry) > 0 for _, _, retry in rejections)
    slowest = max(seconds for _, seconds, _ in rejections)
    print(
        f"\nleads locked: 40 refusals, the slowest after {slowest:.2f} s;"
        f" pages {unloaded * 1000:.1f} ms free, {loaded * 1000:.1f} ms meanwhile"
    )
    assert slowest <= MAX_REJECTION_SECONDS
    assert loaded <= unloaded * MAX_SLOWDOWN
    assert post_lead(server, GURUS[0], "after-the-lock") == 201


def test_pages_reading_locked_table_do_not_slow_others(server: ServerProcess, database: Database) -> None:
    """The home page counts leads: with the table locked it fails, and other pages still get connections."""
    responses: list[tuple[int, float]] = []

    def home(label: str) -> None:
        began = time.monotonic()
        status, _ = server.get(f"/api/gurus/{label}/home", f"{label}.porchlight.localhost")
        responses.append((status, time.monotonic() - began))

    def add_load(executor: ThreadPoolExecutor) -> None:
        for number in range(40):
            executor.submit(home, GURUS[number % len(GURUS)])

    with _locked(database, "leads"):
        unloaded, loaded = _compare_page_times(server, add_load)
    slowest = max(seconds for _, seconds in responses)
    print(
        f"\nhomes with leads locked: the slowest after {slowest:.2f} s;"
        f" pages {unloaded * 1000:.1f} ms free, {loaded * 1000:.1f} ms meanwhile"
    )
    assert {status for status, _ in responses} == {503}
    assert slowest <= MAX_REJECTION_SECONDS
    assert loaded <= unloaded * MAX_SLOWDOWN


def test_hung_database_fails_requests_fast(server: ServerProcess, database: Database) -> None:
    """The database processes are suspended, as on a machine that hangs."""
    with psycopg.connect(database.superuser_url) as conn:
        pids = [
            row[0]
            for row in conn.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = 'porchlight_app'"
            ).fetchall()
        ]
    processes = [psutil.Process(pid) for pid in pids]
    for process in processes:
        process.suspend()
    try:
        with ThreadPoolExecutor(12) as executor:
            responses = list(executor.map(lambda number: _timed_lead(server, GURUS[number], number), range(12)))
    finally:
        for process in processes:
            process.resume()
    slowest = max(seconds for _, seconds, _ in responses)
    print(f"\nhung: {sorted({status for status, _, _ in responses})}, the slowest after {slowest:.2f} s")
    assert {status for status, _, _ in responses} <= {201, 503}
    assert slowest <= MAX_REJECTION_SECONDS
