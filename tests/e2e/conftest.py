"""Journeys through the whole running product, over TLS, in a real browser."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, async_playwright

from tests.support.browser import ARGUMENTS
from tests.support.identity import Emulator

# A context's `ignore_https_errors` does not reach service workers, and the product's authority is its own.
TRUSTING = "--ignore-certificate-errors"


@pytest.fixture(scope="session")
async def browser(chromium_path: Path) -> AsyncIterator[Browser]:
    """Chromium, started once."""
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=str(chromium_path), args=[*ARGUMENTS, TRUSTING])
        yield launched
        await launched.close()


@pytest.fixture
def product(tls_demo: dict[str, Any]) -> dict[str, Any]:
    """What `demo.json` says of the product behind Caddy."""
    return tls_demo


@pytest.fixture
def tls_port(product: dict[str, Any]) -> int:
    """The port Caddy listens on."""
    return int(str(product["tls_url"]).rsplit(":", 1)[1].strip("/"))


@pytest.fixture
def main_origin(product: dict[str, Any]) -> str:
    """The main platform behind Caddy, without a slash at the end."""
    return str(product["tls_url"]).rstrip("/")


@pytest.fixture
def emulator(product: dict[str, Any]) -> Iterator[Emulator]:
    """The Auth emulator's own API, for accounts that were there before a journey begins."""
    opened = Emulator(str(product["auth_url"]).removeprefix("http://").rstrip("/"))
    yield opened
    opened.close()
