"""What every room's tests stand on: a real PostgreSQL, a real browser, the real product."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from playwright.async_api import Browser, async_playwright, expect

from tests.support.browser import ARGUMENTS, HOW_TO_GET_IT, PATIENCE, TRUSTING, find_chromium
from tests.support.databases import Database, Server, server_from, start_server
from tests.support.patience import as_ever, wait_long
from tests.support.ports import free_ports
from tests.support.product import Product
from tests.support.sharing import Facts, Stop, run_folder, shared

wait_long()
expect.set_options(timeout=PATIENCE)
# A fifth of a second for an example, as Hypothesis has it, is a guess about the machine as well.
settings.register_profile("house", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

# A test that asks for one of these needs a running part; `make check` leaves it to `make test`.
PARTS = {"server", "demo", "tls_demo", "chromium_path"}


def pytest_configure(config: pytest.Config) -> None:
    """`parts` is given to tests by what they ask for; a test that starts parts by itself carries it by hand."""
    config.addinivalue_line("markers", "parts: needs a running part (PostgreSQL, a browser, the product)")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a running part."""
    for item in items:
        if PARTS.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("parts")


@pytest.fixture(scope="session")
def run_directory() -> Iterator[Path]:
    """A folder that all workers of this run share; other accounts may pass through it."""
    with run_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def server(run_directory: Path) -> Iterator[Server]:
    """The run's PostgreSQL server, one for all workers, with a migrated template database."""
    with shared(run_directory, "server", lambda: start_server(run_directory)) as facts:
        yield server_from(facts)


@pytest.fixture(scope="module")
def database(server: Server) -> Iterator[Database]:
    """A fresh database with the whole schema and no rows, for one test module."""
    with server.fresh() as made:
        yield made


@pytest.fixture
def new_database(server: Server) -> Iterator[Callable[[], Database]]:
    """Makes fresh databases with the whole schema, for tests that spoil theirs."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(server.fresh())


@pytest.fixture
def empty_database(server: Server) -> Iterator[Database]:
    """A provisioned database without tables: for tests of the migrations themselves."""
    with server.empty() as made:
        yield made


@pytest.fixture
def product_patience() -> Iterator[None]:
    """The product waits no longer than it does for visitors."""
    with as_ever():
        yield


@pytest.fixture(scope="session")
def chromium_path() -> Path:
    """The browser. Its absence fails the test with how to get it: a browser test is never left out in silence."""
    found = find_chromium()
    if found is None:
        pytest.fail(HOW_TO_GET_IT, pytrace=False)
    return found


@pytest.fixture(scope="session")
async def browser(chromium_path: Path) -> AsyncIterator[Browser]:
    """Chromium, started once, for tests that open pages of their own in it."""
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=str(chromium_path), args=[*ARGUMENTS, TRUSTING])
        yield launched
        await launched.close()


def _start_product(folder: Path, *, tls: bool) -> tuple[Facts, Stop]:
    # Auth, payments, the database and Caddy's own two take the ports that follow the first.
    port = free_ports(7)
    name = "tls-demo" if tls else "demo"
    product = Product(folder / name, port, tls_port=port + 6 if tls else None)
    return product.start(), lambda: _stop_product(product)


def _stop_product(product: Product) -> None:
    code = product.stop()
    if code != 0:
        raise AssertionError(f"the product ended with {code}:\n{product.output}")


@pytest.fixture(scope="session")
def demo(run_directory: Path) -> Iterator[dict[str, Any]]:
    """The whole product with its stories, started once for all workers; the contents of its `demo.json`."""
    with shared(run_directory, "demo", lambda: _start_product(run_directory, tls=False)) as facts:
        yield facts


@pytest.fixture(scope="session")
def tls_demo(run_directory: Path) -> Iterator[dict[str, Any]]:
    """The same behind Caddy with its internal authority (`tls_url`, `tls_ca` in `demo.json`)."""
    with shared(run_directory, "tls-demo", lambda: _start_product(run_directory, tls=True)) as facts:
        yield facts
