"""End-to-end tests of the running product, over TLS, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.fixtures.identity import Emulator


@pytest.fixture
def product(demo: dict[str, Any]) -> dict[str, Any]:
    """The contents of `demo.json` of the running product."""
    return demo


@pytest.fixture
def tls_port(product: dict[str, Any]) -> int:
    """The port Caddy listens on."""
    return int(str(product["tls_url"]).rsplit(":", 1)[1].strip("/"))


@pytest.fixture
def main_origin(product: dict[str, Any]) -> str:
    """The origin of the main platform behind Caddy."""
    return str(product["tls_url"]).rstrip("/")


@pytest.fixture
def emulator(product: dict[str, Any]) -> Iterator[Emulator]:
    """A client of the Auth emulator's API, to create accounts before a test."""
    opened = Emulator(str(product["auth_url"]).removeprefix("http://").rstrip("/"))
    yield opened
    opened.close()


@pytest.fixture
def user(emulator: Emulator) -> str:
    """The email address of a new account, which is verified."""
    email, uid, _ = emulator.sign_up()
    emulator.verify(uid)
    return email
