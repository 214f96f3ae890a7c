"""The built template and, for the browser, a host that serves it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

from sites.pages.shell import GuruWeb, NotBuiltError
from tests.sites.pages.village import BUNDLE, OUT, Village, open_village
from tests.support.browser import ARGUMENTS
from tests.support.ports import free_ports


@pytest.fixture(scope="session")
def web() -> Iterator[GuruWeb]:
    """The real export and server bundle of guru-web."""
    try:
        built = GuruWeb(OUT, BUNDLE)
    except NotBuiltError as missing:
        pytest.fail(str(missing), pytrace=False)
    yield built
    built.renderer.close()


@pytest.fixture(scope="session")
def open_doors(web: GuruWeb) -> Iterator[Village]:
    """The host, started once."""
    with open_village(web, free_ports()) as village:
        yield village


@pytest.fixture
def village(open_doors: Village) -> Village:
    """The host, everything working and nothing asked."""
    open_doors.reset()
    return open_doors


@pytest.fixture(scope="session")
async def browser(chromium_path: Path) -> AsyncIterator[Browser]:
    """Chromium, started once."""
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=str(chromium_path), args=list(ARGUMENTS))
        yield launched
        await launched.close()
