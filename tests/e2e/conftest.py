"""Journeys through the whole running product, over TLS, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.identity import Emulator


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
