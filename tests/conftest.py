"""Shared fixtures: a PostgreSQL server, a browser and the running product."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import structlog
from hypothesis import HealthCheck, settings
from playwright.async_api import Browser, BrowserContext, async_playwright, expect

from porchlight_dev.checks.chromium import INSTALL_HINT, find_chromium
from tests import TEST_FACTOR
from tests.fixtures import clock as test_clock
from tests.fixtures.browser import BROWSER_ARGUMENTS, BROWSER_TIMEOUT_MS, IGNORE_CERTIFICATE_ERRORS
from tests.fixtures.databases import Database, Server, server_from, start_server
from tests.fixtures.ports import free_ports
from tests.fixtures.product import Product, wait_until_due_jobs_are_done
from tests.fixtures.product_logs import unhandled_errors
from tests.fixtures.shared_resources import (
    ResourceInfo,
    SharedPartError,
    Stop,
    revive_shared_resources,
    shared_resource,
    shared_run_folder,
)
from tests.fixtures.shared_tls_contexts import share_tls_contexts
from tests.fixtures.timeouts import default_timeouts

pytest_plugins = [
    f"tests.fixtures.{name}"
    for name in ("failure_reports", "random_order", "red_markers", "results_file", "time_limit")
]

# Read when numpy is imported, which no import above does. Its threads spin while they wait: beside other processes the
# model took 18 times the CPU time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Production is the default of the product. Tests of production set it themselves.
os.environ.setdefault("PORCHLIGHT_ENV", "development")
# The default prints the local variables of each frame, which takes half a minute for an error within a statement.
structlog.configure(
    [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.dev.set_exc_info,
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)
share_tls_contexts()
expect.set_options(timeout=BROWSER_TIMEOUT_MS)
# Hypothesis's deadline of 200 ms per example fails on a busy machine.
_untimed = settings(settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", _untimed, max_examples=30, derandomize=True)
settings.register_profile("deep", _untimed, max_examples=500, print_blob=True)
settings.load_profile("ci")  # `make drill` passes --hypothesis-profile=deep

# How long the end of a run waits for the browser to close.
CLOSE_SECONDS = 60

# A test with one of these fixtures needs a running process: `make test` runs it, `make check` does not.
PARTS = {"server", "demo", "chromium_path", "each_calendar_server", "stripe_server", "server_of"}
# The modules with a test that uses the demo: their clock is that of the demo.
_DEMO_MODULES = pytest.StashKey[set[Path]]()


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker `parts`. Tests with certain fixtures get it automatically."""
    config.addinivalue_line("markers", "parts: needs a running part (PostgreSQL, a browser, the product)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests whose fixtures start a process."""
    config.stash[_DEMO_MODULES] = {item.path for item in items if "demo" in getattr(item, "fixturenames", ())}
    for item in items:
        if PARTS.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("parts")


@pytest.fixture(scope="module", autouse=True)
def _clock_of_module(request: pytest.FixtureRequest) -> Iterator[None]:
    """Start each module at the suite's instant, or with the clock of the demo if it uses that."""
    test_clock.start_at_instant()
    if request.path in request.config.stash[_DEMO_MODULES]:
        test_clock.use_offset(request.getfixturevalue("demo")["clock_offset_seconds"])
    yield
    test_clock.start_at_instant()


def pytest_runtest_setup() -> None:
    """Start a shared process that ended once more, so that not all tests after it fail."""
    revive_shared_resources()


@pytest.fixture(scope="session")
def run_directory() -> Iterator[Path]:
    """A folder shared by all workers of this run. Other system accounts may traverse it."""
    with shared_run_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def server(run_directory: Path) -> Iterator[Server]:
    """The run's PostgreSQL server, one for all workers, with a migrated template database."""
    with shared_resource(run_directory, "server", lambda _: start_server(run_directory)) as facts:
        yield server_from(facts)


@pytest.fixture(scope="module")
def database(server: Server) -> Iterator[Database]:
    """An empty database with the whole schema, for one test module."""
    with server.fresh() as made:
        yield made


@pytest.fixture
def new_database(server: Server) -> Iterator[Callable[[], Database]]:
    """A factory of empty databases with the whole schema, for tests that need their own."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(server.fresh())


@pytest.fixture
def empty_database(server: Server) -> Iterator[Database]:
    """A provisioned database without tables, for tests of the migrations."""
    with server.empty() as made:
        yield made


@pytest.fixture
def production_timeouts() -> Iterator[None]:
    """Use the product's own timeouts."""
    with default_timeouts():
        yield


@pytest.fixture(scope="session")
def chromium_path() -> Path:
    """The path of Chromium. A missing browser fails the test instead of skipping it."""
    found = find_chromium()
    if found is None:
        pytest.fail(INSTALL_HINT, pytrace=False)
    return found


@pytest.fixture(scope="session")
async def browser(chromium_path: Path) -> AsyncIterator[Browser]:
    """Chromium, started once for all tests."""
    playwright = await async_playwright().start()
    launched = await playwright.chromium.launch(
        executable_path=str(chromium_path), args=[*BROWSER_ARGUMENTS, IGNORE_CERTIFICATE_ERRORS]
    )
    create_context = launched.new_context

    async def new_context(**options: Any) -> BrowserContext:
        context = await create_context(**options)
        await test_clock.shift_date(context)
        return context

    launched.new_context = new_context  # type: ignore[method-assign]
    yield launched
    # Both wait for processes without a limit. After the tests, that proves nothing: they end with this process.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_SECONDS):
            await launched.close()
            await playwright.stop()


def _start_product(folder: Path, died: ResourceInfo | None) -> tuple[ResourceInfo, Stop]:
    # Auth, payments, PostgreSQL and Caddy use the ports after the first. A test runs a name server on the last.
    port = urlsplit(died["base_url"]).port if died else free_ports(8)
    assert port is not None
    # On a busy machine, the timeouts for visitors would fail unrelated tests.
    env = {"PORCHLIGHT_TIMEOUT_FACTOR": TEST_FACTOR, "PORCHLIGHT_DNS_SERVERS": f"127.0.0.1:{port + 7}"}
    product = Product(folder / "demo", port, tls_port=port + 6, env=env)
    facts = product.start() | {"clock_offset_seconds": test_clock.offset_seconds()}
    # On for the whole run: a test that switched them would change the pages of the others.
    with psycopg.connect(facts["overseer_url"]) as connection:
        for flag in ("instantPayouts", "certifications", "realTimeChat"):
            connection.execute(
                "INSERT INTO flag_settings (name, enabled) VALUES (%s, true) ON CONFLICT DO NOTHING", [flag]
            )
    wait_until_due_jobs_are_done(facts["overseer_url"])
    return facts, lambda: _stop_product(product)


def _stop_product(product: Product) -> None:
    code = product.stop()
    if code != 0:
        raise SharedPartError(f"the product ended with {code}:\n{product.output}")
    # Tests look at the browser, which may not show an unhandled error of the server.
    if errors := unhandled_errors(product.state / "logs"):
        raise SharedPartError(f"the product logged unhandled errors:\n{errors}")


@pytest.fixture(scope="session")
def demo(run_directory: Path) -> Iterator[dict[str, Any]]:
    """The contents of `demo.json` of the product with demo data, started once for all workers.

    It serves plain HTTP (`base_url`), and TLS behind Caddy with its internal certificate authority (`tls_url`,
    `tls_ca`).
    """
    with shared_resource(run_directory, "demo", lambda died: _start_product(run_directory, died)) as facts:
        yield facts
